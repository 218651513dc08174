"""The formula of a school blog, and all rules that look at the turn total and the number of rolls alone.

What follows in a turn depends on its total, not on how many rolls it took.  So where decisions cannot depend on the
rolls, such a rule wins exactly as often as the one that rolls, at each total, with the chance that those who come there
roll.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import exp, log
from pigevo.games import Game
from pigevo.games.game import ROLLS, TOTAL
from pigevo.strategies.named import STRATEGIES, _named
from pigevo.strategies.strategy import Strategy

SOURCE = 'a school blog\'s Pig of ten rounds (line-pig), "Making the formula"'

Stick = Callable[[Ints, Ints], Any]
"""The chance of sticking at turn totals after so many rolls; arrays that broadcast."""


@STRATEGIES.register(source=SOURCE)
def stick_formula(
    game: Game, power: Annotated[float, Within(0, 1e6)] = 4, divisor: Annotated[float, Within(1e-300, 1e300)] = 50
) -> Strategy:
    """Sticks (holds) with the probability `rolls ** (power * v) / divisor`; `v` is the mean roll as a share of six.

    In other games than those of one die, `v` is a share of the most points that a throw can bring.

    Args:
        game: the game.
        power: times `v`, what the number of rolls of this turn is raised to.
        divisor: what that is divided by; 1 or more is a certainty.

    Example:
        >>> import pigevo
        >>> from pigevo.games import GAMES
        >>> game = GAMES["ten_rounds"].bind({})
        >>> formula = pigevo.parse_strategy("stick_formula:4,50", game)
        >>> round(pigevo.win_probability(formula, pigevo.hold_at(game, 21)).overall, 4)
        0.4031
    """
    largest = largest_throw(game)
    name = f"stick_formula:{_typed(power)},{_typed(divisor)}"
    return by_rolls(game, lambda total, rolls: sticking(rolls, total / rolls / largest, power, divisor), name)


def sticking(rolls: Any, v: Any, power: float, divisor: float) -> Floats:
    """The formula's chance of sticking after so many rolls, with a mean roll of a share `v` of the largest."""
    chances: Floats = exp(np.minimum(0.0, power * v * log(rolls) - log(divisor)))
    return chances


def largest_throw(game: Game) -> int:
    """The most points that a throw can add to the turn total."""
    return max(throw.points for throw in (*game.throws, *game.first_throws) if not throw.ends)


def by_rolls(game: Game, stick: Stick, name: str) -> Strategy:
    """Who sticks by the turn total and the number of rolls, at whatever scores."""
    total = game.mesh[TOTAL]
    if ROLLS in game.mesh:
        on = 1 - stick(total, np.maximum(game.mesh[ROLLS], 1))
    else:
        on = chances_by_total(game, stick)[total]
    rolls = np.where(total == 0, 1.0, on)
    return _named(game, lambda i, j, k: rolls, name)


def chances_by_total(game: Game, stick: Stick) -> Floats:
    """The chance of rolling at each turn total, shape (size,): of all who come there, the share that rolls on.

    Where nobody comes, it is that of the fewest rolls.
    """
    totals = np.arange(game.size)
    come, roll_on, here = np.zeros(game.size), np.zeros(game.size), np.zeros(game.size)
    for throw in game.first_effective_throws:
        if not throw.ends and throw.points < game.size:
            here[throw.points] += throw.chance
    rolls = 1
    while here.any():
        on = here * (1 - stick(totals, np.array(rolls)))
        come, roll_on, here = come + here, roll_on + on, np.zeros(game.size)
        for points, chance in game.die:
            here[points:] += on[: max(0, game.size - points)] * chance
        rolls += 1
    fewest = np.maximum(-(-totals // largest_throw(game)), 1)
    chances: Floats = np.divide(roll_on, come, out=np.array(1.0 - stick(totals, fewest)), where=come > 0)
    return chances


def _typed(number: float) -> str:
    """A number as one types it."""
    return repr(float(number)).removesuffix(".0")
