"""Conditions of rules: a score, or a function of both scores, has reached a number; and the range of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Ints
from pigevo.core.checked_values import is_integer
from pigevo.core.text import short_repr
from pigevo.errors import InputError

LARGEST = 5000  # the largest number in a rule: more than twice the sum of two scores in the longest game


def refuse_no_number(value: object, least: int, what: str) -> None:
    """Refuse a value that is not a whole number from `least` to `LARGEST`."""
    if not is_integer(value) or not least <= value <= LARGEST:
        raise InputError(
            f"the number {what} in a rule cannot be {short_repr(value)}: it must be a whole number "
            f"from {least} to {LARGEST}."
        )


ADD, COMPARE = 2, 1
"""The weights of an addition (subtraction, doubling, step of a division) and of a comparison; see `complexity`."""


@dataclass(frozen=True)
class Measure:
    """A function of both scores that can be compared with a number, in Python, in words, and as weighted operations.

    `words` is the subject of a sentence "... has reached N"; `operations` include the comparison.
    """

    python: str
    of: Callable[[Ints, Ints], Ints]
    words: str
    operations: int


MEASURES = {
    "own": Measure("i", lambda i, j: i + 0 * j, "you have {n} or more", COMPARE),
    "opponent": Measure("j", lambda i, j: j + 0 * i, "the other player has {n} or more", COMPARE),
    "either": Measure("max(i, j)", np.maximum, "either of you has {n} or more", 2 * COMPARE),
    "both": Measure("min(i, j)", np.minimum, "both of you have {n} or more", 2 * COMPARE),
    "sum": Measure("i + j", lambda i, j: i + j, "your scores add up to {n} or more", ADD + COMPARE),
    "own+2*opponent": Measure(
        "i + 2*j", lambda i, j: i + 2 * j, "your score and twice the other player's add up to {n} or more",
        2 * ADD + COMPARE,
    ),
    "2*own+opponent": Measure(
        "2*i + j", lambda i, j: 2 * i + j, "twice your score and the other player's add up to {n} or more",
        2 * ADD + COMPARE,
    ),
    "lead": Measure("i - j", lambda i, j: i - j, "you are {n} or more ahead", ADD + COMPARE),
    "deficit": Measure("j - i", lambda i, j: j - i, "you are {n} or more behind", ADD + COMPARE),
}  # fmt: skip
"""The measures by their words in rules.  Scores are the banked scores before the turn."""

BY_SIGHT = {"lead": "ahead", "deficit": "behind"}  # conditions without a number: a lead, or a deficit, of at least 1


@dataclass(frozen=True)
class AtLeast:
    """`either>=71`: a measure, one of `MEASURES`, has reached a number."""

    what: str
    n: int

    def __post_init__(self) -> None:
        if self.what not in MEASURES:
            raise InputError(f"a rule cannot look at {self.what!r}: it can look at {', '.join(MEASURES)}.")
        refuse_no_number(self.n, 0, "of a condition")

    @property
    def by_sight(self) -> bool:
        """Whether no number is needed: ahead, or behind, by any amount."""
        return self.what in BY_SIGHT and self.n == 1

    @property
    def text(self) -> str:
        """As it is typed."""
        return BY_SIGHT[self.what] if self.by_sight else f"{self.what}>={self.n}"

    @property
    def python(self) -> str:
        """As a Python expression of `i` and `j`."""
        return f"{MEASURES[self.what].python} >= {self.n}"

    @property
    def words(self) -> str:
        """As a clause of a sentence."""
        return f"you are {self.text}" if self.by_sight else MEASURES[self.what].words.format(n=self.n)

    integers = property(lambda self: 0 if self.by_sight else 1)
    operations = property(lambda self: COMPARE if self.by_sight else MEASURES[self.what].operations)

    def holds(self, i: Ints, j: Ints) -> Bools:
        """Where the condition holds, for scores that broadcast."""
        holds: Bools = MEASURES[self.what].of(i, j) >= self.n
        return holds


@dataclass(frozen=True)
class Leaves:
    """`leaves<=25`: the planned hold would leave at most this number of points to the target.

    A player for whom this holds at the beginning of a turn rolls to the end in this turn.
    """

    n: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 0, "of points to go")

    text = property(lambda self: f"leaves<={self.n}")
    words = property(lambda self: f"the hold you plan would leave you {self.n} or fewer points to go")
    integers = property(lambda self: 1)
    operations = property(lambda self: ADD + COMPARE)  # the planned hold is added to the score, and compared


@dataclass(frozen=True)
class Second:
    """`second`: the player moves second in each round, and so knows the other player's result of the round.

    It chooses between two bases, in games where both players have equally many turns.
    """

    text = python = "second"
    words = "you move second in the round"
    integers = 0
    operations = COMPARE


Condition = AtLeast | Leaves
