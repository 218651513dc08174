"""Intervals of a mean: by hand, by brute force, and their coverage."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from pigevo.core.intervals import mean_interval, mean_p, share_interval
from tests import measure_intervals as measure
from tests.measure_intervals import SAMPLES

PAGE = (Path(__file__).parents[2] / "docs/explanation/intervals.md").read_text()


def table_of(heading):
    """The heads of a table of the page, and its rows by their first cells or, where these repeat, by the first two."""
    (table,) = [part for part in PAGE.split("\n\n") if part.startswith(f"| {heading} |")]
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    n = 1 if len({row[0] for row in rows}) == len(rows) else 2
    return heads[n:], {row[0] if n == 1 else tuple(row[:2]): row[n:] for row in rows}


def test_differences_that_are_equal_up_to_rounding_are_equal():
    """.3 - .2 and .4 - .3 differ by 5e-17, and two seeds told with p = 1.8e-16."""
    for n in (2, 3, 6):
        sample = np.arange(3, n + 3) / 10 - np.arange(2, n + 2) / 10
        assert np.ptp(sample) > 0
        assert mean_p(sample) == 2.0 ** (1 - n)
        assert (mean_interval(sample)[0] is None) == (n < 6)
    assert mean_p(np.array([0.1, 0.1 + 1e-9])) < 1e-6


def agrees(measured, cell, samples, of_page=SAMPLES):
    """Whether a measured share differs from a cell by no more than chance and rounding (p < 0.0001)."""
    share = float(cell)
    return abs(measured - share) <= 4 * (max(share * (1 - share), 0.01) * (1 / samples + 1 / of_page)) ** 0.5 + 0.005


@pytest.mark.parametrize("law", measure.ALL)
@pytest.mark.parametrize("samples", [300, pytest.param(8000, marks=pytest.mark.long)])
def test_intervals_hold_the_mean_as_often_as_the_page_says(law, samples):
    seeds, rows = table_of("one interval")
    for n, cell in zip(seeds, rows[law], strict=True):
        assert agrees(measure.coverage(law, int(n.split()[0]), samples, seed=2), cell, samples)


# from three values of a law with two peaks the median width needs as many samples as the page has
@pytest.mark.parametrize("method", measure.METHODS)
@pytest.mark.parametrize(
    ("samples", "n"),
    [(60, 5), *(pytest.param(SAMPLES if n == 3 else 400, n, marks=pytest.mark.long) for n in measure.SIZES)],
)
def test_each_method_holds_the_mean_as_often_and_is_as_wide_as_the_page_says(method, samples, n):
    heads, rows = table_of("held, width")
    for kind, laws in (("runs", measure.RUNS), ("hard laws", measure.HARD)):
        held, width = map(float, rows[kind, method][heads.index(f"{n} seeds")].split(", "))
        shares = np.mean([measure.beside(law, method, n, samples, seed=2) for law in laws], axis=0)
        tried = samples * len(laws) // measure.FEW.get(method, 1)
        assert agrees(shares[0], held, tried, SAMPLES // 5 * len(laws) // measure.FEW.get(method, 1))
        assert shares[1] == pytest.approx(width, rel=0.6 if samples < 100 else 0.2)


@pytest.mark.long
@pytest.mark.parametrize("law", measure.LAWS)
def test_many_intervals_hold_at_once_as_often_as_the_page_says(law):
    seeds, rows = table_of(f"{measure.TOGETHER} at once")
    for n, cell in zip(seeds, rows[law], strict=True):
        coverage = measure.coverage(law, int(n.split()[0]), 400, measure.TOGETHER, seed=2)
        assert agrees(coverage, cell, 400, SAMPLES // 10)


@pytest.mark.long
@pytest.mark.parametrize("effect", measure.EFFECTS)
def test_recommended_seeds_have_the_power_that_the_page_says(effect):
    laws, rows = table_of("effect")
    assert laws == ["seeds", *measure.LAWS]
    assert int(rows[str(effect)][0]) == measure.recommended_seeds(effect)
    for law, cell in zip(laws[1:], rows[str(effect)][1:], strict=True):
        assert agrees(measure.power(law, effect, 4000, seed=2), cell, 4000)


@pytest.mark.long
@pytest.mark.parametrize(("effect", "seeds"), measure.OPEN)
def test_open_comparisons_are_settled_as_often_as_the_page_says(effect, seeds):
    _, rows = table_of("true effect")
    (share,) = rows[str(effect), str(seeds)]
    assert len(rows) == len(measure.OPEN)
    assert agrees(measure.settled(effect, seeds, 400, seed=2), share, 400, SAMPLES // 10)


def test_an_interval_stays_within_what_the_mean_can_be():
    losses = np.array([0.0, 0.001, 0.4])
    low, high = mean_interval(losses)
    assert low < 0
    assert high > 0.45
    assert mean_interval(losses, within=(0.0, 10.0)) == (0.0, high)
    assert mean_interval(losses, within=(-9.0, 0.45)) == (low, 0.45)
    assert mean_interval(losses, within=(0.0, 0.45)) == (None, None)  # all that is possible: undetermined


@pytest.mark.parametrize("values", [(1.0, 2.0, 3.0, 4.0, 5.0), (0.0, 0.001, 0.4), (0.066, 0.079, 0.084, 0.092, 0.101)])
def test_it_is_students_interval_and_test(values):
    test = stats.ttest_1samp(values, 0)
    assert mean_interval(np.array(values)) == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert mean_p(np.array(values)) == pytest.approx(test.pvalue)


@given(
    st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=12),
    st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999]),
)
def test_the_interval_leaves_nothing_out_exactly_where_the_test_rejects_it(values, level):
    low, high = mean_interval(np.array(values), level)
    p = mean_p(np.array(values))
    if abs(p - (1 - level)) > 1e-9:
        assert (low is not None and (low > 0 or high < 0)) == (p < 1 - level)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12))
@example([0.0, 0.0, 3e-125])
def test_the_mean_lies_inside_and_a_wider_level_is_wider(values):
    intervals = [mean_interval(np.array(values), level) for level in (0.8, 0.95, 0.999)]
    determined = [ends for ends in intervals if ends[0] is not None]
    for low, high in determined:
        assert low <= np.mean(values) + 1e-12
        assert high >= np.mean(values) - 1e-12
    for (low, high), (lower, higher) in itertools.pairwise(determined):
        assert lower <= low + 1e-12
        assert higher >= high - 1e-12


def test_few_or_equal_values_have_no_interval():
    assert mean_interval(np.array([0.25])) == (None, None)
    assert mean_p(np.array([0.25])) == 1.0
    assert mean_p(np.zeros(5)) == 1.0
    for n in (2, 5):  # so few that are alike may be so by chance
        assert mean_interval(np.full(n, 0.25)) == (None, None)
        assert mean_p(np.full(n, 0.25)) == 2.0 ** (1 - n)
    assert mean_interval(np.full(6, 0.25)) == (0.25, 0.25)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.967])
def test_intervals_of_a_share_hold_it_at_least_as_often_as_they_say(share):
    n = 30
    chances = stats.binom.pmf(np.arange(n + 1), n, share)
    ends = [share_interval(k, n) for k in range(n + 1)]
    held = sum(chance for chance, (low, high) in zip(chances, ends, strict=True) if low <= share <= high)
    assert 0.95 <= held <= 0.995
    assert ends[0][0] == 0
    assert ends[n][1] == 1
