"""Selections by the scores of one round of matches, which may be a round robin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, ranking
from pigevo.evolution.operators import Context, Selection
from pigevo.evolution.selection import SELECTIONS

Share = Annotated[float, Within(0, 1, above=True)]
"""Which part of the population survives."""


def survivors_of(size: int, share: float) -> int:
    """How many of `size` members survive: a share of them, and at least one."""
    return max(1, round(size * share))


def arcs_of(scores: Floats, choice: str) -> Floats:
    """Scores as arcs of a wheel; where all are 0, everyone has the same."""
    worst = float(scores.min(initial=0.0))
    if worst < 0:
        raise InputError(
            f"{choice} needs scores of at least 0, and the fitness gave {worst:g}: choose selection=tournament or "
            f"selection=linear_rank, which need nothing but the order of scores."
        )
    largest = float(scores.max(initial=0.0))
    return scores / largest if largest > 0 else np.ones_like(scores)


def pointed_at(arcs: Floats, points: Floats) -> Ints:
    """The member whose arc contains each point of a wheel of length 1."""
    ends = np.cumsum(arcs)
    last = int(np.flatnonzero(arcs)[-1])  # a point just below 1 may be rounded to the end
    members: Ints = np.minimum(np.searchsorted(ends, points * ends[-1], side="right"), last).astype(np.int64)
    return members


def evenly(count: int, draw: Draw) -> Floats:
    """Points at equal distances on a wheel, with one random starting point."""
    points: Floats = (np.arange(count) + draw.uniforms(1)) / count
    return points


@SELECTIONS.register(source="Holland 1975; Goldberg 1989")
def roulette(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Each survivor is drawn by itself, everyone with a chance in proportion to the score.

    Scores must not be negative; where all are 0, everyone is as likely.  One may survive twice.  Win probabilities
    differ by little in a good population, and then this hardly selects: compare it with tournament or linear_rank.

    Args:
        share: survivors, as a part of the population.
    """
    count = survivors_of(len(scores), share)
    return pointed_at(arcs_of(scores, "selection=roulette"), context.draw.uniforms(count))


