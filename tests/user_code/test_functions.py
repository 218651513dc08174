"""Functions of users: loaded with all that they import, and told apart by all that they are made of.

If they take too long, they are interrupted, in threads too.
"""

import contextlib
import dataclasses
import functools
import gc
import importlib
import importlib.metadata
import linecache
import os
import pickle
import re
import reprlib
import subprocess
import sys
import threading
import time
import weakref
from importlib.metadata import packages_distributions
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest
import scipy.special
import scipy.stats

import pigevo
from pigevo.errors import InputError
from pigevo.user_code.limits import TimeIsUp, limit_of, limited
from pigevo.user_code.loading import failure, file_and_line, identity_of_object, load
from pigevo.user_code.source import DEPENDENCIES, packages_of
from tests.cases import sample
from tests.user_code.functions import DIFFERENT, UNKNOWN, captured_by, identity, typed, write


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


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


def test_nothing_of_a_file_that_was_edited_stays():
    write_folder()
    before = load("ops.py:mine")
    before.function()
    module, known = weakref.ref(sys.modules[before.function.__module__]), set(sys.modules)
    for number in range(5):
        write("helper.py", f"{FOLDER['helper.py']}# {number}\n")
        after = load("ops.py:mine")
        assert after.function() == 111111
    assert set(sys.modules) == known
    del before
    gc.collect()
    assert module() is None
    assert sys.modules[after.function.__module__].mine is after.function


def test_a_content_that_was_read_before_is_the_file_s():
    Path("mine.py").write_text("def rule(i, j, k):\n    return 1\n")
    before = b"def rule(i, j, k):\n    return 2\n"
    assert load("mine.py:rule", before).function(0, 0, 0) == 2
    assert load("mine:rule", before).function(0, 0, 0) == 1  # the content of another file, `mine`


def test_folders_do_not_matter_and_may_have_modules_of_one_name(tmp_path):
    write_folder("a")
    write_folder("far/away")
    first, same = load("a/ops.py:mine"), load("far/away/ops.py:mine")
    assert (same.identity, same.path) == (first.identity, tmp_path / "far/away/ops.py")
    write("far/away/late.py", "VALUE = 20\n")
    other = load("far/away/ops.py:mine")
    assert [own.function() for own in (other, first, same)] == [111121, 111111, 111111]
    write("a/third.py", FOLDER["second.py"])
    write("a/helper.py", FOLDER["helper.py"].replace("second", "third"))
    assert len({own.identity for own in (first, other, load("a/ops.py:mine"))}) == 3


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
    loaded = [load(f"ops.py:{name}") for name in "abca"]
    assert Path("count").read_text() == "xx"
    assert len({(own.identity, own.path.name == "ops.py") for own in loaded}) == 3
    write("ops.py", "from helper import a, b\ndef c(): return 1\n")
    assert load("ops.py:a").identity != loaded[0].identity


def test_what_is_tried_and_missing_is_no_error():
    again = "try:\n    from {} import no\nexcept ImportError as error:\n    reason = str(error)\n"
    write_folder()
    write("ops.py", "".join(map(again.format, ("late", "fast", "fast"))) + "def mine(): return reason\n")
    write("fast.py", "import nowhere_to_be_found\n")
    assert load("ops.py:mine").function() == "No module named 'nowhere_to_be_found'"


