"""Random search, and coordinate descent from many random rules: one number changes at a time, for the best."""

from __future__ import annotations

import itertools

from pigevo.errors import InputError
from pigevo.strategies.rules import Rule, complexity

from .grammar import Source, random_rule
from .meter import MOST_INTEGERS, Meter
from .parts import numbers_of, with_numbers

STEPS = (1, 2, 3, 5, 8, 13, 21)
"""How far a number is moved, up and down."""


def random_search(meter: Meter, source: Source, target: int) -> None:
    """Random rules until the budget is spent."""
    while True:
        meter([random_rule(source, target) for _ in range(100)])


def descents(meter: Meter, source: Source, target: int) -> None:
    """Descents from random rules until the budget is spent."""
    while True:
        descend(random_rule(source, target), meter)


def descend(rule: Rule, meter: Meter, most: int = MOST_INTEGERS) -> Rule:
    """From a rule to one that no step of one number betters.

    Args:
        rule: where to begin.
        meter: the referee.
        most: integers that a rule may ask for.

    Raises:
        SpentError: the budget ends before.
    """
    best = float(meter([rule])[0])
    count, unmoved = len(numbers_of(rule)), 0
    for place in itertools.cycle(range(count)):
        tried = moved(rule, place, most)
        found = meter(tried)
        least = int(found.argmin())
        unmoved = 0 if found[least] < best else unmoved + 1
        if unmoved == 0:
            rule, best = tried[least], float(found[least])
        if unmoved >= count:
            break
    return rule


def moved(rule: Rule, place: int, most: int = MOST_INTEGERS) -> list[Rule]:
    """The rule, and those that one of its numbers makes when it is moved by a step, where there are such rules."""
    numbers = numbers_of(rule)
    made = [rule]
    for step in (sign * step for step in STEPS for sign in (1, -1)):
        try:
            other = with_numbers(rule, [*numbers[:place], numbers[place] + step, *numbers[place + 1 :]])
        except InputError:
            continue
        if complexity(other).integers <= most:  # who is ahead by 2 or more needs a number for it
            made.append(other)
    return made
