"""Functions of users: loaded from files, and told apart by everything that they are made of."""

import functools
import hashlib
import linecache
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.own_code import Own, failure, identity_of_object, load, place_of


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


def names_of(files, root):
    return [path.relative_to(root).as_posix() for path in files]


# From files


def test_a_function_of_a_file(tmp_path):
    path = write("ops.py", "def mine(x):\n    return x + 1\n")
    own = load("ops.py:mine")
    assert isinstance(own, Own)
    assert (own.name, own.path, own.files) == ("mine", path, (path,))
    assert own.function(2) == 3
    assert len(own.identity) == 64
    assert load(f"{path}:mine") == own
    with pytest.raises(AttributeError):
        own.name = "other"


def test_a_class_and_a_method(tmp_path):
    write(
        "ops.py",
        "class Mine:\n    def __init__(self, n): self.n = n\n    @staticmethod\n    def twice(x): return 2 * x\n",
    )
    assert load("ops.py:Mine").function(3).n == 3
    assert load("ops.py:Mine.twice").function(4) == 8
    assert load("ops.py:Mine").identity != load("ops.py:Mine.twice").identity


def test_a_dataclass_and_a_decorator_find_their_module():
    write("ops.py", """
        from __future__ import annotations
        import dataclasses, functools, typing
        @dataclasses.dataclass
        class Mine:
            n: typing.ClassVar[int] = 3
            share: float = 0.5
        """)  # fmt: skip
    assert load("ops.py:Mine").function(share=0.25).share == 0.25


def test_two_functions_of_a_file_are_told_apart():
    write("ops.py", "def a(): return 1\ndef b(): return 2\n")
    assert load("ops.py:a").identity != load("ops.py:b").identity


def test_what_it_imports_from_its_folder_belongs_to_it(tmp_path):
    write("ops.py", """
        import json, helper
        def mine():
            from late import VALUE
            import pack.deep.inner
            return helper.x() + VALUE + pack.deep.inner.VALUE + pack.top
        """)  # fmt: skip
    write("helper.py", "from second import y\ndef x():\n    return y()\n")
    write("second.py", "def y():\n    return 1\n")
    write("late.py", "VALUE = 10\n")
    write("pack/__init__.py", "top = 1000\n")
    write("pack/deep/__init__.py", "")
    write("pack/deep/inner.py", "from . import beside\nfrom ..aside import MORE\nVALUE = beside.VALUE + MORE\n")
    write("pack/deep/beside.py", "VALUE = 100\n")
    write("pack/aside.py", "MORE = 10000\n")
    write("pack/unused.py", "raise ValueError\n")
    write("unused.py", "raise ValueError\n")
    own = load("ops.py:mine")
    assert own.function() == 11111  # also long after it was loaded
    assert names_of(own.files, tmp_path) == [
        "ops.py", "helper.py", "late.py", "pack/__init__.py", "pack/aside.py", "pack/deep/__init__.py",
        "pack/deep/beside.py", "pack/deep/inner.py", "second.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changed", ["ops.py", "helper.py", "late.py", "pack/__init__.py", "pack/inner.py", "named.py", "sub/mod.py"]
)
def test_a_change_of_any_of_them_is_a_change(changed):
    write("ops.py", """
        import importlib
        import helper as h, sub.mod as s
        named = importlib.import_module("named")
        def mine():
            import late
            return h.VALUE + late.VALUE + named.VALUE + s.VALUE
        """)  # fmt: skip
    write("helper.py", "from pack import inner\nVALUE = inner.VALUE\n")
    for name in ("late.py", "pack/inner.py", "named.py", "sub/mod.py"):
        write(name, "VALUE = 1\n")
    write("pack/__init__.py", "")
    before = load("ops.py:mine")
    assert before.function() == 4
    assert load("ops.py:mine").function is before.function
    path = Path(changed)
    path.write_text(path.read_text().replace("VALUE = 1", "VALUE = 2") + "# changed\n")
    after = load("ops.py:mine")
    assert after.identity != before.identity
    assert after.function() == (5 if "VALUE = 2" in path.read_text() else 4)
    assert before.function() == 4


