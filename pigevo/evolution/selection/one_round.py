"""Selections that use the scores of one round of matches, which may be a round robin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import JsonObject, Within
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, ranking
from pigevo.evolution.operators import Context, Growth, Selection, declares
from pigevo.evolution.selection import SELECTIONS

Share = Annotated[float, Within(0, 1, above=True)]
"""The share of the population that survives."""


def survivor_count(size: int, share: float) -> int:
    """The number of survivors: a share of `size` members, at least one."""
    return max(1, round(size * share))


def growth_by_matches(k: int) -> Growth:
    """The growth by tournaments of `k` members (Goldberg & Deb 1991)."""
    return lambda part, size: float(1 - (1 - part) ** k)


def growth_by_truncation(share: float) -> Growth:
    """The growth if the best survive, a share of the population."""
    return lambda part, size: min(part / share, 1.0)


def _growth_by_factor(factor: float) -> Growth | None:
    """The growth by exponential ranks; with the factor 1 nobody is preferred."""
    return (lambda part, size: float((1 - factor ** (size * part)) / (1 - factor**size))) if factor < 1 else None


def _growth_by_pressure(pressure: float) -> Growth:
    """The growth by linear ranks."""
    return lambda part, size: pressure * part - (pressure - 1) * part**2


def arcs_of(scores: Floats, choice: str) -> Floats:
    """Scores as arcs of a wheel; if all scores are 0, all arcs are equal."""
    worst = float(scores.min(initial=0.0))
    if worst < 0:
        raise InputError(
            f"{choice} needs scores of at least 0, and the fitness returned {worst:g}: choose selection=tournament or "
            f"selection=linear_rank, which use only the order of the scores."
        )
    largest = float(scores.max(initial=0.0))
    return scores / largest if largest > 0 else np.ones_like(scores)


def pointed_at(arcs: Floats, points: Floats) -> Ints:
    """The index of the member whose arc contains each point, on a wheel of length 1."""
    ends = np.cumsum(arcs)
    last = int(np.flatnonzero(arcs)[-1])  # a point just below 1 may be rounded to the end
    members: Ints = np.minimum(np.searchsorted(ends, points * ends[-1], side="right"), last).astype(np.int64)
    return members


def spaced_points(count: int, draw: Draw) -> Floats:
    """Points at equal distances on a wheel, with one random starting point."""
    points: Floats = (np.arange(count) + draw.uniforms(1)) / count
    return points


@SELECTIONS.register(source="Holland 1975; Goldberg 1989")
@declares(by_score=lambda _: True)
def roulette(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Each survivor is drawn independently; the chance of a member is proportional to its score.

    Scores must not be negative; if all are 0, all members are equally likely.  A member may survive twice.  In a good
    population win probabilities differ little, so that this selection has hardly any effect: compare it with tournament
    or linear_rank.

    Args:
        share: the share of the population that survives.
    """
    count = survivor_count(len(scores), share)
    return pointed_at(arcs_of(scores, "selection=roulette"), context.draw.uniforms(count))


