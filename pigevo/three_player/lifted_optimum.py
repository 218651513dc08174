"""The two-player optimum as a strategy of one of three, who must choose whom to look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.errors import unknown
from pigevo.exact.solve import optimal
from pigevo.games import Race
from pigevo.three_player.strategy import Strategy, shape

View = Callable[[Floats, Ints, Ints], Floats]


def _leader(better: Floats, b: Ints, c: Ints) -> Floats:
    return better[np.minimum(b, c)]


def _next(better: Floats, b: Ints, c: Ints) -> Floats:
    return better[np.broadcast_to(b, np.broadcast_shapes(b.shape, c.shape))]


def _both(better: Floats, b: Ints, c: Ints) -> Floats:
    return better[b] + better[c]


VIEWS: dict[str, View] = {"leader": _leader, "next": _next, "both": _both}
"""Whom the player looks at: the opponent who needs least, the one who moves next, or both, each in his own
two-player game: he rolls if that wins more in their mean."""


def lifted(game: Race, view: str = "leader") -> Strategy:
    """The two-player optimum, played by one of three.

    Args:
        game: the game.
        view: whom he looks at, one of `VIEWS`.

    Raises:
        InputError: no such view.
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    target = game.target
    decisions = np.zeros(shape(game), np.uint8)
    better = _better(game)
    b, c = np.ogrid[1 : target + 1, 1 : target + 1]
    for a in range(1, target + 1):
        rolls = VIEWS[view](better[a], b, c) > 0
        decisions[a, 1:, 1:, :a] = rolls[:, :, :a]
        decisions[a, 1:, 1:, 0] = 1
    none = np.empty(0)
    return Strategy(game, decisions, none.astype(np.int64), none, f"two-player optimum, looks at {view}")


@lru_cache(maxsize=4)
def _better(game: Race) -> Floats:
    """By how much rolling beats holding in the two-player game, shape (T + 1, T + 1, T).

    By the points needed by the player and his opponent, and the turn total.
    """
    target = game.target
    values = optimal(game).values[::-1, ::-1]  # now by points needed, less 1
    needs = np.arange(target)
    top = max(points for points, _ in game.die)
    turn = np.ones((target, target, target + top))
    better = np.zeros((target + 1, target + 1, target))
    for k in range(target - 1, -1, -1):
        roll = game.bust * (1 - values.T) + sum(p * turn[:, :, k + points] for points, p in game.die)
        hold = 1 - values.T[np.maximum(needs - k, 0)]
        better[1:, 1:, k] = np.where((needs >= k)[:, None], roll - hold, 0.0)
        best = np.maximum(roll, hold) if k > 0 else roll
        turn[:, :, k] = np.where((needs >= k)[:, None], best, 1.0)
    return better
