"""Functions of users: loaded from files, and told apart by everything that they are made of."""

import dataclasses
import functools
import importlib.metadata
import linecache
import os
import shutil
import subprocess
import sys
import textwrap
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
    yield
    for name in [name for name in sys.modules if name.endswith("_of_test")]:
        del sys.modules[name]


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path.absolute()


def identity(function):
    return identity_of_object(function).identity


def in_python(code, **environment):
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": paths, **environment})  # fmt: skip
    return done.stdout.strip()


FOLDER = {
    "ops.py": """
        import json, helper, sub.plain
        def mine():
            from late import VALUE
            import pack.deep.inner
            return helper.x() + VALUE + pack.deep.inner.VALUE + pack.top + sub.plain.VALUE
        """,
    "helper.py": "from second import y\nimport ops\ndef x():\n    return y() * (ops.mine is not None)\n",
    "second.py": "def y():\n    return 1\n",
    "late.py": "VALUE = 10\n",
    "sub/plain.py": "VALUE = 100000\n",
    "pack/__init__.py": "from .aside import MORE\ntop = 1000\n",
    "pack/deep/__init__.py": "",
    "pack/deep/inner.py": "from . import queue\nfrom ..aside import MORE\nVALUE = queue.VALUE + MORE\n",
    "pack/deep/queue.py": "import queue\nVALUE = 100 * len([queue.Queue])\n",
    "pack/aside.py": "MORE = 10000\n",
    "pack/unused.py": "raise ValueError\n",
    "unused.py": "raise ValueError\n",
}


def write_folder(under=""):
    for name, text in FOLDER.items():
        write(Path(under, name), text)


# From files


def test_a_function_of_a_file_and_all_that_it_imports_from_its_folder(tmp_path):
    write_folder()
    path, modules = list(sys.path), set(sys.modules)
    own = load("ops.py:mine")
    assert own.function() == 111111  # also long after it was loaded
    assert (own.name, own.path) == ("mine", tmp_path / "ops.py")
    names = [file.relative_to(tmp_path).as_posix() for file in own.files]
    assert names == ["ops.py", *sorted(name for name in FOLDER if "unused" not in name and name != "ops.py")]
    assert load(f"{tmp_path}/ops.py:mine") == load("ops:mine") == own
    assert sys.path == path
    assert not {name for name in set(sys.modules) - modules if not name.startswith("_pigevo_own_")}
    assert not [*tmp_path.rglob("*.pyc")]


@pytest.mark.parametrize("changed", sorted(FOLDER))
def test_a_change_of_any_of_them_is_a_change(changed):
    write_folder()
    before = load("ops.py:mine")
    write(changed, FOLDER[changed].replace("1", "2") + "# changed\n")
    after = load("ops.py:mine")
    assert (after.identity == before.identity) == ("unused" in changed)
    assert (after.function() == 111111) == ("1" not in FOLDER[changed])
    assert before.function() == 111111  # what it imports only now is what it was, too


def test_a_moved_folder_is_the_same_and_a_renamed_module_is_not(tmp_path):
    write_folder("a")
    first = load("a/ops.py:mine")
    shutil.copytree("a", "far/away")
    assert load("far/away/ops.py:mine").identity == first.identity
    assert load("far/away/ops.py:mine").path == tmp_path / "far/away/ops.py"
    shutil.move("a/second.py", "a/third.py")
    write("a/helper.py", FOLDER["helper.py"].replace("second", "third"))
    write("far/away/helper.py", FOLDER["helper.py"].replace("second", "third"))
    write("far/away/third.py", FOLDER["second.py"] + " ")
    assert len({first.identity, *(load(f"{place}/ops.py:mine").identity for place in ("a", "far/away"))}) == 3


def test_two_folders_may_have_a_helper_of_one_name():
    for number, folder in enumerate("ab"):
        write(f"{folder}/ops.py", "def mine():\n    import helper\n    return helper.VALUE\n")
        write(f"{folder}/helper.py", f"VALUE = {number}\n")
    one, two = load("a/ops.py:mine"), load("b/ops.py:mine")
    assert (one.function(), two.function(), one.function()) == (0, 1, 0)
    assert "helper" not in sys.modules