def test_a_change_elsewhere_is_none(tmp_path):
    write("ops.py", "def mine(): pass\n")
    before = load("ops.py:mine").identity
    write("other.py", "VALUE = 1\n")
    write("data.csv", "1,2\n")
    os.utime("ops.py", (1, 1))
    assert load("ops.py:mine").identity == before


def test_a_moved_folder_is_the_same_and_a_renamed_module_is_not(tmp_path):
    write("a/ops.py", "import helper\ndef mine(): return helper.f()\n")
    write("a/helper.py", "def f(): return __file__\n")
    first = load("a/ops.py:mine")
    shutil.copytree("a", "far/away")
    second = load("far/away/ops.py:mine")
    assert first.identity == second.identity
    assert Path(first.function()).parent == tmp_path / "a"
    assert Path(second.function()).parent == tmp_path / "far" / "away"
    write("a/ops.py", "import helper2 as helper\ndef mine(): return helper.f()\n")
    shutil.move("a/helper.py", "a/helper2.py")
    assert load("a/ops.py:mine").identity != first.identity


def test_the_same_bytes_divided_otherwise_are_other_code():
    write("a/ops.py", "import x\ndef mine(): pass\n")
    write("a/x.py", "A = 1\n")
    write("b/ops.py", "import x\n")
    write("b/x.py", "def mine(): pass\nA = 1\n")
    write("b/ops.py", "import x\nfrom x import mine\n")
    assert load("a/ops.py:mine").identity != load("b/ops.py:mine").identity


def test_two_folders_may_have_a_helper_of_one_name(monkeypatch):
    for number, folder in enumerate("ab"):
        write(f"{folder}/ops.py", "def mine():\n    import helper\n    return helper.VALUE\n")
        write(f"{folder}/helper.py", f"VALUE = {number}\n")
    one, two = load("a/ops.py:mine"), load("b/ops.py:mine")
    assert (one.function(), two.function()) == (0, 1)
    write("c/helper.py", "VALUE = 2\n")
    monkeypatch.syspath_prepend(Path("c").absolute())
    import helper  # of somebody else, imported before

    write("d/ops.py", "import helper\ndef mine(): return helper.VALUE\n")
    write("d/helper.py", "VALUE = 3\n")
    assert load("d/ops.py:mine").function() == 3
    assert sys.modules.pop("helper") is helper


def test_nothing_of_the_standard_library_or_installed_is_shadowed(tmp_path):
    for name in ("queue", "json", "numpy", "pigevo", "click"):
        write(f"{name}.py", "raise ValueError('a file of the user')\n")
    write(
        "ops.py",
        "import queue, json, numpy, pigevo\nfrom click import echo\ndef mine(): return queue.Queue, numpy.pi\n",
    )
    own = load("ops.py:mine")
    import queue

    assert own.function() == (queue.Queue, np.pi)
    assert own.files == (tmp_path / "ops.py",)


def test_nothing_is_left_behind(tmp_path):
    write("pack/__init__.py", "")
    write("pack/inner.py", "")
    write("dynamic.py", "")
    write("ops.py", """
        import importlib, sys, pack.inner
        importlib.import_module("dynamic")
        WHERE = sys.path[-1]
        def mine(): return WHERE
        """)  # fmt: skip
    path, modules, writing = list(sys.path), set(sys.modules), sys.dont_write_bytecode
    assert load("ops.py:mine").function() == str(tmp_path)
    assert sys.path == path
    assert sys.dont_write_bytecode == writing
    assert not {name for name in set(sys.modules) - modules if not name.startswith("_pigevo_own_")}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["__init__.py", "dynamic.py", "inner.py", "ops.py", "pack"]


