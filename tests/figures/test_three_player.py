"""The numbers of the figures for three players, and what the pictures show."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import pigevo
from pigevo import three_player as tp
from pigevo.figures import three_player as figures


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Piglet(10, 0.56))


def test_seats_and_orbits_for_every_target(solution):
    seats, orbits = figures.seats_data(solution), figures.orbits_data(solution)
    assert seats.x.tolist() == orbits.x.tolist() == list(range(1, 11))
    assert sum(seats.series.values()) == pytest.approx(1)
    assert [seats.series[f"{s} seat"][-1] for s in figures.SEATS] == pytest.approx(solution.value)
    assert orbits.series["several equilibria"].tolist() == [0] * 6 + [1] * 4  # (4, 7, 7)
    assert not orbits.series["no pure equilibrium"].any()


def test_a_curve_has_a_gap_where_equilibria_differ_filled_with_all_of_them():
    rows = [("0.4", 5, 0.1), ("0.5", 5, 0.2), ("0.5", 5, 0.3), ("0.5", 10, 0.7), ("0.4", 10, 0.6), ("0.6", 5, 0.1)]
    data = figures.coins_data([{"heads": h, "goal": str(g), "gain": str(y)} for h, g, y in [*rows, ("0.6", 10, 0.5)]])
    assert data.x.tolist() == [0.4, 0.5, 0.6]
    assert np.isnan(data.series["goal 5"]).tolist() == [False, True, False]
    assert data.series["goal 10"].tolist() == [0.6, 0.7, 0.5]
    assert data.dots == (("goal 5", 0.5, 0.2), ("goal 5", 0.5, 0.3))


def test_the_hold_table_is_piglets_of_the_paper():
    """Figure 1: when b = 1 the player plays to win in this turn."""
    table = figures.hold_table_data(pigevo.optimal(pigevo.Piglet(10)).strategy)
    assert table.holds[:, 0].tolist() == list(range(1, 11))
    assert table.holds.shape == (10, 10)


def test_pictures(solution):
    panels = [figures.seats_data(solution), figures.orbits_data(solution)]
    figure = figures.plot_curves(panels)
    assert isinstance(figure, Figure)
    assert [axes.get_xlabel() for axes in figure.axes] == ["target", "target"]
    first = figure.axes[0].get_lines()
    assert [line.get_label() for line in first] == list(panels[0].series)
    assert np.array_equal(first[0].get_ydata(), panels[0].series["first seat"])
    table = figures.hold_table_data(pigevo.optimal(pigevo.Piglet(4)).strategy)
    drawn = figures.plot_hold_table(table).axes[0]
    assert [int(t.get_text()) for t in drawn.texts] == table.holds.ravel().tolist()
    assert figures.plot_surface(table).axes[0].get_zlabel() == "holds at"
