"""The evaluation of a population by a fitness, and the pairs that meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints, Tables, read_only
from pigevo.dice import Draw
from pigevo.games import Game


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluated population, in arrays that nobody can write to.

    Args:
        scores: how good each member is, shape (n,); where members meet, the mean of its results.
        pairs: who met whom, indices, shape (m, 2).
        wins: win probability or share of games won by the first and by the second of each
            pair, shape (m, 2); where members do not meet, their scores.
        games: simulated games that were spent.
        cases: how good each member is against each of several opponents, shape (n, m); None where members meet.
        played: the simulated games behind each member's score, shape (n,); None where it is not known.

    Example:
        >>> import numpy as np
        >>> from pigevo.evolution.evaluation import absolute
        >>> met = absolute(np.array([0.2, 0.5]), np.array([[0, 1]]))
        >>> met.scores.tolist(), met.wins.tolist()
        ([0.2, 0.5], [[0.2, 0.5]])
    """

    scores: Floats
    pairs: Ints
    wins: Floats
    games: int = 0
    cases: Floats | None = None
    played: Ints | None = None

    def __post_init__(self) -> None:
        for name in ("scores", "pairs", "wins", "cases", "played"):
            if isinstance(array := getattr(self, name), np.ndarray):  # what else a user wrote is refused by name
                object.__setattr__(self, name, read_only(array))


def absolute(
    scores: Floats, pairs: Ints, cases: Floats | None = None, games: int = 0, played: Ints | None = None
) -> Evaluation:
    """An evaluation from absolute scores: pairs compare the scores of their members, and a score is the one case."""
    return Evaluation(scores, pairs, scores[pairs], games, scores[:, None] if cases is None else cases, played)


def pairwise(size: int, pairs: Ints, wins: Floats, games: int = 0) -> Evaluation:
    """An evaluation from pairs that met: a member's score is the mean of its results."""
    total = np.bincount(pairs.ravel(), weights=wins.ravel(), minlength=size)
    met = np.bincount(pairs.ravel(), minlength=size)
    played = met * (games // max(len(pairs), 1))
    return Evaluation(total / np.maximum(met, 1), pairs, wins, games, played=played)


def with_round(before: Evaluation, after: Evaluation) -> Evaluation:
    """The evaluation of all matches of members who have met in several rounds."""
    pairs, wins = np.concatenate([before.pairs, after.pairs]), np.concatenate([before.wins, after.wins])
    return pairwise(len(before.scores), pairs, wins, before.games + after.games)


def mean_of(evaluations: Sequence[Evaluation]) -> Evaluation:
    """The mean of several evaluations of the same members in the same pairs; their games add up."""
    first = evaluations[0]
    if len(evaluations) == 1:
        return first
    scores, wins = (np.mean([getattr(one, name) for one in evaluations], axis=0) for name in ("scores", "wins"))
    known = [one.played for one in evaluations if one.played is not None]
    played = np.sum(known, axis=0) if len(known) == len(evaluations) else None
    return Evaluation(scores, first.pairs, wins, sum(one.games for one in evaluations), played=played)


def every_pair(size: int) -> Ints:
    """All pairs of `size` members, shape (size * (size - 1) / 2, 2)."""
    return np.stack(np.triu_indices(size, 1), axis=1).astype(np.int64)


def some_pairs(size: int, opponents: int, draw: Draw) -> Ints:
    """Random pairs in which each of `size` members meets so many others, or all if there are fewer.

    If both numbers are odd, one member meets one more.
    """
    order, met = draw.permutation(size), min(opponents, size - 1)
    rings = [np.stack([order, np.roll(order, -step)], axis=1) for step in range(1, met // 2 + 1)]
    across = np.stack([order, np.roll(order, -(size // 2))], axis=1)[: (size + 1) // 2 if met % 2 else 0]
    return np.concatenate([across, *rings]).astype(np.int64)


def ranking(scores: Floats, draw: Draw) -> Ints:
    """Indices from the best to the worst; ties in a random order of `draw`."""
    return np.lexsort((draw.words(len(scores)), -scores))


def referee(game: Game, tables: Tables, workers: int = 1) -> Floats:
    """Overall win probability of each strategy, given by tables in the layout of the game, against the optimal one.

    It is at most what the optimum wins against itself (0.5 unless a draw is worth other than a half), up to rounding.
    """
    from pigevo.exact import against, optimal, prepare

    overall: Floats = against(tables, prepare(optimal(game).strategy), workers).mean(axis=1)
    return overall
