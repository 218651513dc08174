"""How often play comes to each state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Floats
from pigevo.exact.evaluate import same_game
from pigevo.exact.turns import packed_die, prepare
from pigevo.exact.visit_kernels import visit_tables
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Visits:
    """Expected visits to every state by one player in one game.

    Args:
        first: when it moves first, shape (T, T, T), by own score, opponent's score, turn total.
        second: when the opponent moves first.
    """

    first: Floats
    second: Floats

    @property
    def overall(self) -> Floats:
        """The mean of both seats."""
        return (self.first + self.second) / 2


def reach(a: Strategy, b: Strategy) -> Visits:
    """Expected visits by `a`, to move, to each state in a game against `b`.

    States at a turn total of 0 count the turns that begin there.  Where neither player
    ever leaves a pair of scores without both passing, visits are infinite.
    """
    same_game(a, b)
    leaving = [_leaving(s) for s in (a, b)]
    seats = [visit_tables(a.rows, b.rows, *packed_die(a.game), *leaving, first) for first in (True, False)]
    return Visits(*seats)


def _leaving(strategy: Strategy) -> Floats:
    """The probability that a turn changes the scores, by own and opponent's score."""
    survival = prepare(strategy).survival
    return np.where(strategy.roll[:, :, 0], survival, 0.0)
