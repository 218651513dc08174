"""Grids of panels: whether the last panel takes the rest of its row."""

import pytest

from pigevo.figures.axes import figure_of, grid_of, panels_or_new


@pytest.mark.parametrize(("count", "across"), [(1, 1), (2, 1), (3, 2), (4, 1), (5, 2)])
def test_the_last_panel_fills_its_row(count, across):
    panels = panels_or_new(None, count, grid_of(count, 2, (3, 2), fill=True, sharex=True))
    figure_of(panels).canvas.draw()
    assert len(panels) == count
    assert sum(axes.get_visible() for axes in figure_of(panels).axes) == count
    if across == 2 and count > 1:
        assert panels[count - 2].xaxis.get_tick_params()["labelbottom"]
    columns = panels[-1].get_subplotspec().colspan
    assert len(columns) == across
    wide, first = panels[-1].get_position().width, panels[0].get_position().width
    assert wide > 1.8 * first if across == 2 else wide == pytest.approx(first, rel=0.1)
