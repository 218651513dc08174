"""Whole games: whether the seat matters, and whether games in which players mirror each other are fairer.

Exeter 2017 (section 4.2) concludes that players copy each other's strategy, and that "if people stick to mirroring each
other they actually have more of a fair chance of winning". Here a game is mirrored if the number of rolls in each turn
correlates with that of the opponent's previous turn. A game is the fairer, the smaller the difference between the win
probabilities that the two players gave away by their decisions (`pigevo.people.analysis`). This is independent of luck
with the dice. Final scores are not: turns lost at the same time make both scores and rolls similar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Bools, Floats, own_errors
from pigevo.core.intervals import CONFIDENCE, share_interval
from pigevo.people.habits import FEWEST_AFTER
from pigevo.people.recorded_games import People, RecordedGame

FEWEST = 3  # the least number of games of either kind for a difference
FEW = 8  # with fewer, an interval of a difference of means is too narrow, because what players give away is skewed

UNDECIDED = "undecided"


@dataclass(frozen=True)
class Seats:
    """The wins of the players who moved first.

    Args:
        games: the number of games with a winner.
        won: the number of these won by the player who moved first.
        low, high: the 95 % interval of that share (Clopper and Pearson); None without games.
        verdict: `first` or `second`, if that seat wins more than half of the games, or `undecided`.
    """

    games: int
    won: int
    low: float | None
    high: float | None
    verdict: str


@dataclass(frozen=True)
class Comparison:
    """A figure for mirrored games compared with all others.

    Args:
        games, others: the number of games of either kind.
        mean, other: the means of the figure; None without such games.
        difference: the difference of the means, mirrored minus others.
        low, high: its 95 % interval; None with fewer than three games of either kind.
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
        seats: wins by seat.
        mirrored_seats: the share won by the player who moved first: in games of two players who each moved first
            equally often, compared with all others.
        mirrored_play: the difference between the win probabilities that the two players gave away: in games in which
            the rolls of a turn correlate with those of the opponent's previous turn, compared with all others.
        mirrored: the names of these games.
    """

    seats: Seats
    mirrored_seats: Comparison
    mirrored_play: Comparison
    mirrored: tuple[str, ...]


@own_errors
def pairings(people: People, given_away: Mapping[tuple[str, str], float]) -> Pairings:
    """The statistics of whole games of two players.

    Args:
        people: recorded games; of games recorded from one side only those count, for the seats, that the first player
            won in the first turn.
        given_away: the win probability that a player gave away in a game, by the names of the game and of the player;
            missing ones are 0.
    """
    both = [game for game in people.games if game.has_both]
    winners = [(game, winner) for game in both if (winner := winner_of(game, people.game.target))]
    first = np.array([winner == game.players[0] for game, winner in winners], dtype=np.float64)
    alone = [game.ended_at_once(people.game.target) for game in people.games if not game.has_both]
    at_once = len(alone) if all(alone) else 0  # else one player's turns were not recorded, and only wins would count
    swapped = np.array([_is_swapped(game, both) for game, _ in winners], dtype=np.bool_)
    known = [(game, correlation) for game in both if (correlation := roll_correlation(game)) is not None]
    uneven = np.array([abs(np.diff([given_away.get((game.name, player), 0.0) for player in game.players])[0])
                       for game, _ in known])  # fmt: skip
    mirrored = np.array([correlation > 0 for _, correlation in known], dtype=np.bool_)
    return Pairings(
        _seats(np.append(first, np.ones(at_once))),
        compared(first, swapped, shares=True),
        compared(uneven, mirrored),
        tuple(game.name for (game, _), is_mirrored in zip(known, mirrored, strict=True) if is_mirrored),
    )


def winner_of(game: RecordedGame, target: int) -> str | None:
    """The player who has reached the target; None if the game was not finished."""
    return next((turn.player for turn in game.turns if turn.score >= target), None)


def roll_correlation(game: RecordedGame) -> float | None:
    """The rank correlation of the number of rolls in a turn with that in the opponent's turn before.

    None if there are too few turns, or all are equal.
    """
    rolls = np.array([turn.rolls for turn in game.turns])
    if len(rolls) <= FEWEST_AFTER or np.ptp(rolls[1:]) == 0 or np.ptp(rolls[:-1]) == 0:
        return None
    return float(stats.spearmanr(rolls[:-1], rolls[1:]).statistic)


def compared(values: Floats, chosen: Bools, shares: bool = False) -> Comparison:
    """The mean of the chosen values compared with that of the others.

    Args:
        values: the value of each game, shape (n,).
        chosen: which games are of the first kind, shape (n,).
        shares: whether the values are 0 and 1; the interval is then Newcombe's (1998, method 10), otherwise Welch's.
    """
    inside, outside = values[chosen], values[~chosen]
    mean, other = (float(part.mean()) if len(part) else None for part in (inside, outside))
    if mean is None or other is None:
        return Comparison(len(inside), len(outside), mean, other, None, None, None, UNDECIDED)
    difference = mean - other
    low, high = (_newcombe if shares else _welch)(inside, outside)
    verdict = UNDECIDED if low is None or high is None or low <= 0 <= high else "more" if low > 0 else "less"
    return Comparison(len(inside), len(outside), mean, other, difference, low, high, verdict)


def _welch(inside: Floats, outside: Floats) -> tuple[float | None, float | None]:
    if min(len(inside), len(outside)) < FEWEST or np.ptp(inside) == np.ptp(outside) == 0:
        return None, None
    interval = stats.ttest_ind(inside, outside, equal_var=False).confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


def _newcombe(inside: Floats, outside: Floats) -> tuple[float | None, float | None]:
    if min(len(inside), len(outside)) < FEWEST:
        return None, None
    (a, low_a, high_a), (b, low_b, high_b) = _wilson(inside), _wilson(outside)
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
    counts = Counter(recorded.players[0] for recorded in games if set(recorded.players) == set(game.players))
    return len(counts) == 2 and len(set(counts.values())) == 1
