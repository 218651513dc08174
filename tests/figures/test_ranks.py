"""Mean ranks, the critical difference, and their picture."""

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.figures.ranks import MOST_ROWS, mean_ranks, plot_ranks


def test_ranks_by_hand():
    found = mean_ranks({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.4], "c": [0.2, 0.1, 0.5]})
    assert found.names == ("b", "c", "a")
    assert found.ranks.tolist() == pytest.approx([(1 + 1.5 + 2) / 3, (2 + 3 + 1) / 3, (3 + 1.5 + 3) / 3])
    assert found.seeds == 3


@pytest.mark.parametrize(("settings", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_is_that_of_the_table_of_demsar(settings, q):
    """Table 5 of JMLR 7 (2006); with four classifiers on fourteen data sets it is 1.25."""
    figures = np.random.default_rng(0).normal(size=(settings, 14))
    apart = mean_ranks({f"{n}": row for n, row in enumerate(figures)}).apart
    assert apart == pytest.approx(q * (settings * (settings + 1) / 84) ** 0.5, rel=3e-4)
    if settings == 4:
        assert round(apart, 2) == 1.25


def test_among_equal_settings_few_pairs_are_told_apart():
    """At most one table in twenty with any; the tolerance is that of 200 tables at p = .001."""
    rng, wrong = np.random.default_rng(2), 0
    for _ in range(200):
        found = mean_ranks({f"{n}": rng.normal(size=20) for n in range(12)})
        wrong += found.ranks[-1] - found.ranks[0] > found.apart
    assert wrong <= 200 * 0.05 + 3.1 * (200 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize("values", [{"a": [1, 2]}, {"a": [1], "b": [2]}, {"a": [1, 2], "b": [1, 2, 3]}])
def test_too_few_are_refused(values):
    with pytest.raises(InputError, match="at least two settings"):
        mean_ranks(values)


def test_the_picture_shows_the_best_of_very_many():
    rng = np.random.default_rng(1)
    ax = plot_ranks(mean_ranks({f"x={n}": rng.normal(-n / 50, 1, 10) for n in range(MOST_ROWS + 20)}))
    assert len(ax.get_yticks()) == MOST_ROWS
    assert "not shown to differ, at 5 %" in ax.get_xlabel()
