"""What flipping one decision costs, against evaluating the flipped strategy."""

import numpy as np
import pytest

import pigevo
from tests.cases import duels, law


@law(duels(), quick=8)
def test_is_what_the_flipped_strategy_loses(duel):
    game, a, b = duel
    lost = pigevo.gene_importance(a, b)
    whole = pigevo.win_probability(a, b).overall
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert not lost[~decides].any()
    for cell in map(tuple, np.argwhere(decides)):
        flipped = a.roll.copy()
        flipped[cell] ^= True
        other = pigevo.win_probability(pigevo.Strategy(game, flipped), b).overall
        assert lost[cell] == pytest.approx(whole - other, abs=1e-12)


def test_no_flip_improves_the_optimum_or_a_best_response():
    game = pigevo.Pig(100)
    best = pigevo.optimal(game).strategy
    assert pigevo.gene_importance(best, best).min() >= -1e-15
    hold = pigevo.hold_at(game, 20)
    assert pigevo.gene_importance(pigevo.best_response(hold).strategy, hold).min() >= -1e-15
    assert pigevo.gene_importance(hold, hold).min() < -1e-4


def test_cells_that_play_never_reaches_are_worth_nothing():
    game = pigevo.Pig(30)
    hold = pigevo.hold_at(game, 10)
    lost = pigevo.gene_importance(hold, hold)
    visits = pigevo.reach(hold, hold).overall
    assert not lost[visits == 0].any()
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert (lost[decides & (visits > 0)] != 0).mean() > 0.9
