"""The page of the format has the columns, bounds and coverage of the code."""

import re
from pathlib import Path

import pytest
from scipy import stats

import pigevo
from pigevo.people import neutral_values
from pigevo.people.csv_rows import COLUMNS, MOST_ROWS, NEEDED
from pigevo.people.record_files import LARGEST, LARGEST_TARGET
from tests.people import coverage
from tests.people.games import FIGURE_6

PAGE = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")


def test_its_table_has_every_column():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes)? ?\|$", PAGE, flags=re.M)
    assert [name for name, _ in rows] == list(COLUMNS)
    assert [name for name, needed in rows if needed] == list(NEEDED)


def test_it_prints_the_record_of_the_report_and_the_bounds():
    assert f"```text\n{FIGURE_6}```" in PAGE
    assert f"at most {MOST_ROWS:,} turns and {LARGEST >> 20} MiB" in PAGE
    assert f"at most {LARGEST_TARGET} points" in PAGE
    assert "holds at {} or {} in Pig".format(*neutral_values(pigevo.Pig())) in PAGE


LEAST = 0.94


def enough(players, share=LEAST):
    """The share of players below which intervals of this coverage fall by chance once in 10,000."""
    return stats.binom.ppf(1e-4, players, share) / players


@pytest.mark.parametrize("players", [60, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("hold", "slip", "games", "dice"), [(31, 0.1, 1, True), (31, 0.2, 2, False)])
def test_the_interval_of_a_hold_value_holds_it(hold, slip, games, dice, players):
    ((held, _),) = coverage.of_hold_values(hold, slip, [games], players, dice)
    assert held >= enough(players)


@pytest.mark.long
def test_the_intervals_of_players_who_look_at_the_scores_hold_both_values():
    for held, _ in coverage.when_they_look(0.2, 2, 150):
        assert held >= enough(150)


@pytest.mark.long
def test_the_table_of_the_page_is_what_is_measured():
    assert [line for line in coverage.table(400) if f"{line}\n" not in PAGE] == []


def test_no_share_of_the_table_is_below_what_luck_makes_of_it():
    """Of 45 shares one is lower by chance once in 200."""
    after = PAGE.split("An earlier version")[0]
    shares = [float(share) for share in re.findall(r"(\d\.\d{3}) \(", after)]
    assert len(shares) == 5 * (len(coverage.PLAYERS) + 2)
    assert min(shares) >= enough(400)


def test_intervals_are_narrow_after_one_game_without_slips_and_narrower_after_ten():
    ((_, wide),) = coverage.of_hold_values(20, 0, [1], 40)
    assert wide < 15
    ((_, wide),) = coverage.of_hold_values(20, 0.1, [10], 10)
    assert wide < 2