def test_classes_find_their_module(tmp_path, monkeypatch):
    text = "from __future__ import annotations\nimport dataclasses, typing\n@dataclasses.dataclass\nclass Mine:\n"
    path = write("real/ops.py", text + "    n: typing.ClassVar[int] = 3\n    @staticmethod\n    def two(): return 2\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("link.py").symlink_to(path)
    own, two = load("link.py:Mine"), load("~/real/ops.py:Mine.two")
    assert (own.path, two.path, pickle.loads(pickle.dumps(own.function())).n, two.function()) == (path, path, 3, 2)


WRONG = [
    ("nowhere.py:mine", "", "there is no file nowhere.py."),
    ("nowhere.py", "", "there is no file nowhere.py."),
    ("nowhere.py:", "", "there is no file nowhere.py."),
    ("no_such:mine", "", "there is no module no_such, nor a file no_such.py: write path/ops.py:name, or "),
    ("./:mine", "", ". cannot be read: it is a folder."),
    ("ops.py", "x = 1", "ops.py has no public function or class."),
    ("ops.py:", "x = 1", "'ops.py:' names no function: write path/ops.py:name"),
    ("ops.py:", "def f(): pass\n", "ops.py has f: name one, as in ops.py:f."),
    ("ops.py", "def f(): pass\ng = lambda: 1\nclass H: pass\nclass _I: pass\n", "ops.py has f, g and H: name one, as in ops.py:H."),
    ("ops.py", "def mine()\n    pass", "ops.py cannot be read: expected ':' (ops.py, line 1)."),
    ("ops.py", "return 1", "ops.py cannot be read: 'return' outside function (ops.py, line 1)."),
    ("ops.py", " \n", "ops.py is empty."),
    ("ops.py", '{"cells": [], "nbformat": 4}', "ops.py cannot be read: it is a notebook: export it as a Python file, or "),
    ("ops.py:mine", "", "there is no function 'mine' in ops.py; there are: none."),
    ("ops.py:mnie", "def mine(): pass\n", "there is no function 'mnie' in ops.py; did you mean mine?"),
    ("ops.py:K.x", "class K: pass\ndef _no(): pass", "there is no function 'K.x' in ops.py; there are: K."),
    ("ops.py:rate", "rate = 0.5", "rate in ops.py must be a function: it is a float."),
    ("ops.py:mine", "x = 1\ny = (1,", "ops.py cannot be read: '(' was never closed (ops.py, line 2)."),
    ("use.py:mine", "x = 1\ny = (1,", "ops.py cannot be read: '(' was never closed (ops.py, line 2)."),
    ("ops.py:mine", "def f():\n    1 / 0\nf()", "ops.py cannot be imported: ZeroDivisionError: division by zero (ops.py, line 2)."),
    ("use.py:mine", "def f():\n    1 / 0\nf()", "use.py cannot be imported: ZeroDivisionError: division by zero (ops.py, line 2)."),
    ("ops.py:mine", "import sys\nsys.exit(3)", "ops.py cannot be imported: it calls sys.exit() with 3 (ops.py, line 2)."),
    ("ops.py:mine", "raise EOFError", "cannot be imported: EOFError (ops.py, line 1)."),
    ("ops.py:mine", "raise EOFError('EOF when reading a line')", "imported: a function here may not ask with input() (ops.py, line 1)."),
    ("ops.py:mine", "import bdb; raise bdb.BdbQuit", "imported: a function here may not stop at a breakpoint() (ops.py, line 1)."),
    ("ops.py:mine", "open('no/data.txt')", "imported: FileNotFoundError: [Errno 2] No such file or directory: 'no/data.txt'; a path is looked for in the folder where you started pigevo: write Path(__file__).parent / 'no/data.txt' (ops.py, line 1)."),
    ("ops.py:mine", "open('/no/data.txt')", "imported: FileNotFoundError: [Errno 2] No such file or directory: '/no/data.txt' (ops.py, line 1)."),
    ("use.py:mine", "import no_such", "ModuleNotFoundError: No module named 'no_such' (ops.py, line 1)."),
    ("use.py:mine", "", "ImportError: cannot import name 'other' from 'ops'"),
    ("ops.py:mine", "from .. import x", "ImportError: attempted relative import beyond top-level package"),
    ("scipy.stats:rankdat", "", "there is no function 'rankdat' in scipy.stats; did you mean rankdata"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "text", "message"), WRONG, ids=range(len(WRONG)))
def test_a_reference_that_cannot_be_loaded_is_one_sentence(reference, text, message):
    write("ops.py", text)
    write("use.py", "from ops import other\n")
    with pytest.raises(InputError) as caught:
        load(reference)
    sentence = str(caught.value)
    assert message in sentence
    assert not re.search(r"\n|_pigevo_own_|[^.?]$", sentence)


def test_where_a_function_stands():
    write("sub/ops.py", "import functools\n\ndef mine():\n    pass\n\nclass Kind:\n    def __call__(self): pass\n")
    function, kind = load("sub/ops.py:mine").function, load("sub/ops.py:Kind").function
    functions = (function, functools.partial(function), kind, kind(), typed("def f(): pass"), len)
    assert [*map(file_and_line, functions)] == ["sub/ops.py, line 3"] * 2 + ["sub/ops.py, line 6"] * 2 + ["f", "len"]


def test_what_went_wrong_in_a_function():
    path = write("ops.py", "import json, pack.deep\nread, fail = lambda: json.loads('['), pack.deep.fail\n")
    write("pack/deep.py", "def fail():\n    raise ValueError('two\\nlines')\ndef silent():\n    raise ValueError\n"
          "class Mute(ValueError):\n    def __str__(self): return 1 / 0\ndef mute():\n    raise Mute\n")  # fmt: skip
    for name, at, sentence in (
        ("read", path, "JSONDecodeError: Expecting value: line 1 column 2 (char 1) (ops.py, line 2)"),
        ("fail", path, "ValueError: two lines (pack/deep.py, line 2)"),
        ("pack.deep.silent", path, "ValueError (pack/deep.py, line 4)"),
        ("pack.deep.silent", None, "ValueError"),
        ("pack.deep.mute", path, "Mute (pack/deep.py, line 8)"),
        ("read", Path(os.__file__), "JSONDecodeError: Expecting value: line 1 column 2 (char 1)"),
    ):
        with pytest.raises(ValueError) as caught:
            load(f"ops.py:{name}").function()
        assert failure(caught.value, at) == sentence


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("async def f(i, j, k): return True", "f is an async function"),
        ("async def f(i, j, k): yield True", "f is an async function"),
        ("def f(i, j, k): yield True", "f is a generator: it must `return` its whole result"),
        ("class f:\n    async def __call__(self, generation): return True", "f is an async function"),
    ],
)
def test_what_hands_back_no_result_is_refused_wherever_a_function_can_stand(tmp_path, kind, message):
    """As a strategy, an operator, a stop rule and what looks at generations, from a file and from Python."""
    path = tmp_path / "late.py"
    path.write_text(kind)
    refused = [lambda: load(f"{path}:f"), lambda: pigevo.evolve("debug=fast", f"stop={path}:f"),
               lambda: pigevo.evolve("debug=fast", on_generation=f"{path}:f")]  # fmt: skip
    function = typed(kind)
    refused += [lambda: pigevo.evolve("debug=fast", selection=function)]
    if not kind.startswith("class"):
        refused += [lambda: pigevo.Strategy.from_function(pigevo.Pig(9), function, "f")]
    for call in refused:
        with pytest.raises(InputError, match=message) as caught:
            call()
        assert " at 0x" not in str(caught.value)


