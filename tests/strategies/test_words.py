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

WIDE = Pig(target=30)


@pytest.mark.parametrize("name", ["mine.npz", "folder/mine.npz"])
def test_a_path_is_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    saved = pigevo.random_strategy(WIDE, seed=3)
    saved.save(name)
    assert parse_strategy(name, WIDE) == saved
    assert parse_strategy(str(tmp_path / name), WIDE) == saved


def test_a_file_of_the_same_rules_is_taken_under_another_name_of_the_game(tmp_path):
    path = str(pigevo.hold_at(Piglet(target=8), 3).save(tmp_path / "s.npz"))
    same = Race(8, {1: 0.5}, 0.5)
    assert parse_strategy(path, same) == pigevo.hold_at(same, 3)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hold_att", "did you mean hold_at"),
        ("", "there is no strategy ''"),
        ("hold", "there is no strategy 'hold'"),
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
    ],
)
def test_a_wrong_word_is_refused_with_what_would_be_right(refused, text, part):
    refused(text, WIDE, part)


def test_a_file_for_another_game_is_refused(tmp_path):
    path = str(pigevo.hold_at(Pig(target=31)).save(tmp_path / "s.npz"))
    with pytest.raises(InputError, match="plays Pig to 31, not Pig to 30:"):
        parse_strategy(path, WIDE)


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
    ],
)
def test_what_a_word_stands_for(word, words):
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
    ],
)
def test_what_is_no_range(word, message):
    with pytest.raises(InputError, match=message):
        expand(word)


GAME = Pig(target=9)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(textwrap.dedent(text))


def table(game, n=lambda i, j: (i + 2 * j) % 5):
    return [[n(i, j) for j in range(game.target)] for i in range(game.target)]


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

    class Kept:
        def __call__(self, i, j, k):
            return (k < 4) | (i < j)

    kept = Kept()
    short = lambda i, j, k: (k < 4) | (i < j)
