"""A fair test of two strategies: the number of games that separates them, the games, and the verdict.

The number of games is computed before any game is played.  Games are treated as independent, each won with the same
probability.  In fact seats alternate, so half of the games are won with one probability and half with another; the
variance of the number of wins is a little smaller than assumed.

The fair test of Exeter 2017 (section 3.3.1) asks after how many games a strategy's win rate against itself lies within
0.025 of a half with a confidence of 95 %: `games_within()` gives its 1,537.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from scipy.stats import binom, norm

from pigevo.core.arrays import own_errors
from pigevo.core.checked_values import JsonObject, is_integer
from pigevo.errors import InputError
from pigevo.exact import win_probability
from pigevo.simulation import Match, play_match
from pigevo.strategies import Strategy, same_game
from pigevo.strategies.arguments import checks_arguments, require_whole
from pigevo.tournaments import MOST_TEST_GAMES
from pigevo.tournaments.play import refuse_odd

DISTANCE = 0.025
CONFIDENCE = 0.95
POWER = 0.8

MOST_LOOKED_FOR = 1e10  # the number of games beyond which the normal approximation is accurate enough
LEAST_WINDOW = 600  # games searched on either side of the approximation, at least
MOST_SEARCHED = 1e8  # games, beyond which the first window that has an answer decides
ROUNDING = 1e-12  # probabilities nearer to a half than this are a half, apart from rounding


def games_within(distance: float = DISTANCE, confidence: float = CONFIDENCE, p: float = 0.5) -> int:
    """The games after which the win rate is within a distance of the win probability (normal approximation)."""
    _check(p, confidence=confidence, distance=distance)
    return max(1, math.ceil(p * (1 - p) * (_z(confidence) / distance) ** 2))


@own_errors
def power_of(games: int, p: float, confidence: float = CONFIDENCE) -> float:
    """The chance that Wilson's interval of n games excludes a half, on the right side."""
    _check(p, games, confidence=confidence)
    return float(_powers(np.array([games]), max(p, 1 - p), confidence)[0])


@own_errors
def games_to_tell(p: float, confidence: float = CONFIDENCE, power: float = POWER) -> int | None:
    """The smallest even number of games from which Wilson's interval excludes a half with probability `power`.

    The power is that of the binomial distribution, searched near the number given by the normal approximation. None if
    the win probability is a half, so that no number of games is enough.
    """
    _check(p, confidence=confidence, power=power)
    apart, better = abs(p - 0.5), max(p, 1 - p)
    if apart < ROUNDING:
        return None
    spread = _z(confidence) / 2 + float(norm.ppf(power)) * math.sqrt(p * (1 - p))
    about = (max(0.0, spread) / apart) ** 2
    if about > MOST_LOOKED_FOR:
        return 2 * math.ceil(about / 2)
    around = 6 * math.sqrt(about) + LEAST_WINDOW
    begin, end = 2 * max(1, int((about - around) / 2)), about + around
    while True:
        games = np.arange(begin, end, 2)
        short = np.flatnonzero(_powers(games, better, confidence) < power)
        last = float(games[short[-1]]) if len(short) else 0.0
        if end - last > around / 2 or end > MOST_SEARCHED:  # the power rises in steps back and forth
            return int(last) + 2 if len(short) else begin
        end = max(end + around, 2 * last)


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
        if not is_integer(count) or count < 1:
            raise InputError(f"{count!r} is no number of games: give a whole number, at least 1.")
    for name, share in shares.items():
        if not 0 < share < 1:
            raise InputError(f"a {name} must be between 0 and 1, not {share}.")
    if not 0 <= p <= 1:
        raise InputError(f"a win probability must be from 0 to 1, not {p}.")


