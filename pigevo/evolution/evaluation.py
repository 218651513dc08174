"""The evaluation of a population by a fitness, and the pairs that meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints, ReadOnlyCopies, Tables, read_only
from pigevo.dice import Draw
from pigevo.games import Game


@dataclass(frozen=True, eq=False)
class Evaluation(ReadOnlyCopies):
    """The evaluation of a population, in read-only arrays.

    Args:
        scores: the score of each member, shape (n,); if members play each other, the mean of its results.
        pairs: the pairs that met, indices of shape (m, 2).
        wins: win probability or share of games won by the first and by the second member of each
            pair, shape (m, 2); if members do not play each other, their scores.
        games: number of simulated games.
        cases: the result of each member against each of several opponents, shape (n, m); None if members play each
            other.
        played: number of simulated games behind each member's score, shape (n,); None if it is not known.

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> met = pigevo.Evaluation.of_scores(np.array([0.2, 0.5]), np.array([[0, 1]]))
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
            if isinstance(array := getattr(self, name), np.ndarray):  # other types are refused later
                object.__setattr__(self, name, read_only(array))

    @staticmethod
    def of_scores(
        scores: Floats, pairs: Ints, cases: Floats | None = None, games: int = 0, played: Ints | None = None
    ) -> Evaluation:
        """An evaluation from one score per member: the results of a pair are both scores, and each score is a case."""
        return Evaluation(scores, pairs, scores[pairs], games, scores[:, None] if cases is None else cases, played)

    @staticmethod
    def of_matches(size: int, pairs: Ints, wins: Floats, games: int = 0) -> Evaluation:
        """An evaluation of `size` members from the results of pairs: a member's score is the mean of its results."""
        total = np.bincount(pairs.ravel(), weights=wins.ravel(), minlength=size)
        met = np.bincount(pairs.ravel(), minlength=size)
        played = met * (games // max(len(pairs), 1))
        return Evaluation(total / np.maximum(met, 1), pairs, wins, games, played=played)


absolute = Evaluation.of_scores  # the former name, which files of users may import


def with_round(before: Evaluation, after: Evaluation) -> Evaluation:
    """Combine the evaluations of earlier rounds and of a new round of matches."""
    pairs, wins = np.concatenate([before.pairs, after.pairs]), np.concatenate([before.wins, after.wins])
    return Evaluation.of_matches(len(before.scores), pairs, wins, before.games + after.games)


def mean_of(evaluations: Sequence[Evaluation]) -> Evaluation:
    """The mean of several evaluations of the same members in the same pairs, with the sum of their games."""
    first = evaluations[0]
    if len(evaluations) == 1:
        return first
    scores, wins = (
        np.mean([getattr(evaluation, name) for evaluation in evaluations], axis=0) for name in ("scores", "wins")
    )
    known = [evaluation.played for evaluation in evaluations if evaluation.played is not None]
    played = np.sum(known, axis=0) if len(known) == len(evaluations) else None
    return Evaluation(scores, first.pairs, wins, sum(evaluation.games for evaluation in evaluations), played=played)


def every_pair(size: int) -> Ints:
    """All pairs of `size` members, shape (size * (size - 1) / 2, 2)."""
    return np.stack(np.triu_indices(size, 1), axis=1).astype(np.int64)


def some_pairs(size: int, opponents: int, draw: Draw) -> Ints:
    """Random pairs in which each of `size` members meets `opponents` others, or all if there are fewer.

    If `size` and the number of opponents are both odd, one member meets one more.
    """
    order, met = draw.permutation(size), min(opponents, size - 1)
    rings = [np.stack([order, np.roll(order, -step)], axis=1) for step in range(1, met // 2 + 1)]
    across = np.stack([order, np.roll(order, -(size // 2))], axis=1)[: (size + 1) // 2 if met % 2 else 0]
    return np.concatenate([across, *rings]).astype(np.int64)


def ranking(scores: Floats, draw: Draw) -> Ints:
    """Indices from the best to the worst score; ties are in a random order from `draw`."""
    return np.lexsort((draw.words(len(scores)), -scores))


def referee(game: Game, tables: Tables, workers: int = 1) -> Floats:
    """Overall win probability of each strategy against the optimal strategy; tables are in the layout of the game.

    Apart from rounding it is at most what the optimum wins against itself: 0.5, unless a draw is not worth a half.
    """
    from pigevo.exact import against, optimal, prepare

    overall: Floats = against(tables, prepare(optimal(game).strategy), workers).mean(axis=1)
    return overall