def test_a_file_that_goes_to_another_folder_takes_nobody_with_it():
    before = os.getcwd()
    write("sub/ops.py", "import os\nos.chdir('sub')\nhere = os.getcwd()\ndef mine():\n    return here\n")
    assert load("sub/ops.py:mine").function() == os.path.join(before, "sub")
    assert os.getcwd() == before


def test_an_identity_is_the_same_in_any_process():
    write("ops.py", "def mine(names={'a', 'b', 'c'}, f=lambda: 1): return {'a', 'b'} - names\n")
    code = "from pigevo.user_code.loading import load, identity_of_object as i; print(load('ops.py:mine').identity)\n"
    code += 'm = {}; exec(\'def f(x, a={"x", "y"}): return x in {"a", "b"}\', m); print(i(m[\'f\']).identity)'
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    first, second = (
        subprocess.check_output([sys.executable, "-c", code], env=env | {"PYTHONHASHSEED": n}) for n in "12"
    )
    assert first == second
    assert first.decode().split()[0] == load("ops.py:mine").identity


def test_functions_of_installed_packages(monkeypatch):
    own = load("scipy.stats:rankdata")
    halves = [functools.partial(own.function, axis=axis) for axis in (0, 1)]
    made = [reprlib.recursive_repr(n) for n in (1, 2)]
    functions = [own.function, *halves, np.add, scipy.special.expit, pigevo.hold_at, *made, max, min]
    before = [identity(function) for function in functions]
    assert (len(set(before)), before[0]) == (len(functions), own.identity)
    assert not any(identity_of_object(function).files for function in functions)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0")
    monkeypatch.setattr(pigevo.user_code.identity, "__version__", "0.0")
    after = [identity(function) for function in functions]
    assert [now == then for now, then in zip(after, before, strict=True)] == [False] * 6 + [True] * 4


