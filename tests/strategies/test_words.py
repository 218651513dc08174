"""Strategies as they are typed: names, ranges, functions, tables, folders of runs, and rules that a person can remember.

Of a rule: what it says, what it plays, also in a game of rounds, and what a person needs for it.
"""

import json
import math
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES, Game, Pig, Piglet, Race
from pigevo.games.game import Throw
from pigevo.strategies import Strategy, expand, names_file, parse_strategy
from pigevo.strategies.rules import AtLeast, Complexity, Constant, Fraction, Leaves, Rule, Sum, complexity, parse_rule
from pigevo.strategies.rules.reading import LONGEST
from tests.cases import at_least, rules, rules_for_rounds

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


@pytest.mark.parametrize(
    "header",
    [
        "",
        "0,1,2,3,4,5,6,7,8\n",
        "0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0\n",
        "a,b\n",
        "own,of the opponent: 0,1,2,3\n",
        "\ufeff",
    ],
)
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


@pytest.mark.parametrize(
    "holds",
    [
        lambda i, j: np.maximum(0, j - i),
        lambda i, j: abs(i - j),
        lambda i, j: 0 * i + j + 1,
        lambda i, j: np.where(i == 0, j, 6),
        lambda i, j: np.where(j == 0, i, 6),
    ],
)
def test_hold_values_that_count_up_are_read(holds):
    table = holds(*np.indices((9, 9)))
    expected = Strategy.from_function(GAME, lambda i, j, k: k < table[i, j])
    alike = all(abs(lines[1] - lines[0]).max() <= 2 for lines in (table, table.T))  # else 00 is said to be a hold value
    for written in [as_csv(table)] * alike + [
        "0" + as_csv(table),
        as_csv(table).replace(",", ".000,").replace("\n", ".000\n"),
    ]:
        Path("t.csv").write_text(written)
        assert parse_strategy("t.csv", GAME) == expected


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
COUNTED = "0,1,2,3,4,5,6,7,8\n"
WRONG_TABLES = [
    ("\xff\xfe\x00", "t.csv must be a table of comma-separated numbers"),
    ("", "t.csv has 0 lines, not 9"),
    (ROW * 8, "t.csv has 8 lines, not 9: one for each own score from 0 to 8."),
    (ROW * 10, "t.csv has 10 lines, not 9"),
    (ROW.replace("1", "1.0") * 10, "t.csv has 10 lines, not 9"),
    (ROW * 8 + ROW[2:], "t.csv, line 9 has 8 columns, not 9: one for each score of the opponent."),
    (ROW * 2 + "1," + ROW[3:] + ROW * 6, "t.csv, line 3, column 2: the cell is blank."),
    (ROW * 3 + "\n" + ROW * 5, "t.csv, line 4 has 0 columns, not 9"),
    (ROW.replace(",", ";") * 9, " must be a whole number of points, 0 or more; commas are between cells."),
    (ROW[:-2] + "-1\n" + ROW * 8, "t.csv, line 1, column 9: '-1' must be a whole number of points, 0 or more."),
    (ROW + "2.5" + ROW[1:] + ROW * 7, "t.csv, line 2, column 1: '2.5' must be a whole number"),
    (ROW.replace(",", ";") * 9, "t.csv, line 1, column 1: '1;1;1;1;1;1;1;1;1' must be a whole number"),
    (
        COUNTED + ROW.replace("1", "6") * 8,
        "t.csv, line 1 has the scores 0 to 8 in place of hold values: leave them out, and give a line"
        " for each own score from 0 to 8. If they are hold values, write 00 for 0.",
    ),
    (
        COUNTED.replace(",", ".0,").replace("8", "8.0") + ROW.replace("1", "6.0") * 8,
        "line 1 has the scores 0.0 to 8.0 in",
    ),
    (
        "".join(f"{n + 1}{',6' * 8}\n" for n in range(9)),
        "t.csv, column 1 has the scores 1 to 9 in place of hold values: leave them"
        " out, and give a column for each score of the opponent from 0 to 8. If they are hold values, write 01 for 1.",
    ),
    (",0,1,2,3,4,5,6,7\n" + "".join(f"{n}{',6' * 8}\n" for n in range(9)), "t.csv, column 1 has the scores 0 to 8 in"),
    (
        ROW * 8 + ROW.replace("1\n", "1.000\n"),
        "t.csv, line 9, column 9: '1.000' is 1 or 1000: write it without a point.",
    ),
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


SMALL = Pig(target=23)
few = settings(max_examples=40, deadline=None)
PUBLISHED = "21+(j-i)/8; race either>=71"


@given(st.one_of(rules, rules_for_rounds))
@few
def test_a_rule_is_read_as_it_is_written(rule):
    spaced = f"rule:  {rule.text.replace('>=', ' >= ').replace('+', ' + ')} "
    assume(len(spaced) <= LONGEST)
    assert parse_rule(rule.text) == rule
    assert parse_rule(spaced) == rule
    sentence = rule.sentence
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert not any(mark in sentence for mark in ("  ", "..", "{"))


@given(rules)
@few
def test_the_line_of_python_is_the_rule(rule):
    line = eval(rule.python(SMALL))
    roll = rule.strategy(SMALL).roll
    t = SMALL.target
    wrong = [(i, j, k) for i in range(t) for j in range(t) for k in range(1, t - i) if roll[i, j, k] != line(i, j, k)]
    assert wrong == []


@given(rules, at_least)
@few
def test_a_further_condition_asks_for_more(rule, condition):
    more = complexity(Rule(rule.base, (*rule.race, (condition,))))
    assert more.integers == complexity(rule).integers + (not condition.by_sight)
    assert more.operations > complexity(rule).operations


def test_the_published_rule_loses_as_published():
    game = Pig()
    p = pigevo.win_probability(parse_rule(PUBLISHED).strategy(game), pigevo.optimal(game).strategy)
    assert abs(1 - 2 * p.overall - 0.0092) < 0.00005


def half_up(x):
    return math.floor(x + 0.5)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("12", lambda i, j: 12),
        ("multiple(7)", lambda i, j: next(m for m in range(0, 99, 7) if m > i) - i),
        ("marks(9, 15)", lambda i, j: next((m for m in (9, 15) if m > i), 999) - i),
        ("8+(j-i)/4", lambda i, j: 8 + half_up((j - i) / 4)),
        ("8-(j-i)/3", lambda i, j: 8 - half_up((j - i) / 3)),
        ("9+j/5-i/6", lambda i, j: 9 + half_up(j / 5) - half_up(i / 6)),
        ("max(6, j-i-4)", lambda i, j: max(6, j - i - 4)),
        ("quarters(5,6,7,8)", lambda i, j: 5 if i < 5.75 else 6 if i < 11.5 else 7 if i < 17.25 else 8),
        ("4 if ahead else 9 if deficit>=6 else 7", lambda i, j: 4 if i > j else 9 if j >= i + 6 else 7),
        ("7; race own>=15", lambda i, j: 999 if i >= 15 else 7),
        ("7; race either>=15", lambda i, j: 999 if max(i, j) >= 15 else 7),
        ("7; race both>=9", lambda i, j: 999 if min(i, j) >= 9 else 7),
        ("7; race own>=15 or opponent>=12 and sum>=20", lambda i, j: 999 if i >= 15 or (j >= 12 and i + j >= 20) else 7),
        ("7; race own+2*opponent>=30", lambda i, j: 999 if i + 2 * j >= 30 else 7),
        ("7; race 2*own+opponent>=30", lambda i, j: 999 if 2 * i + j >= 30 else 7),
        ("7; race lead>=4", lambda i, j: 999 if i - j >= 4 else 7),
        ("7+(j-i)/2; race leaves<=5", lambda i, j: 999 if 23 - i - (p := 7 + half_up((j - i) / 2)) <= 5 else p),
    ],
)  # fmt: skip
def test_rules_hold_where_their_words_say(text, plan):
    roll = parse_rule(text).strategy(SMALL).roll
    t = SMALL.target
    wrong = [
        (i, j, k) for i in range(t) for j in range(t) for k in range(1, t - i) if roll[i, j, k] != (k < plan(i, j))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "integers", "operations"),
    [
        ("25", 1, 0),
        ("25; race leaves<=25", 2, 3),
        (PUBLISHED, 3, 12),  # subtract, three halvings, add: 10; and two comparisons
        ("21+(j-i)/10", 2, 6),
        ("21+(j-i)/3", 2, 8),
        ("21+(j-i)/7", 2, 10),
        ("21+(j-i)/20", 2, 8),
        ("21+(j-i)/25", 2, 12),
        ("21+j/30-i/2", 3, 12),
        ("21+(j-i)", 1, 4),
        ("multiple(25)", 1, 3),
        ("19 if ahead else 24", 2, 1),
        ("19 if lead>=5 else 24", 3, 3),
        ("max(25,j-i-10)", 2, 5),
        ("max(25,j-i+1)", 1, 3),
        ("quarters(24,25,23,25)", 4, 3),
        ("25; race 2*own+opponent>=178", 2, 5),
        ("marks(25,50,74); race ahead", 3, 6),
        ("18+(j-i)/turns", 1, 14),
        ("max(17, 18 + (j - i)/turns)", 2, 15),
        ("max(17, 13+(j-i)/turns if second else 21+(j-i)/turns)", 3, 16),
        ("20+(j-i)/8; last 14 if ahead else 15+(j-i)", 4, 10),
        ("20; last 16+(j-i)", 2, 5),
    ],
)
def test_the_complexity_of_a_rule_is_counted(text, integers, operations):
    assert complexity(parse_rule(text)) == Complexity(integers, operations)


