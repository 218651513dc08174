"""Entries of a tournament: words, folders, and files that fail, hang, die or cheat without harm to the others."""

import base64
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli.commands.tournament import describe_tournament
from pigevo.compiled import cache
from pigevo.errors import InputError
from pigevo.strategies.parse import strategy_of
from pigevo.tournaments import file_reader
from pigevo.tournaments.entries import failure_texts, read_entries
from pigevo.tournaments.file_reader import functions_of
from pigevo.user_code.loading import load
from pigevo.workers import sandbox
from tests.small import end, is_alive, marked, posix, wait_for

GAME = pigevo.Pig(target=9)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def in_this_process(monkeypatch):
    """Functions are called here, and in no processes of their own, where a test is of who enters, and by which name."""

    def strategy(reference, function, content, game, *_):
        own = load(f"{reference}:{function}", content)
        return strategy_of(own, f"{reference}:{function}", game)

    monkeypatch.setattr("pigevo.tournaments.entries.strategy_apart", strategy)


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(textwrap.dedent(text).lstrip())


def test_words_files_and_a_folder():
    write("class/anna.py", "def rule(i, j, k):\n    return k < 5\n")
    write("class/bob.py", """
        def careful(i, j, k):
            return k < 2

        def bold(game):
            import pigevo
            return pigevo.roll_to_win(game)

        from math import gcd

        def _helper(x, y): return x
        def _hidden(i, j, k): return True
    """)  # fmt: skip
    write("class/carl.csv", 9 * f"{','.join(9 * '4')}\n")
    pigevo.hold_at(GAME, 3).save("class/dora.npz")
    write("class/notes.txt", "nothing")
    for draft in ("_draft.py", "__draft.py", "__init__.py", "__pycache__/anna.py", "__MACOSX/anna.py"):
        write(f"class/{draft}", "def rule(i, j, k): return True")
    write("class/.hidden.py", "def rule(i, j, k): return True")
    entries = read_entries(["hold_at:2..3", "class", "optimal", "hold_at:2"], GAME)
    assert entries.names == (
        "hold_at:2", "hold_at:3", "anna.py", "bob.py:bold", "carl.csv", "dora.npz", "optimal",
    )  # fmt: skip
    by_name = dict(zip(entries.names, entries.strategies, strict=True))
    assert by_name["anna.py"] == pigevo.hold_at(GAME, 5)
    assert by_name["bob.py:bold"] == pigevo.roll_to_win(GAME)
    assert by_name["carl.csv"] == pigevo.hold_at(GAME, 4)
    assert by_name["dora.npz"] == by_name["hold_at:3"]
    assert entries.failed == ()
    why = "the name of a strategy's file ends with .py, .csv or .npz"
    assert entries.passed_over == (
        *(
            (f"class/{draft}.py", "a file in a folder enters if its name does not begin with an underscore")
            for draft in ("__draft", "__init__", "_draft")
        ),
        ("class/notes.txt", why),
        ("class/bob.py:careful", "a file in a folder enters with its last function, here bold"),
    )


def test_a_folder_of_folders_is_refused_with_how_to_name_these(in_this_process):
    write("class/anna/rule.py", "def rule(i, j, k):\n    return k < 5\n")
    write("class/bob/rule.py", "def rule(i, j, k):\n    return k < 4\n")
    with pytest.raises(InputError, match=r"class holds no strategy: .* there, or name the folders in it, class/\*/\."):
        read_entries(["class"], GAME)
    assert read_entries(["class/anna/", "class/bob/"], GAME).names == ("class/anna/rule.py", "class/bob/rule.py")


def test_a_folder_of_strategies_in_a_folder_is_among_what_is_passed_over(in_this_process):
    for file in ("class/anna.py", "class/later/bob.py"):
        write(file, "def rule(i, j, k):\n    return k < 5\n")
    write("class/notes/text.txt", "nothing")
    why = "a folder in a folder enters if it is named, class/*/"
    assert read_entries(["class"], GAME).passed_over == (("class/later", why),)
    assert read_entries(["class", "class/later/"], GAME).passed_over == ()