def test_an_old_pyc_beside_the_file_is_not_believed(tmp_path):
    path = write("ops.py", "def mine(): return 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "."], check=True)
    stat = path.stat()
    path.write_text("def mine(): return 2\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert load("ops.py:mine").function() == 2


def test_what_an_import_loads_stays_loaded_if_it_is_installed(tmp_path):
    """A project's folder may hold the environment itself."""
    write("lib/site-packages/installed_by_test.py", "VALUE = 1\n")
    code = """
        import sys
        sys.path[0] = "lib/site-packages"
        from pigevo.own_code import load
        own = load("ops.py:mine")
        print(own.function(), "installed_by_test" in sys.modules, len(own.files))
        """
    write("ops.py", "def mine():\n    import installed_by_test\n    return installed_by_test.VALUE\nmine()\n")
    write("installed_by_test.py", "VALUE = 2\n")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})  # fmt: skip
    assert done.stdout == "1 True 1\n", done.stderr


def test_a_file_of_a_package(tmp_path):
    write("lab/__init__.py", "SCALE = 3\n")
    write("lab/ops/__init__.py", "")
    write("lab/ops/mine.py", """
        from . import helper
        from .. import SCALE
        from lab.more import MORE
        import beside
        def mine(): return helper.VALUE * SCALE + MORE + beside.VALUE
        """)  # fmt: skip
    write("lab/ops/helper.py", "VALUE = 2\n")
    write("lab/ops/beside.py", "VALUE = 1000\n")
    write("lab/more.py", "MORE = 100\n")
    own = load("lab/ops/mine.py:mine")
    assert own.function() == 1106
    assert names_of(own.files, tmp_path) == [
        "lab/ops/mine.py", "lab/__init__.py", "lab/more.py", "lab/ops/__init__.py", "lab/ops/beside.py",
        "lab/ops/helper.py",
    ]  # fmt: skip
    write("lab/__init__.py", "SCALE = 4\n")
    assert load("lab/ops/mine.py:mine").identity != own.identity
    assert load("lab.ops.mine:mine").function() == 1108
    assert load("lab.ops.mine:mine").identity == load("lab/ops/mine.py:mine").identity


def test_relative_imports_without_a_package_and_everything_of_one():
    write("ops.py", "from . import helper\nfrom pack import *\ndef mine(): return helper.VALUE + inner.VALUE\n")
    write("helper.py", "VALUE = 1\n")
    write("pack/__init__.py", "__all__ = ['inner']\n")
    write("pack/inner.py", "VALUE = 2\n")
    own = load("ops.py:mine")
    assert own.function() == 3
    assert {path.name for path in own.files} == {"ops.py", "helper.py", "__init__.py", "inner.py"}


def test_what_is_tried_and_missing_is_no_error():
    write("ops.py", """
        try:
            from . import fast
        except ImportError:
            fast = None
        try:
            import nowhere_to_be_found
        except ImportError:
            pass
        import pack
        try:
            from pack import missing
        except ImportError as error:
            said = str(error)
        def mine(): return fast
        """)  # fmt: skip
    write("pack/__init__.py", "")
    assert load("ops.py:mine").function() is None


def test_files_that_import_each_other():
    write("ops.py", "import helper\ndef one(): return 1\ndef mine(): return helper.two()\n")
    write("helper.py", "import ops\ndef two(): return ops.one() + 1\n")
    assert load("ops.py:mine").function() == 2


def test_names_of_files_that_no_import_could_say():
    write("my ops.v2.py", "def mine(): return __name__\n")
    assert load("my ops.v2.py:mine").function().endswith("my ops_v2")


def test_a_file_behind_a_link_and_in_the_home_folder(tmp_path, monkeypatch):
    path = write("real/ops.py", "import helper\ndef mine(): return helper.VALUE\n")
    write("real/helper.py", "VALUE = 1\n")
    Path("link.py").symlink_to(path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load("link.py:mine").path == load("~/real/ops.py:mine").path == path


def test_the_source_can_be_looked_at():
    import inspect

    write("ops.py", "import helper\n\ndef mine():\n    import helper\n    return 1\n")
    write("helper.py", "")
    assert inspect.getsource(load("ops.py:mine").function) == "def mine():\n    import helper\n    return 1\n"


def test_a_file_is_loaded_once_and_a_failing_one_again(tmp_path):
    write("ops.py", "from pathlib import Path\nwith Path('count').open('a') as f: f.write('x')\n"
          "def a(): pass\ndef b(): pass\nassert Path('ready').exists()\n")  # fmt: skip
    with pytest.raises(InputError):
        load("ops.py:a")
    write("ready", "")
    load("ops.py:a"), load("ops.py:b"), load(f"{tmp_path}/ops.py:a")
    assert Path("count").read_text() == "xx"


def test_an_identity_is_that_of_the_bytes_in_any_process():
    write("ops.py", "import helper\ndef mine(share=0.5, names={'a', 'b', 'c'}): pass\n")
    write("helper.py", "")
    code = "from pigevo.own_code import load; print(load('ops.py:mine').identity)"
    found = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                       env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}).stdout
        for seed in "123"
    }  # fmt: skip
    assert found == {load("ops.py:mine").identity + "\n"}


