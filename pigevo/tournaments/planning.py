"""The number of games needed to answer a question, computed before any game is played.

Games are treated as independent, each won with the same probability.  In fact seats alternate, so half of the games are
won with one probability and half with another; the variance of the number of wins is a little smaller than assumed.

The fair test of Exeter 2017 (section 3.3.1) asks after how many games a strategy's win rate against itself lies within
0.025 of a half with a confidence of 95 %: `games_within()` gives its 1,537.
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
"""The number of games beyond which the normal approximation is accurate enough."""

LEVEL = 1e-12
"""Probabilities nearer to a half than this are a half, apart from rounding."""


def games_within(distance: float = DISTANCE, confidence: float = CONFIDENCE, p: float = 0.5) -> int:
    """The games after which the win rate is within a distance of the win probability (normal approximation)."""
    _check(p, confidence=confidence, distance=distance)
    return max(1, math.ceil(p * (1 - p) * (_z(confidence) / distance) ** 2))


def power_of(games: int, p: float, confidence: float = CONFIDENCE) -> float:
    """The chance that Wilson's interval of n games excludes a half, on the right side."""
    _check(p, games, confidence=confidence)
    return float(_powers(np.array([games]), max(p, 1 - p), confidence)[0])


def games_to_tell(p: float, confidence: float = CONFIDENCE, power: float = POWER) -> int | None:
    """The smallest even number of games from which Wilson's interval excludes a half with probability `power`.

    The power is that of the binomial distribution, searched near the number given by the normal approximation. None if
    the win probability is a half, so that no number of games is enough.
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


def _z(confidence: float) -> float:
    """The number of standard deviations on either side for a confidence level."""
    return float(norm.ppf((1 + confidence) / 2))


def _powers(games: np.ndarray, better: float, confidence: float) -> np.ndarray:
    """The chance that Wilson's interval lies above a half, for each number of games.

    It does if the share of wins exceeds a half by more than `z / (2 sqrt(games))`.
    """
    return np.asarray(binom.sf(np.floor(games / 2 + _z(confidence) * np.sqrt(games) / 2), games, better))


def _check(p: float, *counts: int, **shares: float) -> None:
    """Refuse invalid numbers of games, shares and win probabilities."""
    for count in counts:
        if not whole(count) or count < 1:
            raise InputError(f"{count!r} games are none: give a whole number, at least 1.")
    for name, share in shares.items():
        if not 0 < share < 1:
            raise InputError(f"a {name} must be between 0 and 1, not {share}.")
    if not 0 <= p <= 1:
        raise InputError(f"a win probability must be from 0 to 1, not {p}.")