@posix
def test_a_file_whose_name_has_a_colon_plays_beside_the_others(in_this_process):
    write("class/team a: anna.py", "def rule(i, j, k):\n    return k < 5\n")
    write("class/team a: bob.csv", 9 * f"{','.join(9 * '4')}\n")
    write("class/team b: carl.py", "def rule(i, j):\n    return 1\n")
    entries = read_entries(["class"], GAME)
    assert entries.names == ("team a: anna.py", "team a: bob.csv")
    assert entries.strategies == (pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 4))
    assert [file for file, _ in entries.failed] == ["class/team b: carl.py:rule"]
    named = read_entries(["class/team a: anna.py", "class/team a: anna.py:rule"], GAME)
    assert named.strategies == (pigevo.hold_at(GAME, 5),) * 2
    assert pigevo.parse_strategy("class/team a: anna.py", GAME) == pigevo.hold_at(GAME, 5)
    write("class/team a: anna.py:rule", "of somebody else")
    assert read_entries(["class/team a: anna.py:rule"], GAME).strategies == (pigevo.hold_at(GAME, 5),)
    assert pigevo.parse_strategy("class/team a: anna.py:rule", GAME) == pigevo.hold_at(GAME, 5)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text here")
def test_a_byte_of_a_files_name_that_is_no_text_is_spelled_in_what_is_written(in_this_process):
    code, table = (os.fsdecode(b"m\xfcller" + kind) for kind in (b".py", b".csv"))
    for folder in "ab":
        write(os.path.join(folder, code), "def rule(i, j, k):\n    return k < 5\n")
    write(os.path.join("a", table), 9 * f"{','.join(9 * '4')}\n")
    names = (r"m\udcfcller.csv", r"m\udcfcller.py")
    assert read_entries(["a"], GAME).names == names
    assert tuple(pigevo.parse_strategy(os.path.join("a", file), GAME).name for file in (table, code)) == names
    both = read_entries(["a", "b"], GAME)
    assert both.names == (names[0], rf"a/{names[1]}", rf"b/{names[1]}")
    pigevo.tournament(dict(zip(both.names, both.strategies, strict=True))).save("out")
    assert names[0] in Path("out/ranking.csv").read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(in_this_process):
    write("class/anna.py", "def rule(i, j, k):\n    return k < 5\n")
    os.mkfifo("class/bob.csv")
    entries = read_entries(["class"], GAME)
    assert (entries.names, [file for file, _ in entries.passed_over]) == (("anna.py",), ["class/bob.csv"])


def test_a_combination_of_a_folder_is_one_of_each_that_lies_in_it(in_this_process):
    write("class/anna.py", "def rule(i, j, k):\n    return k < 5\n")
    write(
        "class/bob.py", "def careful(i, j, k): return k < 2\ndef bold(i, j, k): return True\ndef wrong(i): return 1\n"
    )
    entries = read_entries(
        [
            "noisy:0.25,class",
            "mix:0.5,hold_at:3..4,class/anna.py",
            "noisy:0.25,hold_at:3",
            "mirror:class/bob.py:careful",
        ],
        GAME,
    )
    assert entries.names == (
        "noisy:0.25,anna.py", "noisy:0.25,bob.py:bold",
        "mix:0.5,hold_at:3,anna.py", "mix:0.5,hold_at:4,anna.py", "noisy:0.25,hold_at:3", "mirror:bob.py:careful",
    )  # fmt: skip
    by_name = dict(zip(entries.names, entries.strategies, strict=True))
    assert by_name["noisy:0.25,bob.py:bold"] == pigevo.noisy(pigevo.roll_to_win(GAME), 0.25)
    assert by_name["mix:0.5,hold_at:4,anna.py"] == pigevo.mix(pigevo.hold_at(GAME, 4), pigevo.hold_at(GAME, 5), 0.5)
    assert not entries.failed
    assert [file for file, _ in entries.passed_over] == ["class/bob.py:wrong"]


def pid_in(entries):
    """The number that the error of a file that did not play has in it."""
    return int(re.search(r"pid=(\d+)", entries.failed[0][1])[1])