# From installed packages


def test_a_function_of_an_installed_package():
    from importlib.metadata import version

    own = load("scipy.stats:rankdata")
    assert own.identity == f"scipy=={version('scipy')} scipy.stats:rankdata"
    assert own.files == ()
    assert own.function([3, 1]).tolist() == [2, 1]
    assert load("math:sqrt").identity == f"python=={sys.version.split()[0]} math:sqrt"
    assert load("pigevo.strategies:hold_at").identity == f"pigevo=={pigevo.__version__} pigevo.strategies:hold_at"


def test_a_module_of_no_distribution_is_its_file(tmp_path, monkeypatch):
    write("lib/loose.py", "import loose_helper\ndef mine(): return loose_helper.VALUE\n")
    write("lib/loose_helper.py", "VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    own = load("loose:mine")
    assert own == load("lib/loose.py:mine")
    assert len(own.files) == 2
    assert "loose" not in sys.modules
    write("here.py", "def mine(): return 2\n")
    assert load("here:mine").function() == 2  # where Python was started, however it was


# What is wrong


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("nowhere.py:mine", "there is no file nowhere.py."),
        ("folder:mine", "there is no module 'folder'"),
        ("./folder:mine", "folder is no file of Python"),
        ("ops.py", "'ops.py' names no function: write path/ops.py:name"),
        ("ops.py:", "names no function"),
        (":mine", "names no function"),
        ("ops.py:mnie", "there is no function 'mnie' in ops.py; did you mean mine?"),
        ("ops.py:other", "there is no function 'other' in ops.py; there are: Kind, mine."),
        ("ops.py:Kind.x", "there is no function 'Kind.x' in ops.py"),
        ("ops.py:RATE", "RATE in ops.py is no function: it is a float."),
        ("empty.py:mine", "there are: none."),
        ("syntax.py:mine", "syntax.py is no Python: '(' was never closed in line 2."),
        ("uses_syntax.py:mine", "syntax.py is no Python: '(' was never closed in line 2."),
        ("null.py:mine", "null.py is no Python:"),
        ("latin.py:mine", "latin.py is no Python:"),
        ("fails.py:mine", "fails.py cannot be imported: ZeroDivisionError: division by zero (fails.py, line 3)."),
        ("uses_fails.py:mine", "ZeroDivisionError: division by zero (fails.py, line 3)."),
        ("leaves.py:mine", "leaves.py cannot be imported: SystemExit: 3 (leaves.py, line 2)."),
        ("lacks.py:mine", "ModuleNotFoundError: No module named 'no_such_module' (lacks.py, line 1)."),
        ("lacks_own.py:mine", "ImportError: cannot import name 'nothing' from 'ops'"),
        ("no_such_package.ops:mine", "there is no module 'no_such_package.ops'"),
        ("scipy.no_such:mine", "scipy.no_such cannot be imported: ModuleNotFoundError"),
        ("scipy.stats:rankdat", "there is no function 'rankdat' in scipy.stats"),
        ("..:mine", "there is no module '..'"),
        ("a..b:mine", "there is no module"),
        (".ops:mine", "there is no module"),
    ],
)
def test_one_sentence(reference, told):
    write("folder/x.txt", "")
    write("ops.py", "from os import getcwd\nRATE = 0.5\nclass Kind: pass\ndef mine(): pass\ndef _hidden(): pass\n")
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
    with pytest.raises(InputError) as caught:
        load(reference)
    said = str(caught.value)
    assert told in said
    assert "\n" not in said
    assert "_pigevo_own_" not in said
    assert said.endswith((".", "?"))