SENTENCES = {
    PUBLISHED: "Hold at 21, plus an eighth of what you are behind or minus an eighth of what you are ahead. "
    "But roll to win once either of you has 71 or more.",
    "19 if ahead else 24": "If you are ahead, hold at 19; otherwise hold at 24.",
    "4 if second else 9": "If you move second in the round, hold at 4; otherwise hold at 9.",
    "max(17,18+(j-i)/turns)": "Hold at 18, plus what you are behind or minus what you are ahead, shared out over your "
    "turns left (this one counts too), but never below 17.",
    "20; last 16+(j-i)": "Hold at 20. In your last turn hold at 16, plus what you are behind or minus what you are "
    "ahead. If nobody plays after you, roll until ahead.",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_are_plain(text):
    assert parse_rule(text).sentence == SENTENCES[text]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rule:", "'' in the rule '' must be one of: 25, 21+(j-i)/8"),
        ("rule: hold", "'hold' in the rule 'hold' must be one of"),
        ("rule: 25;", "after the semicolon of '25;' write race"),
        ("rule: 25; rac either>=3", "write race and a condition"),
        ("rule: 25; race foo>=3", "'foo >= 3' in the rule"),
        ("rule: 25; race either>71", "must be one of: own>=N"),
        ("rule: 25; race either>=x", "must be one of: a whole number"),
        ("rule: 25.5", "must be one of: a whole number"),
        ("rule: True", "must be one of: a whole number"),
        ("rule: 25+(j-i)/0", "to divide by in a rule cannot be 0"),
        ("rule: 25+k/3", "one of (j-i), i or j"),
        ("rule: 25+(j-i)//8", "one of (j-i), i or j"),
        ("rule: 99999", "must be a whole number from 0 to 5000"),
        ("rule: max(25, i)", "must be one of: j-i-10"),
        ("rule: marks(50, 25)", "each larger than the one before"),
        ("rule: quarters(1,2,3)", "must be one of"),
        ("rule: 1 if leaves<=3 else 4", "can stand after race only"),
        ("rule: __import__('os').getcwd()", "must be one of"),
        ("rule: " + "(" * 400, "must be one of"),
        ("rule: " + "1" * 501, "at most 500 characters"),
        ("rule: 25\x00", "must be one of"),
    ],
)
def test_what_is_no_rule_is_refused_with_a_sentence(refused, text, part):
    refused(text, SMALL, part)


