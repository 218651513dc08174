"""Conditions of rules: a score, or something made of both scores, has come to a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pigevo.core.arrays import Bools, Ints
from pigevo.errors import InputError
from pigevo.strategies.rules.numbers import refuse_no_number

ADD, COMPARE = 2, 1
"""What an addition (a subtraction, a doubling, a step of a division) and a comparison count; see `complexity`."""


@dataclass(frozen=True)
class Measure:
    """Something that can be compared with a number.

    Args:
        python: it as an expression of own score `i` and opponent's `j`.
        words: what a sentence says that has come to N.
        operations: what it costs to find out, the comparison included.
    """

    python: str
    words: str
    operations: int

    def __call__(self, i: Ints, j: Ints) -> Ints:
        """Its values, for scores that broadcast."""
        found: Ints = _MEASURED[self.python](i, j)
        return found


_MEASURED: dict[str, Any] = {
    "i": lambda i, j: i + 0 * j,
    "j": lambda i, j: j + 0 * i,
    "max(i, j)": lambda i, j: (i + j + abs(i - j)) // 2,
    "min(i, j)": lambda i, j: (i + j - abs(i - j)) // 2,
    "i + j": lambda i, j: i + j,
    "i + 2*j": lambda i, j: i + 2 * j,
    "2*i + j": lambda i, j: 2 * i + j,
    "i - j": lambda i, j: i - j,
    "j - i": lambda i, j: j - i,
}

MEASURES = {
    "own": Measure("i", "you have {n} or more", COMPARE),
    "opponent": Measure("j", "the other player has {n} or more", COMPARE),
    "either": Measure("max(i, j)", "either of you has {n} or more", 2 * COMPARE),
    "both": Measure("min(i, j)", "both of you have {n} or more", 2 * COMPARE),
    "sum": Measure("i + j", "your scores add up to {n} or more", ADD + COMPARE),
    "own+2*opponent": Measure(
        "i + 2*j", "your score and twice the other player's add up to {n} or more", 2 * ADD + COMPARE
    ),
    "2*own+opponent": Measure(
        "2*i + j", "twice your score and the other player's add up to {n} or more", 2 * ADD + COMPARE
    ),
    "lead": Measure("i - j", "you are {n} or more ahead", ADD + COMPARE),
    "deficit": Measure("j - i", "you are {n} or more behind", ADD + COMPARE),
}
"""By the word that a rule has for it.  Scores are banked ones, before the turn."""

BY_SIGHT = {"lead": "ahead", "deficit": "behind"}
"""What is seen without a number: a lead, or a deficit, of 1 or more."""


@dataclass(frozen=True)
class AtLeast:
    """`either>=71`: a measure has come to a number.

    Args:
        what: one of `MEASURES`.
        n: the number.

    Raises:
        InputError: no such measure, or no such number.
    """

    what: str
    n: int

    def __post_init__(self) -> None:
        if self.what not in MEASURES:
            raise InputError(f"a rule cannot look at {self.what!r}: it can look at {', '.join(MEASURES)}.")
        refuse_no_number(self.n, 0, "of a condition")

    @property
    def by_sight(self) -> bool:
        """Whether no number is needed: ahead, or behind, by whatever it is."""
        return self.what in BY_SIGHT and self.n == 1

    @property
    def text(self) -> str:
        """As it is typed."""
        return BY_SIGHT[self.what] if self.by_sight else f"{self.what}>={self.n}"

    @property
    def python(self) -> str:
        """As an expression of `i` and `j`."""
        return f"{MEASURES[self.what].python} >= {self.n}"

    @property
    def words(self) -> str:
        """As a clause of a sentence."""
        return f"you are {self.text}" if self.by_sight else MEASURES[self.what].words.format(n=self.n)

    @property
    def integers(self) -> int:
        """How many must be remembered."""
        return 0 if self.by_sight else 1

    @property
    def operations(self) -> int:
        """What it costs to find out."""
        return COMPARE if self.by_sight else MEASURES[self.what].operations

    def holds(self, i: Ints, j: Ints) -> Bools:
        """Where it is so, for scores that broadcast."""
        found: Bools = MEASURES[self.what](i, j) >= self.n
        return found


@dataclass(frozen=True)
class Leaves:
    """`leaves<=25`: the hold that the rule plans when the turn begins would leave at most so many points to go.

    The player who finds so at the beginning of a turn rolls to the end in it, whatever comes.

    Args:
        n: the points.

    Raises:
        InputError: no such number.
    """

    n: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 0, "of points to go")

    @property
    def text(self) -> str:
        """As it is typed."""
        return f"leaves<={self.n}"

    @property
    def words(self) -> str:
        """As a clause of a sentence."""
        return f"the hold you plan would leave you {self.n} or fewer points to go"

    integers = property(lambda self: 1)

    @property
    def operations(self) -> int:
        """The planned hold is added to the score, and compared with a number."""
        return ADD + COMPARE


Condition = AtLeast | Leaves