@dataclass(frozen=True)
class FairTest:
    """A fair test of a against b.

    Args:
        game: the game, in words.
        a, b: the names of the strategies.
        first, second, overall: exact win probability of a when it moves first, when b moves first, and their mean.
        decided: the exact share of games with a winner; 1 if there are neither draws nor stalemates.
        share: the exact share of these games that a wins: a half if the two are level.
        confidence: the confidence level of the interval.
        power: the wanted probability to separate them.
        needed: the number of games that gives this power, an even number; None if the two are level.
        games: the number of games played; 0 if more were needed than allowed.
        power_at: the probability that this number of games separates the two in the right order; 0 if they are level.
        seed: the seed of the games.
        match: the result of the games; None if none were played.
        low, high: the interval of a's share of the decided games; None if there are none.
        better: the name of the better one, if the interval excludes a half; otherwise None.
    """

    game: str
    a: str
    b: str
    first: float
    second: float
    overall: float
    decided: float
    share: float
    confidence: float
    power: float
    needed: int | None
    games: int
    power_at: float
    seed: int
    match: Match | None
    low: float | None
    high: float | None
    better: str | None

    @property
    def holds(self) -> bool | None:
        """Whether the interval contains the exact share; None if no games were played."""
        return None if self.low is None or self.high is None else self.low <= self.share <= self.high

    @property
    def as_json(self) -> JsonObject:
        """Plain values that JSON can hold."""
        return asdict(self) | {"holds": self.holds}


@checks_arguments
@own_errors
def fair_test(
    a: Strategy, b: Strategy, confidence: float = CONFIDENCE, power: float = POWER, games: int | None = None,
    seed: int = 0, workers: int | None = None, most: int = MOST_TEST_GAMES, within: float | None = None,
) -> FairTest:  # fmt: skip
    """Compute from the exact probabilities how many games separate two strategies, play them, and give a verdict.

    Games without a winner do not show who is better: they are not counted, and other games are played instead. Two
    level strategies cannot be separated; they play the number of games that brings a win rate within 0.025 of a half.

    Args:
        a: the strategy whose share of wins is measured.
        b: the opponent.
        confidence: the level of Wilson's interval.
        power: the probability that the interval excludes a half, on the right side.
        games: the number of games to play, even, in place of the computed one.
        seed: determines every roll.
        workers: threads, all cores by default; the result does not depend on it.
        most: the largest number of games: if more are needed, none are played.
        within: play the number of games that brings a win rate within this distance of a half, whatever is needed.

    Raises:
        InputError: the strategies are for different games, confidence, power or `within` is not between 0 and 1, the
            number of games is odd, or both it and `within` are given.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> test = pigevo.fair_test(pigevo.hold_at(game, 25), pigevo.hold_at(game, 20), seed=1)
        >>> test.needed, test.better
        (14316, 'hold_at:25')
    """
    require_whole("fair_test", most=most)
    same_game(a, b)
    if games is not None:
        refuse_odd(games, "a fair test", "games")
        if within is not None:
            raise InputError(
                "a number of games and a distance that determines it exclude each other: give one of them."
            )
    exact, reverse = win_probability(a, b), win_probability(b, a)
    draw = a.game.draw
    won = exact.overall - draw * (exact.draw_first + exact.draw_second) / 2
    lost = reverse.overall - draw * (reverse.draw_first + reverse.draw_second) / 2
    decided = won + lost
    share = won / decided if decided else 0.5
    decided_needed = games_to_tell(share, confidence, power) if decided else None
    needed = None if decided_needed is None else _games_in_all(decided_needed, decided)
    games_near = _games_in_all(games_within(within or DISTANCE, confidence), decided or 1.0)
    wanted = games or (games_near if within is not None else needed or games_near)
    played = wanted if games is not None or wanted <= most else 0
    match = play_match(a, b, played, seed, workers) if played else None
    low = high = None
    if match and match.wins + match.losses:
        low, high = Match(match.wins, match.losses).interval(confidence)
    better = None if low is None or high is None or low <= 0.5 <= high else (a.name if low > 0.5 else b.name)
    decided_games = round(wanted * decided)
    power_at = power_of(decided_games, share, confidence) if decided_needed and decided_games else 0.0
    return FairTest(
        game=str(a.game), a=a.name, b=b.name,
        first=exact.first, second=exact.second, overall=exact.overall, decided=min(1.0, decided), share=share,
        confidence=confidence, power=power, needed=needed,
        games=played, power_at=power_at if played else 0.0, seed=seed, match=match, low=low, high=high, better=better,
    )  # fmt: skip


def _games_in_all(decided: int, share: float) -> int:
    """The even number of games of which a given number are decided on average."""
    return 2 * math.ceil(decided / share / 2 - 1e-9)
