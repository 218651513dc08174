"""Functions of users: loaded from files, and told apart by everything that they are made of."""

import dataclasses
import functools
import importlib.metadata
import os
import pickle
import reprlib
import subprocess
import sys
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.own_code import failure, identity_of_object, load, place_of


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return Path(path).absolute()


def identity(function):
    return identity_of_object(function).identity


FOLDER = {
    "ops.py": "import json, click, queue, numpy, pigevo, helper, sub.plain\ndef mine():\n    from late import VALUE\n"
    "    import pack.deep.inner\n    from click import echo\n    more = pack.deep.inner.VALUE + pack.top + sub.plain.VALUE\n"
    "    return helper.x() + VALUE + more if callable(echo) and numpy.pi else None\n",
    "helper.py": "from second import y\nimport ops\ndef x():\n    return y() * (ops.mine is not None)\n",
    "second.py": "def y():\n    return 1\n",
    "late.py": "from . import calendar as own\nimport calendar\nVALUE = 10 * len([calendar.isleap])\n",
    "calendar.py": "",
    "sub/plain.py": "VALUE = 100000\n",
    "pack/__init__.py": "from .aside import MORE\ntop = 1000\n",
    "pack/deep/__init__.py": "",
    "pack/deep/inner.py": "from . import queue\nfrom ..aside import MORE\nVALUE = queue.VALUE + MORE\n",
    "pack/deep/queue.py": "import queue\nVALUE = 100 * len([queue.Queue])\n",
    "pack/aside.py": "MORE = 10000\n",
}
UNUSED = ["pack/unused.py", "unused.py", *(f"{name}.py" for name in ("json", "click", "queue", "numpy", "pigevo"))]


def write_folder(under=""):
    for name, text in (FOLDER | dict.fromkeys(UNUSED, "raise ValueError\n")).items():
        write(Path(under, name), text)


def test_a_function_of_a_file_and_all_that_it_imports_from_its_folder(tmp_path):
    write_folder()
    own = load("ops.py:mine")
    assert (own.name, own.path, own.function()) == ("mine", tmp_path / "ops.py", 111111)
    assert [file.relative_to(tmp_path).as_posix() for file in own.files] == ["ops.py", *sorted([*FOLDER][1:])]
    assert load(f"{tmp_path}/ops.py:mine") == load("ops:mine") == own
    assert load("click:echo").files == ()
    assert not {"ops", "helper", "second", "late", "sub", "pack", "pack.deep", "pack.deep.inner"} & set(sys.modules)
    assert not [*tmp_path.rglob("*.pyc")]


@pytest.mark.parametrize("changed", [*FOLDER, *UNUSED])
def test_a_change_of_any_of_them_is_a_change(changed):
    write_folder()
    before = load("ops.py:mine")
    write(changed, Path(changed).read_text().replace("1", "2") + "# changed\n")
    after = load("ops.py:mine")
    assert (after.identity == before.identity) == (changed in UNUSED)
    assert (after.function() == 111111) == ("1" not in FOLDER.get(changed, ""))
    assert before.function() == 111111  # what it imports only now is what it was, too


def test_folders_do_not_matter_and_may_have_modules_of_one_name(tmp_path):
    write_folder("a")
    write_folder("far/away")
    one, same = load("a/ops.py:mine"), load("far/away/ops.py:mine")
    assert (same.identity, same.path) == (one.identity, tmp_path / "far/away/ops.py")
    write("far/away/late.py", "VALUE = 20\n")
    other = load("far/away/ops.py:mine")
    assert [own.function() for own in (other, one, same)] == [111121, 111111, 111111]
    write("a/third.py", FOLDER["second.py"])
    write("a/helper.py", FOLDER["helper.py"].replace("second", "third"))
    assert len({own.identity for own in (one, other, load("a/ops.py:mine"))}) == 3


