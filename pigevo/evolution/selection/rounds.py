"""Tournaments of several rounds, which Exeter 2016 asks for in section 5.3: Swiss system, bracket, double elimination.

Who meets whom depends on the results of the rounds before.  A drawn match of a bracket or of double elimination is
decided by a coin, and who finds no opponent goes on without a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Context, Selection
from pigevo.evolution.selection import SELECTIONS

Rounds = Annotated[int, Within(1, 1000)]


class FirstAtRandom(Selection):
    """A tournament whose first round is drawn."""

    def pairs(self, size: int, context: Context) -> Ints:
        """The first round, at random."""
        return _neighbours(context.draw.permutation(size))


@SELECTIONS.register(name="swiss", source="the Swiss system of chess, since Zürich 1895")
@dataclass(frozen=True)
class Swiss(FirstAtRandom):
    """Members with equally many points meet, who have not met before; after the last round the better half survives.

    A win is a point, a draw half a one, and so is a round without opponent, whom the last one without such a round has
    who has least points.  Equal points are told apart by those of the opponents (Buchholz), then by chance.

    Args:
        rounds: how many.
    """

    rounds: Rounds = 5

    def next_pairs(self, size: int, context: Context) -> Ints:
        """Neighbours in the order of points, as far as possible such as have not met."""
        evaluation = _known(context)
        done = len(evaluation.pairs) // max(1, size // 2)
        if done >= self.rounds or size < 2:
            return np.empty((0, 2), np.int64)
        points, met = _points(evaluation, size), _have_met(evaluation, size)
        order = np.lexsort((context.draw.at(part=1 + done).words(size), -points)).tolist()
        if size % 2:
            order.remove(min(reversed(order), key=lambda one: (met[one].sum() < done, points[one])))
        pairs = []
        while order:
            one = order.pop(0)
            other = next((guest for guest in order if not met[one, guest]), order[0])
            order.remove(other)
            pairs.append((one, other))
        return np.array(pairs, np.int64)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The better half, the very best first."""
        evaluation, size = _known(context), len(scores)
        points = _points(evaluation, size)
        buchholz = np.bincount(evaluation.pairs.ravel(), points[evaluation.pairs[:, ::-1]].ravel(), minlength=size)
        order = np.lexsort((context.draw.at(part=2 + self.rounds).words(size), -buchholz, -points))
        return order[: max(1, size // 2)]


@SELECTIONS.register(name="bracket", source="Exeter 2016, section 5.3; with one round the knockout of section 3.4.2")
@dataclass(frozen=True)
class Bracket(FirstAtRandom):
    """A knockout of several rounds: who loses is out, and those still in after the last round survive.

    Args:
        rounds: how many; each halves those still in.
    """

    rounds: Rounds = 2
    lives = 1

    def next_pairs(self, size: int, context: Context) -> Ints:
        """Those still in meet at random, with others who have lost as often."""
        evaluation = _known(context)
        if _rounds_done(size, len(evaluation.pairs), self.lives) >= self.rounds:
            return np.empty((0, 2), np.int64)
        losses = _losses(evaluation, size, context)
        order = context.draw.at(part=2 + len(evaluation.pairs)).permutation(size)
        groups = [_neighbours(order[losses[order] == lost]) for lost in range(self.lives)]
        return np.concatenate(groups)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """Those still in, those with fewer losses first."""
        losses = _losses(_known(context), len(scores), context)
        order = np.argsort(losses, kind="stable")
        return order[losses[order] < self.lives]


@SELECTIONS.register(name="double_elimination", source="Exeter 2016, section 5.3")
@dataclass(frozen=True)
class DoubleElimination(Bracket):
    """As a bracket, but only who loses twice is out; after three rounds half of a population is still in.

    Args:
        rounds: how many.
    """

    rounds: Rounds = 3
    lives = 2


def _known(context: Context) -> Evaluation:
    assert context.evaluation is not None
    return context.evaluation


def _neighbours(order: Ints) -> Ints:
    """The first with the second, the third with the fourth; an odd last one is left out."""
    return np.asarray(order[: len(order) // 2 * 2], np.int64).reshape(-1, 2)


def _points(evaluation: Evaluation, size: int) -> Floats:
    """Of each member: wins, halves of draws, and a point for each round without opponent."""
    first = np.where(evaluation.wins[:, 0] == evaluation.wins[:, 1], 0.5, evaluation.wins[:, 0] > evaluation.wins[:, 1])
    points = np.bincount(evaluation.pairs[:, 0], first, minlength=size)
    points += np.bincount(evaluation.pairs[:, 1], 1 - first, minlength=size)
    met = np.bincount(evaluation.pairs.ravel(), minlength=size)
    together: Floats = points + met.max(initial=0) - met
    return together


def _have_met(evaluation: Evaluation, size: int) -> Ints:
    """How often two members have met, shape (size, size)."""
    met = np.zeros((size, size), np.int64)
    for one, other in evaluation.pairs.tolist():
        met[one, other] += 1
        met[other, one] += 1
    return met


def _losses(evaluation: Evaluation, size: int, context: Context) -> Ints:
    """How often each member has lost."""
    margin = evaluation.wins[:, 0] - evaluation.wins[:, 1]
    coin = context.draw.at(part=1).bits(len(margin))  # of a longer draw the beginning is the same
    loser = np.where(margin == 0, coin, margin > 0).astype(np.int64)
    return np.bincount(evaluation.pairs[np.arange(len(loser)), loser], minlength=size)


def _rounds_done(size: int, matches: int, lives: int) -> int:
    """After how many rounds so many matches have been played, of players who are out when they have lost so often."""
    groups, rounds = [size] + [0] * (lives - 1), 0
    while matches > 0:
        played = [group // 2 for group in groups]
        if not any(played):
            break
        matches -= sum(played)
        coming = [0, *played[:-1]]
        groups = [group - lost + new for group, lost, new in zip(groups, played, coming, strict=True)]
        rounds += 1
    return rounds
