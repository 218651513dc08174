"""Pictures of studies show their numbers: boxes, densities, reproductions, landscapes, the blog's formula, fronts of rules."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.figures.axes import figure_of
from pigevo.figures.bands import (
    Reproduction,
    band,
    boxes_data,
    density_data,
    plot_boxes,
    plot_density,
    plot_reproduction,
)
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.figures.remembered import STAR, fronts_data, plot_fronts
from pigevo.figures.sticking import plot_sticking, sticking_data
from pigevo.studies.remembered import remembered

SAMPLE = np.random.default_rng(0).normal(0.1, 0.01, (3, 200))


def test_boxes_and_whiskers_are_tukeys():
    data = boxes_data([1, 2, 3], SAMPLE)
    quartiles = np.quantile(SAMPLE, (0.25, 0.5, 0.75), axis=1).T
    assert np.array_equal(data.quartiles, quartiles)
    for sample, (low, _, high), whiskers in zip(SAMPLE, quartiles, data.whiskers, strict=True):
        inside = sample[(sample >= low - 1.5 * (high - low)) & (sample <= high + 1.5 * (high - low))]
        assert whiskers.tolist() == [inside.min(), inside.max()]
    axes = plot_boxes(data)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3"]
    assert boxes_data([7], SAMPLE[:1]).quartiles.shape == (1, 3)


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


def test_landscapes_stand_side_by_side_a_row_for_each_view():
    data = decisions_data(pigevo.hold_at(pigevo.Pig(target=10), 4))
    panels = plot_surfaces([data, data], views=[(30, 40), (20, 10), (5, 5)])
    assert [axes.get_title() for axes in panels] == ["hold_at:4", "hold_at:4", "", "", "", ""]
    assert [(axes.elev, axes.azim) for axes in panels[1:3]] == [(30, 40), (20, 10)]


def test_each_mean_roll_is_a_curve_of_the_formula():
    axes = plot_sticking(sticking_data(4, 50, v=[0.4, 0.9]))
    for v, line in zip((0.4, 0.9), axes.get_lines(), strict=True):
        rolls, chance = line.get_xydata().T
        assert chance == pytest.approx(np.minimum(1, rolls ** (4 * v) / 50))
        assert line.get_label() == f"v = {v}"
    assert (rolls[0], rolls[-1]) == (1, 10)


def test_every_rule_of_a_front_is_a_point_in_both_panels():
    fronts = {name: remembered(pigevo.Pig(), name) for name in ("least loss", "published", "by both")}
    panels = plot_fronts(fronts_data(fronts))
    for axes, objective in zip(panels, ("difference", "exploitability"), strict=True):
        drawn = [list(map(tuple, line.get_xydata())) for line in axes.get_lines()]
        rules = [[(rule.integers, getattr(rule, objective)) for rule in fronts[name]]
                for name in ("least loss", "by both", "published")]  # fmt: skip
        assert [sorted(points) for points in drawn] == [sorted(points) for points in rules]
        assert axes.get_lines()[-1].get_marker() == "*"
    (legend,) = figure_of(panels).legends
    assert [text.get_text() for text in legend.get_texts()] == ["least loss", "by both", STAR]


def test_without_the_published_rule_there_is_no_star():
    axes, _ = plot_fronts(fronts_data({"least loss": remembered(pigevo.Pig(), "least loss")}))
    assert [line.get_marker() for line in axes.get_lines()] == ["o"]
