"""Strategies as they are typed: names, ranges, functions, tables, saved ones and folders of runs."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.strategies import Strategy, expand, names_file, parse_strategy

GAME = Pig(target=9)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_saved_strategy_is_read_by_its_path_for_any_game_of_the_same_rules(tmp_path):
    saved = pigevo.random_strategy(Piglet(target=8), seed=3)
    for name in ("mine.npz", "folder/mine.npz"):
        saved.save(name)
        for word in (name, str(tmp_path / name)):
            for game in (saved.game, Race(8, {1: 0.5}, 0.5)):
                assert parse_strategy(word, game) == saved
    with pytest.raises(InputError, match="plays Piglet to 8, not Piglet to 9:"):
        parse_strategy("mine.npz", Piglet(target=9))


def test_the_package_itself_knows_the_optimum_by_name_whatever_was_used_before():
    code = "import pigevo; print(pigevo.parse_strategy('optimal', pigevo.Pig(target=3)).name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "optimal\n", done.stderr


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("hold_at:1..3", ["hold_at:1", "hold_at:2", "hold_at:3"]),
        ("hold_at:5..20..5", ["hold_at:5", "hold_at:10", "hold_at:15", "hold_at:20"]),
        ("hold_at:5..8..2", ["hold_at:5", "hold_at:7"]),
        ("score:20,0..1", ["score:20,0", "score:20,1"]),
        ("score:3..4,0..1", ["score:3,0", "score:3,1", "score:4,0", "score:4,1"]),
        ("hold_at:7..7", ["hold_at:7"]),
        ("optimal", ["optimal"]),
        ("hold_at:20", ["hold_at:20"]),
        ("../up.npz", ["../up.npz"]),
        ("a..b/ops.py:rule", ["a..b/ops.py:rule"]),
        ("noisy:0.05,hold_at:1..2", ["noisy:0.05,hold_at:1", "noisy:0.05,hold_at:2"]),
        ("mix:0.5,hold_at:7,score:3,0..1", ["mix:0.5,hold_at:7,score:3,0", "mix:0.5,hold_at:7,score:3,1"]),
    ],
)
def test_a_range_stands_for_all_its_numbers(word, words):
    assert expand(word) == words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("hold_at:3..1", "is an empty range: write the smaller number first"),
        ("hold_at:1..x", "must be a range: 1..100, or 5..95..5"),
        ("hold_at:1..9..0", "must be a range"),
        ("hold_at:..", "must be a range"),
        ("hold_at:1..99999", "is too long a range"),
        ("score:1..200,1..200", "stands for 40,000 strategies: 10,000 are the most"),
        ("mix:0.5,hold_at:1..200,hold_at:1..200", "40,000 strategies"),
    ],
)
def test_a_wrong_range_is_refused(word, message):
    with pytest.raises(InputError, match=message):
        expand(word)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(textwrap.dedent(text))


def as_csv(rows):
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


CODE = """
    import numpy as np
    from pigevo import Strategy, hold_at
    import limits

    def rule(i, j, k):
        return (k < limits.LIMIT) | (i < j)

    def for_numbers(i, j, k):
        if i < j:
            return True
        return k < limits.LIMIT

    def with_more(i, j, k, limit=4):
        return (k < limit) | (i < j)

    def made(game):
        return Strategy(game, hold_at(game, 4).roll, name="four")

    def unnamed(game, n=4):
        return Strategy(game, hold_at(game, n).roll)

    class Callable:
        def __call__(self, i, j, k):
            return (k < 4) | (i < j)

    instance = Callable()
    short = lambda i, j, k: (k < 4) | (i < j)
