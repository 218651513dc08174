"""How many games a question takes, said before any is played.

Games are taken as independent, each won with the same chance.  Seats alternate, so that in truth half of them are won
with one chance and half with another; their number of wins spreads a little less than is reckoned here.

The fair test of Exeter 2017 (section 3.3.1) asks for how many games a strategy's win rate against itself lies within
0.025 of a half with a confidence of 95 %: `games_within()` is its 1,537.  It then sees strays in 100 such results, and
takes 3,000 games and the mean of 100 results; `chance_within` and `extremes` say what is to be seen there.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binom, norm

from pigevo.core.checked_values import whole
from pigevo.errors import InputError

DISTANCE = 0.025
CONFIDENCE = 0.95
POWER = 0.8

MOST_LOOKED_FOR = 1e10
"""Beyond so many games the normal law is exact enough."""

LEVEL = 1e-12
"""Nearer to a half than this is a half but for rounding."""


def games_within(distance: float = DISTANCE, confidence: float = CONFIDENCE, p: float = 0.5) -> int:
    """The games after which the win rate lies within a distance of the win probability, by the normal law."""
    _check(p, confidence=confidence, distance=distance)
    return max(1, math.ceil(p * (1 - p) * (_z(confidence) / distance) ** 2))


def chance_within(games: int, distance: float = DISTANCE, p: float = 0.5) -> float:
    """The chance that the win rate of so many games lies within a distance of the win probability, ends included."""
    _check(p, games, distance=distance)
    least, most = math.ceil(games * (p - distance) - 1e-9), math.floor(games * (p + distance) + 1e-9)
    return float(binom.cdf(most, games, p) - binom.cdf(least - 1, games, p))


def power_of(games: int, p: float, confidence: float = CONFIDENCE) -> float:
    """The chance that Wilson's interval of so many games leaves a half out, on the right side."""
    _check(p, games, confidence=confidence)
    return float(_powers(np.array([games]), max(p, 1 - p), confidence)[0])


def games_to_tell(p: float, confidence: float = CONFIDENCE, power: float = POWER) -> int | None:
    """The fewest games, an even number, from which on Wilson's interval leaves a half out with a chance of `power`.

    The power is that of the binomial law; it is looked for around the number that the normal law gives. None where the
    win probability is a half and no number of games would do.
    """
    _check(p, confidence=confidence, power=power)
    apart, better = abs(p - 0.5), max(p, 1 - p)
    if apart < LEVEL:
        return None
    spread = _z(confidence) / 2 + float(norm.ppf(power)) * math.sqrt(p * (1 - p))
    about = (max(0.0, spread) / apart) ** 2
    if about > MOST_LOOKED_FOR:
        return 2 * math.ceil(about / 2)
    around = 6 * math.sqrt(about) + 60
    games = np.arange(2 * max(1, int((about - around) / 2)), about + around, 2)
    short = np.flatnonzero(_powers(games, better, confidence) < power)
    return int(games[short[-1] + 1]) if len(short) else int(games[0])


def extremes(
    games: int, results: int, p: float = 0.5, confidence: float = CONFIDENCE
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Between which win rates the smallest and the largest of many results of so many games lie.

    `confidence` is the chance with which each of the two lies within its ends.
    """
    _check(p, games, results, confidence=confidence)
    ends = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    smallest = binom.ppf(-np.expm1(np.log1p(-ends) / results), games, p) / games
    largest = binom.ppf(ends ** (1 / results), games, p) / games
    return (float(smallest[0]), float(smallest[1])), (float(largest[0]), float(largest[1]))


def _z(confidence: float) -> float:
    """The number of standard deviations on either side that a confidence asks for."""
    return float(norm.ppf((1 + confidence) / 2))


def _powers(games: np.ndarray, better: float, confidence: float) -> np.ndarray:
    """The chance that so many games are won that Wilson's interval lies above a half, for each number of games.

    It does if the share won lies more than `z / (2 sqrt(games))` above it.
    """
    return np.asarray(binom.sf(np.floor(games / 2 + _z(confidence) * np.sqrt(games) / 2), games, better))


def _check(p: float, *counts: int, **shares: float) -> None:
    """Refuse numbers of games, shares and a win probability that are none."""
    for count in counts:
        if not whole(count) or count < 1:
            raise InputError(f"{count!r} games are none: give a whole number, at least 1.")
    for name, share in shares.items():
        if not 0 < share < 1:
            raise InputError(f"a {name} must be between 0 and 1, not {share}.")
    if not 0 <= p <= 1:
        raise InputError(f"a win probability must be from 0 to 1, not {p}.")
