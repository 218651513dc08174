"""Figures of curves, their predictive law, and slips of strategy iteration."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.experiments.reconstruction import optimum
from pigevo.experiments.reconstruction.likelihood import (
    READING_ERROR,
    RECORDED,
    curve,
    density,
    figure,
    log_share,
    two_sided,
)
from pigevo.experiments.reconstruction.optimum import Equations, by_levels, entries, of_all_states, read_off
from pigevo.experiments.reconstruction.program import SIZE, Course
from pigevo.experiments.reconstruction.scoring import Reading, Scored, behind
from pigevo.games import Pig


def test_the_figures_of_a_curve():
    values = np.array([0.1, 0.4, 0.2, 0.3])
    found = [figure(name, values) for name in ("at 2", "level 2", "highest 2", "lowest 1")]
    assert found == pytest.approx([0.2, 0.25, 0.3, 0.2])


def test_the_predictive_law_covers_the_next_figure():
    """Of 4,000 figures drawn after eight others, as many are less probable than 10 % as should be (p > 1e-4)."""
    draws = 0.3 + 0.04 * Draw(1, "validation").normals(36_000).reshape(4000, 9)
    p = [two_sided(row[:8], row[8]) for row in draws]
    assert stats.binomtest(int(np.sum(np.array(p) < 0.1)), 4000, 0.1).pvalue > 1e-4


def test_the_density_integrates_to_one():
    ours = np.array([0.2, 0.25, 0.22])
    x = np.linspace(-20, 20, 400_001)
    for prior in (0, 4):
        total = np.trapezoid([np.exp(density(ours, value, prior)) for value in x[::40]], x[::40])
        assert total == pytest.approx(1, abs=0.02)
    assert density(np.full(3, 0.2), 0.2) == pytest.approx(stats.t.logpdf(0, 2) - np.log(READING_ERROR))


def test_what_is_recorded():
    seats = np.zeros((3, SIZE, 2))
    seats[:, : SIZE // 2], seats[:, :, 0] = 0.5, seats[:, :, 0] + 0.2
    seats[:, : SIZE // 2, 0] = 0.7
    survive = np.arange(SIZE) < SIZE // 2
    course = Course(seats, np.array([survive] * 3))
    expected = {"mean": 0.35, "half": 0.175, "moving first": 0.45, "moving second": 0.25, "first of both": 0.225,
                "survivors": 0.6, "survivors of all": 0.3, "best": 0.6, "worst": 0.1, "one member": 0.6,
                "average so far": 0.35}  # fmt: skip
    assert set(expected) == set(RECORDED)
    for name, chance in expected.items():
        recorded = RECORDED[name]
        found = np.array([curve(course, recorded, 0, seed) for seed in range(300)])
        assert found[:, 1:].mean() == pytest.approx(chance, abs=0.01), name
        assert found[:, 0].mean() == pytest.approx(0.35, abs=0.005), "the first population is recorded as it is"


def scored_of(values):
    ours = {("a", "x"): np.array(values), ("a", "y"): np.array(values) + 0.1}
    return Scored(
        Reading("r", ""),
        range(len(values)),
        ours,
        {("a", "x"): 0.2, ("a", "y"): 0.3},
        {"s": np.array([True] * len(values))},
    )


def test_a_cautious_likelihood_counts_a_curve_once():
    near, far = scored_of([0.19, 0.2, 0.22, 0.18]), scored_of([0.39, 0.4, 0.42, 0.38])
    one = density(near.figures["a", "x"], 0.2)
    assert near.likelihood() == pytest.approx(2 * one + log_share(np.ones(4, bool)))
    assert near.cautious() == pytest.approx(one + log_share(np.ones(4, bool)))
    apart, low, high = behind(near, far)
    assert low < apart < high
    assert low > 0
    assert far.farthest()[1] == pytest.approx(
        min(1, 2 * min(two_sided(v, far.published[k]) for k, v in far.figures.items()))
    )
    assert behind(near, near) == (0, 0, 0)


GAME = Pig(target=40)
BEST = pigevo.optimal(GAME).strategy


def first(roll):
    """What a strategy wins against the optimum, moving first."""
    return pigevo.win_probability(optimum._strategy(GAME, roll), BEST).overall


def test_strategy_iteration_without_a_slip_finds_the_optimum():
    assert first(by_levels(40)) == pytest.approx(0.5, abs=1e-12)
    *_, last = of_all_states(GAME)
    assert pigevo.win_probability(last, BEST).overall == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("equations", [Equations(1), Equations(-1), Equations(bust=(1, 0)), Equations(bust=(0, 1))])
def test_equations_with_an_index_one_off_find_something_else(equations):
    assert first(by_levels(40, equations=equations)) < 0.5 - 1e-7


def test_fewer_rounds_are_worse():
    wins = [first(by_levels(40, rounds)) for rounds in (0, 1, 4)]
    assert wins[0] < wins[2] - 1e-3
    assert wins[1] < wins[2] - 1e-3


def test_arrays_are_read_off_by_places():
    best = pigevo.optimal(Pig()).strategy.roll
    assert np.array_equal(read_off(100, (0, 1, -1))[5, 7, 9:40], best[5, 8, 8:39])
    assert read_off(98, (3, 0, 0)).shape == (100, 100, 100)


def test_the_entries_are_those_of_the_table_of_the_optimum():
    found = entries(pigevo.optimal(Pig()).strategy)
    assert found[0] == pytest.approx(0.530593, abs=1e-6)  # Neller & Presser 2004
    assert found[5] == pytest.approx(0.5715, abs=5e-5)
    assert optimum.agreeing({"it": found}, found.round(4)) == {"it": 9}
    assert optimum.agreeing({"it": found}, found.round(4) + 0.0002) == {"it": 0}