@SELECTIONS.register(source="Baker 1987, ICGA 2")
@declares(by_score=lambda _: True)
def sus(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Stochastic universal sampling: one spin of a wheel with a pointer for each survivor, at equal distances.

    A member survives as often as expected with roulette, rounded down or up.  Scores must not be negative; if all are
    0, all members are equally likely.

    Args:
        share: the share of the population that survives.
    """
    count = survivor_count(len(scores), share)
    return pointed_at(arcs_of(scores, "selection=sus"), spaced_points(count, context.draw))


@SELECTIONS.register()
@declares(growth=lambda options: growth_by_truncation(options["share"]))
def truncation(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """The best members survive, at least one; the selection stream breaks ties.

    Args:
        share: the share of the population that survives.
    """
    return ranking(scores, context.draw)[: survivor_count(len(scores), share)]


@SELECTIONS.register(source="Exeter 2016, section 3.4.1")
@declares(growth=lambda _: growth_by_truncation(0.5))
def round_robin(scores: Floats, context: Context) -> Ints:
    """Each member meets all others, and the half with the most wins survives, in order from the best."""
    return ranking(scores, context.draw)[: max(1, len(scores) // 2)]


@SELECTIONS.register(source="Beyer & Schwefel 2002, Natural Computing 1")
@declares(growth=lambda options: lambda part, size: min(part / (options["mu"] / size), 1.0))
def mu_best(scores: Floats, context: Context, mu: Annotated[int, Within(1, 10_000)] = 1) -> Ints:
    """The best `mu` members survive, like the parents of an evolution strategy; the selection stream breaks ties.

    With replacement=mu_plus_lambda this is `(mu + lambda)`: parents stay, and lambda is `population.size - mu`.  With
    replacement=mu_comma_lambda it is `(mu, lambda)`: no parent stays, and lambda is `population.size`.  The children of
    a single parent are its mutated copies.

    Args:
        mu: number of survivors, below the size of the population.
    """
    if mu >= len(scores):
        raise InputError(
            f"selection.mu = {mu} selects all {len(scores)} members of the population: it must be below {len(scores)}."
        )
    return ranking(scores, context.draw)[:mu]


@SELECTIONS.register(name="knockout", source="Exeter 2016, section 3.4.2")
@dataclass(frozen=True)
class Knockout(Selection):
    """Members meet in random pairs, and the winner of each pair survives; a drawn match is decided by a coin."""

    @property
    def growth(self) -> Growth:
        """The growth by tournaments of two members."""
        return growth_by_matches(2)

    def pairs(self, size: int, context: Context) -> Ints:
        """A random matching: each member is in one pair."""
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
@declares(growth=lambda options: growth_by_matches(options["k"]))
def tournament(scores: Floats, context: Context, k: Annotated[int, Within(1, 1000)] = 2, share: Share = 0.5) -> Ints:
    """Each survivor is the best of `k` members drawn at random from the whole population.

    The i-th best of n members is chosen with probability `((n - i + 1)^k - (n - i)^k) / n^k`: with k = 1 all members
    are equally likely, and a larger k favours better members more.  Of members with equal scores the first drawn one
    survives.  A member may survive twice.

    Args:
        k: number of members in a tournament; a member may be drawn twice.
        share: the share of the population that survives.
    """
    count = survivor_count(len(scores), share)
    drawn = (context.draw.uniforms(count * k) * len(scores)).astype(np.int64).reshape(count, k)
    best: Ints = drawn[np.arange(count), scores[drawn].argmax(axis=1)]
    return best


@SELECTIONS.register(source="Blickle & Thiele 1996, Evolutionary Computation 4; sampling: Baker 1987, ICGA 2")
@declares(growth=lambda options: _growth_by_factor(options["factor"]))
def exponential_rank(
    scores: Floats, context: Context, factor: Annotated[float, Within(0, 1, above=True)] = 0.9, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by the same factor from each rank to the next, whatever the scores are.

    All survivors are drawn by one spin (`sus`), so each member survives as often as expected, rounded down or up.
    The selection stream breaks ties.

    Args:
        factor: the chance of a rank divided by the chance of the rank before; with 1 all members are equally likely.
        share: the share of the population that survives.
    """
    order = ranking(scores, context.draw)
    arcs = np.cumprod(np.append(1.0, np.full(len(scores) - 1, factor)))
    return order[pointed_at(arcs, spaced_points(survivor_count(len(scores), share), context.draw.at(part=1)))]


@SELECTIONS.register(source="Baker 1985, ICGA 1; sampling: Baker 1987, ICGA 2")
@declares(growth=lambda options: _growth_by_pressure(options["pressure"]))
def linear_rank(
    scores: Floats, context: Context, pressure: Annotated[float, Within(1, 2)] = 1.8, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by equal steps from the best to the worst, whatever the scores are.

    The best member has `pressure` times the mean chance, the worst `2 - pressure` times.  All survivors are drawn by
    one spin (`sus`), so each member survives as often as expected, rounded down or up.  The selection stream breaks
    ties.

    Args:
        pressure: the chance of the best member divided by the mean chance; with 1 all members are equally likely.
        share: the share of the population that survives.
    """
    order = ranking(scores, context.draw)
    arcs = np.linspace(pressure, 2 - pressure, len(scores))
    return order[pointed_at(arcs, spaced_points(survivor_count(len(scores), share), context.draw.at(part=1)))]


@SELECTIONS.register(source="Spector 2012; epsilon: La Cava, Spector & Danai 2016")
def lexicase(
    scores: Floats, context: Context, share: Share = 0.5, epsilon: Annotated[float, Within(0, 100)] = 1.0
) -> Ints:
    """Each survivor is found by opponents in a random order: only members that do best against each are kept.

    The member that is left survives, a random one of several.  The opponents are the cases of the fitness or, if it
    has none, the members, each of which counts as level with itself and with those that it did not meet.  In each case,
    members within `epsilon` median absolute deviations of the best count as equally good.  A member may survive twice.

    Args:
        share: the share of the population that survives.
        epsilon: how far from the best a member still counts as equally good, in median absolute deviations.
    """
    evaluation = context.evaluation
    assert evaluation is not None
    cases = evaluation.cases if evaluation.cases is not None else against_each(evaluation)
    deviation = epsilon * np.median(np.abs(cases - np.median(cases, axis=0)), axis=0)
    draws = [context.draw.at(part=1 + n) for n in range(survivor_count(len(cases), share))]
    return np.array([_left_after_cases(cases, deviation, draw) for draw in draws], dtype=np.int64)


def _left_after_cases(cases: Floats, tolerance: Floats, draw: Draw) -> int:
    """The member that is left if, case by case in a random order, only those near the best are kept."""
    left = np.arange(len(cases))
    for case in draw.permutation(cases.shape[1]):
        values = cases[left, case]
        left = left[values >= values.max() - tolerance[case]]
        if len(left) == 1:
            break
    return int(left[draw.at(part=draw.part, pair=1).permutation(len(left))[0]])


def against_each(evaluation: Evaluation) -> Floats:
    """The result of each member against each other member, shape (n, n); 0.5 if the two did not meet."""
    n = len(evaluation.scores)
    table = np.full((n, n), 0.5)
    first, second = evaluation.pairs.T
    table[first, second], table[second, first] = evaluation.wins.T
    return table


WHEELS = ("selRoulette", "selStochasticUniversalSampling")  # operators that draw members in proportion to their scores


TOURNAMENT = "selTournament"


def _growth_in_deap(options: JsonObject) -> Growth | None:
    from pigevo.evolution.deap_adapter import DEFAULTS

    if options["operator"] != TOURNAMENT:
        return None
    return growth_by_matches({**DEFAULTS[TOURNAMENT], **(options["arguments"] or {})}["tournsize"])


LARGEST_SHARE = 1e300  # the sum of larger shares may overflow


def _complete(options: JsonObject) -> JsonObject:
    """The options, after the operator was tried on members with all kinds of scores."""
    from pigevo.evolution.deap_adapter import REHEARSALS, complete

    completed = complete("sel", options, given=2)
    draw = Draw(0, "validation")
    apart = draw.uniforms(REHEARSALS)
    for scores in (apart, np.round(2 * apart) / 2, np.zeros(REHEARSALS), apart - 1):
        _chosen(scores, draw, completed["operator"], completed["arguments"])
    return completed


@SELECTIONS.register(source="DEAP, deap.tools.sel*", complete=_complete)
@declares(growth=_growth_in_deap)
def deap(
    scores: Floats, context: Context, operator: str = TOURNAMENT, arguments: Mapping[str, object] | None = None
) -> Ints:
    """A DEAP operator chooses half as many survivors as the population has members; a member may be chosen twice.

    Args:
        operator: its name in `deap.tools`, for example `selTournament`.
        arguments: its arguments in addition to the individuals and their number; usual values are filled in.
    """
    return _chosen(scores, context.draw, operator, arguments)


def _chosen(scores: Floats, draw: Draw, operator: str, arguments: Mapping[str, object] | None) -> Ints:
    from pigevo.evolution.deap_adapter import Individual, operator_of, seeded

    choose = operator_of("sel", operator, arguments, given=2)
    empty = np.empty(0, dtype=np.uint8)
    values = on_a_wheel(scores) if operator in WHEELS else scores
    members = [Individual.of(empty, value, index) for index, value in enumerate(values.tolist())]
    with seeded(draw):
        chosen = choose(members, max(1, len(members) // 2))
    return np.array([member.index for member in chosen], dtype=np.int64)


def on_a_wheel(scores: Floats) -> Floats:
    """Scores as shares of a wheel, changed only if they cannot be shares.

    If some are negative, the smallest is subtracted from all; if none is then above 0, all shares are equal.
    """
    largest = float(np.abs(scores).max())
    finite = scores if largest < LARGEST_SHARE else scores / largest
    shares = finite - min(float(finite.min()), 0.0)
    return shares if shares.any() else np.ones_like(scores)