def test_nothing_of_the_standard_library_or_installed_is_shadowed(tmp_path):
    names = ("queue", "json", "numpy", "pigevo", "click")
    for name in names:
        write(f"{name}.py", "raise ValueError('a file of the user')\n")
    write("ops.py", f"import {', '.join(names)}\nfrom click import echo\ndef mine(): return queue.Queue, numpy.pi\n")
    own = load("ops.py:mine")
    import queue

    assert own.function() == (queue.Queue, np.pi)
    assert own.files == (tmp_path / "ops.py",)


def test_an_old_pyc_is_not_believed():
    files = [
        write("ops.py", "from helper import two\ndef mine(): return 1, two()\n"),
        write("helper.py", "def two(): return 1\n"),
    ]
    subprocess.run([sys.executable, "-m", "compileall", "-q", "."], check=True)
    for path in files:
        stat = path.stat()
        path.write_text(path.read_text().replace("return 1", "return 2"))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert load("ops.py:mine").function() == (2, 2)


def test_a_file_is_executed_once_and_a_failing_one_again():
    write("ops.py", "from helper import a, b\ndef c(): pass\n")
    write("helper.py", "from pathlib import Path\nwith Path('count').open('a') as f: f.write('x')\n"
          "def a(): pass\ndef b(): pass\nassert Path('ready').exists()\n")  # fmt: skip
    with pytest.raises(InputError):
        load("ops.py:a")
    write("ready", "")
    found = [load(f"ops.py:{name}") for name in "abca"]
    assert Path("count").read_text() == "xx"
    assert len({own.identity for own in found}) == 3
    assert {own.path.name for own in found} == {"ops.py"}  # and not where they come from
    write("ops.py", "from helper import a, b\ndef c(): return 1\n")
    assert load("ops.py:a").identity != found[0].identity


def test_what_is_tried_and_missing_is_no_error():
    write("ops.py", """
        for _ in range(2):
            try:
                import fast
            except ImportError as error:
                fast = str(error)
        try:
            from pack import missing
        except ImportError:
            def mine(): return fast
        """)  # fmt: skip
    write("fast.py", "import nowhere_to_be_found\n")
    write("pack/__init__.py", "")
    assert load("ops.py:mine").function() == "No module named 'nowhere_to_be_found'"