def test_an_old_pyc_is_not_believed():
    write("ops.py", "from helper import two\ndef mine(): return 1, two()\n")
    write("helper.py", "def two(): return 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "."], check=True)
    for path in ("ops.py", "helper.py"):
        then = os.stat(path).st_mtime_ns
        write(path, Path(path).read_text().replace("return 1", "return 2"))
        os.utime(path, ns=(then, then))
    assert load("ops.py:mine").function() == (2, 2)


def test_a_file_is_executed_once_and_a_failing_one_again():
    write("ops.py", "from helper import a, b\ndef c(): pass\n")
    counting = "def a(): pass\ndef b(): pass\nfrom pathlib import Path\nPath('count').open('a').write('x')\n"
    write("helper.py", counting + "assert Path('ready').exists()\n")
    with pytest.raises(InputError):
        load("ops.py:a")
    write("ready", "")
    found = [load(f"ops.py:{name}") for name in "abca"]
    assert Path("count").read_text() == "xx"
    assert len({(own.identity, own.path.name == "ops.py") for own in found}) == 3
    write("ops.py", "from helper import a, b\ndef c(): return 1\n")
    assert load("ops.py:a").identity != found[0].identity


def test_what_is_tried_and_missing_is_no_error():
    again = "try:\n    from {} import no\nexcept ImportError as error:\n    told = str(error)\n"
    write_folder()
    write("ops.py", "".join(map(again.format, ("late", "fast", "fast"))) + "def mine(): return told\n")
    write("fast.py", "import nowhere_to_be_found\n")
    assert load("ops.py:mine").function() == "No module named 'nowhere_to_be_found'"


def test_classes_find_their_module(tmp_path, monkeypatch):
    text = "from __future__ import annotations\nimport dataclasses, typing\n@dataclasses.dataclass\nclass Mine:\n"
    path = write("real/ops.py", text + "    n: typing.ClassVar[int] = 3\n    @staticmethod\n    def two(): return 2\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("link.py").symlink_to(path)
    own, two = load("link.py:Mine"), load("~/real/ops.py:Mine.two")
    assert (own.path, two.path, pickle.loads(pickle.dumps(own.function())).n, two.function()) == (path, path, 3, 2)


def test_an_identity_is_the_same_in_any_process():
    write("ops.py", "def mine(names={'a', 'b', 'c'}, f=lambda: 1): return {'a', 'b'} - names\n")
    code = "from pigevo.own_code import load, identity_of_object as i; print(load('ops.py:mine').identity)\n"
    code += 'm = {}; exec(\'def f(x, a={"x", "y"}): return x in {"a", "b"}\', m); print(i(m[\'f\']).identity)'
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = [subprocess.check_output([sys.executable, "-c", code], env=env | {"PYTHONHASHSEED": n}) for n in "123"]
    assert len(set(found)) == 1
    assert found[0].decode().split()[0] == load("ops.py:mine").identity


def test_functions_of_installed_packages(monkeypatch):
    own = load("scipy.stats:rankdata")
    halves = [functools.partial(own.function, axis=axis) for axis in (0, 1)]
    made = [make(n) for make in (np.poly1d, reprlib.recursive_repr) for n in (1, 2)]
    functions = [own.function, *halves, np.add, np.multiply, pigevo.hold_at, *made, max, min]
    before = [identity(function) for function in functions]
    assert (len(set(before)), before[0]) == (len(functions), own.identity)
    assert not any(identity_of_object(function).files for function in functions)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0")
    monkeypatch.setattr(pigevo.own_identity, "__version__", "0.0")
    after = [identity(function) for function in functions]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False] * 8 + [True] * 4


WRONG = [
    ("nowhere.py:mine", "", "there is no file nowhere.py."),
    ("no_such:mine", "", "no_such cannot be imported: ModuleNotFoundError: No module named 'no_such'."),
    ("./:mine", "", ". cannot be read: Is a directory."),
    ("ops.py", "", "'ops.py' names no function: write path/ops.py:name"),
    ("ops.py:mine", "", "there is no function 'mine' in ops.py; there are: none."),
    ("ops.py:mnie", "def mine(): pass\n", "there is no function 'mnie' in ops.py; did you mean mine?"),
    ("ops.py:K.x", "class K: pass\ndef _no(): pass", "there is no function 'K.x' in ops.py; there are: K."),
    ("ops.py:rate", "rate = 0.5", "rate in ops.py is no function: it is a float."),
    ("ops.py:mine", "x = 1\ny = (1,", "ops.py cannot be read: '(' was never closed (ops.py, line 2)."),
    ("use.py:mine", "x = 1\ny = (1,", "ops.py cannot be read: '(' was never closed (ops.py, line 2)."),
    ("ops.py:mine", "def f():\n    1 / 0\nf()", "ops.py cannot be imported: ZeroDivisionError: division by zero (ops.py, line 2)."),
    ("use.py:mine", "def f():\n    1 / 0\nf()", "use.py cannot be imported: ZeroDivisionError: division by zero (ops.py, line 2)."),
    ("ops.py:mine", "import sys\nsys.exit(3)", "ops.py cannot be imported: SystemExit: 3 (ops.py, line 2)."),
    ("use.py:mine", "import no_such", "ModuleNotFoundError: No module named 'no_such' (ops.py, line 1)."),
    ("use.py:mine", "", "ImportError: cannot import name 'other' from 'ops'"),
    ("ops.py:mine", "from .. import x", "ImportError: attempted relative import beyond top-level package"),
    ("scipy.stats:rankdat", "", "there is no function 'rankdat' in scipy.stats; did you mean rankdata"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "text", "told"), WRONG, ids=range(len(WRONG)))
def test_one_sentence(reference, text, told):
    write("ops.py", text)
    write("use.py", "from ops import other\n")
    with pytest.raises(InputError) as caught:
        load(reference)
    assert told in (said := str(caught.value))
    assert ("\n" in said, "_pigevo_own_" in said, said[-1] in ".?") == (False, False, True)


def typed(text, **values):
    space = {"__name__": "__main__", **values}
    exec(text, space)
    return space["f"]


def test_without_a_file_the_bytecode_tells():
    texts = ["x + 1", "x + 2", "x - 1", "abs(x) + 1", "len(x) + 1", "(lambda: 1)()", "(lambda: 2)()"]
    made = [*EMPTY_CELLS, *(typed(f"def f(x): return {text}") for text in texts)]
    made += [typed(f"def f(x, {y}): return x + 1") for y in ("y=1", "y=2", "*, y=2", "*, y=3", "y", "z")]
    made += [typed(f"def f(x): return {n}", __name__="numpy") for n in (1, 2)]
    made += [typed("def f(x): return [x + RATE for _ in x]", RATE=rate) for rate in (1, 2)]
    made += [typed("def f(x): return g(x)", g=typed(f"def f(x): return {n}")) for n in (1, 2)]
    made += [typed(f"class f:\n  def __call__(self): return {n}\n  a = {m}") for n in (1, 2) for m in (1, 2)]
    made += [typed(f"class f:\n  @classmethod\n  def g(self): return {n}") for n in (1, 2)]
    made += [eval(f"lambda x: x + {n}", {}) for n in (1, 2)]
    assert len({identity(function) for function in made}) == len(made)
    own = identity_of_object(typed("def f(x): return x + 1"))
    assert (own.name, own.path, own.files, own.identity) == ("f", None, (), identity(made[2]))
    assert identity_of_object(type("New", (), {})).files == ()


MAKERS = """
import functools, helper_of_test, numba, numpy as np
PAIR = (lambda x: x + 1), (lambda x: x + 2)
def make(value):
    def inner(x): return value
    return inner
def takes(x, value=None): return value
class Kind:
    def __init__(self, value): self.value = value
    def __call__(self, x): return self.value
    def method(self, x): return self.value
class Wrapper(Kind):
    def __init__(self, value): self.value = functools.update_wrapper(self, takes) and value
def decorated(value): return functools.wraps(takes)(make(value))
wrapped = decorated(1)
@numba.njit
def compiled(value): return value
short = lambda a: 1
WAYS = [
    make, lambda value: functools.partial(takes, value=value), decorated, Kind, lambda value: Kind(value).method, Wrapper,
    lambda value: type(takes)(takes.__code__, globals(), "takes", (value,)), lambda value: np.vectorize(make(value)),
    lambda value: make({1: [make(Kind(value))]})]
"""


@pytest.fixture
def ops(tmp_path, monkeypatch):
    write("imported/helper_of_test.py", "")
    write("imported/makers_of_test.py", MAKERS)
    monkeypatch.syspath_prepend(tmp_path / "imported")
    yield __import__("makers_of_test")
    del sys.modules["makers_of_test"], sys.modules["helper_of_test"]


def test_an_object_is_known_by_its_file_if_that_still_holds_it(ops):
    path = Path(ops.__file__)
    assert ops.compiled(1) == 1
    assert load(f"{path}:short").identity == identity(ops.short)
    assert place_of(ops.wrapped) == place_of(ops.takes)
    before = {name: identity_of_object(getattr(ops, name)) for name in ("Kind", "takes", "wrapped", "compiled")}
    for name, own in before.items():
        assert dataclasses.replace(load(f"{path}:{name}"), name=own.name, function=own.function) == own
        assert (own.path, own.files) == (path, (path, path.parent / "helper_of_test.py"))
    path.write_text(MAKERS.replace("value\n", "value, 1\n"))
    for name, then in before.items():
        assert identity(then.function) not in (then.identity, load(f"{path}:{name}").identity)
        assert identity_of_object(then.function).files == ()
    path.write_text("def (")
    assert identity(ops.takes)


@pytest.mark.parametrize("way", range(9))
def test_the_values_that_it_carries_belong_to_it(way, ops):
    values = [
        1, 2, 1.0, True, "1", b"1", None, (1, 2), [1, 2], (2, 1), {1: 2}, {2: 1}, {1, 2}, frozenset({1, 2}), ((1,), 2),
        1j, range(3), np.arange(3), np.arange(4), np.arange(3.0), np.arange(3.0, dtype='f4'), np.arange(4).reshape(2, 2), np.float32(1), np.uint8(1),
        pigevo.Pig(target=9), pigevo.Pig(target=10), ops.make(1), ops.make(2), ops.takes, max, min, *ops.PAIR,
    ]  # fmt: skip
    made = [ops.WAYS[way](value) for value in values]
    assert len({identity(function) for function in made}) == len(values)
    assert {identity_of_object(function).path for function in made} == {Path(ops.__file__)}
    for one, other in ((1, 1), ({"b": 1, "a": 2}, {"a": 2, "b": 1}), (object(), object())):
        assert identity(ops.WAYS[way](one)) == identity(ops.WAYS[way](other))


HOSTILE = type("Hostile", (), {"__getattr__": lambda self, name: 1 / 0, "__call__": lambda self: None})()
RECURSIVE = typed("def g():\n  def f(n): return f(n - 1)\n  return f\nf = g()")
LATE = "def g():\n  def f(): return late, {}\n  if 0: late = 1\n  return f\nf = g()"
EMPTY_CELLS = [typed(LATE.format(n)) for n in (1, 2)]
LOOP = []
LOOP += [LOOP] * 10
ODD = [
    HOSTILE, RECURSIVE, *EMPTY_CELLS, functools.partial(max, LOOP), functools.partial(max, HOSTILE), functools.partial(max, type("Odd", (list,), {"__iter__": None})()), str.upper,
    "x".upper, type, dict.fromkeys, len, type("New", (), {}), functools.lru_cache(RECURSIVE), 3, None, object(), os.path,
    np.frompyfunc(lambda x: x, 1, 1), typed("class f: x = 1"), classmethod(RECURSIVE), property(len), MagicMock(),
    eval("lambda x: x", {}), functools.partial(functools.partial(max, 1), 2), lambda self=LOOP: self,
]  # fmt: skip


@pytest.mark.parametrize("thing", ODD, ids=range(len(ODD)))
def test_it_never_fails(thing):
    own = identity_of_object(thing)
    assert all((own.identity == identity(thing), own.name, place_of(thing)))


def test_where_a_function_stands():
    write("sub/ops.py", "import functools\n\ndef mine():\n    pass\n\nclass Kind:\n    def __call__(self): pass\n")
    function, kind = load("sub/ops.py:mine").function, load("sub/ops.py:Kind").function
    found = [
        place_of(one) for one in (function, functools.partial(function), kind, kind(), typed("def f(): pass"), len)
    ]
    assert found == ["sub/ops.py, line 3"] * 2 + ["sub/ops.py, line 6"] * 2 + ["f", "len"]


def test_what_went_wrong_in_a_function():
    path = write("ops.py", "import json, pack.deep\nread, fail = lambda: json.loads('['), pack.deep.fail\n")
    write("pack/deep.py", "def fail():\n    raise ValueError('two\\nlines')\ndef silent():\n    raise ValueError\n")
    for name, at, told in (
        ("read", path, "JSONDecodeError: Expecting value: line 1 column 2 (char 1) (ops.py, line 2)"),
        ("fail", path, "ValueError: two lines (pack/deep.py, line 2)"),
        ("pack.deep.silent", path, "ValueError (pack/deep.py, line 4)"),
        ("pack.deep.silent", None, "ValueError"),
        ("read", Path(os.__file__), "JSONDecodeError: Expecting value: line 1 column 2 (char 1)"),
    ):
        with pytest.raises(ValueError) as caught:
            load(f"ops.py:{name}").function()
        assert failure(caught.value, at) == told
