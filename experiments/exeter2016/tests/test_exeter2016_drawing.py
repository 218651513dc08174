"""Densities and reproductions show their numbers."""

import numpy as np
import pytest
from scipy import stats

from pigevo.experiments.exeter2016.drawing import Reproduction, density_data, plot_density, plot_reproduction
from pigevo.figures.axes import figure_of
from pigevo.figures.bands import band

SAMPLE = np.random.default_rng(0).normal(0.1, 0.01, (3, 200))


def test_the_density_and_its_normal_law_have_an_area_of_1_and_the_tail_5_percent():
    data = density_data(SAMPLE, {"mark": 0.15})
    for curve in (data.density, data.normal):
        assert np.trapezoid(curve, data.x) == pytest.approx(1, abs=0.002)
    assert stats.norm(data.mean, data.deviation).sf(data.tail) == pytest.approx(0.05)
    assert data.normality > 0.01
    assert [text.get_text() for text in plot_density(data).texts] == ["mark: 0.1500"]


def test_a_reproduction_shows_bands_and_published_points():
    bands = {"a": band(SAMPLE), "b": band(SAMPLE + 0.1)}
    data = Reproduction("t", bands, {"b": [(10, 0.2), (20, 0.3)]}, (0.1, 0.12, 0.14), "cells", [100])
    axes = plot_reproduction(data, "Paper")
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"cells\n(means, 95 %)", "a", "b", "the optimum"}
    assert [text.get_text() for text in figure_of(axes).legends[0].get_texts()] == ["Paper"]
    assert axes.get_title() == "t (3 seeds: median and 90 %)"