def test_classes_find_their_module(tmp_path, monkeypatch):
    text = "from __future__ import annotations\nimport dataclasses, typing\n@dataclasses.dataclass\nclass Mine:\n"
    path = write("real/ops.py", text + "    n: typing.ClassVar[int] = 3\n    @staticmethod\n    def two(): return 2\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("link.py").symlink_to(path)
    assert load("link.py:Mine").path == load("~/real/ops.py:Mine").path == path
    assert load("link.py:Mine").function().n == 3
    assert load("link.py:Mine.two").function() == 2
    assert load("link.py:Mine").identity != load("link.py:Mine.two").identity


def test_an_identity_is_the_same_in_any_process():
    write(
        "ops.py", "import helper\ndef mine(share=0.5, names={'a', 'b', 'c'}, f=lambda: 1): return {'a', 'b'} - names\n"
    )
    write("helper.py", "")
    code = "from pigevo.own_code import load, identity_of_object as i; print(load('ops.py:mine').identity)\n"
    code += (
        'names = {}; exec(\'def f(x, a={"x", "y"}): return x in {"a", "b"}\', names); print(i(names[\'f\']).identity)'
    )
    found = {in_python(code, PYTHONHASHSEED=seed) for seed in "123"}
    assert len(found) == 1
    assert found.pop().split()[0] == load("ops.py:mine").identity


# From installed packages


def test_functions_of_installed_packages(monkeypatch):
    from scipy.stats import rankdata

    own = load("scipy.stats:rankdata")
    assert (own.files, own.function([3, 1]).tolist()) == ((), [2, 1])
    half = [functools.partial(rankdata, axis=axis) for axis in (0, 1)]
    functions = [rankdata, pigevo.hold_at, *half, np.add, np.multiply, max, min]
    before = [identity(function) for function in functions]
    assert len({*before, own.identity}) == len(functions)
    assert not any(identity_of_object(function).files for function in functions)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0")
    assert [identity(function) == then for function, then in zip(functions, before, strict=True)] == [
        False,
        True,
        False,
        False,
        False,
        False,
        True,
        True,
    ]
    monkeypatch.setattr(pigevo.own_code, "__version__", "0.0")
    assert load("pigevo.strategies:hold_at").identity != before[1]


# What is wrong


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("nowhere.py:mine", "there is no file nowhere.py."),
        ("folder:mine", "folder cannot be imported: ModuleNotFoundError: No module named 'folder'."),
        ("./folder:mine", "folder cannot be read: Is a directory."),
        ("ops.py", "'ops.py' names no function: write path/ops.py:name"),
        ("ops.py:", "names no function"),
        (":mine", "names no function"),
        ("ops.py:mnie", "there is no function 'mnie' in ops.py; did you mean mine?"),
        ("ops.py:other", "there is no function 'other' in ops.py; there are: Kind, mine."),
        ("ops.py:Kind.x", "there is no function 'Kind.x' in ops.py"),
        ("ops.py:RATE", "RATE in ops.py is no function: it is a float."),
        ("empty.py:mine", "there are: none."),
        ("syntax.py:mine", "syntax.py cannot be read: '(' was never closed (syntax.py, line 2)."),
        ("uses_syntax.py:mine", "syntax.py cannot be read: '(' was never closed (syntax.py, line 2)."),
        ("null.py:mine", "null.py cannot be read:"),
        ("latin.py:mine", "latin.py cannot be read:"),
        ("fails.py:mine", "fails.py cannot be imported: ZeroDivisionError: division by zero (fails.py, line 3)."),
        ("uses_fails.py:mine", "ZeroDivisionError: division by zero (fails.py, line 3)."),
        ("leaves.py:mine", "leaves.py cannot be imported: SystemExit: 3 (leaves.py, line 2)."),
        ("lacks.py:mine", "ModuleNotFoundError: No module named 'no_such_module' (lacks.py, line 1)."),
        ("lacks_own.py:mine", "ImportError: cannot import name 'nothing' from 'ops'"),
        ("above.py:mine", "ImportError: attempted relative import beyond top-level package (above.py, line 1)."),
        ("no_such_package.ops:mine", "No module named 'no_such_package'"),
        ("scipy.no_such:mine", "scipy.no_such cannot be imported: ModuleNotFoundError"),
        ("scipy.stats:rankdat", "there is no function 'rankdat' in scipy.stats; did you mean rankdata"),
        ("..:mine", ".. cannot be imported"),
    ],
)
def test_one_sentence(reference, told):
    write("folder/x.txt", "")
    write("ops.py", "RATE = 0.5\nclass Kind: pass\ndef mine(): pass\ndef _hidden(): pass\n")
    write("empty.py", "")
    write("syntax.py", "x = 1\ny = (1,\n")
    write("uses_syntax.py", "def mine():\n    import syntax\n")
    Path("null.py").write_bytes(b"x = 1\0\n")
    Path("latin.py").write_bytes(b"x = '\xe9'\n")
    write("fails.py", "def f():\n    # fails\n    return 1 / 0\nf()\n")
    write("uses_fails.py", "import fails\n")
    write("leaves.py", "import sys\nsys.exit(3)\n")
    write("lacks.py", "import no_such_module\n")
    write("lacks_own.py", "from ops import nothing\n")
    write("above.py", "from .. import x\n")
    with pytest.raises(InputError) as caught:
        load(reference)
    said = str(caught.value)
    assert told in said
    assert not {"\n", "_pigevo_own_"} & {said[at : at + 12] for at in range(len(said))} | ({"\n"} & set(said))
    assert said.endswith((".", "?"))


