"""Rules and their families: what a rule is made of, and families small enough that every member is evaluated.

The numbers of a rule can be read and replaced. A family is a set of bases, each with each of a set of races.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from pigevo.games import Pig
from pigevo.strategies.rules import (
    AtLeast,
    Base,
    ConditionalBase,
    Constant,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Reasons,
    Rule,
    Sum,
)

R = TypeVar("R")

PIG = Pig()


def numbers_of(record: Any) -> tuple[int, ...]:
    """All numbers of a rule or of a part of a rule, in the order of its fields."""
    return tuple(_numbers(record))


def with_numbers(record: R, numbers: Sequence[int]) -> R:
    """The same rule, or part of a rule, with other numbers, in the order of `numbers_of`."""
    made: R = _replaced(record, iter(numbers))
    return made


def divides(rule: Rule) -> bool:
    """Whether a rule contains a division."""
    return "/" in rule.text


def looks_at_opponent(rule: Rule) -> bool:
    """Whether a rule depends on the opponent's score."""
    expression = rule.python(PIG).removeprefix("lambda i, j, k:")
    return "j" in expression or (rule.last is not None and "j" in rule.last.python)


def _numbers(part: Any) -> Iterator[int]:
    if isinstance(part, tuple):
        for one in part:
            yield from _numbers(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _numbers(getattr(part, field.name))
    elif isinstance(part, int):
        yield part


def _replaced(part: Any, left: Iterator[int]) -> Any:
    if isinstance(part, tuple):
        return tuple(_replaced(one, left) for one in part)
    if is_dataclass(part):
        kind: Any = type(part)
        return kind(*(_replaced(getattr(part, field.name), left) for field in fields(part)))
    return next(left) if isinstance(part, int) else part


AHEAD = AtLeast("lead", 1)
NEVER: Reasons = ()
BEHIND: Reasons = ((AtLeast("deficit", 1),),)


@dataclass(frozen=True)
class Family:
    """Rules of one form.

    Args:
        name: the form, with letters for its numbers.
        bases: all bases.
        races: all races; every base is tried with every race.
    """

    name: str
    bases: Sequence[Base]
    races: Sequence[Reasons] = (NEVER,)

    def __len__(self) -> int:
        return len(self.bases) * len(self.races)

    def rule(self, number: int) -> Rule:
        """The member of a number."""
        base, race = divmod(number, len(self.races))
        return Rule(self.bases[base], self.races[race])


HOLDS = range(15, 36)
"""Turn totals that are tried beside other numbers; alone, all are."""

CLOSE = range(17, 26)
"""The same beside three other numbers."""

STEPS = range(3, 17)
"""Numbers to divide by, beside three other numbers."""


def families(target: int) -> list[Family]:
    """All families: forms with one to four integers, of which one has five, as one number stands in two places.

    Args:
        target: of the game.
    """
    return [*_one(target), *_two(target), *_three(target), *_four(target)]


def light_bases(target: int) -> dict[str, Sequence[Base]]:
    """Bases with one integer, by their form."""
    return {
        "n": [Constant(n) for n in HOLDS],
        "multiple(n)": [Multiple(n) for n in range(10, min(target, 51))],
        "max(n, j-i)": [KeepUp(n, allowed) for n in HOLDS for allowed in (-1, 0)],
    }


def heavy_bases(target: int) -> dict[str, Sequence[Base]]:
    """Bases with two integers, by their form."""
    return {
        "n+(j-i)/d": [_line(n, d) for n in HOLDS for d in range(2, 41)],
        "n+j/d": [Sum(n, (Fraction("+", "j", d),)) for n in HOLDS for d in range(2, 41)],
        "n-i/d": [Sum(n, (Fraction("-", "i", d),)) for n in HOLDS for d in range(2, 41)],
        "a if ahead else b": [ConditionalBase(AHEAD, Constant(a), Constant(b)) for a in HOLDS for b in HOLDS],
        "max(n, j-i-m)": [KeepUp(n, m) for n in HOLDS for m in range(1, 41)],
        "marks(a, b)": [Marks((a, b)) for a in range(15, 36) for b in range(a + 15, min(a + 36, target))],
    }


def single_races(target: int) -> dict[str, Sequence[Reasons]]:
    """Races with one condition, by their form."""
    near, apart = range(max(target - 50, 1), target), range(2, target // 2 + 1)
    sums, doubled = range(target - 20, 2 * target - 40), range(target + 20, 2 * target + 51)
    ranges = {"own": near, "opponent": near, "either": near, "both": near, "sum": sums, "own+2*opponent": doubled,
              "2*own+opponent": doubled, "lead": apart, "deficit": apart}  # fmt: skip
    by_number: dict[str, Sequence[Reasons]] = {
        f"{what}>=a": [((AtLeast(what, n),),) for n in numbers] for what, numbers in ranges.items()
    }
    return by_number | {"leaves<=a": [((Leaves(n),),) for n in range(1, 61)]}


def double_races(target: int) -> dict[str, Sequence[Reasons]]:
    """Races with two conditions, by their form."""
    near = range(target - 40, target - 5)
    sums, doubled = range(target, target + 50), range(target + 60, 2 * target + 20)
    ranges = {"own": near, "opponent": near, "either": near, "both": range(2, target - 20, 2), "sum": sums,
              "own+2*opponent": doubled, "2*own+opponent": doubled}  # fmt: skip
    pairs = [("own", "or", "opponent"), ("own", "or", "sum"), ("own", "or", "2*own+opponent"),
             ("own", "or", "own+2*opponent"), ("opponent", "or", "sum"), ("opponent", "or", "2*own+opponent"),
             ("either", "or", "sum"), ("either", "or", "2*own+opponent"), ("either", "or", "both"),
             ("either", "and", "sum"), ("either", "and", "2*own+opponent"), ("either", "and", "both")]  # fmt: skip
    found: dict[str, Sequence[Reasons]] = {}
    for first, joined, second in pairs:
        chosen = [(AtLeast(first, a), AtLeast(second, b)) for a in ranges[first] for b in ranges[second]]
        races: list[Reasons] = [((a,), (b,)) if joined == "or" else ((a, b),) for a, b in chosen]
        found[f"{first}>=a {joined} {second}>=b"] = races
    return found


def races_or_margins(target: int) -> dict[str, Sequence[Reasons]]:
    """Races for what a hold leaves, or for one more reason, by their form."""
    near, doubled = range(target - 40, target - 5), range(target + 60, 2 * target + 20)
    ranges = {"opponent": near, "either": near, "sum": range(target, target + 50), "own+2*opponent": doubled}
    return {
        f"{what}>=a or leaves<=b": [((AtLeast(what, a),), (Leaves(b),)) for a in numbers for b in range(5, 22)]
        for what, numbers in ranges.items()
    }


def _one(target: int) -> Iterator[Family]:
    every = range(1, target + 1)
    constants, multiples = [Constant(n) for n in every], [Multiple(n) for n in every]
    yield Family("n", constants)
    yield Family("multiple(n)", multiples)
    yield Family("max(n, j-i)", light_bases(target)["max(n, j-i)"])
    yield Family("marks(a)", [Marks((a,)) for a in range(1, target)])
    yield from _raced({"n": constants, "multiple(n)": multiples}, {"behind": [BEHIND]})


def _two(target: int) -> Iterator[Family]:
    heavy = heavy_bases(target)
    for name, bases in heavy.items():
        yield Family(name, bases)
    yield from _raced(light_bases(target), single_races(target))


def _three(target: int) -> Iterator[Family]:
    yield from _raced(heavy_bases(target), single_races(target))
    yield from _raced(light_bases(target), double_races(target))
    spans = itertools.product(range(15, 36), repeat=3)
    yield Family("marks(a, b, c)", [Marks((a, a + b, a + b + c)) for a, b, c in spans if a + b + c < target])
    yield Family("n+j/d-i/e", _both_scores(HOLDS, range(2, 41)))


def _four(target: int) -> Iterator[Family]:
    pairs: dict[str, Sequence[Base]] = {
        "n+(j-i)/d": [_line(n, d) for n in CLOSE for d in STEPS],
    }
    yield from _raced(pairs, double_races(target) | races_or_margins(target))
    bent = itertools.product(CLOSE, STEPS, STEPS)
    heavy: dict[str, Sequence[Base]] = {
        "n+(j-i)/d if ahead else n+(j-i)/e": [
            ConditionalBase(AHEAD, _line(n, d), _line(n, e)) for n, d, e in bent if d != e
        ],
        "a if ahead else n+(j-i)/d": [
            ConditionalBase(AHEAD, Constant(a), _line(n, d)) for a, n, d in itertools.product(CLOSE, CLOSE, STEPS)
        ],
        "n+j/d-i/e": _both_scores(CLOSE, range(5, 13)),
    }
    yield from _raced(heavy, single_races(target))
    totals = range(18, 29)
    chosen = itertools.product(totals, totals, totals, totals)
    yield Family("quarters(a, b, c, d)", [Quarters(one) for one in chosen])
    sides: list[Base] = [ConditionalBase(AHEAD, Constant(a), Constant(b)) for a in range(15, 23) for b in range(20, 27)]
    yield from _raced({"a if ahead else b": sides}, double_races(target))
    yield from _near_the_best(target)


def _near_the_best(target: int) -> Iterator[Family]:
    """The rules with five integers around the best that descents find."""
    ranges = {"sum": range(2 * target - 82, 2 * target - 71), "own+2*opponent": range(2 * target - 10, 2 * target + 1)}
    lines = [_line(n, d) for n in range(19, 24) for d in range(6, 11)]
    for what, numbers in ranges.items():
        chosen = itertools.product(range(target - 24, target - 14), numbers, range(8, 19))
        races: list[Reasons] = [((AtLeast("opponent", a),), (AtLeast(what, b),), (Leaves(c),)) for a, b, c in chosen]
        yield Family(f"n+(j-i)/d; race opponent>=a or {what}>=b or leaves<=c", lines, races)


def _line(n: int, d: int) -> Sum:
    return Sum(n, (Fraction("+", "j-i", d),))


def _both_scores(holds: Sequence[int], divisors: Sequence[int]) -> list[Base]:
    chosen = itertools.product(holds, divisors, divisors)
    return [Sum(n, (Fraction("+", "j", d), Fraction("-", "i", e))) for n, d, e in chosen]


def _raced(bases: Mapping[str, Sequence[Base]], races: Mapping[str, Sequence[Reasons]]) -> Iterator[Family]:
    for (base, members), (race, made) in itertools.product(bases.items(), races.items()):
        yield Family(f"{base}; race {race}", members, made)