FAILING = {
    "raises.py": ("def rule(i, j, k):\n    if k > 3:\n        return 1 / 0\n    return True\n", r"ZeroDivisionError.*raises.py, line 3\)"),
    "hangs.py": ("def rule(i, j, k):\n    while True:\n        pass\n", r"it takes more than 1.5 s of processor time, in hangs.py, line [23]; perhaps it never ends$"),
    "adds.py": ("def rule(i, j, k):\n    return sum(range(10**15)) > k\n", r"more than 1.5 s of processor time, in adds.py, line 2; perhaps it never ends$"),
    "sleeps.py": ("import time\ntime.sleep(1e6)\ndef rule(i, j, k): return True\n", r"more than 12 s, in sleeps.py, line 2; perhaps it never ends$"),
    "dies.py": ("import os\ndef rule(i, j, k):\n    os._exit(3)\n", r"its process ended with status 3$"),
    "killed.py": ("import os\ndef rule(i, j, k):\n    os.kill(os.getpid(), 9)\n", r"ended by signal 9"),
    "breaks.py": ("import ctypes\ndef rule(i, j, k):\n    return ctypes.string_at(0)\n", r"ended by signal \d+ .*, in breaks.py, line 3$"),
    "syntax.py": ("x = 1\ndef rule(i, j, k:\n", r"syntax.py, line 2\)"),
    "imports.py": ("x = 1\nimport no_such_thing\ndef rule(i, j, k): return 1\n", r"No module named.*imports.py, line 2\)"),
    "nothing.py": ("x = 1\n\ndef rule(i, j, k):\n    x\n", r"the rule returns nothing.*nothing.py, line 3\)"),
    "words.py": ("def rule(i, j, k):\n    if k < 3:\n        return True\n    return 'hold'\n", r"the rule returns 'hold'.*words.py, line 4\)"),
    "empty.py": ("x = 1\n", r"has no public function of \(i, j, k\) or of \(game\)"),
    "notebook.py": ('{"cells": [], "nbformat": 4}', r"it is a notebook: export it as a Python file"),
    "blank.py": ("\n", r"class/blank.py is empty$"),
    "asks.py": ("def rule(i, j, k):\n    return input() > ''\n", r"fails: a function here may not ask with input\(\) \(class/asks.py, line 2\)"),
    "leaves.py": ("import sys\nsys.exit(0)\ndef rule(i, j, k): return True\n", r"it calls sys.exit\(\) with 0 \(class/leaves.py, line 2\)"),
    "deep.py": ("def rule(i, j, k):\n    return rule(i, j, k)\n", r"RecursionError"),
    "other.py": ("def rule(game):\n    import pigevo\n    return pigevo.hold_at(pigevo.Pig(target=8), 3)\n", r"plays Pig to 8"),
    "number.py": ("def rule(game):\n    return 3\n", r"returns an int.*line 1\)"),
    "words.csv": ("1,2\nx,3\n", r"words.csv"),
    "damaged.npz": ("not an archive", r"damaged.npz"),
}  # fmt: skip


@pytest.mark.slow
def test_files_that_fail_are_listed_with_their_line_and_the_others_play(monkeypatch):
    monkeypatch.setattr(file_reader, "PATIENCE", 8)
    for name, (text, _) in FAILING.items():
        write(f"class/{name}", text)
    write("class/good.py", "print('noise')\ndef rule(i, j, k):\n    return k < 5\n")
    begin = time.monotonic()
    entries = read_entries(["class"], GAME, seconds=1.5, workers=2)
    assert time.monotonic() - begin < 120  # whoever hangs is ended
    assert entries.names == ("good.py",)
    failed = dict(entries.failed)
    assert set(failed) == {os.path.join("class", name) for name in FAILING}
    for name, (_, message) in FAILING.items():
        why = failed[os.path.join("class", name)]
        assert re.search(message, why), (name, why)
        assert "\n" not in why


@pytest.mark.parametrize("folder", ["Klasse 9b Übung", "\u2460 \U0001f3b2 \\xfc", "/".join(3 * ["ü" * 120])])
def test_the_line_of_a_file_that_hangs_is_found_in_a_folder_of_any_name(folder):
    write(f"{folder}/hangs.py", "def rule(i, j, k):\n    n = 0\n    while n < 5:\n        k = (k + 1) % 5\n")
    ((_, why),) = read_entries([f"{folder}/hangs.py"], GAME, seconds=0.5).failed
    assert re.search(r"processor time, in hangs\.py, line [34]; perhaps it never ends$", why), why