def test_a_long_choice_is_read():
    assert parse_strategy("rule: " + "1 if ahead else " * 30 + "1", SMALL) == pigevo.hold_at(SMALL, 1)


@given(st.text(alphabet="0123456789+-*/()<>=,.;: ijTracedhelvsowbnu'\\\x00\n", max_size=60))
@example("1if ahead else 2")
@example("-" * 490)
@example("'\\d'; race ahead")
@example("25; race " + "not " * 100 + "ahead")
def test_any_text_is_a_rule_or_refused_in_one_line(text):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            assert parse_rule(parse_rule(text).text) == parse_rule(text)
        except InputError as error:
            assert "\n" not in str(error)
    assert warned == []


@pytest.mark.parametrize("make", [
    lambda: AtLeast("speed", 3), lambda: Leaves(-1), lambda: Constant(True), lambda: Fraction("*", "i", 2),
    lambda: Sum(3, ()), lambda: Rule(Constant(3), ((),)),
])  # fmt: skip
def test_records_refuse_what_no_rule_has(make):
    with pytest.raises(InputError):
        make()


def test_rules_play_other_games_too():
    for name in ("two_dice", "big_pig", "equal_turns", "skunk"):
        game = GAMES[name].bind({"target": 30} if name != "equal_turns" else {"target": 30, "cap": 40})
        assert parse_strategy("rule: 12; race own>=999", game) == pigevo.hold_at(game, 12)


