"""What a run says about itself and random search, in words that the sample bears out."""

from pathlib import Path

import pytest

from pigevo.cli.summary import summary
from pigevo.settings.settings import Settings

MEMBERS = {"value": 0.24, "sample": 6000, "reached": 860, "low": 0.13, "high": 0.15, "largest": 0.39}
NONE = {**MEMBERS, "reached": 0, "low": 0.0, "high": 0.000499}
MEANS = {"value": 0.38, "sample": 300, "reached": 0, "low": 0.0, "high": 0.0099, "largest": 0.21, "recorded": 61}
SEARCH = {"cubes": "20", "strategies": 6020, "games": 320_000, "by_matches": 0.3716, "by_referee": 0.3868}
FINE = {**SEARCH, "cubes": "5", "by_matches": 0.2052, "by_referee": 0.2584}
BASE = {
    "populations": 300, "members": 6000, "own_mean": 0.1725, "own_interval": [0.171, 0.174], "own_best": 0.3868,
    "cells_mean": 0.1165, "cells_interval": [0.1164, 0.1167], "cells_best": 0.1462,
    "peak_among_means": {**MEANS, "best_of_recorded_bound": 1e-26},
    "champion_among_members": {"20": MEMBERS, "5": {**MEMBERS, "reached": 2}}, "random_search": [SEARCH, FINE],
}  # fmt: skip
RECORD = {
    "champion": {"first": 0.27, "second": 0.21, "overall": 0.24}, "peak_mean": 0.3833, "peak_generation": 105,
    "last_mean": 0.218, "optimum_overall": 0.5, "generations": 300, "evaluations": 6020, "games": 319_000, "seconds": 3.2, "baseline": BASE,
}  # fmt: skip


@pytest.fixture(scope="module")
def summary_lines():
    settings = Settings.of("cube_random", mutation=0.005)

    def make(**base):
        return summary({**RECORD, "baseline": {**BASE, **base}}, settings, Path("outputs/x"))

    return make


def test_random_search_by_the_same_matches_stands_first_and_the_referees_is_named_so(summary_lines):
    said = summary_lines()
    assert "6,020 with cubes of 20: 0.3716 chosen by the same matches, 0.3868 by the referee" in said
    assert "6,020 with cubes of 5: 0.2052 chosen by the same matches, 0.2584 by the referee" in said
    assert "as good as the champion with cubes of 5: 2 of 6,000" in said
    sentence = " ".join(said.partition("\n\n")[0].split())
    assert "Random search, with as many strategies and the same matches, finds one that wins 37.2 % with" in sentence
    assert "20.5 % with cubes of 5, the champion's own." in sentence


def test_a_champion_that_none_reaches_has_the_bound_of_its_sample_and_nothing_else(summary_lines):
    said = summary_lines(champion_among_members={"20": NONE, "5": NONE})
    assert said.count("none of 6,000, fewer than 1 in 2,003 (95 %)") == 2
    for word in ("tail", "model", " 0 ("):
        assert word not in said


@pytest.mark.parametrize("bound", [1e-26, 1e-4, 0.049])
def test_a_bound_for_populations_is_told_where_it_says_something(summary_lines, bound):
    said = " ".join(summary_lines(peak_among_means={**MEANS, "best_of_recorded_bound": bound}).split())
    shown = int(1 / max(bound, 1e-6))
    assert (
        f"none of 300; the best of 61, as many as the run recorded, is with a chance below 1 in {shown:,} (95 %)"
        in said
    )


@pytest.mark.parametrize("bound", [0.051, 0.46, 1.0])
def test_and_not_where_it_tells_nobody_anything(summary_lines, bound):
    said = summary_lines(peak_among_means={**MEANS, "best_of_recorded_bound": bound})
    assert "populations as good on average as this one at its best: none of 300\n" in said
    assert str(bound) not in said


def test_a_mean_has_its_number_and_an_interval(summary_lines):
    said = " ".join(summary_lines().split())
    assert (
        "mean of 300 random populations: 0.1725 (0.1710 to 0.1740); with single cells 0.1165 (0.1164 to 0.1167)" in said
    )
    few = " ".join(summary_lines(populations=1, own_interval=[None, None], cells_interval=[None, None]).split())
    assert "mean of 1 random populations: 0.1725; with single cells 0.1165" in few


def test_a_search_that_had_less_than_the_run_says_how_much(summary_lines):
    assert "Random search, with 2,000 strategies and the same" in " ".join(
        summary_lines(random_search=[{**SEARCH, "strategies": 2000}]).split()
    )


def test_no_line_is_wider_than_a_hundred_columns(summary_lines):
    long = {"20x10x15": NONE, "5x10x15": NONE}
    for said in (summary_lines(), summary_lines(champion_among_members=long), summary_lines(random_search=[SEARCH])):
        assert max(map(len, said.splitlines())) <= 100