def test_functions_of_a_notebook_are_told_apart_by_their_text():
    texts = ["x + 1", "x + 2", "x - 1", "abs(x) + 1", "len(x) + 1", "(lambda: 1)()", "(lambda: 2)()"]
    made = [*EMPTY_CELLS, *(typed(f"def f(x): return {text}") for text in texts)]
    made += [typed(f"def f(x, {y}): return x + 1") for y in ("y=1", "y=2", "*, y=2", "*, y=3", "y", "z")]
    made += [typed(f"def f(x): return {n}", __name__="numpy") for n in (1, 2)]
    made += [typed("def f(x): return [x + RATE for _ in x]", RATE=rate) for rate in (1, 2)]
    made += [typed("def f(x): return g(x)", g=typed(f"def f(x): return {n}")) for n in (1, 2)]
    made += [typed(f"class f:\n  def __call__(self): return {n}\n  a = {m}") for n in (1, 2) for m in (1, 2)]
    made += [typed(f"class f:\n  @classmethod\n  def g(self): return {n}") for n in (1, 2)]
    made += typed("f = [lambda x: x + 1, lambda x: x + 2]")
    assert len({identity(function) for function in made}) == len(made)
    own = identity_of_object(typed("def f(x): return x + 1"))
    assert (own.name, own.path, own.files, own.identity) == ("f", None, (), identity(made[2]))
    assert identity_of_object(type("New", (), {})).files == ()