def test_a_file_that_may_not_be_read(monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    write("ops.py", "def mine(): pass\n")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"ops.py cannot be read: Permission denied\."):
        load("ops.py:mine")


# From objects


def imported(monkeypatch, name, text):
    path = write(f"{name}.py", text)
    monkeypatch.syspath_prepend(path.parent)
    return __import__(name)


def test_an_object_is_known_by_its_file_if_that_still_holds_it(monkeypatch):
    text = """
        import objects_helper, functools, numba
        def decorated(f):
            return functools.wraps(f)(lambda *x: f(*x))
        class Kind:
            rate = 1
            def f(self): return 1
        def mine(a, b=2, *, c={1, 2}): return 1
        short = lambda a: 1
        @decorated
        def wrapped(): return 1
        @numba.njit
        def compiled(x): return 1
        """
    write("objects_helper.py", "")
    ops = imported(monkeypatch, "objects_of_test", text)
    before = {}
    for name in ("Kind", "mine", "wrapped", "compiled"):
        own, loaded = identity_of_object(getattr(ops, name)), load(f"objects_of_test.py:{name}")
        assert dataclasses.replace(loaded, function=own.function) == own
        assert [path.name for path in own.files] == ["objects_of_test.py", "objects_helper.py"]
        before[name] = own.identity
    assert load("objects_of_test.py:short").identity == identity(ops.short)
    assert ops.compiled(1) == 1
    assert identity(ops.compiled) == before["compiled"]
    write("objects_of_test.py", text.replace("return 1", "return 2"))
    linecache.checkcache()
    for name, then in before.items():
        old = identity_of_object(getattr(ops, name))
        assert old.identity not in (then, load(f"objects_of_test.py:{name}").identity)
        assert old.files == ()
    Path("objects_of_test.py").write_text("def (")
    assert identity(ops.mine)


def typed(text, **values):
    """A function without any file, as in a notebook."""
    space = {"__name__": "__main__", **values}
    exec(text, space)
    return space["f"]


def test_without_a_file_the_bytecode_tells():
    texts = ["x + 1", "x + 2", "x - 1", "abs(x) + 1", "(lambda y: y + 1)(x)", "(lambda y: y + 2)(x)", "x in {1}"]
    made = [typed(f"def f(x): return {text}") for text in texts]
    made += [typed(f"def f(x{more}): return x + 1") for more in (", y=1", ", y=2", ", *, y=2", ", y")]
    made += [typed("def f(x): return [x + RATE for _ in x]", RATE=rate) for rate in (1, 2)]
    made += [typed("def f(x): return g(x)", g=typed(f"def f(x): return {n}")) for n in (1, 2)]
    made += [
        typed(f"class f:\n  def __call__(self): return {n}\n  {more}") for n in (1, 2) for more in ("a = 1", "a = 2")
    ]
    made += [typed(f"class f:\n  @classmethod\n  def g(self): return {n}") for n in (1, 2)]
    made += [eval(f"lambda x: x + {n}", {}) for n in (1, 2)]
    assert len({identity(function) for function in made}) == len(made)
    assert identity(typed("def f(x): return x + 1")) == identity(made[0])
    own = identity_of_object(made[0])
    assert (own.name, own.path, own.files) == ("f", None, ())


MAKERS = """
import functools, dataclasses, numpy as np
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
    def __init__(self, value):
        functools.update_wrapper(self, takes)
        self.value = value
def decorated(value):
    @functools.wraps(takes)
    def inner(*arguments): return takes(*arguments, value)
    return inner
WAYS = {
    "closure": make, "partial": lambda value: functools.partial(takes, value=value), "called": Kind,
    "default": lambda value: type(takes)(takes.__code__, globals(), "takes", (value,)), "wrapper": Wrapper,
    "method": lambda value: Kind(value).method, "decorated": decorated, "vectorize": lambda v: np.vectorize(make(v)),
    "deep": lambda value: make({1: [make(Kind(value))]}),
}
"""


