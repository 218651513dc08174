"""How far results of fair tests stray, and that the claims of the README of exeter2017 follow from its tables."""

import math
import re

import numpy as np
import pytest
from scipy import stats

import pigevo
from experiments.common.tests.prose import readme_and_tables
from pigevo.dice import Draw
from pigevo.experiments.exeter2017 import fair
from pigevo.experiments.exeter2017.fair import chance_within, extremes
from pigevo.simulation import play_pairs
from pigevo.tournaments import games_within

GAME = pigevo.Pig(target=20)


def test_the_3000_games_of_the_report():
    """Figure 15 has 100 results for each number of games: 3000 is the first thousand at which none is expected to stray."""
    strays = {games: 100 * (1 - chance_within(games)) for games in (1537, 2000, 2500, 3000)}
    assert strays[1537] == pytest.approx(5, abs=0.5)  # "the majority of points"
    assert strays[2500] > 1 > strays[3000]
    assert math.ceil(games_within(confidence=0.99) / 1000) * 1000 == 3000


def test_the_100_results_of_3000_games_of_the_report():
    """Figure 16: of 100 means of 100 results, each of 3000 games, the smallest was .4974 and the largest .5020."""
    (low, most), (least, high) = extremes(100 * 3000, 100)
    assert low < 0.4974 < most < 0.5 < least < 0.5020 < high
    (low, _), (_, high) = extremes(3000, 100)
    assert low < 0.475 < 0.525 < high  # "even for high values you can still get stray results"


def test_the_games_of_the_report_played():
    """100 results of 3000 games of a strategy against itself lie where figures 15 and 16 have them."""
    twenty = pigevo.hold_at(GAME, 20)
    tables = np.stack([twenty.table, twenty.table])
    rates = play_pairs(GAME, tables, [(0, 1)], 300_000, Draw(1, "dice"), sets=100)[:, 0] / 3000
    assert rates.shape == (100,)
    assert (np.abs(rates - 0.5) > 0.025).sum() <= 4
    (low, most), (least, high) = extremes(3000, 100, confidence=0.999)
    assert low <= rates.min() <= most
    assert least <= rates.max() <= high
    assert abs(rates.mean() - 0.5) < 4 * 0.5 / math.sqrt(300_000)
    assert rates.std() == pytest.approx(0.5 / math.sqrt(3000), rel=0.25)
    wins = pigevo.play_match(twenty, twenty, games=300_000, seed=1).wins
    assert round(rates.sum() * 3000) == wins  # the games of one long match, divided


@pytest.mark.parametrize("p", [0.5, 0.3])
@pytest.mark.parametrize("games", [7, 100])
def test_the_chance_within_a_distance_is_counted(p, games):
    expected = sum(
        stats.binom.pmf(wins, games, p) for wins in range(games + 1) if abs(wins / games - p) <= 0.1 + 1e-12
    )  # fmt: skip
    assert chance_within(games, 0.1, p) == pytest.approx(expected)


def test_extremes_are_those_of_many_draws():
    draws = np.random.default_rng(3).binomial(200, 0.4, (4000, 20)) / 200
    for ends, extreme_rates in zip(extremes(200, 20, 0.4, 0.9), (draws.min(axis=1), draws.max(axis=1)), strict=True):
        inside = ((ends[0] <= extreme_rates) & (extreme_rates <= ends[1])).mean()
        assert 0.88 < inside < 0.96  # 0.9, and what of the ends counts twice


def test_figures_15_and_16_alone_show_what_both_together_do():
    rates, tests = np.full((len(fair.LENGTHS), fair.TESTS), 0.5), np.linspace(0.498, 0.502, fair.TESTS)
    both = [len(axes.lines) for axes in fair.picture(rates, tests, 0.025).axes]
    alone = fair.figure_15(rates, 0.025), fair.figure_16(tests)
    assert [len(figure.axes[0].lines) for figure in alone] == both
    assert alone[1].get_suptitle().endswith("100 fair tests: 0.4980 to 0.5020, mean 0.5000")


README, TABLES = readme_and_tables("exeter2017")
ROWS_OF_SECTIONS = {
    "2.2.1": "2.2.1",
    "17 | ten pairs": "17 |",
    "17 | the former": "17 |",
    "17, played": "17, played",
    "18": "18",
    "3.3.5 |": "3.3.5 |",
    "3.3.5, played": "3.3.5, played",
    "N&P": "N&P",
    "2.3.4": "2.3.4",
    "3.3.6 |": "3.3.6 |",
    "3.3.6, played": "3.3.6, played",
}
"""How the rows of the README's table begin, and those of the table of all printed figures."""


def test_the_rows_that_agree_are_those_of_the_table_and_all_are_counted():
    counted = 0
    for beginning, start in ROWS_OF_SECTIONS.items():
        (line,) = [line for line in README.splitlines() if line.startswith(f"| {beginning}")]
        rows = [row for row in TABLES["table"].splitlines() if row.startswith(f"| {start}")]
        if start == "17 |":
            rows = [row for row in rows if ("in general" in row) == ("former" in beginning)]
        assert line.rstrip(" |").endswith(f"| {sum('| yes |' in row for row in rows)} of {len(rows)}")
        counted += len(rows)
    assert counted == sum(row.count("|") == 8 for row in TABLES["table"].splitlines()[2:]) == 84


def test_what_differs_is_what_the_text_says():
    rows = [row for row in TABLES["table"].splitlines() if "| no |" in row]
    assert sum("in general" in row and "by the printed figures of both seats" in row for row in rows) == 5
    assert [row for row in rows if "in general" not in row] == [
        row for row in rows if "36 against 52, hold at 36 first" in row
    ]
    for row in rows:
        if "in general" in row:  # rounded twice, and so by the report's own formula right
            published = re.search(r"general \| ([\d.]+)", row).group(1)
            by_seats = re.search(r"([\d.]+) by the printed", row).group(1)
            assert round(float(by_seats) + 1e-9, 4) == float(published)


def test_the_matches_expected_outside_are_those_of_the_games_that_are_named():
    rows = [row.strip("| ").split(" | ") for row in TABLES["fair"].splitlines()]
    shares = {row[0]: float(row[-1].strip()) for row in rows if row[0].startswith(("expected", "chance"))}
    for games, within in (("1,537", "so many games"), ("3,000", "3,000 games")):
        expected = shares[f"expected outside of 100 matches of {games} games"]
        assert expected == pytest.approx(100 * (1 - shares[f"chance to lie within, in {within}"]), abs=0.006)
        assert f" {expected:.2f}".replace(" 0.", " .") in README.split("## The fair test")[1].split("\n\n")[1]
