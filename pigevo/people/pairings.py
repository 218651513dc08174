"""Whole games: whether the seat matters, and whether games in which players mirror each other are fairer.

Exeter 2017 (section 4.2) concludes that players copy each other's strategy, and that "if people stick to mirroring each
other they actually have more of a fair chance of winning". Here a game is mirrored if the rolls of each turn go with
those of the opponent's turn before, and it is the fairer, the nearer to each other the win probabilities are that the
two players gave away by their decisions (`pigevo.people.costs`). Luck with the dice is in neither player's choice and
counts for nothing there, as it would in the scores at the end: turns that are lost at the same time make scores
alike, and rolls too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Bools, Floats
from pigevo.core.intervals import CONFIDENCE, share_interval
from pigevo.people.habits import FEWEST_AFTER
from pigevo.people.recorded_games import People, RecordedGame

FEWEST = 3
"""Games of either kind that a difference needs."""

UNDECIDED = "undecided"


@dataclass(frozen=True)
class Seats:
    """How often who moved first has won.

    Args:
        games: games with a winner.
        won: how many of them who moved first has won.
        low, high: the interval of that share at 95 % (Clopper and Pearson); None without games.
        verdict: `first` or `second`, if that seat wins more than half of the games, or `undecided`.
    """

    games: int
    won: int
    low: float | None
    high: float | None
    verdict: str


@dataclass(frozen=True)
class Comparison:
    """A figure of the mirrored games beside that of all others.

    Args:
        games, others: how many of either kind.
        mean, other: of the figure; None without such games.
        difference: of the means, mirrored less others.
        low, high: its interval at 95 %; None with fewer than three games of either kind.
        verdict: `more` or `less`, if the whole interval lies above or below 0, or `undecided`.
    """

    games: int
    others: int
    mean: float | None
    other: float | None
    difference: float | None
    low: float | None
    high: float | None
    verdict: str


@dataclass(frozen=True)
class Pairings:
    """The statistics of whole games of two players.

    Args:
        seats: who wins by the seat.
        mirrored_seats: the share that who moved first has won: of games of two players who have met in mirrored seats,
            each moving first equally often, beside all others.
        mirrored_play: how far from each other the win probabilities are that the two players gave away: of games in
            which the rolls of a turn go with those of the opponent's turn before, beside those in which they do not.
        mirrored: the names of those games.
    """

    seats: Seats
    mirrored_seats: Comparison
    mirrored_play: Comparison
    mirrored: tuple[str, ...]


def pairings(people: People, given_away: Mapping[tuple[str, str], float]) -> Pairings:
    """The statistics of whole games of two players.

    Args:
        people: recorded games; those with one side only are left out.
        given_away: the win probability that a player gave away in a game, by the names of the game and of the player;
            one that is not there gave away nothing.
    """
    both = [game for game in people.games if game.has_both]
    winners = [(game, winner) for game in both if (winner := winner_of(game, people.game.target))]
    first = np.array([winner == game.players[0] for game, winner in winners], dtype=np.float64)
    swapped = np.array([_is_swapped(game, both) for game, _ in winners], dtype=np.bool_)
    known = [(game, going) for game in both if (going := rolls_together(game)) is not None]
    uneven = np.array([abs(np.diff([given_away.get((game.name, player), 0.0) for player in game.players])[0])
                       for game, _ in known])  # fmt: skip
    together = np.array([going > 0 for _, going in known], dtype=np.bool_)
    return Pairings(
        _seats(first),
        compared(first, swapped, shares=True),
        compared(uneven, together),
        tuple(game.name for (game, _), one in zip(known, together, strict=True) if one),
    )


def winner_of(game: RecordedGame, target: int) -> str | None:
    """Who has reached the target; None in a game that was not finished."""
    return next((turn.player for turn in game.turns if turn.score >= target), None)


def rolls_together(game: RecordedGame) -> float | None:
    """The rank correlation of the number of rolls in a turn with that in the opponent's turn before.

    None where there are too few turns, or all are alike.
    """
    rolls = np.array([turn.rolls for turn in game.turns])
    if len(rolls) <= FEWEST_AFTER or np.ptp(rolls[1:]) == 0 or np.ptp(rolls[:-1]) == 0:
        return None
    return float(stats.spearmanr(rolls[:-1], rolls[1:]).statistic)


def compared(values: Floats, chosen: Bools, shares: bool = False) -> Comparison:
    """The mean of the chosen values beside that of the others.

    Args:
        values: of each game, shape (n,).
        chosen: which are of the first kind, shape (n,).
        shares: whether the values are 0 and 1. Their interval is Newcombe's (1998, method 10), else Welch's.
    """
    one, other = values[chosen], values[~chosen]
    mean, without = (float(part.mean()) if len(part) else None for part in (one, other))
    if mean is None or without is None:
        return Comparison(len(one), len(other), mean, without, None, None, None, UNDECIDED)
    difference = mean - without
    low, high = (_newcombe if shares else _welch)(one, other)
    verdict = UNDECIDED if low is None or high is None or low <= 0 <= high else "more" if low > 0 else "less"
    return Comparison(len(one), len(other), mean, without, difference, low, high, verdict)


def _welch(one: Floats, other: Floats) -> tuple[float | None, float | None]:
    if min(len(one), len(other)) < FEWEST or np.ptp(one) == np.ptp(other) == 0:
        return None, None
    interval = stats.ttest_ind(one, other, equal_var=False).confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


def _newcombe(one: Floats, other: Floats) -> tuple[float | None, float | None]:
    """From the intervals of both shares by Wilson's score."""
    if min(len(one), len(other)) < FEWEST:
        return None, None
    (a, low_a, high_a), (b, low_b, high_b) = _wilson(one), _wilson(other)
    return a - b - float(np.hypot(a - low_a, high_b - b)), a - b + float(np.hypot(high_a - a, b - low_b))


def _wilson(values: Floats) -> tuple[float, float, float]:
    interval = stats.binomtest(int(values.sum()), len(values)).proportion_ci(CONFIDENCE, method="wilson")
    return float(values.mean()), float(interval.low), float(interval.high)


def _seats(first: Floats) -> Seats:
    if not len(first):
        return Seats(0, 0, None, None, UNDECIDED)
    low, high = share_interval(int(first.sum()), len(first))
    return Seats(
        len(first), int(first.sum()), low, high, "first" if low > 0.5 else "second" if high < 0.5 else UNDECIDED
    )


def _is_swapped(game: RecordedGame, games: Sequence[RecordedGame]) -> bool:
    """Whether the two players of a game have moved first against each other equally often."""
    counts = Counter(other.players[0] for other in games if set(other.players) == set(game.players))
    return len(counts) == 2 and len(set(counts.values())) == 1