def test_a_file_that_may_not_be_read(monkeypatch):
    write("ops.py", "def mine(): pass\n")

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"ops.py cannot be read: Permission denied\."):
        load("ops.py:mine")


# From objects


def test_an_object_is_known_by_its_file(monkeypatch, tmp_path):
    path = write(
        "objects_of_test.py", "import objects_helper\nclass Kind:\n    def f(self): pass\ndef mine(a, b=2): pass\n"
    )
    write("objects_helper.py", "")
    monkeypatch.syspath_prepend(tmp_path)
    import objects_of_test as ops

    for name in ("mine", "Kind"):
        own = identity_of_object(getattr(ops, name))
        loaded = load(f"objects_of_test.py:{name}")
        assert (own.name, own.path, own.identity, own.files) == (name, path, loaded.identity, loaded.files)
        assert identity_of_object(loaded.function).identity == loaded.identity
    assert own.function is ops.Kind


def test_a_function_older_than_its_file_is_not_the_one_in_the_file(monkeypatch, tmp_path):
    write("older_of_test.py", "def mine(): return 1\nclass Kind:\n    def f(self): return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import older_of_test as ops

    before = {name: identity_of_object(getattr(ops, name)).identity for name in ("mine", "Kind")}
    write("older_of_test.py", "def mine(): return 2\nclass Kind:\n    def f(self): return 2\n")
    linecache.checkcache()
    for name, identity in before.items():
        old = identity_of_object(getattr(ops, name))
        assert old.identity not in (identity, load(f"older_of_test.py:{name}").identity)
        assert old.files == ()
    Path("older_of_test.py").write_text("def (")
    assert identity_of_object(ops.mine).identity


def test_a_loaded_function_keeps_its_identity_when_the_file_changes():
    write("ops.py", "def mine():\n    import helper\n")
    write("helper.py", "")
    own = load("ops.py:mine")
    write("ops.py", "def mine(): return 2\n")
    assert identity_of_object(own.function).identity == own.identity


def cell(text, name="f", **values):
    """A function as a notebook's cell makes it: with a source, and without a file."""
    file = f"<cell {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"__name__": "__main__", **values}
    exec(compile(text, file, "exec"), space)
    return space[name]


def typed(text, name="f", **values):
    """A function without any source."""
    space = {"__name__": "__main__", **values}
    exec(text, space)
    return space[name]


@pytest.mark.parametrize("make", [cell, typed])
def test_without_a_file_the_source_or_the_bytecode_tells(make):
    def told(text, **values):
        own = identity_of_object(make(text, **values))
        assert (own.name, own.path, own.files) == ("f", None, ())
        return own.identity

    one = told("def f(x):\n    return x + 1\n")
    assert told("def f(x):\n    return x + 1\n") == one
    others = [
        told("def f(x):\n    return x + 2\n"),
        told("def f(x):\n    return x - 1\n"),
        told("def f(x):\n    return abs(x) + 1\n"),
        told("def f(x, y=1):\n    return x + 1\n"),
        told("def f(x, y=2):\n    return x + 1\n"),
        told("def f(x, *, y=2):\n    return x + 1\n"),
        told("def f(x):\n    return (lambda y: y + 1)(x)\n"),
        told("def f(x):\n    return (lambda y: y + 2)(x)\n"),
        told("def f(x):\n    return x + RATE\n", RATE=1),
        told("def f(x):\n    return x + RATE\n", RATE=2),
        told("def f(x):\n    return g(x)\n", g=make("def f(x): return 1\n")),
        told("def f(x):\n    return g(x)\n", g=make("def f(x): return 2\n")),
    ]
    assert len({one, *others}) == 13


def test_two_lambdas_of_one_line():
    a, b = cell("f = (lambda x: x + 1, lambda x: x + 2)\n")
    assert identity_of_object(a).identity != identity_of_object(b).identity
    write("ops.py", "PAIR = (lambda x: x + 1, lambda x: x + 2)\ndef pair(): return PAIR\n")
    a, b = load("ops.py:pair").function()
    assert identity_of_object(a).identity != identity_of_object(b).identity


MAKERS = """
import functools
def make(value):
    def inner(x): return value
    return inner
def takes(x, value=None): return value
class Kind:
    def __init__(self, value): self.value = value
    def __call__(self, x): return self.value
    def method(self, x): return self.value
def decorated(value):
    @functools.wraps(takes)
    def inner(*arguments): return takes(*arguments, value)
    return inner
"""


@pytest.mark.parametrize("way", ["closure", "default", "partial", "called", "method", "decorated"])
def test_the_values_that_it_carries_belong_to_it(way, monkeypatch, tmp_path):
    write("makers_of_test.py", MAKERS)
    monkeypatch.syspath_prepend(tmp_path)
    import makers_of_test as ops

    def made(value):
        if way == "closure":
            return ops.make(value)
        if way == "default":
            space = dict(vars(ops))
            return type(ops.takes)(ops.takes.__code__, space, "takes", (value,))
        if way == "partial":
            return functools.partial(ops.takes, value=value)
        return {"called": ops.Kind, "method": lambda v: ops.Kind(v).method, "decorated": ops.decorated}[way](value)

    values = [
        1, 2, 1.0, True, "1", b"1", None, (1, 2), [1, 2], (2, 1), {1: 2}, {2: 1}, {1, 2}, frozenset({1, 2}), ((1,), 2),
        1j, range(3), 10**5000, np.arange(3), np.arange(4), np.arange(3.0), np.arange(4).reshape(2, 2), np.float32(1),
        np.uint8(1), pigevo.Pig(target=9), pigevo.Pig(target=10), ops.make(1), ops.make(2), ops.takes, max, min,
    ]  # fmt: skip
    found = [identity_of_object(made(value)).identity for value in values]
    assert len(set(found)) == len(values)
    assert [identity_of_object(made(value)).identity for value in values] == found
    assert identity_of_object(made(1)).files == (tmp_path / "makers_of_test.py",)
    assert identity_of_object(made({"b": 1, "a": 2})).identity == identity_of_object(made({"a": 2, "b": 1})).identity
    assert identity_of_object(made(object())).identity == identity_of_object(made(object())).identity


def test_functions_of_installed_packages_as_objects():
    from scipy.stats import rankdata

    assert identity_of_object(rankdata).identity.startswith("scipy==")
    assert identity_of_object(np.add).identity == f"numpy=={np.__version__} numpy:add"
    assert identity_of_object(max).identity.endswith(" builtins:max")
    assert (
        identity_of_object(pigevo.hold_at).identity == f"pigevo=={pigevo.__version__} pigevo.strategies.named:hold_at"
    )
    half = [identity_of_object(functools.partial(rankdata, axis=axis)).identity for axis in (0, 1)]
    assert half[0] != half[1]


def test_compiled_by_numba(monkeypatch, tmp_path):
    write("numba_of_test.py", "import numba\n@numba.njit\ndef mine(x): return x + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    from numba_of_test import mine

    before = identity_of_object(mine)
    assert before.name == "mine"
    assert len(before.files) == 1
    mine(1)
    assert identity_of_object(mine).identity == before.identity
    assert load("numba_of_test.py:mine").function(2) == 3


class Hostile:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self):
        return None

    def __repr__(self):
        raise RuntimeError


def recursive():
    def inner(n):
        return inner(n - 1)

    return inner


def empty_cell():
    def f():
        return late

    kept = f
    if not kept:
        late = 1
    return kept


ODD = [
    Hostile(), recursive(), empty_cell(), str.upper, "x".upper, [].append, type, dict.fromkeys, len, type("New", (), {}),
    functools.lru_cache(recursive()), functools.partial(functools.partial(max, 1), 2), 3, None, object(),
    np.vectorize(lambda x: x), np.frompyfunc(lambda x: x, 1, 1), typed("class f: x = 1"), cell("class f:\n    x = 1\n"),
    eval("lambda x: x", {}), classmethod(recursive()), property(len), print, os.path, lambda self=[]: self.append(self),
]  # fmt: skip


@pytest.mark.parametrize("thing", ODD, ids=range(len(ODD)))
def test_it_never_fails(thing):
    own = identity_of_object(thing)
    assert own.identity
    assert own.name
    assert identity_of_object(thing).identity == own.identity
    assert place_of(thing)


def test_a_list_that_holds_itself():
    loop = []
    loop.append(loop)
    assert identity_of_object(functools.partial(max, loop)).identity


def test_functions_made_from_nothing_are_told_apart():
    assert len({identity_of_object(eval(f"lambda x: x + {n}", {})).identity for n in range(3)}) == 3
    assert len({identity_of_object(typed(f"class f:\n  def g(self): return {n}")).identity for n in range(3)}) == 3


@pytest.mark.parametrize("make", [cell, typed])
def test_classes_without_a_file_are_told_apart_by_all_that_is_in_them(make):
    texts = [
        "class f: pass\n",
        "class f(int): pass\n",
        "class f: x = 1\n",
        "class f: x = 2\n",
        *(f"class f:\n    {way}def g(self): return {n}\n"
          for n in (1, 2) for way in ("", "@property\n    ", "@classmethod\n    ", "@staticmethod\n    ")),
        *(f"class f:\n    def __init__(self, n={n}): self.n = n\n" for n in (1, 2)),
        *(f"class f:\n    def __call__(self): return RATE\nRATE = {n}\n" for n in (1, 2)),
        *(f"class g:\n    def h(self): return {n}\nclass f(g): pass\n" for n in (1, 2)),
    ]  # fmt: skip
    found = [identity_of_object(make(text)).identity for text in texts]
    assert len(set(found)) == len(texts)
    assert [identity_of_object(make(text)).identity for text in texts] == found


# Messages


def test_where_a_function_stands(tmp_path, monkeypatch):
    write("sub/ops.py", "import functools\n\ndef mine():\n    pass\n\nclass Kind:\n    pass\n")
    function = load("sub/ops.py:mine").function
    assert place_of(function) == "sub/ops.py, line 3"
    assert place_of(functools.partial(function)) == "sub/ops.py, line 3"
    assert place_of(load("sub/ops.py:Kind").function) == "sub/ops.py, line 6"
    monkeypatch.chdir(tmp_path / "sub")
    assert place_of(function) == "ops.py, line 3"
    monkeypatch.chdir("/")
    assert place_of(function).endswith("sub/ops.py, line 3")
    assert place_of(cell("def f(): pass\n")) == "f"
    assert place_of(len) == "len"


def test_what_went_wrong_in_a_function(tmp_path):
    path = write("ops.py", """
        import json
        def outer(text):
            return inner(text)
        def inner(text):
            return json.loads(text)
        def silent(text):
            raise KeyError
        """)  # fmt: skip

    def told(name, at, text="{"):
        try:
            load(f"ops.py:{name}").function(text)
        except Exception as error:
            return failure(error, at)
        raise AssertionError

    assert told("outer", path).startswith("JSONDecodeError: Expecting property name")
    assert told("outer", path).endswith("(ops.py, line 6)")
    assert told("silent", path) == "KeyError (ops.py, line 8)"
    assert told("silent", None) == "KeyError"
    assert told("silent", tmp_path / "other.py") == "KeyError"
    assert failure(ValueError("two\nlines"), None) == "ValueError: two lines"


def test_the_standard_library_is_enough():
    code = "import sys, pigevo.own_code; print({'numpy', 'click', 'hydra'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})  # fmt: skip
    assert done.stdout == "set()\n"


def test_the_digest_is_of_the_bytes():
    write("ops.py", "def mine(): pass\n")
    write("other/ops.py", "def mine(): pass \n")
    assert load("ops.py:mine").identity != load("other/ops.py:mine").identity
    assert hashlib.sha256().digest_size * 2 == len(load("ops.py:mine").identity)
