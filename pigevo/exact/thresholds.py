"""Threshold rules against one opponent, many thousands a second: the referee of a search over rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bools, Floats, Ints, Shorts
from pigevo.core.threads import map_threads
from pigevo.errors import InputError
from pigevo.exact.evaluate import within
from pigevo.exact.threshold_kernels import rule_seats, run_ends
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.games import Game
from pigevo.strategies import Strategy

TOGETHER = 16 * LANES
"""Rules that one thread evaluates at a time."""

BEYOND = np.iinfo(np.int16).max
"""Hold values are kept in 16 bits: none that is larger means more than rolling to win."""


@dataclass(frozen=True, eq=False)
class Thresholds:
    """An opponent prepared for threshold rules: strategies that roll until a turn total, given by both banked scores.

    The game is a race of one die without passing, and the opponent leaves no decision to chance.
    """

    opponent: Strategy
    arrays: tuple[Any, ...] = field(init=False, repr=False)
    """The die and the opponent's turns, as `rule_seats` takes them."""

    def __post_init__(self) -> None:
        if not is_fast(self.opponent) or self.game.allow_pass:
            raise InputError(f"threshold rules are evaluated in races of one die without passing, not in {self.game}.")
        start, low, hold, leave = prepare(self.opponent).arrays
        object.__setattr__(self, "arrays", (*packed_die(self.game), start, run_ends(start, hold), low, hold, leave))

    @property
    def game(self) -> Game:
        """What is played."""
        return self.opponent.game

    def seats(self, bases: Ints | Shorts, races: Bools, rules: Ints | Sequence[Any], workers: int = 1) -> Floats:
        """Win probabilities of rules made of bases and races, moving first and second, shape (n, 2).

        `bases` are turn totals to hold at, `races` whether to roll to win instead, shape (any, T, T), by own and
        opponent's score. A rule is the number of its base and of its race, and a margin: it also rolls to win where a
        hold at the base's turn total would leave no more points to go; 0 for none.
        """
        numbers = np.asarray(rules, dtype=np.int64).reshape(-1, 3)
        plans = np.clip(bases, -BEYOND, BEYOND).astype(np.int16)
        parts = [numbers[n : n + TOGETHER] for n in range(0, len(numbers), TOGETHER)]
        found = map_threads(lambda part: rule_seats(plans, races, part, *self.arrays), parts, workers)
        return within(np.concatenate([np.empty((0, 2)), *found]))

    def overall(self, plans: Ints, workers: int = 1) -> Floats:
        """Win probabilities, seats averaged, of `plans`: turn totals to hold at by both scores, shape (n, T, T)."""
        never = np.zeros((1, *plans.shape[1:]), np.bool_)
        rules = [(n, 0, 0) for n in range(len(plans))]
        return np.asarray(self.seats(plans, never, rules, workers).mean(axis=1))
