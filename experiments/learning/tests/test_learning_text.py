"""The verdicts of the README on learning are those of its tables."""

import csv
import re
from itertools import product
from statistics import fmean

from experiments.common.tests.prose import cells_of, readme_and_tables
from pigevo.experiments import experiments_folder
from tests.docs.pages import DOCS

README, TABLES = readme_and_tables("learning")
PIG_30, PIG_100, ROUNDS = "Pig to 30, four sides", "Pig to 100", "ten rounds"
TEN_SIDES, FIVE_SIDES = "Pig to 120, ten sides", "Pig to 120, five sides"
APART = ("Q-learning", "TD(lambda)", "value iteration", "fictitious play", "CFR", "tree search")
LEARNERS = (*APART, "policy gradient")
"""Those that are not told the die; the first six keep states apart."""

LOSS = {(row[0], row[1], row[2]): float(row[4].split()[0]) for row in cells_of(TABLES["loss"]) if row[0] != "game"}
LAST = {PIG_30: 7, PIG_100: 6, ROUNDS: 6}
"""The most games of all but evolution with single cells and the die alone, as a power of ten."""


def compared(game, power, table="evolution"):
    """What each learner has more than evolution: its verdict, and the ends of the interval, in digits."""
    rows = [row for row in cells_of(TABLES[table]) if row[0].endswith(f", {game}, 10^{power}")]
    ends = {row[0].split(",")[0]: re.search(r"\((\S+) to (\S+)\)", row[3]).groups() for row in rows}
    return {row[0].split(",")[0]: (row[6], *map(float, ends[row[0].split(",")[0]])) for row in rows}


def least_losses(seen):
    """The bound: the least loss by game and number of games."""
    head, *rows = [row for row in cells_of(TABLES["bound"]) if len(row) == 8]
    games = [re.search(r"10\^\d+", cell)[0] for cell in head[2:]]
    return {(row[0], n): float(cell) for row in rows if row[1] == seen for n, cell in zip(games, row[2:], strict=True)}


def test_where_evolution_is_ahead_is_said_of_the_table():
    verdicts = {(game, n): compared(game, n) for game in LAST for n in range(4, LAST[game] + 1)}
    for n in (5, 6):  # prediction 1
        assert all(high < -0.3 for _, _, high in (verdicts[PIG_100, n][name] for name in LEARNERS))
        assert not all(verdicts[ROUNDS, n][name][2] < -0.3 for name in LEARNERS)
    assert verdicts[PIG_100, 4]["policy gradient"][0] == "open"
    assert [name for name in LEARNERS if verdicts[ROUNDS, 4][name][0] == "A"] == ["TD(lambda)", "policy gradient"]
    assert {verdicts[ROUNDS, 6][name][0] for name in LEARNERS} == {"B"}
    near = [name for name in LEARNERS if verdicts[ROUNDS, 6][name][1] > -0.3]
    assert near == ["TD(lambda)", "value iteration", "fictitious play", "policy gradient"]
    assert [name for name in LEARNERS if verdicts[ROUNDS, 4][name][0] == "open"] == ["Q-learning"]
    ahead = [name for name in LEARNERS if verdicts[PIG_30, 7][name][0] == "A"]
    assert ahead == ["Q-learning", "TD(lambda)", "value iteration", "fictitious play"]
    assert {verdicts[PIG_30, 7][name][0] for name in LEARNERS if name not in ahead} == {"B"}
    assert (verdicts[PIG_30, 4]["value iteration"][0], verdicts[PIG_30, 4]["policy gradient"][0]) == ("open", "A")
    better = [name for name in LEARNERS if verdicts[PIG_30, 7][name][1] > 0.3]  # prediction 2
    assert better == ["value iteration", "fictitious play"]
    assert [verdicts[PIG_30, n]["value iteration"][0] for n in (5, 6, 7)] == ["A"] * 3


