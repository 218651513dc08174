"""Curves against what was spent, and what was reached at any time."""

import numpy as np
import pytest

from pigevo.experiments.benchmark.anytime import SMALLEST_LOSS, anytime_data, ecdf_data, plot_anytime, plot_ecdf
from pigevo.experiments.common.spent import Spent, plot_beside, plot_spent, spent_data

METRICS = {"evaluations": np.array([0, 100, 1000]), "best": np.array([0.2, 0.4, 0.45])}
STOPPED = {name: column[:2] for name, column in METRICS.items()}


def test_a_curve_is_the_last_record_at_or_before_each_amount():
    data = spent_data([METRICS, STOPPED])
    for amount, best in zip(data.x, data.best.T, strict=True):
        before = METRICS["best"][METRICS["evaluations"] <= amount * (1 + 1e-9)]
        assert best[0] == before[-1]
    assert data.best[1, -1] == STOPPED["best"][-1]
    assert len(plot_spent({"mine": data}).lines) == 1


def test_nothing_spent_is_drawn_too():
    first = {name: column[:1] for name, column in METRICS.items()}
    assert len(plot_spent({"mine": spent_data([first])}).figure.axes) == 1


def test_each_curve_stands_beside_the_first_one_the_worst_of_the_others_first():
    x = np.array([1.0, 10.0])
    curves = {name: Spent(x, np.array([[0.1, end]])) for name, end in
              (("whole", 0.45), ("good", 0.44), ("bad", 0.2), ("same", 0.45))}  # fmt: skip
    panels = plot_beside(curves)
    assert [ax.get_title() for ax in panels] == ["bad", "good", "same"]
    for ax, end in zip(panels, (0.2, 0.44, 0.45), strict=True):
        whole, own = ax.lines
        assert (whole.get_ydata()[-1], own.get_ydata()[-1]) == pytest.approx((0.05, 0.5 - end))
        assert whole.get_linestyle() != own.get_linestyle()


def tick_labels(axes):
    axes.figure.draw_without_rendering()
    return {label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")}


def test_numbers_along_logarithmic_axes_are_no_formulas():
    """Names may have dollars, so that no text is read as a formula."""
    x, gap = np.geomspace(100, 1000, 20), np.geomspace(0.2, 0.013, 20)
    labels = tick_labels(plot_spent({"one": Spent(x, np.tile(0.5 - gap, (3, 1)))}))
    assert {"0.1", "0.02", "100", "1,000"} <= labels
    assert not any("$" in label for label in labels)


SPENT = [np.array([0, 10, 100]), np.array([0, 20, 100]), np.array([0, 100])]
LOSS = [np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.0]), np.array([0.3, 0.2])]


def test_at_any_time_the_last_record_counts():
    data = anytime_data(SPENT, LOSS)
    assert (data.x[0], data.x[-1], data.runs) == (1, pytest.approx(100), 3)
    for x, median in zip(data.x, data.median, strict=True):
        now = [loss[np.maximum(spent, 1) <= x * (1 + 1e-9)][-1] for spent, loss in zip(SPENT, LOSS, strict=True)]
        assert median == np.median(now)
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.05, 0.15))  # the middle half of the trials


def test_shares_of_targets_hit_are_counted():
    hit = np.array([[0.01, 0.1, np.inf, np.inf], [0.01, 1.0, 1.0, np.inf]])
    data = ecdf_data(hit, np.array([[0, 1], [0, 0], [1, 1]]))
    assert data.median.tolist() == [(hit <= x * (1 + 1e-9)).mean() for x in data.x]
    assert data.median[-1] == 5 / 8
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.5, 0.75), abs=0.01)
    none = ecdf_data(np.full((3, 2), np.inf), np.array([[0, 1, 2]]))
    assert none.median.tolist() == [0] * len(none.x)


def test_the_optimum_itself_has_a_place_on_the_logarithmic_scale():
    axes = plot_anytime({"best": anytime_data([np.array([0, 9])], [np.array([0.1, 0.0])])}, "games")
    assert axes.lines[0].get_ydata()[-1] == SMALLEST_LOSS
    assert axes.get_xlabel() == "games spent"
    labels = tick_labels(axes)
    assert {"1", "0.01", "0.000001"} <= labels
    assert not any("$" in label for label in labels)


def test_tints_are_drawn_where_few_curves_are():
    curve = anytime_data(SPENT, LOSS)
    for count in (3, 7):
        axes = plot_ecdf({f"a{n}": curve for n in range(count)})
        drawn = [line for line in axes.lines if len(line.get_xdata()) > 2]  # without the samples before names
        assert len(drawn) == count
        assert len(axes.collections) == (count if count == 3 else 0)
        assert ("tint" in axes.get_title(loc="left")) == (count == 3)
