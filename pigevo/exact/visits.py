"""How often play comes to each state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Floats
from pigevo.exact.board_visits import board_turn_starts, board_visits
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.exact.visit_kernels import visit_tables
from pigevo.strategies import Strategy, same_game


@dataclass(frozen=True, eq=False)
class Visits:
    """Expected visits to every state by one player in one game.

    Args:
        first: when it moves first, in the shape of a strategy: in a race by own score, opponent's score, turn total.
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

    States at a turn total of 0 count the turns that begin there.  Two passes in a row end
    the game, and count one visit each.
    """
    same_game(a, b)
    if not (is_fast(a) and is_fast(b)):
        return Visits(board_visits(a, b, True), board_visits(a, b, False))
    return Visits(*(_tables(a, b, first)[0] for first in (True, False)))


def turn_starts(a: Strategy, b: Strategy) -> Floats:
    """Expected turns of `a` in a game against `b`, the mean of both seats, by what stands still during a turn."""
    same_game(a, b)
    if is_fast(a) and is_fast(b):
        first, second = (_tables(a, b, first)[0][:, :, 0].copy() for first in (True, False))
        begun: Floats = (first + second) / 2
        return begun
    found = (board_turn_starts(a, b, True) + board_turn_starts(a, b, False)) / 2
    return found.reshape([len(axis.values) for axis in a.game.between])


def arrivals(a: Strategy, b: Strategy) -> tuple[Floats, Floats]:
    """How play first comes to each pair of scores, both seats alike.

    Returns:
        The chances that it comes there with `a`, and with `b`, to move, shape (T, T), by
        the scores of `a` and of `b`.
    """
    seats = [_tables(a, b, first)[1:] for first in (True, False)]
    mine, theirs = np.mean(seats, axis=0)
    return mine, theirs


def _tables(a: Strategy, b: Strategy, first: bool) -> tuple[Floats, Floats, Floats]:
    same_game(a, b)
    tables: tuple[Floats, Floats, Floats] = visit_tables(
        a.table, b.table, *packed_die(a.game), prepare(a).leave, prepare(b).leave, first
    )
    return tables
