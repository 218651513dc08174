"""Curves against what was spent."""

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.figures.spent import plot_spent, spent_data

ROWS = [
    {"generation": "0", "evaluations": "0", "games": "0", "seconds": "0.1", "best": "0.2"},
    {"generation": "5", "evaluations": "100", "games": "0", "seconds": "2", "best": "0.4"},
    {"generation": "9", "evaluations": "1000", "games": "0", "seconds": "9", "best": "0.45"},
]


@pytest.mark.parametrize("axis", ["evaluations", "seconds", "generation"])
def test_a_curve_is_the_last_record_at_or_before_each_amount(axis):
    data = spent_data([ROWS, ROWS[:2]], axis)
    for amount, found in zip(data.x, data.best.T, strict=True):
        before = [float(r["best"]) for r in ROWS if float(r[axis]) <= amount * (1 + 1e-9)]
        assert found[0] == pytest.approx(before[-1])
    assert np.isnan(data.best[1, -1])
    assert len(plot_spent({"mine": data}).axes[0].lines) == 1


def test_nothing_spent_is_drawn_too():
    data = spent_data([ROWS], "games")
    assert len(plot_spent({"mine": data}).axes) == 1


def test_an_axis_that_is_none_is_refused():
    with pytest.raises(InputError, match="evaluations"):
        spent_data([ROWS], "years")