MAKERS = """
import functools, helper_of_test, numba, numpy as np
RATE = 1
class Base:
    rate = 1
class Reading(Base):
    def __call__(self, x): return self.rate + other()
def other(): return RATE + helper_of_test.RATE
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
    write("imported/helper_of_test.py", "RATE = 1\n")
    write("imported/makers_of_test.py", MAKERS)
    monkeypatch.syspath_prepend(tmp_path / "imported")
    yield __import__("makers_of_test")
    del sys.modules["makers_of_test"], sys.modules["helper_of_test"]


def test_an_object_is_known_by_its_file_if_that_still_holds_it(ops):
    path = Path(ops.__file__)
    assert ops.compiled(1) == 1
    assert load(f"{path}:short").identity == identity(ops.short)
    assert file_and_line(ops.wrapped) == file_and_line(ops.takes)
    path.write_text("# above\n" + MAKERS)
    before = {name: identity_of_object(getattr(ops, name)) for name in ("Kind", "takes", "wrapped", "compiled")}
    for name, own in before.items():
        assert dataclasses.replace(load(f"{path}:{name}"), name=own.name, function=own.function) == own
        assert (own.path, own.files) == (path, (path, path.parent / "helper_of_test.py"))
    path.write_text(MAKERS.replace("value\n", "value, 1\n"))
    for name, then in before.items():
        assert identity(then.function) not in (then.identity, load(f"{path}:{name}").identity)
        assert identity_of_object(then.function).files == ()
        assert identity_of_object(then.function).edited in ("Kind.__call__", "takes", "compiled")
    path.write_text("def (")
    assert identity(ops.takes)


@pytest.mark.parametrize("change", ["ops.RATE", "ops.helper_of_test.RATE", "ops.Base.rate", "ops.other"])
def test_a_value_that_is_changed_from_outside_makes_another_function(ops, change, monkeypatch):
    before = identity(ops.Reading)
    owner, name = change.rsplit(".", 1)
    monkeypatch.setattr(eval(owner), name, len if name == "other" else 2)
    assert identity(ops.Reading) != before


@pytest.mark.parametrize("way", sample(range(9), 0, 4, 8))
def test_the_values_that_it_carries_belong_to_it(way, ops):
    values = [
        1, 2, 1.0, True, "1", b"1", None, (1, 2), [1, 2], (2, 1), {1: 2}, {2: 1}, {1, 2}, frozenset({1, 2}), ((1,), 2),
        1j, range(3), np.arange(3), np.arange(4), np.arange(3.0), np.arange(3.0, dtype='f4'), np.arange(4).reshape(2, 2), np.float32(1), np.uint8(1),
        pigevo.Pig(target=9), pigevo.Pig(target=10), ops.make(1), ops.make(2), ops.takes, max, min, *ops.PAIR,
    ]  # fmt: skip
    made = [ops.WAYS[way](value) for value in values]
    assert len({identity(function) for function in made}) == len(values)
    assert {identity_of_object(function).path for function in made} == {Path(ops.__file__)}
    for value, equal in ((1, 1), ({"b", "a"}, {"a", "b"}), (object(), object())):
        assert identity(ops.WAYS[way](value)) == identity(ops.WAYS[way](equal))


@pytest.mark.parametrize("name", sample(DIFFERENT, 0, 4, 8, 12, 16))
def test_other_values_make_another_function_however_it_reads_them(name):
    def identities(value):
        functions = [identity_of_object(function) for function in captured_by(value())]
        assert {own.unknown for own in functions} == {""}
        assert len({own.identity for own in functions}) == len(functions)
        return [own.identity for own in functions]

    value, other = DIFFERENT[name]
    assert identities(value) == identities(value)
    assert not set(identities(value)) & set(identities(other))


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_value_whose_content_cannot_be_read_is_named(name):
    sentence = re.compile(
        rf"(module\.)?(value|other) of .*(takes|given|attributed|f|Kind) is a {name}, whose content .*"
    )
    for function in captured_by(UNKNOWN[name]()):
        assert sentence.fullmatch(identity_of_object(function).unknown)
    assert identity_of_object(UNKNOWN[name]()).unknown.startswith(f"it is a {name}, ")


def test_what_an_installed_object_is_bound_to_belongs_to_it():
    assert identity_of_object(scipy.stats.norm(1).rvs).unknown.startswith("it is a method, ")
    assert identity_of_object(scipy.stats.norm.rvs).unknown == ""


def test_a_function_whose_source_is_not_known_is_named():
    for function in (eval("lambda x: x", {}), functools.partial(eval("lambda x: x"), 1)):
        assert identity_of_object(function).unknown == "<lambda> has no source: write it into a file"


def test_a_function_made_of_a_text_does_not_have_the_source_of_a_text_of_the_same_name(monkeypatch):
    """From Python 3.13 on, the source of `python -c` is what `inspect` finds for every function that `exec` makes."""
    text = "def f(x): return 0\n"
    monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, [text], "<string>"))
    for value in (1, 2):
        made = {}
        exec(f"def f(x): return {value}", made)
        assert identity_of_object(made["f"]).unknown == "f has no source: write it into a file"


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


def test_an_identity_is_found_for_anything():
    for thing in ODD:
        own = identity_of_object(thing)
        assert all((own.identity == identity(thing), own.name, file_and_line(thing)))


def test_the_package_of_a_module_is_that_which_lists_it_whether_it_was_looked_up_or_known():
    listed = packages_distributions()
    for module, package in DEPENDENCIES.items():
        assert packages_of(module) == [package] == sorted(set(listed[module]))
    assert packages_of("pytest") == ["pytest"]
    assert packages_of("json") == packages_of("no_such_module") == []


def endless():
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0)


def stubborn():
    while True:
        try:
            while True:
                pass
        except BaseException as error:
            seen.append(error)
            if len(seen) > 1:
                raise


seen: list[BaseException] = []


def sleepy():
    while True:
        time.sleep(0.1)


@pytest.mark.parametrize("call", [endless, stubborn])
def test_a_call_that_takes_too_long_is_interrupted(call):
    with (
        limit_of(0.3),
        pytest.raises(TimeIsUp, match=r"^it takes more than 0\.3 s of processor time; perhaps it never ends$"),
    ):
        limited(call, "mine")


def test_a_call_that_sleeps_is_interrupted_after_ten_times_that_by_the_clock():
    with limit_of(0.1), pytest.raises(TimeIsUp, match=r"^it takes more than 1 s; perhaps it never ends$"):
        limited(sleepy, "mine")


def test_a_call_in_another_thread_is_interrupted_too():
    caught = []

    def run():
        with limit_of(0.3):
            try:
                limited(endless, "mine")
            except TimeIsUp as error:
                caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert len(caught) == 1


def test_what_is_in_time_is_returned_and_nothing_comes_later():
    with limit_of(0.3):
        for _ in range(300):
            assert limited(lambda: 3, "mine") == 3
        until = time.monotonic() + 1
        while time.monotonic() < until:
            pass


def test_there_is_one_interruption_however_long_a_busy_machine_handles_it():
    def handled() -> str:
        try:
            limited(endless, "mine")
        except TimeIsUp as error:
            time.sleep(0.5)  # a second error would come here
            return str(error)
        return "it ends"

    with limit_of(0.3):
        assert limited(handled, "mine") == "it takes more than 0.3 s of processor time; perhaps it never ends"


@pytest.mark.parametrize("seconds", [9.0, 0.01])
def test_a_profiler_and_a_debugger_go_on_afterwards(seconds):
    """Python 3.11 repeats an instruction for ever if it is traced after an error of NULL was raised in its thread."""
    code = f"""
