"""Rules for ten rounds, where nobody races to a target: they look at the lead, and at how many turns are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.games import Game
from pigevo.strategies.rules import (
    TURNS,
    AtLeast,
    Base,
    ConditionalBase,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Rule,
    Second,
    Sum,
    parse_rule,
)

from . import general

HOLDS, LEADS, DIVISORS = range(12, 29), range(8, 25), range(2, 17)
"""Turn totals; leads that the player who moves first wants to have in the end; numbers to divide by."""

FORMS = (
    "20+(j-i)/8; last 16+(j-i)",
    "17 if ahead else 20; last 16+(j-i)",
    "17 if ahead else 20+(j-i)/8",
    "20; last 14 if ahead else 16+(j-i)",
    "17 if ahead else 20; last 14 if ahead else 16+(j-i)",
    "20+(j-i)/8; last 14 if ahead else 16+(j-i)",
    "17 if ahead else 20+(j-i)/8; last 16+(j-i)",
    "17 if ahead else 20+(j-i)/8; last 14 if ahead else 16+(j-i)",
    "max(15,19+(j-i)/turns-(j-i)/15)",
    "17 if ahead else max(20,15+(j-i)/turns)",
    "max(17,18+(j-i)/turns); last 14 if ahead else 16+(j-i)",
    "18+(j-i)/16 if ahead else max(20,15+(j-i)/turns)",
    "max(16,20+(j-i)/turns) if ahead else max(20,15+(j-i)/turns)",
    "17 if ahead else max(20,15+(j-i)/turns); last 14 if ahead else 16+(j-i)",
)
"""Forms that are searched by descents, with numbers around which these begin."""


TRIED = "max(17,17+(j-i)/turns if second else 21+(j-i)/turns)"
"""The first rule that knew who moves second."""

KNOWING = range(2, 5)
"""Integers of rules that know who moves second in a round."""


def families() -> list[list[Rule]]:
    """Families with one and two integers, every member of which is evaluated."""
    holds: list[Base] = [Constant(n) for n in HOLDS]
    shared = [_line(n, TURNS) for n in HOLDS]
    lines = [_line(n, d) for n in HOLDS for d in DIVISORS]
    sides = [ConditionalBase(AtLeast("lead", 1), a, b) for a in holds for b in holds]
    kept = [KeepUp(n, m) for n in HOLDS for m in range(-1, 31)]
    ends, shared_ends = ([Rule(n, last=_line(lead, 1)) for n in some for lead in LEADS] for some in (holds, shared))
    floors = [Floor(n, line) for n in HOLDS for line in shared]
    behind = [ConditionalBase(AtLeast("lead", 1), n, line) for n in holds for line in shared]
    twice = [_line(line.n, TURNS, Fraction(sign, "j-i", d)) for line in shared for sign in "+-" for d in DIVISORS]
    bases: tuple[Sequence[Base], ...] = (holds, shared, lines, sides, kept, floors, behind, twice)
    return [*(list(map(Rule, some)) for some in bases), ends, shared_ends]


def table(game: Game, starts: int, workers: int, forms: Sequence[str] = FORMS) -> str:
    """The best of each family, and the best ends of descents of other forms.

    Args:
        game: of rounds.
        starts: descents of each form.
        workers: threads.
        forms: those that are descended.
    """
    return general.table("rule for ten rounds", game, families(), forms, starts, workers, knowing)


def knowing(referee: general.General) -> list[tuple[Rule, str]]:
    """The best rules that know who moves second, for each number of integers, and the first that was tried.

    One who moves first plays by one base alone, and one who moves second by the other.  So what each base wins in
    either seat tells what every pair of them wins.
    """
    bases = [rule.base for rules in families() for rule in rules if rule.last is None]
    seats = referee.seats(np.stack([Rule(base).planned(referee.game) for base in bases]))
    return [*best_pairs(bases, seats), *best_floor(bases, seats), (parse_rule(TRIED), "a trial")]


def best_pairs(bases: Sequence[Base], seats: Floats) -> list[tuple[Rule, str]]:
    """The best `A if second else B` for each number of integers, of all pairs of bases.

    Args:
        bases: what A and B can be.
        seats: what each wins moving first and second, shape (n, 2).
    """
    counts = np.array([base.integers for base in bases])
    found = []
    for integers in KNOWING:
        tried, best = 0, (-1.0, bases[0], bases[0])
        for count in range(1, integers):
            first, second = (np.flatnonzero(counts == n) for n in (integers - count, count))
            if len(first) and len(second):
                one, other = (at[seats[at, seat].argmax()] for seat, at in enumerate((first, second)))
                tried += len(first) * len(second)
                best = max(best, (seats[one, 0] + seats[other, 1], bases[other], bases[one]), key=lambda pair: pair[0])
        found.append((Rule(ConditionalBase(Second(), best[1], best[2])), f"all of {tried:,}"))
    return found


def best_floor(bases: Sequence[Base], seats: Floats) -> list[tuple[Rule, str]]:
    """The best `max(m,A if second else B)`, of all pairs of lines with the same floor; none without floors."""
    floors = sorted((base.least, n) for n, base in enumerate(bases) if isinstance(base, Floor))
    found: Mapping[int, list[int]] = {m: [n for _, n in some] for m, some in groupby(floors, key=lambda one: one[0])}
    if not found:
        return []

    def best(at: list[int]) -> tuple[float, int, int]:
        one, other = (at[int(seats[at, seat].argmax())] for seat in (0, 1))
        return float(seats[one, 0] + seats[other, 1]), other, one

    least = max(found, key=lambda m: best(found[m])[0])
    then, otherwise = (bases[n] for n in best(found[least])[1:])
    assert isinstance(then, Floor)
    assert isinstance(otherwise, Floor)
    rule = Rule(Floor(least, ConditionalBase(Second(), then.base, otherwise.base)))
    return [(rule, f"all of {sum(len(at) ** 2 for at in found.values()):,}")]


def _line(n: int, d: int | str, *more: Fraction) -> Sum:
    return Sum(n, (Fraction("+", "j-i", d), *more))