def test_what_is_told_and_what_the_bound_allows_is_said_of_the_tables():
    throws, winners = least_losses("throws"), least_losses("winners")
    for game in LAST:  # prediction 3
        assert LOSS[game, "die alone", "10^4"] < 0.001
        assert LOSS[game, "die alone", "10^6" if game == PIG_30 else "10^5"] < 0.00001
    others = {key: loss for key, loss in LOSS.items() if key[1] != "die alone" and key[0] in LAST}
    assert min(others.values()) > max(LOSS[game, "die alone", "10^4"] for game in LAST)
    soon = {key for key, loss in others.items() if loss <= 0.01}  # prediction 4
    assert not [key for key in soon if key[0] == ROUNDS or key[2] == "10^4"]
    assert {key for key in soon if key[0] == PIG_100} == {(PIG_100, "evolution, twins", "10^6")}
    for name in ("fictitious play", "value iteration", "Q-learning"):  # prediction 5
        assert LOSS[PIG_30, name, "10^7"] < winners[PIG_30, "10^7"]
    assert all(LOSS[PIG_100, "evolution, twins", f"10^{n}"] < winners[PIG_100, f"10^{n}"] for n in (4, 5, 6))
    apart = [loss / max(throws[game, n], 0.000005) for (game, name, n), loss in LOSS.items() if name in APART]
    assert int(min(apart)) == 11
    assert "loses at least eleven times as much as the line of throws" in " ".join(README.split())


def test_who_has_the_lowest_mean_of_the_learners_at_first_is_said_of_the_table():
    first = {game: min(LEARNERS, key=lambda name: LOSS[game, name, "10^4"]) for game in (*LAST, TEN_SIDES, FIVE_SIDES)}
    assert {game for game, name in first.items() if name != "policy gradient"} == {TEN_SIDES}


def test_where_exploitability_is_much_more_than_twice_the_loss_is_said_of_the_tables():
    taken = {tuple(row[:3]): float(row[4].split()[0]) for row in cells_of(TABLES["exploitability"]) if row[0] != "game"}
    much = {key for key, exploitability in taken.items() if exploitability > 2.1 * max(LOSS[key], 0.0005)}
    archive, twins = "evolution, archive", "evolution, twins"
    assert much == {(TEN_SIDES, archive, "10^5"), (TEN_SIDES, archive, "10^6"), (TEN_SIDES, twins, "10^6")}


def test_what_happens_on_games_on_which_nothing_was_developed_is_said_of_the_table():
    verdicts = {(game, n): compared(game, n, "untouched") for game in (TEN_SIDES, FIVE_SIDES) for n in (4, 5, 6)}
    for n in (5, 6):  # predictions 11 and 12
        assert all(verdicts[FIVE_SIDES, n][name][2] < -0.3 for name in LEARNERS)
        undecided = [name for name in LEARNERS if verdicts[TEN_SIDES, n][name][0] == "open"]
        assert undecided == (["value iteration"] if n == 5 else [])
        assert all(verdicts[TEN_SIDES, n][name][2] < -0.3 for name in LEARNERS if name not in undecided)
    assert max(LOSS[game, "evolution, twins", "10^6"] for game in (TEN_SIDES, FIVE_SIDES)) < 0.02
    better = {
        game: [name for name in LEARNERS if verdicts[game, 4][name][0] == "A"] for game in (TEN_SIDES, FIVE_SIDES)
    }
    assert better == {TEN_SIDES: ["value iteration"], FIVE_SIDES: ["policy gradient"]}
    assert [name for name in LEARNERS if verdicts[FIVE_SIDES, 4][name][0] == "open"] == ["TD(lambda)"]
    assert not [name for name in LEARNERS if verdicts[TEN_SIDES, 4][name][0] == "open"]
    begun = {row[0]: float(row[2]) for row in cells_of(TABLES["start"])[2:]}
    assert begun[TEN_SIDES] == 0.04766
    assert LOSS[TEN_SIDES, "value iteration", "10^5"] > 0.99 * begun[TEN_SIDES]


def test_on_how_many_games_a_first_guess_is_below_the_line_of_winners_is_said_of_the_table():
    rows = [row for row in cells_of(TABLES["start"]) if row[0] in (*LAST, TEN_SIDES, FIVE_SIDES)]
    assert len(rows) == 5
    assert sum(float(row[1]) < float(row[3]) for row in rows) == 3


