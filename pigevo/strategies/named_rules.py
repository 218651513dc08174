"""Named strategies that the study `rules` found: the best that a person can play with one, two, three and four numbers.

Races are counted from the target, so that a name means the same play in longer and shorter games; the numbers are the
best for Pig to 100.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games import Game
from pigevo.strategies.named import STRATEGIES, Points, needs_target
from pigevo.strategies.rules import AtLeast, Base, Choice, Constant, Fraction, Multiple, Reasons, Rule, Sum
from pigevo.strategies.strategy import Strategy

SOURCE = "experiments/rules"

Parts = Annotated[int, Within(1)]


@STRATEGIES.register(source=SOURCE)
def next_multiple(game: Game, n: Parts = 25) -> Strategy:
    """Rolls until its score, turn total included, has come to the next multiple of `n`.

    Raises:
        InputError: the game has no target.
    """
    return _named(game, Multiple(n), (), f"next_multiple:{n}")


@STRATEGIES.register(source=SOURCE)
def next_multiple_and_end_race(game: Game, n: Parts = 24, e: Points = 28) -> Strategy:
    """Rolls to win when either score is within `e` of the target; else rolls on to the next multiple of `n`.

    Raises:
        InputError: the game has no target.
    """
    return _named(game, Multiple(n), (_near(game, "either", 1, e),), f"next_multiple_and_end_race:{n},{e}")


@STRATEGIES.register(source=SOURCE)
def two_totals_and_end_race(game: Game, ahead: Points = 18, behind: Points = 22, e: Points = 79) -> Strategy:
    """Rolls to win when both players together lack `e` points or fewer; else holds at one total ahead, another behind.

    Args:
        game: the game.
        ahead: the turn total to hold at while ahead.
        behind: the same while behind or level.
        e: points that both lack together.

    Raises:
        InputError: the game has no target.
    """
    base = Choice(AtLeast("lead", 1), Constant(ahead), Constant(behind))
    return _named(game, base, (_near(game, "sum", 2, e),), f"two_totals_and_end_race:{ahead},{behind},{e}")


@STRATEGIES.register(source=SOURCE)
def keep_pace_and_weigh(game: Game, c: Points = 22, d: Parts = 7, e: Points = 122) -> Strategy:
    """Keeps pace as `keep_pace_and_end_race` does, but what it lacks counts twice when it decides to roll to win.

    Args:
        game: the game.
        c: the turn total to hold at when level.
        d: the number by which the difference of the scores is divided.
        e: it rolls to win when twice the points that it lacks, and those that the other one lacks, are so many.

    Raises:
        InputError: the game has no target.
    """
    race = (_near(game, "2*own+opponent", 3, e),)
    return _named(game, _pace(c, d), race, f"keep_pace_and_weigh:{c},{d},{e}")


@STRATEGIES.register(source=SOURCE)
def keep_pace_and_end_either(game: Game, c: Points = 21, d: Parts = 8, e: Points = 25, w: Points = 115) -> Strategy:
    """Keeps pace, and rolls to win for either of two reasons: as `keep_pace_and_end_race`, or as `keep_pace_and_weigh`.

    Args:
        game: the game.
        c: the turn total to hold at when level.
        d: the number by which the difference of the scores is divided.
        e: the points that either player lacks at most.
        w: the same of twice the points that it lacks itself, and those that the other one lacks.

    Raises:
        InputError: the game has no target.
    """
    race = _near(game, "either", 1, e), _near(game, "2*own+opponent", 3, w)
    return _named(game, _pace(c, d), race, f"keep_pace_and_end_either:{c},{d},{e},{w}")


def _pace(c: int, d: int) -> Sum:
    return Sum(c, (Fraction("+", "j-i", d),))


def _near(game: Game, what: str, scores: int, lacking: int) -> tuple[AtLeast]:
    """That scores which count so often altogether lack so many points of all being at the target."""
    return (AtLeast(what, max(0, scores * game.target - lacking)),)


def _named(game: Game, base: Base, race: Reasons, name: str) -> Strategy:
    needs_target(game, name.partition(":")[0])
    return replace(Rule(base, race).strategy(game), name=name)
