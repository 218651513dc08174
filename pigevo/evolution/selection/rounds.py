"""Tournaments of several rounds, proposed in Exeter 2016, section 5.3: Swiss system, bracket, double elimination.

The pairs of a round depend on the results of earlier rounds.  In a bracket and in double elimination a coin decides a
drawn match, and a member without an opponent reaches the next round without a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Context, Growth, Selection
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import growth_by_matches

Rounds = Annotated[int, Within(1, 1000)]


class FirstAtRandom(Selection):
    """A tournament whose first round is drawn at random."""

    def pairs(self, size: int, context: Context) -> Ints:
        """The random pairs of the first round."""
        return _pairs_in_order(context.draw.permutation(size))


@SELECTIONS.register(name="swiss", source="the Swiss system of chess, since Zürich 1895")
@dataclass(frozen=True)
class Swiss(FirstAtRandom):
    """Members with similar points meet; after the last round the better half survives.

    Beginning with the one that has most points, each member meets the next one that it has not met before, or, if there
    is none, the next one.

    A win is a point and a draw half a point.  If the number of members is odd, one has no opponent in a round and gets
    a point: the one with the fewest points that has not been without an opponent before.  Equal points are ranked by
    the points of the opponents (Buchholz), then at random.

    Args:
        rounds: the number of rounds.
    """

    rounds: Rounds = 5

    def next_pairs(self, size: int, context: Context) -> Ints:
        """From the one with most points on, each meets the next whom it has not met; if there is none, the next."""
        evaluation = _evaluation_in(context)
        done = len(evaluation.pairs) // max(1, size // 2)
        if done >= self.rounds or size < 2:
            return np.empty((0, 2), np.int64)
        points, met = _points(evaluation, size), _meetings(evaluation, size)
        order = np.lexsort((context.draw.at(part=1 + done).words(size), -points)).tolist()
        if size % 2:
            order.remove(min(reversed(order), key=lambda member: (met[member].sum() < done, points[member])))
        pairs = []
        while order:
            member = order.pop(0)
            opponent = next((stranger for stranger in order if not met[member, stranger]), order[0])
            order.remove(opponent)
            pairs.append((member, opponent))
        return np.array(pairs, np.int64)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The better half, in order from the best."""
        evaluation, size = _evaluation_in(context), len(scores)
        points = _points(evaluation, size)
        buchholz = np.bincount(evaluation.pairs.ravel(), points[evaluation.pairs[:, ::-1]].ravel(), minlength=size)
        order = np.lexsort((context.draw.at(part=2 + self.rounds).words(size), -buchholz, -points))
        return order[: max(1, size // 2)]


@SELECTIONS.register(name="bracket", source="Exeter 2016, section 5.3; with one round the knockout of section 3.4.2")
@dataclass(frozen=True)
class Bracket(FirstAtRandom):
    """A knockout of several rounds: a member that loses is out, and the members left after the last round survive.

    Args:
        rounds: the number of rounds; each halves the number of members left.
    """

    rounds: Rounds = 2
    lives = 1  # the number of losses after which a member is out

    @property
    def growth(self) -> Growth | None:
        """The growth by tournaments of `2^rounds` members; None if a member has several lives."""
        return growth_by_matches(2**self.rounds) if self.lives == 1 else None

    def next_pairs(self, size: int, context: Context) -> Ints:
        """Random pairs of the members that are left, each with the same number of losses."""
        evaluation = _evaluation_in(context)
        if _rounds_done(size, len(evaluation.pairs), self.lives) >= self.rounds:
            return np.empty((0, 2), np.int64)
        losses = _losses(evaluation, size, context)
        order = context.draw.at(part=2 + len(evaluation.pairs)).permutation(size)
        groups = [_pairs_in_order(order[losses[order] == lost]) for lost in range(self.lives)]
        return np.concatenate(groups)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The members that are left, with the fewest losses first."""
        losses = _losses(_evaluation_in(context), len(scores), context)
        order = np.argsort(losses, kind="stable")
        return order[losses[order] < self.lives]


@SELECTIONS.register(name="double_elimination", source="Exeter 2016, section 5.3")
@dataclass(frozen=True)
class DoubleElimination(Bracket):
    """Like a bracket, but a member is out only after two losses; after three rounds half of the population is left.

    Args:
        rounds: the number of rounds.
    """

    rounds: Rounds = 3
    lives = 2


def _evaluation_in(context: Context) -> Evaluation:
    assert context.evaluation is not None
    return context.evaluation


def _pairs_in_order(order: Ints) -> Ints:
    """Pair the first with the second, the third with the fourth, and so on; an odd last member is left out."""
    return np.asarray(order[: len(order) // 2 * 2], np.int64).reshape(-1, 2)


def _points(evaluation: Evaluation, size: int) -> Floats:
    """Points of each member: 1 for a win, 0.5 for a draw, and 1 for each round without an opponent."""
    first = np.where(evaluation.wins[:, 0] == evaluation.wins[:, 1], 0.5, evaluation.wins[:, 0] > evaluation.wins[:, 1])
    points = np.zeros(size)
    points += np.bincount(evaluation.pairs[:, 0], first, minlength=size)
    points += np.bincount(evaluation.pairs[:, 1], 1 - first, minlength=size)
    rounds = len(evaluation.pairs) // max(1, size // 2)
    points += rounds - np.bincount(evaluation.pairs.ravel(), minlength=size)
    return points


def _meetings(evaluation: Evaluation, size: int) -> Ints:
    """The number of meetings of each two members, shape (size, size)."""
    met = np.zeros((size, size), np.int64)
    for first, second in evaluation.pairs.tolist():
        met[first, second] += 1
        met[second, first] += 1
    return met


def _losses(evaluation: Evaluation, size: int, context: Context) -> Ints:
    """The number of matches that each member has lost; a coin decides a drawn match."""
    margin = evaluation.wins[:, 0] - evaluation.wins[:, 1]
    coin = context.draw.at(part=1).bits(len(margin))  # the coins of earlier rounds come first, and stay the same
    loser = np.where(margin == 0, coin, margin > 0).astype(np.int64)
    return np.bincount(evaluation.pairs[np.arange(len(loser)), loser], minlength=size)


def _rounds_done(size: int, matches: int, lives: int) -> int:
    """The number of rounds in which `matches` matches are played, if a player is out after `lives` losses."""
    groups, rounds = [size] + [0] * (lives - 1), 0
    while matches > 0:
        played = [group // 2 for group in groups]
        if not any(played):
            break
        matches -= sum(played)
        arriving = [0, *played[:-1]]
        groups = [group - lost + new for group, lost, new in zip(groups, played, arriving, strict=True)]
        rounds += 1
    return rounds