"""


@pytest.fixture
def code():
    write("lab/mine.py", CODE)
    write("lab/limits.py", "LIMIT = 4\n")


@pytest.mark.parametrize("name", ["rule", "for_numbers", "with_more", "instance", "short"])
def test_a_rule_in_a_file(code, name):
    strategy = parse_strategy(f"lab/mine.py:{name}", GAME)
    assert strategy == Strategy.from_function(GAME, lambda i, j, k: (k < 4) | (i < j))
    assert strategy.name == f"mine.py:{name}"


@pytest.mark.parametrize("function", ["made", "unnamed"])
def test_a_function_of_the_game_in_a_file(code, function):
    for game in (GAME, Pig(target=12), Piglet(target=7)):
        strategy = parse_strategy(f"lab/mine.py:{function}", game)
        assert strategy == pigevo.hold_at(game, 4)
        assert strategy.name == f"mine.py:{function}"


def test_a_function_in_a_package(code):
    assert parse_strategy("lab.mine:rule", GAME) == parse_strategy("lab/mine.py:rule", GAME)
    with pytest.raises(
        InputError, match=r"win_probability takes \(a, b\), and a strategy takes \(i, j, k\) or \(game\)"
    ):
        parse_strategy("pigevo.exact:win_probability", GAME)


@pytest.mark.parametrize("header", ["", "0,1,2,3,4,5,6,7,8\n", "a,b\n", "own,of the opponent: 0,1,2,3\n", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_has_hold_values_by_own_and_opponents_score(header, end):
    holds = (np.arange(9)[:, None] + 2 * np.arange(9)) % 5
    Path("Mine table.csv").write_bytes((header + as_csv(holds) + "\n").replace("\n", end).encode())
    for game in (GAME, Pig(target=9, allow_pass=True)):
        strategy = parse_strategy("Mine table.csv", game)
        assert strategy.name == "Mine table.csv"
        assert strategy == Strategy.from_function(game, lambda i, j, k: k < holds[i, j])


def test_a_table_with_spaces_quotes_and_large_numbers():
    Path("t.csv").write_text("\n".join(['"3", 4 ,0007,999999999999999999'] * 4))
    strategy = parse_strategy("t.csv", Pig(target=4))
    assert strategy == Strategy.from_function(Pig(target=4), lambda i, j, k: k < np.array([3, 4, 7, 99])[j])


def test_a_folder_of_a_run_and_not_of_several_is_its_champion():
    for folder in ("outputs/run,mutation=0.1-abc", "outputs/many/seed=1-abc", "outputs/many/seed=2-def", "score"):
        pigevo.hold_at(GAME, 3).save(f"{folder}/champion.npz")
    for word in ("outputs/run,mutation=0.1-abc", "outputs/run,mutation=0.1-abc/", "./score"):
        assert parse_strategy(word, GAME) == pigevo.hold_at(GAME, 3)
    assert parse_strategy("score", GAME) == pigevo.score(GAME)
    with pytest.raises(InputError, match=r"give one of the 2 in it, such as outputs/many/seed=1-abc\.$"):
        parse_strategy("outputs/many", GAME)


def test_a_word_that_names_a_file_stands_for_what_is_in_it(code):
    four = pigevo.hold_at(GAME, 4)
    four.save("a.npz")
    four.save("run/champion.npz")
    Path("t.csv").write_text(as_csv([[4] * 9] * 9))
    words = ["a.npz", "run", "t.csv", "lab/mine.py:made", "lab/mine.py:unnamed"]
    assert {parse_strategy(word, GAME).digest for word in words} == {four.digest}
    assert all(map(names_file, words))
    before = parse_strategy("lab/mine.py:rule", GAME).digest
    write("lab/limits.py", "LIMIT = 5\n")
    assert parse_strategy("lab/mine.py:rule", GAME).digest != before
    for word in ("hold_at:4", "optimal", "keep_pace_and_end_race:21,8,29"):
        assert not names_file(word)


WRONG = [
    ("hold_att", "did you mean hold_at"),
    ("", "there is no strategy ''"),
    ("hold", "there is no strategy 'hold'"),
    ("klassen", "there is no strategy 'klassen'; `pigevo strategies` lists them, and there is no file or folder of that name."),
    ("hold_at:x", "'x' in 'hold_at:x' must be a number"),
    ("hold_at:1,2", "takes 1 (n)"),
    ("roll_to_win:3", "takes none"),
    ("hold_at:-1", "must be at least 0"),
    ("hold_at:2.5", "must be a whole number"),
    ("hold_at:1,,", "must be a number"),
    ("keep_pace_and_end_race:21,0", "must be at least 1"),
    ("random_strategy:-1", "random_strategy.seed = -1 is out of range"),
    ("nowhere.npz", "there is no file nowhere.npz"),
    ("no/where", "there is no file no/where"),
    ("roll_and_wait", "allow_pass=True"),
    ("mine.py", "mine.py has rule, two, none_needed, "),
    ("mine.py:rul", "there is no function 'rul' in mine.py; did you mean rule"),
    ("nowhere.py:rule", "there is no file nowhere.py."),
    ("nowhere.py", "there is no file nowhere.py."),
    ("../lab/nowhere.py", "there is no file ../lab/nowhere.py."),
    ("mine.py:two", "mine.py:two takes (i, j), and a strategy takes (i, j, k) or (game) (mine.py, line 4)."),
    ("mine.py:none_needed", "mine.py:none_needed takes (), and a strategy takes (i, j, k) or (game) (mine.py, line 5)."),
    ("mine.py:points", "mine.py:points takes (punkte), and a strategy takes (i, j, k) or (game) (mine.py, line 16)."),
    ("mine.py:needs_key", "mine.py:needs_key takes (i, j, k=...), and a strategy takes"),
    ("mine.py:number", "mine.py:number returns an int: a function of the game alone returns a Strategy (mine.py, line 6)."),
    ("mine.py:other", "mine.py:other plays Pig to 10"),
    (
        "mine.py:fails",
        "mine.py:fails fails: ZeroDivisionError: division by zero at i = 0, j = 0, k = 1 (mine.py, line 8).",
    ),
    ("mine.py:makes_wrong", "mine.py:makes_wrong: a strategy for Pig to 9"),
    ("mine.py:nothing", "a chance of rolling between 0 and 1 (mine.py, line 10)."),
    ("mine.py:game_fails", "mine.py:game_fails fails: KeyError: 'x' (mine.py, line 11)."),
    ("mine.py:drawn", "mine.py:drawn: it says"),
    ("mine.py:made", "when it is called again"),
    ("folder", "folder is empty: give the folder of a run that has finished."),
    (".", "give one of its Python files, such as mine.py; `pigevo tournament .` plays all of them."),
    ("./folder", "folder is empty"),
    ("no.csv", "there is no file no.csv."),
    ("folder.csv", "folder.csv cannot be read: it is a folder."),
    ("~nobody_of_this_name/x.csv", "there is no file"),
    ("x" * 5000, "there is no strategy"),
    ("x" * 5000 + ".csv", "cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("word", "message"), WRONG, ids=[word[:40] for word, _ in WRONG])
def test_a_wrong_word_is_refused_with_what_would_be_right(refused, word, message):
    write("mine.py", """\
        import random
        import pigevo
        def rule(i, j, k): return True
        def two(i, j): return True
        def none_needed(*all): return True
        def number(game): return 3
        def other(game): return pigevo.hold_at(pigevo.Pig(target=10), 3)
        def fails(i, j, k): return 1 / 0
        def makes_wrong(game): return pigevo.Strategy(game, [1])
        def nothing(i, j, k): pass
        def game_fails(game): return {}["x"]
        def drawn(i, j, k): return k < 3 if random.random() < 0.5 else k < 5
        def made(game):
            made.calls = getattr(made, "calls", 2) + 1
            return pigevo.hold_at(game, made.calls)
        def points(punkte): return punkte < 20
        def needs_key(i, j, *, k): return True
        """)  # fmt: skip
    for folder in ("folder", "folder.csv"):
        Path(folder).mkdir()
    refused(word, GAME, message)


ROW = "1,1,1,1,1,1,1,1,1\n"
WRONG_TABLES = [
    ("\xff\xfe\x00", "t.csv must be a table of comma-separated numbers"),
    ("", "t.csv has 0 lines, not 9"),
    (ROW * 8, "t.csv has 8 lines, not 9: one for each own score from 0 to 8."),
    (ROW * 10, "t.csv has 10 lines, not 9"),
    (ROW * 8 + ROW[2:], "t.csv, line 9 has 8 columns, not 9: one for each score of the opponent."),
    (ROW * 2 + "1," + ROW[3:] + ROW * 6, "t.csv, line 3, column 2: the cell is blank."),
    (ROW * 3 + "\n" + ROW * 5, "t.csv, line 4 has 0 columns, not 9"),
    (ROW.replace(",", ";") * 9, " must be a whole number of points, 0 or more; commas are between cells."),
    (ROW[:-2] + "-1\n" + ROW * 8, "t.csv, line 1, column 9: '-1' must be a whole number of points, 0 or more."),
    (ROW + "2.5" + ROW[1:] + ROW * 7, "t.csv, line 2, column 1: '2.5' must be a whole number"),
    (ROW.replace(",", ";") * 9, "t.csv, line 1, column 1: '1;1;1;1;1;1;1;1;1' must be a whole number"),
    ("a,b\n" + ROW * 2 + "x" + ROW[1:] + ROW * 6, "t.csv, line 4, column 1: 'x' must be a whole number"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_TABLES, ids=[message for _, message in WRONG_TABLES])
def test_a_wrong_table_is_refused_with_the_line_and_column(refused, text, message):
    Path("t.csv").write_text(text, encoding="latin-1")
    refused("t.csv", GAME, message)


def test_commands_take_files_and_folders(code, capsys):
    from pigevo.cli import main

    pigevo.hold_at(GAME, 4).save("run/champion.npz")
    Path("t.csv").write_text(as_csv([[4] * 9] * 9))
    for word in ("lab/mine.py:made", "run", "t.csv"):
        assert main(["duel", word, "hold_at:4", "--target", "9", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["exact"]["overall"] == pytest.approx(0.5)
    assert main(["duel", "--help"]) == 0
    assert main(["respond", "--help"]) == 0
    help_texts = capsys.readouterr().out
    assert all(help_texts.count(word) >= 2 for word in ("FILE.py:FUNCTION", ".csv", ".npz", "folder"))
