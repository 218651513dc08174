"""The players of the blog, and those that it asks for, in a game of rounds.

A rule may look at the number of rolls of the turn.  What follows depends on the turn total alone, so such a rule wins
exactly as often as the one that rolls, at each total, with the chance that those who come there roll: `by_total`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.games import Game

Stick = Callable[[int, int], float]
"""The chance of sticking at a turn total after so many rolls."""

POWER, DIVISOR = 4.0, 50.0


def formula(power: float = POWER, divisor: float = DIVISOR, threshold: float | None = None) -> Stick:
    """The blog's formula: `rolls ** (power * v) / divisor`, with `v` the mean roll as a share of six.

    Args:
        power: times `v`.
        divisor: of the whole.
        threshold: instead of the divisor its logarithm, as a multiple of the power: it sticks for sure from there on.
    """
    logarithm = np.log(divisor) if threshold is None else power * threshold

    def stick(total: int, rolls: int) -> float:
        return float(np.exp(min(0.0, power * worth_of(total, rolls) - logarithm)))

    return stick


def sharp(threshold: float) -> Stick:
    """The formula in the limit of large powers: it holds for sure from a threshold on, and rolls for sure below it."""
    return lambda total, rolls: float(worth_of(total, rolls) >= threshold - 1e-12)


def worth_of(total: int, rolls: int) -> float:
    """`v * log(rolls)`, all that the formula looks at."""
    return total / rolls / 6 * float(np.log(rolls))


def rolls_each_turn(count: int) -> Stick:
    """Roll so many times in every turn."""
    return lambda total, rolls: float(rolls >= count)


def by_total(game: Game, stick: Stick) -> Floats:
    """The chance of rolling at each turn total, shape (cap,): of all who come there, the share that rolls on."""
    come, roll_on = np.zeros(game.cap), np.zeros(game.cap)
    stand = {(throw.points, 1): throw.chance for throw in game.first_throws if not throw.ends}
    while stand:
        after: dict[tuple[int, int], float] = {}
        for (total, rolls), chance in stand.items():
            if total >= game.cap:
                continue
            on = chance * (1 - stick(total, rolls))
            come[total] += chance
            roll_on[total] += on
            for points, p in game.die if on > 0 else ():
                place = total + points, rolls + 1
                after[place] = after.get(place, 0.0) + on * p
        stand = after
    return np.divide(roll_on, come, out=np.zeros_like(come), where=come > 0)


def player(game: Game, stick: Stick, name: str, repaired: bool = False) -> pigevo.Strategy:
    """Who sticks by a rule on the turn total and the number of rolls.

    Args:
        game: of rounds.
        stick: the rule.
        name: of the strategy.
        repaired: whether who makes the last turn of the game rolls until ahead, and then sticks.
    """
    chances = by_total(game, stick)

    def rule(left: Ints, second: Ints, difference: Ints, total: Ints) -> Floats:
        is_last = (left == 1) & (second == 1)
        known = np.broadcast_to(chances[np.minimum(total, game.cap - 1)], game.shape)
        if not repaired:
            return np.asarray(known)
        return np.where(is_last, (difference + total <= 0).astype(float), known)

    return pigevo.Strategy.from_function(game, rule, name, mixed=True)
