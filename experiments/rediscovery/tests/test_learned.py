"""A champion beside the optimum: the numbers behind the picture."""

import numpy as np
import pytest
from matplotlib.text import Text

import pigevo
from pigevo.experiments.rediscovery.learned import learned_data, plot_learned
from pigevo.figures.axes import figure_of
from tests.games.tiny import TINY

GAME = pigevo.Pig(target=20)


def test_colours_say_where_a_champion_in_play_holds_later_or_earlier():
    """The champion holds at 4 where the own score is even, and rolls to win where it is odd."""
    champion = pigevo.Strategy.from_function(pigevo.Pig(target=60), lambda i, j, k: (k < 4) | (i % 2 == 1))
    data = learned_data(champion)
    panels = plot_learned(data)
    drawn = np.ma.filled(panels[2].get_images()[0].get_array(), np.nan).T
    turns = pigevo.reach(champion, pigevo.optimal(champion.game).strategy).overall[:, :, 0]
    assert np.array_equal(np.isnan(drawn), turns < 1e-3)
    assert np.array_equal(drawn[turns >= 1e-3], np.sign(data.champion - data.best)[turns >= 1e-3])
    assert {-1, 1} <= set(drawn[turns >= 1e-3].tolist())
    (title,) = [text for text in figure_of(panels).findobj(Text) if text.get_text().endswith("of all cells)")]
    assert "\n" not in title.get_text()


def test_the_optimum_has_learned_everything():
    data = learned_data(pigevo.optimal(GAME).strategy)
    assert data.agreement == data.cells_agree == 1
    assert np.array_equal(data.champion, data.best)


@pytest.mark.parametrize("total", [1, 2])  # play never decides at 1: a die has no gain of one point
def test_agreement_weighs_decisions_by_how_often_play_has_them(total):
    best = pigevo.optimal(GAME).strategy
    roll = best.roll.copy()
    roll[0, 0, total] = False
    wrong = pigevo.Strategy(GAME, roll, "wrong once")
    visits = pigevo.reach(wrong, best).overall
    share = visits[0, 0, total] / visits[np.broadcast_to(GAME.decision_states, GAME.shape)].sum()
    assert (share > 0) == (total > 1)
    assert learned_data(wrong).agreement == pytest.approx(1 - share, abs=1e-12)
    assert len(plot_learned(learned_data(wrong))) == 4


def test_other_games_are_refused():
    with pytest.raises(pigevo.InputError, match=r"what a champion has learned is for races of one die.*\.$"):
        learned_data(pigevo.hold_at(TINY["ten_rounds"], 3))