import contextlib, cProfile, sys
from pigevo.user_code.limits import TimeIsUp, limit_of, limited

def busy():
    return sum(i for i in range(1 if {seconds} > 1 else 10**12))

with contextlib.suppress(TimeIsUp), limit_of({seconds}):
    limited(busy, "busy")
profile = cProfile.Profile()
print(profile.runcall(lambda: 3))
trace = lambda *event: trace
sys.settrace(trace)
print((lambda: 4)())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["3", "4"], done.stderr


def test_a_value_in_a_module_of_a_module_is_part_of_an_operator(tmp_path, monkeypatch):
    """A finished run was returned for another value of it."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "deep_package").mkdir()
    (tmp_path / "deep_package" / "__init__.py").write_text("from . import numbers_of_mine")
    (tmp_path / "deep_package" / "numbers_of_mine.py").write_text("RATE = 0.0")
    (tmp_path / "deep_operator.py").write_text(
        "import deep_package\n"
        "def flip(genomes, context): return genomes * (1 - deep_package.numbers_of_mine.RATE).__ceil__()\n"
    )
    module = importlib.import_module("deep_operator")
    quick = ("debug=fast", "game.target=9", "baseline=none", "cubes=none", "generations=2", "figures=none")
    pigevo.evolve(*quick, mutator=module.flip, folder=tmp_path / "run")
    module.deep_package.numbers_of_mine.RATE = 0.5
    with pytest.raises(InputError, match="holds a run of another config"):
        pigevo.evolve(*quick, mutator=module.flip, folder=tmp_path / "run")
