"""What a rule asks of a person while it is played, beside what its text asks: operations and divisions by turn.

The dearest turn counts in `complexity`. Most turns are cheaper: a race that has begun needs no base, and of two bases
only one is worked out. So each turn is counted by the scores at its beginning, with conditions in the order of the text
until the race is decided, and weighted by how many turns begin there in games against the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pigevo import optimal
from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.exact.visits import turn_starts
from pigevo.games import Game
from pigevo.strategies.rules import AtLeast, Base, ConditionalBase, Leaves, Rule


@dataclass(frozen=True)
class InPlay:
    """What a rule asks in games against the optimum, the mean of both seats.

    Args:
        operations: weighted operations a turn.
        divides: the share of turns in which something must be divided.
    """

    operations: float
    divides: float


@lru_cache(maxsize=4096)
def in_play(rule: Rule, game: Game) -> InPlay:
    """What a rule asks of a person a turn.

    Args:
        rule: the rule.
        game: a race to a target.
    """
    operations, divides = asked(rule, game)
    turns = turn_starts(rule.strategy(game), optimal(game).strategy)
    return InPlay(float((turns * operations).sum() / turns.sum()), float((turns * divides).sum() / turns.sum()))


def asked(rule: Rule, game: Game) -> tuple[Floats, Bools]:
    """The operations of a turn, and whether it needs a division, by both scores, shape (target, target).

    Args:
        rule: the rule.
        game: a race to a target.
    """
    own = np.arange(game.target)
    i, j = np.meshgrid(own, own, indexing="ij")
    operations, divides = _of_base(rule.base, i, j)
    left = game.target - i - rule.base.values(i, j, game.target)
    spent, planned, undecided = np.zeros(i.shape), np.zeros(i.shape, np.bool_), np.ones(i.shape, np.bool_)
    for group in rule.race:
        holds = undecided.copy()
        for one in group:
            spent += holds * one.operations
            if isinstance(one, Leaves):
                planned |= holds
                holds &= left <= one.n
            else:
                holds &= one.holds(i, j)
        undecided &= ~holds
    planned |= undecided
    return spent + planned * operations, planned & divides


def _of_base(base: Base, i: Ints, j: Ints) -> tuple[Floats, Bools]:
    if isinstance(base, ConditionalBase) and isinstance(base.condition, AtLeast):
        holds = base.condition.holds(i, j)
        (then, divided), (other, undivided) = _of_base(base.then, i, j), _of_base(base.otherwise, i, j)
        return base.condition.operations + np.where(holds, then, other), np.where(holds, divided, undivided)
    return np.full(i.shape, float(base.operations)), np.full(i.shape, "/" in base.text)
