"""The formula of a school blog, and other rules that depend only on the turn total and the number of rolls.

The rest of a turn depends on its total, not on the number of rolls that led to it.  So, in a game where decisions
cannot depend on the number of rolls, such a rule is equivalent to a mixed strategy: at each turn total it rolls with
the probability that the rule rolls, given that play has reached this total.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

from pigevo.core.array_names import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.core.imports import numpy as np
from pigevo.core.portable_math import exp, log
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN, ROLLS, SECOND, TOTAL
from pigevo.strategies.named import STRATEGIES, named_strategy
from pigevo.strategies.strategy import Strategy

SOURCE = 'a school blog\'s Pig of ten rounds (line-pig), "Making the formula"'

Power = Annotated[float, Within(0, 1e6)]
Divisor = Annotated[float, Within(1e-300, 1e300)]
Stick: TypeAlias = "Callable[[Ints, Ints], np.ndarray]"
"""The chance of sticking, as a function of turn totals and numbers of rolls; arrays that broadcast."""


@STRATEGIES.register(source=SOURCE)
def stick_formula(game: Game, power: Power = 4, divisor: Divisor = 50) -> Strategy:
    """Sticks (holds) with the probability `rolls ** (power * v) / divisor`; `v` is the mean roll as a share of six.

    In games with another die, `v` is a share of the most points that a throw can bring.

    Args:
        game: the game.
        power: the exponent, to be multiplied by `v`, of the number of rolls in this turn.
        divisor: the divisor; results of at least 1 are certain.

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


@STRATEGIES.register(source=f'{SOURCE}, and "Final round problem"')
def stick_formula_repaired(game: Game, power: Power = 4, divisor: Divisor = 50) -> Strategy:
    """Plays as `stick_formula`, but in the last turn of the game it rolls until ahead, and then sticks.

    Args:
        game: the game.
        power: the exponent of the formula.
        divisor: the divisor of the formula.

    Raises:
        InputError: the game is not one of turns, so that no turn is the last for certain.

    Example:
        >>> import pigevo
        >>> from pigevo.games import GAMES
        >>> game = GAMES["ten_rounds"].bind({})
        >>> repaired = pigevo.parse_strategy("stick_formula_repaired:4,50", game)
        >>> round(pigevo.win_probability(repaired, pigevo.hold_at(game, 21)).overall, 4)
        0.4631
    """
    formula = stick_formula(game, power, divisor)
    return until_ahead(formula, formula.name.replace(":", "_repaired:"))


def until_ahead(strategy: Strategy, name: str) -> Strategy:
    """The same strategy, but in the last turn of the game it rolls until ahead, and then sticks."""
    game, at = strategy.game, strategy.game.mesh
    if LEFT not in at:
        raise InputError(f"{name} repairs the last turn of a game: it needs a game of turns, as ten_rounds.")
    lead = at[DIFFERENCE] if DIFFERENCE in at else at[OWN] - at[OPPONENT]
    rolls = np.where(at[TOTAL] > 0, lead + at[TOTAL] <= 0, True)
    is_last = (at[LEFT] == 1) & (at[SECOND] == 1)
    return Strategy(game, np.where(is_last, rolls, strategy.roll), name)


def sticking(rolls: np.ndarray, v: np.ndarray, power: float, divisor: float) -> Floats:
    """The formula's chance of sticking after a number of rolls whose mean is a share `v` of the largest."""
    chances: Floats = exp(np.minimum(0.0, power * v * log(rolls) - log(divisor)))
    return chances


def largest_throw(game: Game) -> int:
    """The most points that a throw can add to the turn total."""
    return max(throw.points for throw in (*game.throws, *game.first_throws) if not throw.ends)


def by_rolls(game: Game, stick: Stick, name: str) -> Strategy:
    """A strategy that sticks by the turn total and the number of rolls, independently of the scores."""
    total = game.mesh[TOTAL]
    if ROLLS in game.mesh:
        rolls_on = 1 - stick(total, np.maximum(game.mesh[ROLLS], 1))
    else:
        rolls_on = chances_by_total(game, stick)[total]
    rolls = np.where(total == 0, 1.0, rolls_on)
    return named_strategy(game, lambda i, j, k: rolls, name)


def chances_by_total(game: Game, stick: Stick) -> Floats:
    """The chance of rolling at each turn total, given that play reaches it, shape (size,).

    For a total that is never reached it is the chance after the smallest number of rolls.
    """
    totals = np.arange(game.size)
    # Over all numbers of rolls, the chances to reach each total and to roll on there; `here` is for the present number.
    reached, rolled_on, here = np.zeros(game.size), np.zeros(game.size), np.zeros(game.size)
    for throw in game.first_effective_throws:
        if not throw.ends and throw.points < game.size:
            here[throw.points] += throw.chance
    rolls = 1
    while here.any():
        rolling = here * (1 - stick(totals, np.array(rolls)))
        reached, rolled_on, here = reached + here, rolled_on + rolling, np.zeros(game.size)
        for points, chance in game.die:
            here[points:] += rolling[: max(0, game.size - points)] * chance
        rolls += 1
    fewest = np.maximum(-(-totals // largest_throw(game)), 1)
    chances: Floats = np.divide(rolled_on, reached, out=np.array(1.0 - stick(totals, fewest)), where=reached > 0)
    return chances


def _typed(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