@SELECTIONS.register(source="Baker 1987, ICGA 2")
def sus(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Stochastic universal sampling: one spin of a wheel with a pointer for each survivor, at equal distances.

    Everyone is expected to survive as often as with roulette, and survives that often, rounded down or up.  Scores
    must not be negative; where all are 0, everyone is as likely.

    Args:
        share: survivors, as a part of the population.
    """
    count = survivors_of(len(scores), share)
    return pointed_at(arcs_of(scores, "selection=sus"), evenly(count, context.draw))


@SELECTIONS.register()
def truncation(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """The best part of the population survives, at least one; ties by the selection stream.

    Args:
        share: which part of the population survives.
    """
    return ranking(scores, context.draw)[: survivors_of(len(scores), share)]


@SELECTIONS.register(source="Exeter 2016, section 3.4.1")
def round_robin(scores: Floats, context: Context) -> Ints:
    """Everyone meets everyone, and the half with the most wins survives, the very best first."""
    return ranking(scores, context.draw)[: max(1, len(scores) // 2)]


@SELECTIONS.register(source="Beyer & Schwefel 2002, Natural Computing 1")
def mu_best(scores: Floats, context: Context, mu: Annotated[int, Within(1, 5000)] = 1) -> Ints:
    """The best `mu` survive, as the parents of an evolution strategy; ties by the selection stream.

    With replacement=mu_plus_lambda this is `(mu + lambda)`: parents stay, and lambda is `population.size - mu`.  With
    replacement=mu_comma_lambda it is `(mu, lambda)`: nobody stays, and lambda is `population.size`.  One parent alone
    has children who are its mutated copies.

    Args:
        mu: how many survive, fewer than the population has.
    """
    if mu >= len(scores):
        raise InputError(
            f"selection.mu = {mu} selects everyone of a population of {len(scores)}: it must be below population.size."
        )
    return ranking(scores, context.draw)[:mu]


@SELECTIONS.register(name="knockout", source="Exeter 2016, section 3.4.2")
@dataclass(frozen=True)
class Knockout(Selection):
    """Half of the population survives; a drawn match is decided by a coin."""

    def pairs(self, size: int, context: Context) -> Ints:
        """A random matching: everyone is in one pair."""
        if size % 2:
            raise InputError(
                f"population.size = {size} is odd: selection=knockout pairs all members, so it must be even."
            )
        return context.draw.permutation(size).reshape(-1, 2)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The winner of each pair, in the order of the pairs."""
        evaluation = context.evaluation
        assert evaluation is not None
        margin = evaluation.wins[:, 0] - evaluation.wins[:, 1]
        coin = context.draw.at(part=1).bits(len(margin))
        winner = np.where(margin == 0, coin, margin < 0).astype(np.int64)
        return evaluation.pairs[np.arange(len(winner)), winner]


@SELECTIONS.register(source="Goldberg & Deb 1991, FOGA 1")
def tournament(scores: Floats, context: Context, k: Annotated[int, Within(1, 1000)] = 2, share: Share = 0.5) -> Ints:
    """Each survivor is the best of `k` members, who are drawn at random for it, each from the whole population.

    The i-th best of n is chosen with chance `((n - i + 1)^k - (n - i)^k) / n^k`, so 1 chooses all alike, and more
    choose the better ones more often.  Of equal ones the first that was drawn survives.  One may survive twice.

    Args:
        k: members of a tournament; one may be drawn twice.
        share: survivors, as a part of the population.
    """
    count = survivors_of(len(scores), share)
    drawn = (context.draw.uniforms(count * k) * len(scores)).astype(np.int64).reshape(count, k)
    best: Ints = drawn[np.arange(count), scores[drawn].argmax(axis=1)]
    return best


@SELECTIONS.register(source="Blickle & Thiele 1996, Evolutionary Computation 4; sampling: Baker 1987, ICGA 2")
def exponential_rank(
    scores: Floats, context: Context, factor: Annotated[float, Within(0, 1, above=True)] = 0.9, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by the same factor from each rank to the next, whatever the scores are.

    All survivors are drawn by one spin (`sus`), so that everyone survives as often as expected, rounded down or up.
    Ties by the selection stream.

    Args:
        factor: the chance of a rank in units of that of the rank before; 1 chooses all alike.
        share: survivors, as a part of the population.
    """
    order = ranking(scores, context.draw)
    arcs = np.cumprod(np.append(1.0, np.full(len(scores) - 1, factor)))
    return order[pointed_at(arcs, evenly(survivors_of(len(scores), share), context.draw.at(part=1)))]


@SELECTIONS.register(source="Baker 1985, ICGA 1; sampling: Baker 1987, ICGA 2")
def linear_rank(
    scores: Floats, context: Context, pressure: Annotated[float, Within(1, 2)] = 1.8, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by equal steps from the best to the worst, whatever the scores are.

    The best has `pressure` times the mean chance, the worst `2 - pressure` times.  All survivors are drawn by one
    spin (`sus`), so that everyone survives as often as expected, rounded down or up.  Ties by the selection stream.

    Args:
        pressure: the chance of the best, in units of the mean; 1 chooses all alike.
        share: survivors, as a part of the population.
    """
    order = ranking(scores, context.draw)
    arcs = np.linspace(pressure, 2 - pressure, len(scores))
    return order[pointed_at(arcs, evenly(survivors_of(len(scores), share), context.draw.at(part=1)))]


@SELECTIONS.register(source="Spector 2012; epsilon: La Cava, Spector & Danai 2016")
def lexicase(
    scores: Floats, context: Context, share: Share = 0.5, epsilon: Annotated[float, Within(0, 100)] = 1.0
) -> Ints:
    """Each survivor is the one left when opponents, in a random order, sieve out all but the best against them.

    The opponents are the cases of the fitness, or else the other members that a member met.  Those
    within `epsilon` median absolute deviations of the best of a case are as good.  One may survive twice.

    Args:
        share: survivors, as a part of the population.
        epsilon: how much worse than the best is still as good.
    """
    evaluation = context.evaluation
    assert evaluation is not None
    cases = evaluation.cases if evaluation.cases is not None else against_each(evaluation)
    deviation = epsilon * np.median(np.abs(cases - np.median(cases, axis=0)), axis=0)
    count = survivors_of(len(cases), share)
    return np.array([_one(cases, deviation, context.draw.at(part=1 + n)) for n in range(count)], dtype=np.int64)


def _one(cases: Floats, tolerance: Floats, draw: Draw) -> int:
    """Who is left of all members when each case keeps those within its tolerance of the best."""
    left = np.arange(len(cases))
    for case in draw.permutation(cases.shape[1]):
        values = cases[left, case]
        left = left[values >= values.max() - tolerance[case]]
        if len(left) == 1:
            break
    return int(left[draw.at(part=draw.part, pair=1).permutation(len(left))[0]])


def against_each(evaluation: Evaluation) -> Floats:
    """What each member did against each other one, shape (n, n); 0.5 where two did not meet."""
    n = len(evaluation.scores)
    table = np.full((n, n), 0.5)
    first, second = evaluation.pairs.T
    table[first, second], table[second, first] = evaluation.wins.T
    return table


WHEELS = ("selRoulette", "selStochasticUniversalSampling")
"""Operators that draw members in proportion to their scores."""


LARGEST_SHARE = 1e300
"""Shares above this would add up to no number."""


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with an operator that was tried on members with all kinds of scores."""
    from pigevo.evolution.deap_adapter import REHEARSALS, complete

    completed = complete("sel", options, given=2)
    draw = Draw(0, "validation")
    apart = draw.uniforms(REHEARSALS)
    for scores in (apart, np.round(2 * apart) / 2, np.zeros(REHEARSALS), apart - 1):
        _chosen(scores, draw, completed["operator"], completed["arguments"])
    return completed


@SELECTIONS.register(source="DEAP, deap.tools.sel*", complete=_complete)
def deap(
    scores: Floats,
    context: Context,
    operator: str = "selTournament",
    arguments: Mapping[str, Any] | None = None,
) -> Ints:
    """As many as half of the population, chosen by a DEAP operator; one may be chosen twice.

    Args:
        operator: its name in `deap.tools`, as `selTournament`.
        arguments: its arguments beside the individuals and their number; the usual ones are filled in.
    """
    return _chosen(scores, context.draw, operator, arguments)


def _chosen(scores: Floats, draw: Draw, operator: str, arguments: Mapping[str, Any] | None) -> Ints:
    from pigevo.evolution.deap_adapter import Individual, operator_of, seeded

    choose = operator_of("sel", operator, arguments, given=2)
    empty = np.empty(0, dtype=np.uint8)
    values = on_a_wheel(scores) if operator in WHEELS else scores
    members = [Individual.of(empty, value, index) for index, value in enumerate(values.tolist())]
    with seeded(draw):
        chosen = choose(members, max(1, len(members) // 2))
    return np.array([member.index for member in chosen], dtype=np.int64)


def on_a_wheel(scores: Floats) -> Floats:
    """Scores as shares of a wheel: as they are, but where that can be no wheel.

    Negative ones are counted from the smallest; where none is above 0, all have the same share.
    """
    largest = float(np.abs(scores).max())
    finite = scores if largest < LARGEST_SHARE else scores / largest
    shares = finite - min(float(finite.min()), 0.0)
    return shares if shares.any() else np.ones_like(scores)