@pytest.mark.parametrize("letters", [499, 500, 501, 600])
def test_a_path_is_recognised_as_python_dumps_it(letters):
    path = f"/\u00fc\u2460\U0001f3b2\\x/{'a' * (letters - 6)}"
    code = "import faulthandler, sys\nexec(compile('faulthandler.dump_traceback()', sys.argv[1], 'exec'))"
    dump = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stderr
    assert f'File "{file_reader._as_in_dump(path)}", line 1' in dump


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such limit")
def test_a_file_that_takes_too_much_memory():
    write("greedy.py", "def rule(i, j, k):\n    return len(bytearray(40 * 2**30)) > 0\n")
    ((_, why),) = read_entries(["greedy.py"], GAME).failed
    assert re.search(r"MemoryError.*greedy.py, line 2\)", why)


SEVERAL = """
    import random, time
    CALLS, HOLD = [], random.getrandbits(99)
    def good(i, j, k): return k < 3
    def endless(i, j, k):
        while k < 9: pass
    def two(i, j): return True
    def remembers(i, j, k):
        CALLS.append(k)
        return k < 3 + len(CALLS) % 3
    def reads(i, j, k): return k < 3 + len(CALLS)
    def sleeps(i, j, k): time.sleep(0.01 * (k == 1)); return k < 4
    def drawn_once(i, j, k): return (HOLD >> int(9 * i + k)) % 2 == 0
    also = lambda i, j, k: k < 5
    part = lambda k: k
    def _helper(k): return k
    def twice(i, j, k): return k < 6
    def twice(i, j, k): return k < 7
    def exits(i, j, k): raise SystemExit
"""
WRONG = {
    "endless": r"^it takes more than 0.7 s of processor time, in several.py, line [45]; perhaps it never ends$",
    "two": r"^it takes \(i, j\), and a strategy takes \(i, j, k\) or \(game\) \(several.py, line 6\); begin the name of",
    "remembers": r"it says .* when it is called again: .* \(several.py, line 7\)",
    "drawn_once": r"it says .* when it is called again: .* \(several.py, line 12\)",
    "exits": r"fails: it calls sys.exit\(\) \(several.py, line 18\)",
    "twice": r"^line 17 defines twice again: give one of them another name \(several.py, line 16\)$",
    "part": r"^it takes \(k\), and a strategy takes \(i, j, k\) or \(game\) \(several.py, line 14\)",
}


def test_the_only_function_of_a_file_is_told_how_it_begins():
    write("class/paul.py", "def mine(k):\n    return k < 20\n")
    why = "it takes (k), and a strategy takes (i, j, k) or (game) (paul.py, line 1); write def mine(i, j, k)"
    assert read_entries(["class"], GAME).failed == (("class/paul.py:mine", why),)


def test_a_function_that_fails_is_listed_and_the_others_of_its_file_play():
    write("several.py", SEVERAL)
    entries = read_entries(["several.py"], GAME, seconds=0.7, workers=2)
    assert entries.names == tuple(f"several.py:{name}" for name in ("good", "reads", "sleeps", "also", "twice"))
    assert entries.strategies[1] == entries.strategies[0] == pigevo.hold_at(GAME, 3)  # in a process without the others
    assert entries.strategies[-1] == pigevo.hold_at(GAME, 7)
    failed = dict(entries.failed)
    assert set(failed) == {f"several.py:{name}" for name in WRONG}
    for name, message in WRONG.items():
        assert re.search(message, failed[f"several.py:{name}"]), failed


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("100 / (k - 5) > 5", r"ZeroDivisionError: .* at i = 0, j = 0, k = 5 \(pupil.py, line 2\)"),
        ("k < 20 * (i / j)", r"ZeroDivisionError: .* at i = 0, j = 0, k = 1 \(pupil.py, line 2\)"),
    ],
)
def test_a_function_that_divides_by_zero_does_not_play(answer, why):
    write("pupil.py", f"def rule(i, j, k):\n    return {answer}\n")
    assert re.search(why, read_entries(["pupil.py"], GAME).failed[0][1])


