"""Functions of users, loaded from files together with all that these import from their folders."""

import functools
import gc
import os
import pickle
import re
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.user_code.loading import failure, file_and_line, load
from tests.own import typed, write


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
    write("pack/deep.py", "def fail():\n    raise ValueError('two\\nlines')\ndef silent():\n    raise ValueError\n")
    for name, at, sentence in (
        ("read", path, "JSONDecodeError: Expecting value: line 1 column 2 (char 1) (ops.py, line 2)"),
        ("fail", path, "ValueError: two lines (pack/deep.py, line 2)"),
        ("pack.deep.silent", path, "ValueError (pack/deep.py, line 4)"),
        ("pack.deep.silent", None, "ValueError"),
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
