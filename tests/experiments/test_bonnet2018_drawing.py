"""The study's own pictures."""

import importlib

import numpy as np

import pigevo
from pigevo.studies.find import load_study

drawing = importlib.import_module(f"{load_study('bonnet2018').__name__}.drawing")


def test_a_curve_has_a_gap_where_equilibria_differ_filled_with_all_of_them():
    rows = [("0.4", 5, 0.1), ("0.5", 5, 0.2), ("0.5", 5, 0.3), ("0.5", 10, 0.7), ("0.4", 10, 0.6), ("0.6", 5, 0.1)]
    data = drawing.coins_data([{"heads": h, "goal": str(g), "gain": str(y)} for h, g, y in [*rows, ("0.6", 10, 0.5)]])
    assert data.x.tolist() == [0.4, 0.5, 0.6]
    assert np.isnan(data.series["goal 5"]).tolist() == [False, True, False]
    assert data.series["goal 10"].tolist() == [0.6, 0.7, 0.5]
    assert data.dots == (("goal 5", 0.5, 0.2), ("goal 5", 0.5, 0.3))


def test_the_hold_table_is_piglets_of_the_paper():
    """Figure 1: when b = 1 the player plays to win in this turn."""
    holds = drawing.hold_table(pigevo.optimal(pigevo.Piglet(10)).strategy)
    assert holds[:, 0].tolist() == list(range(1, 11))
    assert holds.shape == (10, 10)
    drawn = drawing.plot_hold_table(holds)
    assert [int(t.get_text()) for t in drawn.texts] == holds.ravel().tolist()
