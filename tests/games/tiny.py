"""A tiny instance of every registered game, and what pigevo computes in a game beside a system over all states.

The instances are small enough for every state to be an unknown of one dense system. A game that is registered and has no
instance here gets one by itself, from the smallest options that work.
"""

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES
from tests.reference import any_game

SMALL = {"target": (7, 12, 20), "turns": (2,), "cap": (12,), "beyond": (5,), "heads": (0.5,)}
"""Options that decide how large a game is, smallest first."""


def tiny(name):
    """The smallest instance of a game."""
    entry = GAMES[name]
    for place in range(3):
        small = {o: values[min(place, len(values) - 1)] for o, values in SMALL.items() if o in entry.options}
        try:
            return entry.bind(entry.check(small, "game"))
        except InputError:
            continue
    return entry.bind({})


TINY = {name: tiny(name) for name in GAMES}


def sample(*quick):
    """The names of all games as cases of a test, of which all but these are slow."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in sorted(GAMES)]


def assert_pair_as_every_state(a, b):
    """Wins, draws and stalemates of both seats."""
    p, ends = pigevo.win_probability(a, b), any_game.solve(a.game, a, b)
    assert (p.first, p.second) == pytest.approx(ends[:, 0] + a.game.draw * ends[:, 2], abs=1e-12)
    assert (p.draw_first, p.draw_second) == pytest.approx(ends[:, 2], abs=1e-12)
    assert (p.stalemate_first, p.stalemate_second) == pytest.approx(ends[:, 3], abs=1e-12)


def assert_best_as_every_state(game, *opponents):
    """The values of the optimum and of best responses."""
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(any_game.optimum(game), abs=1e-11)
    for opponent in opponents:
        answer = pigevo.best_response(opponent)
        assert (answer.value, answer.second) == pytest.approx(any_game.optimum(game, opponent), abs=1e-11)