@pytest.mark.parametrize(
    "way", ["closure", "partial", "called", "default", "wrapper", "method", "decorated", "vectorize", "deep"]
)
def test_the_values_that_it_carries_belong_to_it(way, monkeypatch, tmp_path):
    ops = imported(monkeypatch, "makers_of_test", MAKERS)
    made = ops.WAYS[way]
    values = [
        1, 2, 1.0, True, "1", b"1", None, (1, 2), [1, 2], (2, 1), {1: 2}, {2: 1}, {1, 2}, frozenset({1, 2}), ((1,), 2),
        1j, range(3), np.arange(3), np.arange(4), np.arange(3.0), np.arange(4).reshape(2, 2), np.float32(1), np.uint8(1),
        pigevo.Pig(target=9), pigevo.Pig(target=10), ops.make(1), ops.make(2), ops.takes, max, min, *ops.PAIR,
    ]  # fmt: skip
    found = [identity(made(value)) for value in values]
    assert len(set(found)) == len(values)
    assert [identity(made(value)) for value in values] == found
    assert identity_of_object(made(1)).files == (tmp_path / "makers_of_test.py",)
    assert identity(made({"b": 1, "a": 2})) == identity(made({"a": 2, "b": 1}))
    assert identity(made(object())) == identity(made(object()))


class Hostile:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self):
        return None


def recursive(late=False):
    def inner(n):
        return inner(n - 1)

    kept = inner
    if late:
        del inner
    return kept


LOOP = []
LOOP += [LOOP] * 10
ODD = [
    Hostile(), recursive(), recursive(late=True), functools.partial(max, LOOP), functools.partial(max, Hostile()), str.upper,
    "x".upper, type, dict.fromkeys, len, type("New", (), {}), functools.lru_cache(recursive()), 3, None, object(), os.path,
    np.vectorize(lambda x: x), np.frompyfunc(lambda x: x, 1, 1), typed("class f: x = 1"), classmethod(recursive()), property(len),
    eval("lambda x: x", {}), functools.partial(functools.partial(max, 1), 2), MagicMock(), lambda self=LOOP: self,
]  # fmt: skip


@pytest.mark.parametrize("thing", ODD, ids=range(len(ODD)))
def test_it_never_fails(thing):
    own = identity_of_object(thing)
    assert own.identity
    assert own.name
    assert identity(thing) == own.identity
    assert place_of(thing)


# Messages


def test_where_a_function_stands(tmp_path, monkeypatch):
    write("sub/ops.py", "import functools\n\ndef mine():\n    pass\n\nclass Kind:\n    def __call__(self): pass\n")
    function, kind = load("sub/ops.py:mine").function, load("sub/ops.py:Kind").function
    for one, line in ((function, 3), (functools.partial(function), 3), (kind, 6), (kind(), 6)):
        assert place_of(one) == f"sub/ops.py, line {line}"
    monkeypatch.chdir("sub")
    assert place_of(function) == "ops.py, line 3"
    assert place_of(typed("def f(): pass\n")) == "f"
    assert place_of(len) == "len"


def test_what_went_wrong_in_a_function():
    path = write("ops.py", """
        import json, pack.deep
        def outer(text):
            return inner(text)
        def inner(text):
            return json.loads(text)
        def silent(text):
            raise KeyError
        def below(text):
            pack.deep.fail()
        """)  # fmt: skip
    write("pack/deep.py", "def fail():\n    raise ValueError('two\\nlines')\n")

    def told(name, at):
        with pytest.raises(Exception) as caught:
            load(f"ops.py:{name}").function("{")
        return failure(caught.value, at)

    assert told("outer", path).startswith("JSONDecodeError: Expecting property name")
    assert told("outer", path).endswith("(ops.py, line 6)")
    assert told("silent", path) == "KeyError (ops.py, line 8)"
    assert told("silent", None) == "KeyError"
    assert told("below", path) == "ValueError: two lines (pack/deep.py, line 2)"


def test_the_standard_library_is_enough():
    assert in_python("import sys, pigevo.own_code; print({'numpy', 'click', 'hydra'} & set(sys.modules))") == "set()"
