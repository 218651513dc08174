"""Strategies for three: what they hold, and what they refuse."""

import numpy as np
import pytest

from pigevo import InputError
from pigevo import three_player as tp
from pigevo.three_player.rules import shape

GAME = tp.Piglet(4)


def rule(a, b, c, k):
    return 0.25 if k == b else k < c


def test_a_rule_becomes_a_strategy_everywhere():
    s = tp.Strategy.from_function(GAME, rule)
    for a, b, c, k in np.ndindex(5, 5, 5, 4):
        if min(a, b, c) > 0 and k < a:
            assert s.chance(a, b, c, k) == (1 if k == 0 else rule(a, b, c, k))
    assert all(p == 0.25 for _, p in s.mixed)
    assert ((3, 2, 1, 2), 0.25) in s.mixed
    assert f"mixed states: {len(s.mixed)}" in repr(s)


def test_a_rule_that_draws_random_numbers_is_refused():
    draw = np.random.default_rng(1)
    with pytest.raises(InputError, match=r"at \(4, 4, 4, 3\) is 0\.\d+ and 0\.\d+ when it is asked again"):
        tp.Strategy.from_function(GAME, lambda a, b, c, k: draw.random())


def test_strategies_of_any_memory_layout_can_be_mixed():
    s = tp.Strategy.from_function(GAME, rule)
    frozen = tp.Strategy(GAME, np.asfortranarray(s.decisions), s.codes.astype(np.int32), s.chances.copy())
    frozen.chances.setflags(write=False)
    assert tp.win_probabilities([s, frozen, s]) == tp.win_probabilities([s, s, s])
    assert tp.play([frozen, s, s], 100) == tp.play([s, s, s], 100)


def test_wrong_arrays_are_refused():
    chances = np.full(shape(GAME), 0.5)
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy.from_chances(GAME, chances + 1)
    s = tp.Strategy.from_chances(GAME, chances)
    with pytest.raises(InputError, match="do not fit"):
        tp.Strategy(tp.Piglet(5), *s.tables)
    with pytest.raises(InputError, match="needs its chance"):
        tp.Strategy(GAME, s.decisions, s.codes[1:], s.chances[1:])
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy(GAME, s.decisions, s.codes, s.chances + 1)
    with pytest.raises(InputError, match="nobody may pass"):
        tp.Strategy(GAME, np.zeros_like(s.decisions), s.codes[:0], s.chances[:0])