"""


@pytest.fixture
def code():
    write("lab/mine.py", CODE)
    write("lab/limits.py", "LIMIT = 4\n")


@pytest.mark.parametrize("name", ["rule", "for_numbers", "with_more", "kept", "short"])
def test_a_rule_of_a_file(code, name):
    strategy = parse_strategy(f"lab/mine.py:{name}", GAME)
    assert strategy == Strategy.from_function(GAME, lambda i, j, k: (k < 4) | (i < j))
    assert strategy.name == name


@pytest.mark.parametrize(("name", "called"), [("made", "four"), ("unnamed", "unnamed")])
def test_a_function_of_the_game(code, name, called):
    for game in (GAME, Pig(target=12), Piglet(target=7)):
        strategy = parse_strategy(f"lab/mine.py:{name}", game)
        assert strategy == pigevo.hold_at(game, 4)
        assert strategy.name == called


def test_a_function_of_a_package(code):
    assert parse_strategy("lab.mine:rule", GAME) == parse_strategy("lab/mine.py:rule", GAME)
    with pytest.raises(InputError, match="needs 2 arguments"):
        parse_strategy("pigevo.exact:win_probability", GAME)


@pytest.mark.parametrize("header", ["", "0,1,2,3,4,5,6,7,8\n", "a,b\n", "own,of the opponent: 0,1,2,3\n", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_of_hold_values(header, end):
    rows = table(GAME)
    text = (header + as_csv(rows)).replace("\n", end) + end
    Path("Mine table.csv").write_bytes(text.encode())
    strategy = parse_strategy("Mine table.csv", GAME)
    assert strategy.name == "Mine table"
    for i, j, k in np.ndindex(9, 9, 9):
        if i + k < 9 and k:
            assert strategy.roll[i, j, k] == (k < rows[i][j])


def test_a_table_with_spaces_quotes_and_large_numbers():
    Path("t.csv").write_text("\n".join(['"3", 4 ,0007,999999999999999999'] * 4))
    strategy = parse_strategy("t.csv", Pig(target=4))
    assert strategy == Strategy.from_function(Pig(target=4), lambda i, j, k: k < np.array([3, 4, 7, 99])[None, :, None])


def test_a_table_may_pass():
    game = Pig(target=9, allow_pass=True)
    Path("t.csv").write_text(as_csv(table(game)))
    strategy = parse_strategy("t.csv", game)
    assert not strategy.roll[0, 0, 0]
    assert strategy.roll[1, 0, 0]


def test_the_table_of_a_named_strategy_is_that_strategy():
    game = Pig(target=30)
    best = pigevo.keep_pace_and_end_race(game, 12, 3, 9)
    holds = best.roll.sum(axis=2)
    Path("t.csv").write_text(as_csv(holds.tolist()))
    assert parse_strategy("t.csv", game) == best


def test_a_folder_of_a_run():
    pigevo.hold_at(GAME, 3).save("outputs/run,mutation=0.1-abc/champion.npz")
    pigevo.hold_at(GAME, 3).save("run1/champion.npz")
    for word in ("outputs/run,mutation=0.1-abc", "outputs/run,mutation=0.1-abc/", "run1", "./run1"):
        assert parse_strategy(word, GAME) == pigevo.hold_at(GAME, 3)


def test_a_folder_of_runs_names_one_of_them():
    pigevo.hold_at(GAME, 3).save("outputs/cube_random/seed=1-abc/champion.npz")
    pigevo.hold_at(GAME, 3).save("outputs/cube_random/seed=2-def/champion.npz")
    with pytest.raises(InputError, match=r"give one of the 2 in it, such as outputs/cube_random/seed=1-abc\.$"):
        parse_strategy("outputs/cube_random", GAME)


def test_a_folder_named_like_a_strategy_does_not_hide_it():
    pigevo.hold_at(GAME, 3).save("score/champion.npz")
    assert parse_strategy("score", GAME) == pigevo.score(GAME)
    assert parse_strategy("./score", GAME) == pigevo.hold_at(GAME, 3)


def test_what_a_word_is_known_by(code):
    four = pigevo.hold_at(GAME, 4)
    four.save("a.npz")
    four.save("run/champion.npz")
    Path("t.csv").write_text(as_csv(table(GAME, lambda i, j: 4)))
    words = ["a.npz", "run", "t.csv", "lab/mine.py:made", "lab/mine.py:unnamed"]
    assert {parse_strategy(word, GAME).digest for word in words} == {four.digest}
    assert all(map(names_file, words))
    before = parse_strategy("lab/mine.py:rule", GAME).digest
    write("lab/limits.py", "LIMIT = 5\n")
    assert parse_strategy("lab/mine.py:rule", GAME).digest != before
    for word in ("hold_at:4", "optimal", "keep_pace_and_end_race:21,8,29"):
        assert not names_file(word)


WRONG = [
    ("mine.py", "'mine.py' names no function: write mine.py:NAME; there are: rule, two"),
    ("mine.py:rul", "there is no function 'rul' in mine.py; did you mean rule"),
    ("nowhere.py:rule", "there is no file nowhere.py."),
    ("mine.py:two", "mine.py:two needs 2 arguments: a rule needs three, (i, j, k), and a function that returns"),
    ("mine.py:none_needed", "needs 0 arguments"),
    ("mine.py:number", "mine.py:number returns a int: a function of the game alone returns a Strategy."),
    ("mine.py:other", "mine.py:other plays Pig to 10"),
    ("mine.py:fails", "mine.py:fails fails: ZeroDivisionError: division by zero (mine.py, line 8)."),
    ("mine.py:makes_wrong", "mine.py:makes_wrong: a strategy for Pig to 9"),
    ("mine.py:nothing", "mine.py:nothing: the rule returns nothing"),
    ("mine.py:game_fails", "mine.py:game_fails fails: KeyError: 'x' (mine.py, line 11)."),
    ("folder", "folder is not the folder of a run: it has no champion.npz, or has not finished."),
    ("./folder", "it has no champion.npz"),
    ("no.csv", "there is no file no.csv."),
    ("folder.csv", "folder.csv cannot be read: Is a directory."),
    ("bytes.csv", "bytes.csv must be a table of comma-separated numbers"),
    ("short.csv", "short.csv has 8 lines, not 9: one for each own score from 0 to 8."),
    ("long.csv", "long.csv has 10 lines, not 9"),
    ("empty.csv", "empty.csv has 0 lines, not 9"),
    ("blank.csv", "blank.csv, line 3, column 2: the cell is blank."),
    ("blank_line.csv", "blank_line.csv, line 4 has 0 columns, not 9"),
    ("ragged.csv", "ragged.csv, line 9 has 8 columns, not 9: one for each score of the opponent."),
    ("negative.csv", "negative.csv, line 1, column 9: '-1' must be a whole number of points, 0 or more."),
    ("part.csv", "part.csv, line 2, column 1: '2.5' must be a whole number"),
    ("word.csv", "word.csv, line 4, column 5: 'x' must be a whole number"),
    ("semicolons.csv", "semicolons.csv, line 1, column 1: '1;1;1;1;1;1;1;1;1' must be a whole number"),
    ("~nobody_of_this_name/x.csv", "there is no file"),
    ("x" * 5000, "there is no strategy"),
    ("x" * 5000 + ".csv", "cannot be read"),
]


@pytest.mark.parametrize(("word", "message"), WRONG, ids=[w[:40] for w, _ in WRONG])
def test_one_sentence(refused, word, message):
    write("mine.py", """\
        import numpy as np
        import pigevo
        def rule(i, j, k): return True
        def two(i, j): return True
        def none_needed(*all): return True
        def number(game): return 3
        def other(game): return pigevo.hold_at(pigevo.Pig(target=10), 3)
        def fails(i, j, k): return 1 / 0
        def makes_wrong(game): return pigevo.Strategy(game, np.ones(3))
        def nothing(i, j, k): pass
        def game_fails(game): return {}["x"]
        """)  # fmt: skip
    for folder in ("folder", "folder.csv"):
        Path(folder).mkdir()
    ones = [["1"] * 9 for _ in range(9)]

    def changed(name, line, column, value):
        rows = [list(row) for row in ones]
        rows[line][column] = value
        Path(name).write_text(as_csv(rows))

    Path("bytes.csv").write_bytes(b"\xff\xfe\x00")
    Path("short.csv").write_text(as_csv(ones[:8]))
    Path("long.csv").write_text(as_csv([*ones, ones[0]]))
    Path("empty.csv").write_text("")
    changed("blank.csv", 2, 1, "")
    Path("blank_line.csv").write_text(as_csv([*ones[:3], [], *ones[:5]]))
    Path("ragged.csv").write_text(as_csv([*ones[:8], ones[0][:8]]))
    changed("negative.csv", 0, 8, "-1")
    changed("part.csv", 1, 0, "2.5")
    changed("word.csv", 3, 4, "x")
    Path("semicolons.csv").write_text(as_csv(ones).replace(",", ";"))
    refused(word, GAME, message)


def test_the_line_of_a_cell_counts_the_header():
    Path("t.csv").write_text("a,b,c\n1,1,1\n1,1,1\n1,y,1\n")
    with pytest.raises(InputError, match="line 4, column 2: 'y'"):
        parse_strategy("t.csv", Pig(target=3))


def test_commands_take_them(code, capsys):
    from pigevo.cli import main

    pigevo.hold_at(GAME, 4).save("run/champion.npz")
    Path("t.csv").write_text(as_csv(table(GAME, lambda i, j: 4)))
    for word in ("lab/mine.py:made", "run", "t.csv"):
        assert main(["duel", word, "hold_at:4", "--target", "9", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["exact"]["overall"] == pytest.approx(0.5)
    assert main(["duel", "--help"]) == 0
    help_text = capsys.readouterr().out
    assert main(["respond", "--help"]) == 0
    for one in (help_text, capsys.readouterr().out):
        for word in ("FILE.py:FUNCTION", ".csv", ".npz", "folder"):
            assert word in one


def test_a_function_that_answers_otherwise_the_second_time_is_refused():
    write("lucky.py", """
        from random import random, randint
        import pigevo

        def drawn(i, j, k):
            return k < 3 if random() < 0.5 else k < 5

        def made(game):
            made.calls = getattr(made, "calls", 2) + 1
            return pigevo.hold_at(game, made.calls)
    """)  # fmt: skip
    for name in ("drawn", "made"):
        with pytest.raises(InputError, match=rf"lucky.py:{name}: it says .* when it is called again"):
            parse_strategy(f"lucky.py:{name}", GAME)
