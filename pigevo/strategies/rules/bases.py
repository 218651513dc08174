"""Bases of rules: the turn total at which a player plans to hold, from both banked scores.

Each is a record with the same members: `text`, as it is typed; `python`, an expression of own score `i` and opponent's
score `j`; `words`, what the player does; `integers`, how many must be remembered; `operations`, what must be reckoned
at the beginning of a turn (see `pigevo.strategies.rules.rule`); and `values`, the turn totals, from both scores
and what ends the game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.errors import InputError
from pigevo.strategies.rules.conditions import ADD, COMPARE, AtLeast
from pigevo.strategies.rules.fractions import End, Floor, Sum
from pigevo.strategies.rules.numbers import refuse_no_number

FAR = 10_000
"""A turn total that nobody comes to: the player rolls to win."""


@dataclass(frozen=True)
class Constant:
    """`25`: the same turn total always.

    Args:
        n: the turn total.
    """

    n: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 0, "to hold at")

    text = property(lambda self: str(self.n))
    python = property(lambda self: str(self.n))
    words = property(lambda self: f"hold at {self.n}")
    integers = property(lambda self: 1)
    operations = property(lambda self: 0)

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        return self.n + 0 * (i + j)


@dataclass(frozen=True)
class ToTheEnd:
    """`end`: roll to win."""

    text = property(lambda self: "end")
    python = property(lambda self: str(FAR))
    words = property(lambda self: "roll to win")
    integers = property(lambda self: 0)
    operations = property(lambda self: 0)

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        return FAR + 0 * (i + j)


@dataclass(frozen=True)
class Multiple:
    """`multiple(25)`: until the score, turn total included, has come to the next multiple of a number.

    Args:
        n: the number.
    """

    n: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 1, "whose multiples count")

    text = property(lambda self: f"multiple({self.n})")
    python = property(lambda self: f"{self.n} - i % {self.n}")
    words = property(
        lambda self: f"roll until your score and your turn total together reach or pass the next multiple of {self.n}"
    )
    integers = property(lambda self: 1)
    operations = property(lambda self: ADD + COMPARE)  # which is the next, and own score and total added up

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        return self.n - i % self.n + 0 * j


@dataclass(frozen=True)
class Marks:
    """`marks(25,50,74)`: until the score, turn total included, has come to the next of some marks; after them, to win.

    Args:
        marks: scores, ascending.
    """

    marks: tuple[int, ...]

    def __post_init__(self) -> None:
        for mark in self.marks:
            refuse_no_number(mark, 1, "of a mark")
        if not self.marks or list(self.marks) != sorted(set(self.marks)):
            raise InputError("marks in a rule are one or more numbers, each larger than the one before.")

    text = property(lambda self: f"marks({','.join(map(str, self.marks))})")
    integers = property(lambda self: len(self.marks))
    operations = property(lambda self: ADD + COMPARE * len(self.marks))

    @property
    def python(self) -> str:
        """An expression of `i`."""
        return f"next((m for m in {self.marks} if m > i), {FAR}) - i"

    @property
    def words(self) -> str:
        """What the player does."""
        *first, last = self.marks
        listed = f"{', '.join(map(str, first))} or {last}" if first else str(last)
        mark = "the next of the marks" if first else "the mark"
        return (
            f"roll until your score and your turn total together reach or pass {mark} {listed}; after it, roll to win"
        )

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        marks = np.array([*self.marks, FAR])
        return marks[np.searchsorted(marks, i, side="right")] - i + 0 * j


@dataclass(frozen=True)
class KeepUp:
    """`max(25,j-i-10)`: a turn total, but more while the player, turn total included, is farther behind than allowed.

    Args:
        n: the turn total.
        allowed: points that the player may be behind after the hold; -1 asks for a lead.
    """

    n: int
    allowed: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 0, "to hold at")
        refuse_no_number(self.allowed, -1, "of points behind")

    integers = property(lambda self: 1 + (self.allowed > 0))
    operations = property(lambda self: ADD + COMPARE + ADD * (self.allowed > 0))

    @property
    def python(self) -> str:
        """An expression of `i` and `j`."""
        return f"max({self.n}, j - i" + (
            f" - {self.allowed})" if self.allowed > 0 else " + 1)" if self.allowed else ")"
        )

    @property
    def text(self) -> str:
        """As it is typed."""
        return self.python.replace(" ", "")

    @property
    def words(self) -> str:
        """What the player does."""
        while_ = {-1: "not ahead", 0: "behind"}.get(self.allowed, f"more than {self.allowed} behind")
        return f"hold at {self.n}, but roll on while you are {while_}, your turn total included"

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        found: Ints = np.maximum(self.n, j - i - self.allowed)
        return found


@dataclass(frozen=True)
class Quarters:
    """`quarters(24,25,23,25)`: a turn total for each quarter of the way to the target, by the own score.

    Args:
        totals: four turn totals.
    """

    totals: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        if len(self.totals) != 4:
            raise InputError("quarters in a rule are four turn totals.")
        for n in self.totals:
            refuse_no_number(n, 0, "to hold at")

    text = property(lambda self: f"quarters({','.join(map(str, self.totals))})")
    integers = property(lambda self: 4)
    operations = property(lambda self: 3 * COMPARE)

    @property
    def python(self) -> str:
        """An expression of `i` and the target `T`."""
        return f"{self.totals}[4 * i // T]"

    @property
    def words(self) -> str:
        """What the player does."""
        places = ("first", "second", "third", "last")
        said = [f"{n} in the {place}" for n, place in zip(self.totals, places, strict=True)]
        return f"hold at {', '.join(said)} quarter of your way to the target"

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        found: Ints = np.array(self.totals)[np.minimum(4 * i // end, 3)] + 0 * j
        return found


@dataclass(frozen=True)
class Choice:
    """`19 if ahead else 24`: one base where a condition holds, another one elsewhere.

    Args:
        condition: what decides.
        then: where it holds.
        other: elsewhere.
    """

    condition: AtLeast
    then: Base
    other: Base

    def __post_init__(self) -> None:
        if not isinstance(self.condition, AtLeast):
            raise InputError("what a hold would leave cannot choose between two bases: it can end a race only.")

    integers = property(lambda self: self.condition.integers + self.then.integers + self.other.integers)

    @property
    def text(self) -> str:
        """As it is typed."""
        then = f"({self.then.text})" if isinstance(self.then, Choice) else self.then.text
        return f"{then} if {self.condition.text} else {self.other.text}"

    @property
    def python(self) -> str:
        """An expression of `i` and `j`."""
        return f"({self.then.python} if {self.condition.python} else {self.other.python})"

    @property
    def words(self) -> str:
        """What the player does."""
        return f"if {self.condition.words}, {self.then.words}; otherwise {self.other.words}"

    @property
    def operations(self) -> int:
        """Of the condition, and of the dearer of both bases."""
        return int(self.condition.operations + max(self.then.operations, self.other.operations))

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        return np.where(self.condition.holds(i, j), self.then.values(i, j, end), self.other.values(i, j, end))


Base = Constant | ToTheEnd | Multiple | Marks | Sum | Floor | KeepUp | Quarters | Choice