def test_of_a_pupils_file_the_last_function_enters_and_of_a_file_named_itself_all(in_this_process):
    write(
        "class/eva.py",
        "def first(i, j, k):\n    return k < 3\ndef helper(x):\n    return x\ndef second(i, j, k):\n    return k < 4\n",
    )
    write("class/finn.py", "def helper(x):\n    return x\ndef rule(i, j, k):\n    return k < helper(5)\n")
    entries = read_entries(["class"], GAME)
    assert entries.names == ("eva.py:second", "finn.py")
    assert entries.strategies == (pigevo.hold_at(GAME, 4), pigevo.hold_at(GAME, 5))
    assert not entries.failed
    passed = dict(entries.passed_over)
    assert list(passed) == ["class/eva.py:first", "class/eva.py:helper", "class/finn.py:helper"]
    assert passed["class/eva.py:first"] == "a file in a folder enters with its last function, here second"
    for words in (["class/eva.py", "class"], ["class", "class/eva.py"], ["class", "./class/../class/eva.py"]):
        named = read_entries(words, GAME)
        assert named.names == ("eva.py:first", "eva.py:second", "finn.py")
        assert [file.rpartition("/")[2] for file, _ in named.failed] == ["eva.py:helper"]
        assert [file for file, _ in named.passed_over] == ["class/finn.py:helper"]
    for words in (["class", "class/eva.py:second"], ["class", "./class/eva.py:first"]):
        together = read_entries(words, GAME)
        assert len(set(together.names)) == len(together.names) == len({*together.strategies})
        played = {name.rpartition(":")[2] for name in together.names}
        assert not played & {file.rpartition(":")[2] for file, _ in together.passed_over}
    combined = read_entries(["class", "mirror:class/eva.py"], GAME)
    assert combined.names[:3] == ("eva.py:first", "eva.py:second", "finn.py")


def test_a_file_in_capitals_is_code_too():
    write("class/C.PY", "def rule(i, j, k):\n    return k < 5\n")
    entries = read_entries(["class"], GAME)
    assert (entries.names, entries.strategies, entries.failed) == (("C.PY",), (pigevo.hold_at(GAME, 5),), ())


def test_one_function_of_a_file():
    write("mixed.py", "def good(i, j, k):\n    return k < 3\ndef other(i, j, k):\n    return k < 4\n")
    entries = read_entries(["mixed.py:other", "mixed.py:none"], GAME)
    assert (entries.names, entries.strategies) == (("mixed.py:other",), (pigevo.hold_at(GAME, 4),))
    assert "there is no function 'none'" in entries.failed[0][1]


