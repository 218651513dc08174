"""The picture of the blog's formula."""

import numpy as np
import pytest

from pigevo.figures.sticking import plot_sticking, sticking_data


def test_each_mean_roll_is_a_curve_of_the_formula():
    axes = plot_sticking(sticking_data(4, 50, v=[0.4, 0.9]))
    for v, line in zip((0.4, 0.9), axes.get_lines(), strict=True):
        rolls, chance = line.get_xydata().T
        assert chance == pytest.approx(np.minimum(1, rolls ** (4 * v) / 50))
        assert line.get_label() == f"v = {v}"
    assert (rolls[0], rolls[-1]) == (1, 10)
