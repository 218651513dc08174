"""Names at the ends of lines, and waves, where there is room for them."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from pigevo.figures.axes import figure_of
from pigevo.figures.bands import Panel, band, plot_panels
from pigevo.figures.curve import mark_waves


def panel(count, title="", waves=()):
    lines = {f"mutation={n}": band(np.linspace(0.1, 0.2 + 0.02 * n, 11)[None]) for n in range(count)}
    return Panel(title, lines, {"random populations (95 %)": (0.1, 0.12, 0.14)}, waves)


def test_the_lines_of_one_panel_have_their_names_at_their_ends():
    figure = figure_of(plot_panels([panel(3)], "x", "y", optimum=True))
    assert figure.legends == []
    named = {text.get_text(): text for text in figure.axes[0].texts}
    assert set(named) == {"mutation=0", "mutation=1", "mutation=2", "random populations (95 %)", "the optimum"}
    assert named["mutation=2"].xy == pytest.approx((10, 0.24))
    figure.draw_without_rendering()
    right = max(text.get_window_extent().x1 for text in named.values())
    assert right <= figure.bbox.width


@pytest.mark.parametrize("panels", [[panel(2, "a"), panel(2, "b")], [panel(13)]])
def test_many_lines_or_panels_have_one_legend_that_fits(panels):
    figure = figure_of(plot_panels(panels, "x", "y", optimum=True))
    (legend,) = figure.legends
    names = {name for one in panels for name in one.bands} | {"random populations (95 %)", "the optimum"}
    assert {text.get_text() for text in legend.get_texts()} == names
    figure.draw_without_rendering()
    assert legend.get_window_extent().width <= figure.bbox.width


def test_waves_are_told_where_there_is_room():
    axes = Figure(figsize=(8, 4)).add_subplot()
    axes.set_xlim(0, 100)
    mark_waves(axes, ((60, "20x10x5"), (90, "10x10x10"), (90.5, "5"), (100, "1")), 0.5)
    assert [text.get_text() for text in axes.texts] == ["cubes of 20x10x5", "cubes of 10x10x10", "1"]
    assert [line.get_xdata()[0] for line in axes.get_lines()] == [60, 90, 90.5]
    alone = Figure().add_subplot()
    assert not mark_waves(alone, ((60, "20"),), 0.5).texts


def test_panels_have_the_waves_of_their_runs():
    figure = figure_of(plot_panels([panel(1, "a", ((5, "20"), (10, "1"))), panel(1, "b")], "x", "y", optimum=False))
    assert [[text.get_text() for text in axes.texts] for axes in figure.axes] == [["cubes of 20", "single cells"], []]
    assert figure.axes[0].get_ylim()[0] == 0