def test_what_was_compared_further_is_said_of_the_table():
    rows = [row for row in cells_of(TABLES["further"]) if len(row) == 7 and row[0] != "A"]
    high = {row[0]: float(re.search(r"to (\S+)\)", row[3])[1]) for row in rows}
    assert high["CFR, 10^6"] < -0.3  # prediction 6
    cells = [high[f"evolution, single cells, 10^{n}"] for n in (4, 5, 6)]  # prediction 8
    assert [end < -0.3 for end in cells] == [False, True, True]
    ratios = {row[0]: float(row[1]) for row in cells_of(TABLES["further"]) if len(row) == 2 and row[0] != "game"}
    assert [game for game, ratio in ratios.items() if ratio > 2] == [PIG_30, TEN_SIDES]  # prediction 7


def test_single_runs_of_the_most_games_are_as_predicted():
    """Prediction 9, and the sentence about the best run of the twins."""
    with (experiments_folder() / "learning" / "large.csv").open() as file:
        losses = {(row["contestant"], row["seed"]): float(row["loss 8"]) for row in csv.DictReader(file)}
    runs = {name: [loss for (runner, _), loss in losses.items() if runner == name] for name, _ in losses}
    assert {len(of_runner) for of_runner in runs.values()} == {3}
    assert max(runs["value iteration"]) < 0.00003
    assert max(runs["Q-learning"] + runs["fictitious play"]) < 0.001
    assert min(runs["evolution, twins"]) > 0.0015
    assert min(runs["policy gradient"]) > 0.015
    most = max(max(runs[name]) for name in ("value iteration", "Q-learning", "fictitious play"))
    assert most < min(runs["evolution, twins"]) / 4


def test_the_runs_of_a_thousand_million_games_are_said_of_the_table():
    """Predictions 10 and 13, and whose loss is not half of the mean with a tenth of the games."""
    with (experiments_folder() / "learning" / "largest.csv").open() as file:
        losses = {row["contestant"]: float(row["loss 9"]) for row in csv.DictReader(file)}
    assert set(losses) == {*LEARNERS, "evolution, twins", "evolution, archive"}
    assert max(losses["Q-learning"], losses["fictitious play"]) < 0.0003
    assert losses["evolution, archive"] > 0.004
    assert losses["value iteration"] < 0.00001
    assert losses["evolution, twins"] > 0.002
    assert losses["TD(lambda)"] < 0.0005
    assert losses["CFR"] < 0.0015
    assert losses["policy gradient"] > 0.01
    assert losses["tree search"] < 0.01  # where prediction 13 does not hold
    before = {row[1]: float(row[4].split()[0]) for row in cells_of(TABLES["large"]) if row[0] == PIG_30}
    assert {name for name in losses if losses[name] > before[name] / 2} == {
        "evolution, archive", "evolution, twins", "policy gradient",
    }  # fmt: skip


def test_the_table_of_the_page_is_that_of_the_readme_and_has_the_means_of_all_runs():
    page = (DOCS / "explanation" / "learning.md").read_text()
    begin = "| Q-learning | .1969"
    tables = [text[text.index(begin) :].partition("\n\n")[0] for text in (README, page)]
    assert tables[0] == tables[1]
    untouched = README[README.index("| Q-learning | .4927") :].partition("\n\n")[0]
    with (experiments_folder() / "learning" / "runs.csv").open() as file:
        runs = list(csv.DictReader(file))
    for name, *cells in cells_of(tables[0]):
        _check_means(runs, name, product(LAST, range(4, 8)), _with_gaps(cells))
    for name, *cells in cells_of(untouched):
        _check_means(runs, name, product((TEN_SIDES, FIVE_SIDES), range(4, 7)), [*cells, ""][:6])


def _check_means(runs, name, columns, cells):
    """The cells of a contestant are its mean losses, or empty where it did not play."""
    for (game, power), cell in zip(columns, cells, strict=True):
        losses = [
            float(run[f"loss {power}"] or "nan") for run in runs if (run["contestant"], run["game"]) == (name, game)
        ]
        played = [loss for loss in losses if loss == loss]
        rounded = [f"{fmean(played):.{digits}f}".lstrip("0") for digits in (4, 5)] if played else [""]
        assert cell in rounded, (name, game, power)


def _with_gaps(cells):
    """The cells of a line, with one for 10^7 games of the larger games, which nobody played."""
    padded = [*cells, *[""] * (10 - len(cells))]
    return [*padded[:7], "", *padded[7:], ""]
