"""The score by turn, and its slope: what figures 7 to 12 of Exeter 2017 draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pigevo.people.records import RecordedGame


@dataclass(frozen=True)
class Course:
    """How scores grow with the turns.

    Args:
        scores: the scores after each turn, a list for each game.
        means: the mean after turn 1, 2, ..., of the games that have so many turns.
        slope: points a turn, of the straight line of least squares through all scores; None with fewer than two turns.
        mean_slope: the same of the line through the means, which is what the report printed.
    """

    scores: tuple[tuple[int, ...], ...]
    means: tuple[float, ...]
    slope: float | None
    mean_slope: float | None


def course(sides: Iterable[tuple[RecordedGame, str]]) -> Course:
    """The course of the scores of one player, or of many.

    Args:
        sides: games, each with the name of the player in it whose scores are meant.
    """
    scores = tuple(tuple(turn.score for turn in game.turns_of(player)) for game, player in sides)
    longest = max(map(len, scores), default=0)
    means = tuple(float(np.mean([one[n] for one in scores if len(one) > n])) for n in range(longest))
    points = [(n, score) for one in scores for n, score in enumerate(one, start=1)]
    return Course(scores, means, _slope(points), _slope(list(enumerate(means, start=1))))


def _slope(points: list[tuple[int, int]] | list[tuple[int, float]]) -> float | None:
    turns, scores = np.array(points, dtype=np.float64).reshape(-1, 2).T
    if len(turns) < 2 or np.ptp(turns) == 0:
        return None
    return float(np.polyfit(turns, scores, 1)[0])
