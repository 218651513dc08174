"""Win probabilities as fractions, for small games, to check the floats.

The engine's equations are solved with Python's `fractions`, so nothing is rounded.  The
fractions grow quickly: targets up to about 20 for Pig take seconds.
"""

from __future__ import annotations

from fractions import Fraction

from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import Strategy, same_game

LARGEST_DENOMINATOR = 10**6


def rational_win_probability(a: Strategy, b: Strategy) -> tuple[Fraction, Fraction]:
    """The win probabilities of `a` against `b`, moving first and moving second, as fractions.

    The die's probabilities, which are floats, are read as the nearest fractions with
    denominators up to `LARGEST_DENOMINATOR`: a sixth is 1/6.

    Raises:
        InputError: the strategies are for different games, are mixed, or are not for a one-die race.

    Example:
        >>> import pigevo
        >>> game = pigevo.Piglet(target=2)
        >>> pigevo.rational_win_probability(pigevo.hold_at(game, 1), pigevo.hold_at(game, 2))
        (Fraction(12, 25), Fraction(9, 25))
    """
    same_game(a, b)
    if not a.game.one_die or a.is_mixed or b.is_mixed:
        raise InputError("fractions are computed for races of one die, and strategies without chance.")
    die = fractions_of(a.game)
    target = a.game.target
    moving: dict[tuple[int, int], Fraction] = {}
    waiting: dict[tuple[int, int], Fraction] = {}
    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            mine, stay = _turn(a, i, j, die)
            theirs, they_stay = _turn(b, j, i, die)
            gain = sum((p * (waiting[k, j] if k < target else 1) for k, p in mine.items()), Fraction(0))
            keep = sum((p * moving[i, k] for k, p in theirs.items() if k < target), Fraction(0))
            leave = 1 - stay * they_stay
            moving[i, j] = (gain + stay * keep) / leave if leave else Fraction(0)
            waiting[i, j] = keep + they_stay * moving[i, j]
    return moving[0, 0], waiting[0, 0]


def fractions_of(game: Game) -> tuple[tuple[int, Fraction], ...]:
    """The gains of a game with their probabilities as fractions."""
    return tuple((points, Fraction(p).limit_denominator(LARGEST_DENOMINATOR)) for points, p in game.die)


def _turn(
    strategy: Strategy, i: int, j: int, die: tuple[tuple[int, Fraction], ...]
) -> tuple[dict[int, Fraction], Fraction]:
    """The outcomes of a turn: new scores with their probabilities, and the chance that the score is unchanged."""
    stand = {0: Fraction(1)}
    ends: dict[int, Fraction] = {}
    while stand:
        k = min(stand)
        chance = stand.pop(k)
        if i + k >= strategy.game.target or not strategy.roll[i, j, k]:
            ends[i + k] = ends.get(i + k, Fraction(0)) + chance
            continue
        for points, p in die:
            stand[k + points] = stand.get(k + points, Fraction(0)) + chance * p
    ends.pop(i, None)
    return ends, 1 - sum(ends.values(), Fraction(0))
