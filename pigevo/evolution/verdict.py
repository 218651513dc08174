"""What a judge says about a population, and who meets whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw


@dataclass(frozen=True, eq=False)
class Verdict:
    """The judged population.

    Args:
        scores: how good each member is, shape (n,); for a pairwise judge the mean of its results.
        pairs: who met whom, indices, shape (m, 2).
        wins: win probability or share of games won by the first and by the second of each
            pair, shape (m, 2); for an absolute judge their scores.
        games: simulated games that were spent.
        cases: how good each member is against each of several opponents, shape (n, m); None for a pairwise judge.
    """

    scores: Floats
    pairs: Ints
    wins: Floats
    games: int = 0
    cases: Floats | None = None


class Judge(Protocol):
    """Decides who is better."""

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge decisions of shape (n, own, turn total, opponent), meeting in `pairs`."""
        ...


def games_of(judge: Judge) -> int:
    """How many games a match of this judge has; 0 if it plays none."""
    return int(getattr(judge, "games", 0))


class Selection(Protocol):
    """Decides who meets whom, and who survives."""

    def pairs(self, size: int, draw: Draw) -> Ints:
        """Who meets whom, if the judge is pairwise; shape (m, 2)."""
        ...

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """The indices of those who survive, in any order."""
        ...


def absolute(scores: Floats, pairs: Ints, cases: Floats | None = None, games: int = 0) -> Verdict:
    """The verdict of an absolute judge: pairs compare the scores of their members; a score alone is the one case."""
    return Verdict(scores, pairs, scores[pairs], games, scores[:, None] if cases is None else cases)


def pairwise(size: int, pairs: Ints, wins: Floats, games: int = 0) -> Verdict:
    """The verdict of a pairwise judge: a member's score is the mean of its results."""
    total = np.bincount(pairs.ravel(), weights=wins.ravel(), minlength=size)
    met = np.bincount(pairs.ravel(), minlength=size)
    return Verdict(total / np.maximum(met, 1), pairs, wins, games)


def every_pair(size: int) -> Ints:
    """All pairs of `size` members, shape (size * (size - 1) / 2, 2)."""
    return np.stack(np.triu_indices(size, 1), axis=1).astype(np.int64)


def ranking(scores: Floats, draw: Draw) -> Ints:
    """Indices from the best to the worst; ties in a random order of `draw`."""
    return np.lexsort((draw.words(len(scores)), -scores))
