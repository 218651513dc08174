"""What a rule asks of a person: integers to remember, and operations of the mind at each turn.

**Integers** come first, for what is forgotten cannot be reckoned with.  Each number of the rule's text counts, twice if
it stands in two places, for the places must be remembered too.  `ahead` and `behind` have none, nor have dividing by 1,
doubling, the target, and the quarters of the way to it.

**Operations** are those of the dearest turn, at its beginning.  A comparison counts 1.  An addition, a subtraction, a
doubling and each step of a division count 2: two-digit numbers have two digits to work on, and a result to keep in
mind.  A division takes a step for each factor of 10 (drop a digit) and of 2 (halve), two for 5 (double, drop a digit)
and for 3, three for any larger prime: an eighth is three halvings, a tenth one step, a seventh as dear as an eighth.
To divide by the turns left is awkward, for the number changes: it counts as many steps as the worst of ten, a ninth
with its four, and another one to find out how many turns are left.
The weights are a convention; the front is given by integers alone and by operations alone too, so that whoever weighs
otherwise sees what that changes.

What every rule needs is not counted: to add up the turn total, and to compare it with where to hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from pigevo.strategies.rules.conditions import COMPARE
from pigevo.strategies.rules.rule import Rule


@dataclass(frozen=True, order=True)
class Complexity:
    """What a rule asks of a person.

    Args:
        integers: numbers to remember.
        operations: weighted operations of a turn, see above.
    """

    integers: int
    operations: int


def complexity(rule: Rule) -> Complexity:
    """What a rule asks of a person, from its record alone."""
    conditions = sum(one.operations for group in rule.race for one in group)
    last = COMPARE + rule.last.operations if rule.last else 0
    return Complexity(rule.integers, max(rule.base.operations, last) + conditions)


def divides(rule: Rule) -> bool:
    """Whether a rule takes a fraction of something."""
    return "/" in rule.text


def looks_at_opponent(rule: Rule) -> bool:
    """Whether anything in a rule depends on the opponent's score."""
    expression = rule.python().removeprefix("lambda i, j, k:")
    return "j" in expression or (rule.last is not None and "j" in rule.last.python)
