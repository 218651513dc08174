"""The numbers of the figures for three players, and what the pictures show."""

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.experiments.bonnet2018 import curves as three_player


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Piglet(10, 0.56))


def test_seats_and_orbits_for_every_target(solution):
    seats, orbits = three_player.seats_data(solution), three_player.orbits_data(solution)
    assert seats.x.tolist() == orbits.x.tolist() == list(range(1, 11))
    assert sum(seats.series.values()) == pytest.approx(1)
    assert [seats.series[f"{s} seat"][-1] for s in three_player.SEATS] == pytest.approx(solution.value)
    assert orbits.series["several equilibria"].tolist() == [0] * 6 + [1] * 4  # (4, 7, 7)
    assert not orbits.series["no pure equilibrium"].any()


def test_pictures(solution):
    panels = [three_player.seats_data(solution), three_player.orbits_data(solution)]
    drawn = three_player.plot_curves(panels)
    assert [axes.get_xlabel() for axes in drawn] == ["target", "target"]
    first = drawn[0].get_lines()
    assert [line.get_label() for line in first] == list(panels[0].series)
    assert np.array_equal(first[0].get_ydata(), panels[0].series["first seat"])