ROUNDS = GAMES["ten_rounds"].bind({"turns": 3, "cap": 12})
STATES = [
    (left, second, lead, total)
    for left in (1, 2, 3) for second in (0, 1) for lead in range(-12, 13) for total in range(1, 12)
]  # fmt: skip


class Falling(Game):
    """A game of two turns in which a 1 loses the whole score, so that both scores are known."""

    turns, cap = 2, 20
    throws = (Throw(0, 0.5, "score"), Throw(2, 0.5))


def rolls(strategy, left, second, lead, total):
    return bool(strategy.roll[ROUNDS.cell(left=left, second=second, difference=lead, total=total)])


@given(rules_for_rounds)
@few
def test_the_line_of_python_is_the_rule_in_a_game_of_rounds(rule):
    assert Strategy.from_function(ROUNDS, eval(rule.python(ROUNDS))) == rule.strategy(ROUNDS)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("equal_turns", "5+(j-i)/4; race either>=14"), ("equal_turns", "4 if second else 9; race own>=15"),
        ("skunk", "5+(j-i)/4; race either>=14"), ("hold_to_win", "5+(j-i)/4; race leaves<=6"),
        ("two_dice", "6; race lead>=9"),
    ],
)  # fmt: skip
def test_the_line_of_python_is_the_rule_where_a_turn_does_not_end_at_the_target(game, text):
    """A race to the end rolled on after it had reached the target: such a line won a third as often as its rule."""
    cap = {"cap": 30} if game in ("equal_turns", "skunk") else {}
    played, rule = GAMES[game].bind({"target": 20, **cap}), parse_rule(text)
    assert Strategy.from_function(played, eval(rule.python(played))) == rule.strategy(played)


def test_the_line_of_python_has_the_names_of_the_axes_in_a_game_of_rounds():
    rule = parse_rule("9+(j-i)/3 if lead>=2 else 4; last max(5,j-i)")
    game = GAMES["ten_rounds"].bind({"turns": 2, "cap": 20, "rolls": True})
    assert Strategy.from_function(game, eval(rule.python(game))) == rule.strategy(game)
    line = eval(parse_rule("9+(j-i)/3; last 5").python(Falling()))
    assert [line(2, 0, 3, 12, total) for total in (11, 12)] == [True, False]


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("7", lambda left, second, lead: 7),
        ("6+(j-i)/4; last 4+(j-i)", lambda left, second, lead: 4 - lead if left == 1 else 6 + half_up(-lead / 4)),
        ("4 if ahead else 8; last max(5,j-i)", lambda left, second, lead: (
            max(5, -lead) if left == 1 else 4 if lead > 0 else 8)),
        ("6+(j-i)/turns", lambda left, second, lead: 6 + half_up(-lead / left)),
        ("9-(j-i)/turns", lambda left, second, lead: 9 - half_up(-lead / left)),
        ("max(5,6+(j-i)/turns)", lambda left, second, lead: max(5, 6 + half_up(-lead / left))),
        ("max(5,6+(j-i)/turns+(j-i)/4)", lambda left, second, lead: max(
            5, 6 + half_up(-lead / left) + half_up(-lead / 4))),
        ("5 if ahead else 6+(j-i)/turns; last 4", lambda left, second, lead: (
            4 if left == 1 else 5 if lead > 0 else 6 + half_up(-lead / left))),
        ("4; last 6+(j-i)/turns", lambda left, second, lead: 6 - lead if left == 1 else 4),
        ("4 if second else 8", lambda left, second, lead: 4 if second else 8),
        ("4 if second else 8+(j-i)/2; last 6-(j-i)", lambda left, second, lead: (
            4 if second else 6 + lead if left == 1 else 8 + half_up(-lead / 2))),
        ("max(5,4+(j-i)/turns if second else 7+(j-i)/turns)", lambda left, second, lead: max(
            5, (4 if second else 7) + half_up(-lead / left))),
        ("3 if ahead else (max(6,j-i) if second else 9)", lambda left, second, lead: (
            3 if lead > 0 else max(6, -lead) if second else 9)),
    ],
)  # fmt: skip
def test_rules_hold_where_their_words_say_and_roll_until_ahead_in_the_last_turn_of_all(text, plan):
    strategy = parse_strategy(f"rule: {text}", ROUNDS)
    for left, second, lead, total in STATES:
        hold = 1 - lead if left == 1 and second else plan(left, second, lead)
        assert rolls(strategy, left, second, lead, total) == (total < hold), (left, second, lead, total)