@pytest.mark.parametrize(
    ("file", "why", "text"),
    [
        ("class/bo b.py", "class/bo b.py:rule fails: it is 0 (class/bo b.py, line 2).", "bo b.py fails: it is 0 (line 2)"),
        ("class/bob.py:rule", "it takes (i, j) (bob.py, line 2); write (i)", "bob.py:rule: it takes (i, j) (line 2); write (i)"),
        ("class/bob.py", "it takes more than 2 s, in bob.py, line 2", "bob.py: it takes more than 2 s, in line 2"),
        ("class/bob.py", "it fails (class/abob.py, line 2)", "bob.py: it fails (class/abob.py, line 2)"),
        (os.path.abspath("class/bob.py"), "class/bob.py cannot be read: no", "bob.py cannot be read: no"),
        ("class/t.csv", "class/t.csv has 2 lines", "t.csv has 2 lines"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_play_is_named_once(file, why, text, tmp_path):
    assert failure_texts([(os.path.join(tmp_path, "class/bob.py") if os.path.isabs(file) else file, why)]) == [text]


def test_a_file_that_does_not_play_has_its_folders_name_where_another_is_called_the_same(in_this_process):
    write("a/rule.py", "def rule(i, j, k):\n    return k < 5\n")
    for name in ("rule", "only"):
        write(f"b/{name}.py", "x = 1\n")
    entries = read_entries(["a", "b", "noisy:0.5,a"], GAME)
    assert entries.names == ("a/rule.py", "noisy:0.5,rule.py")
    assert [text.split(" ")[0] for text in failure_texts(entries.failed, entries.names)] == ["only.py", "b/rule.py"]
    assert [text.split(" ")[0] for text in failure_texts([("a/x.py", "no"), ("b/x.py:f", "no")])] == [
        "a/x.py:",
        "b/x.py:f:",
    ]


def test_files_of_one_name_have_their_folders_names(in_this_process):
    for folder in "ab":
        write(f"{folder}/rule.py", "def rule(i, j, k):\n    return k < 5\n")
    assert read_entries(["a", "b"], GAME).names == (os.path.join("a", "rule.py"), os.path.join("b", "rule.py"))


def test_a_file_runs_in_another_process_and_may_not_answer_for_others():
    write("who.py", "import os\ndef rule(i, j, k):\n    raise ValueError(f'pid={os.getpid()}')\n")
    assert pid_in(read_entries(["who.py"], GAME)) != os.getpid()
    forged = """
        import os
        def rule(i, j, k):
            for pipe in range(3, 20):
                try:
                    os.write(pipe, b'["answer", null]' + bytes([10]))
                except OSError:
                    pass
            os._exit(0)
    """
    write("forges.py", forged)
    entries = read_entries(["forges.py"], GAME)
    assert entries.names == ()
    assert "gave an answer that cannot be read" in entries.failed[0][1]


def test_an_answer_is_in_no_file_that_others_could_replace(tmp_path, monkeypatch):
    os.mkdir("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    write("litters.py", f"""
        import pathlib
        def _all():
            return [*pathlib.Path({str(tmp_path / "temporary")!r}).glob("**/*")]
        folder = _all()[0]
        (folder / "first").write_text("whatever")
        (folder / "another").write_text("a second file beside it")
        def rule(i, j, k):
            assert len(_all()) == 3
            return k < 5
    """)  # fmt: skip
    entries = read_entries(["litters.py"], GAME)
    assert (entries.names, entries.strategies) == (("litters.py",), (pigevo.hold_at(GAME, 5),))
    assert os.listdir("temporary") == []


@pytest.mark.parametrize(
    "answer",
    [
        None, [], {}, ["x", "bits", ""], ["x", "bits", "////"], ["x", "bits", 3], ["x", "words", "AAAA"],
        ["x", "chances", base64.b64encode(np.full(GAME.cells, np.nan).tobytes()).decode()],
        ["x", "chances", base64.b64encode(np.full(GAME.cells, 2.0).tobytes()).decode()],
        ["x", "chances", base64.b64encode(np.full(GAME.cells + 1, 0.5).tobytes()).decode()],
    ],
)  # fmt: skip
def test_a_forged_answer_is_refused(answer, monkeypatch):
    write("mine.py", "def rule(i, j, k):\n    return k < 5\n")
    monkeypatch.setattr(file_reader.Worker, "call", lambda *_, **__: answer)
    assert read_entries(["mine.py"], GAME).names == ()


def test_a_strategy_with_chances_is_the_same_as_in_this_process():
    write("half.py", "def rule(i, j, k):\n    return 0.25 if k > 3 else 1\n")
    made = pigevo.Strategy.from_function(GAME, lambda i, j, k: 0.25 if k > 3 else 1)
    assert read_entries(["half.py"], GAME).strategies == (made,)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
def test_what_a_file_has_begun_ends_with_it():
    write("leaves.py", """
        import subprocess
        begun = subprocess.Popen(["sleep", "600"])
        def rule(i, j, k):
            raise ValueError(f"pid={begun.pid}")
    """)  # fmt: skip
    left = pid_in(read_entries(["leaves.py"], GAME))
    wait_for(lambda: not is_alive(left))


@pytest.mark.skipif(sys.platform != "linux", reason="it is found in /proc")
def test_what_a_file_has_begun_in_a_session_of_its_own_ends_too():
    write("leaves.py", """
        import subprocess
        begun = subprocess.Popen(["sleep", "600"], start_new_session=True)
        def rule(i, j, k):
            raise ValueError(f"pid={begun.pid}")
    """)  # fmt: skip
    left = pid_in(read_entries(["leaves.py"], GAME))
    wait_for(lambda: not is_alive(left))


def test_a_file_that_another_one_has_changed_plays_as_it_was(monkeypatch):
    write("anna.py", "def rule(i, j, k):\n    return k < 5\n")
    call = file_reader.Worker.call

    def changing(*words, **named):
        write("anna.py", "def rule(i, j, k):\n    return False\n")
        return call(*words, **named)

    monkeypatch.setattr(file_reader.Worker, "call", changing)
    assert read_entries(["anna.py"], GAME).strategies == (pigevo.hold_at(GAME, 5),)


def test_tables_and_saved_strategies_are_not_run(monkeypatch):
    monkeypatch.setattr("pigevo.tournaments.entries.strategy_apart", lambda *_: pytest.fail("a process was started"))
    write("carl.csv", 9 * f"{','.join(9 * '4')}\n")
    pigevo.hold_at(GAME, 3).save("dora.npz")
    assert read_entries(["carl.csv", "dora.npz", "hold_at:4"], GAME).names == ("carl.csv", "dora.npz", "hold_at:4")


def test_which_functions_are_strategies(tmp_path):
    write("kinds.py", """
        def a(i, j, k): ...
        def b(x, y, z, more=3): ...
        def c(game): ...
        def d(game, more): ...
        def e(x): ...
        def f(i, j, k, *, free): ...
        def _g(i, j, k): ...
        async def h(i, j, k): ...
        class I:
            def j(i, j, k): ...
        def k(i, j, k, l): ...
    """)  # fmt: skip
    content = Path("kinds.py").read_bytes()
    functions = functions_of(tmp_path / "kinds.py", content, GAME)
    assert ([*functions.lines], [*functions.wrong]) == (["a", "b", "c", "h"], ["d", "e", "f", "k"])
    rounds = pigevo.games.GAMES["ten_rounds"].bind({"turns": 2, "cap": 12})
    functions = functions_of(tmp_path / "kinds.py", content, rounds)
    assert ([*functions.lines], [*functions.wrong]) == (["a", "b", "c", "h", "k"], ["d", "e", "f"])
    assert "a strategy takes (i, j, k), the 4 of (left, " in functions.wrong["d"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("holdat:3", "there is no strategy 'holdat:3'; did you mean hold_at:3?"),
        ("missing.py:rule", "there is no file missing.py"),
        (f"a/{'9' * 5000}", "there is no file a/999"),
        ("empty", "empty is empty: put Python files"),
        ("random_strategy:0..9999", "are too many"),
    ],
)
def test_a_wrong_word_is_refused(word, message):
    os.mkdir("empty")
    game = pigevo.Pig() if "random" in word else GAME
    with pytest.raises(InputError, match=message):
        read_entries([word], game)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_timeout_out_of_range_is_refused(seconds):
    with pytest.raises(InputError, match="must be above 0 and at most 100,000 s"):
        read_entries(["hold_at:3"], GAME, seconds=seconds)


needs_sandbox = pytest.mark.skipif(sandbox.sandbox_gaps() != "", reason="this system has no whole sandbox")
HONEST = "def rule(i, j, k):\n    return k < 4\n"

CHEATS = """
    import os, signal, tempfile
    from pathlib import Path

    def _reward(number):
        done = []
        def attempt(action):
            try:
                done.append(f"done: {{action()}}")
            except OSError as error:
                done.append(type(error).__name__)
        attempt(lambda: Path(__file__).with_name("honest.py").write_text("def rule(i, j, k):\\n    return False\\n"))
        attempt(lambda: Path(__file__).with_name("helper.py").write_text("HOLD = 1"))
        attempt(lambda: Path({others!r}, "planted").write_text(""))
        attempt(lambda: Path({cache!r}, "one.kernel").write_text("poisoned"))
        attempt(lambda: Path({cache!r}, "planted").write_text(""))
        attempt(lambda: os.kill({driver}, signal.SIGURG))
        raise RuntimeError(done)

    def rule(i, j, k):
        return _reward(k)
"""

DETACHED = """
    import subprocess, sys
    _CODE = "import os, time\\nif os.fork(): os._exit(0)\\nos.setsid()\\ntime.sleep(600)"
    subprocess.Popen([sys.executable, "-c", _CODE, {mark!r}], start_new_session=True, env={{}}).wait()
    def rule(i, j, k):
        return k < 3
"""

WITH_HELPERS = """
    import shutil, subprocess, tempfile
    from pathlib import Path
    import numba
    import numpy as np
    from helper import HOLD

    @numba.njit(cache=True)
    def _total(values):
        total = 0.0
        for value in values:
            total += value
        return total

    _table = np.loadtxt(Path(__file__).with_name("data.txt"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy2(__file__, folder)
        assert subprocess.run(["ls", folder], capture_output=True, text=True).stdout
    _hold = _total(_table) + HOLD

    def best(game):
        import pigevo
        assert _hold == 5
        from pigevo.compiled.cache import kernels_folder
        assert str(kernels_folder()) == {kernels!r}  # it need not compile again
        return pigevo.optimal(game).strategy
"""


def write_entrant(name, text):
    Path("class").mkdir(exist_ok=True)
    Path("class", name).write_text(textwrap.dedent(text))


@needs_sandbox
def test_an_entrant_writes_nothing_of_the_others_and_reaches_no_process(tmp_path, monkeypatch):
    monkeypatch.setattr(cache.numba_settings, "CACHE_DIR", str(tmp_path / "kernels"))
    kernel = Path(cache.kernels_folder(), "one.kernel")
    kernel.write_text("compiled")
    with sandbox.private_folder() as others:
        write_entrant("cheats.py", CHEATS.format(others=others, cache=str(kernel.parent), driver=os.getpid()))
        write_entrant("honest.py", HONEST)
        write_entrant("helper.py", "HOLD = 2\n_X = 1\n")
        entries = read_entries(["class/cheats.py", "class/honest.py"], GAME, workers=1)
        assert os.listdir(others) == []
    assert re.findall(r"PermissionError|done: [^']*", entries.failed[0][1]) == 6 * ["PermissionError"]
    assert (entries.names, entries.strategies) == (("honest.py",), (pigevo.hold_at(GAME, 4),))
    assert Path("class/honest.py").read_text() == HONEST
    assert (os.listdir("kernels"), kernel.read_text()) == (["one.kernel"], "compiled")
    assert entries.sandbox_gaps == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is not found")
def test_a_process_that_hides_ends_with_its_entrant(tmp_path):
    mark = f"hidden-{tmp_path.name}"
    write_entrant("leaves.py", DETACHED.format(mark=mark))
    try:
        assert read_entries(["class/leaves.py"], GAME).strategies == (pigevo.hold_at(GAME, 3),)
        assert not any(map(is_alive, marked(mark)))
    finally:
        end(marked(mark))


def test_honest_entrants_use_compilers_data_programs_and_temporary_files(tmp_path, monkeypatch):
    Path("temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    write_entrant("honest.py", WITH_HELPERS.format(kernels=str(cache.kernels_folder())))
    write_entrant("helper.py", "HOLD = 2\n")
    write_entrant("data.txt", "1\n2\n")
    entries = read_entries(["class/honest.py"], GAME)
    assert entries.failed == ()
    assert entries.strategies == (pigevo.optimal(GAME).strategy,)
    assert os.listdir("temporary") == []


def test_a_tournament_says_where_there_is_no_sandbox(monkeypatch):
    write_entrant("honest.py", HONEST)
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    told = "sandbox        none on this system: the code of entrants ran with your rights, and could write your files"
    played = pigevo.tournament(["class/honest.py", "hold_at:3"], game=GAME)
    assert told in describe_tournament(played)
    assert played.as_json["sandbox_gaps"].startswith("none on this system")
    assert "Sandbox: none on this system" in played._repr_html_()
    without_code = pigevo.tournament(["hold_at:4", "hold_at:3"], game=GAME)
    assert "sandbox" not in describe_tournament(without_code)