def test_in_a_race_of_equal_turns_a_rule_knows_who_moves_second_too():
    game = GAMES["equal_turns"].bind({"target": 20, "cap": 30})
    strategy = parse_strategy("rule: 4 if second else 9; race own>=15", game)
    first, second = (parse_strategy(f"rule: {n}; race own>=15", game) for n in (9, 4))
    assert np.array_equal(strategy.roll[0], first.roll[0])
    assert np.array_equal(strategy.roll[1], second.roll[1])
    line = eval(parse_rule("4 if second else 9; race own>=15").python(game))
    assert [line(second, 3, 3, 5) for second in (0, 1)] == [True, False]


def test_where_both_scores_are_known_a_rule_plays_by_their_difference():
    plan = parse_rule("9+(j-i)/3; last 5").planned(Falling())
    assert plan.shape == (2, 2, 21, 21)
    assert (plan[1, 0, 3, 12], plan[0, 0, 3, 12], plan[0, 1, 3, 12]) == (12, 5, 10)


@pytest.mark.parametrize(
    ("text", "game", "part"),
    [
        ("rule: multiple(7)", ROUNDS, "multiple(7) needs both scores"),
        ("rule: 7; last marks(9)", ROUNDS, "marks(9) needs both scores"),
        ("rule: 7+j/3", ROUNDS, "needs both scores"),
        ("rule: 3 if own>=4 else 7", ROUNDS, "needs both scores"),
        ("rule: 3 if ahead else multiple(7)", ROUNDS, "needs both scores"),
        ("rule: 7; race own>=9", ROUNDS, "`race` in 7; race own>=9 needs a game with a target"),
        ("rule: 7; last 9", pigevo.Pig(target=20), "`last` in 7; last 9 needs a game of rounds"),
        ("rule: 7; last 9", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+j/turns", ROUNDS, "needs both scores"),
        ("rule: max(5,7+j/3)", ROUNDS, "needs both scores"),
        ("rule: 7+(j-i)/turns", pigevo.Pig(target=20), "`turns` in 7+(j-i)/turns needs a game of rounds"),
        ("rule: max(5,7+i/turns)", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+(j-i)/turns; race own>=9", ROUNDS, "not both"),
        (
            "rule: 7+(j-i)/rounds",
            ROUNDS,
            "'rounds' in the rule '7+(j-i)/rounds' must be one of: a whole number or turns",
        ),
        ("rule: max(5,7*turns)", ROUNDS, "'7 * turns' in the rule"),
        ("rule: max(5,turns)", ROUNDS, "must be one of: j-i-10, j-i, j-i+1, 18+(j-i)/8"),
        ("rule: 7; last", ROUNDS, "'' in the rule '7; last' must be one of: 25"),
        ("rule: 7; last 9; race own>=3", ROUNDS, "must be one of: 25"),
        ("rule: 4 if second else 9", pigevo.Pig(target=20), "equally many turns: ten_rounds or equal_turns"),
        ("rule: 7; race second", ROUNDS, "can choose between two bases only"),
        ("rule: 7; last 4 if second else 9", ROUNDS, "`second` has no meaning after `last`"),
        ("rule: 4 if third else 9", ROUNDS, "deficit>=N, ahead, behind, second"),
        ("rule: 7; lost 9", ROUNDS, "or, in a game of rounds, last and a base"),
    ],
)
def test_what_does_not_fit_the_game_is_refused_with_a_sentence(refused, text, game, part):
    refused(text, game, part)
