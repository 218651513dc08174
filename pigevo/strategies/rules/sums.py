"""Bases of rules that add fractions of scores to a number; see `pigevo.strategies.rules.bases`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Ints
from pigevo.errors import InputError
from pigevo.strategies.rules.conditions import COMPARE
from pigevo.strategies.rules.fractions import End, Fraction
from pigevo.strategies.rules.numbers import refuse_no_number


@dataclass(frozen=True)
class Sum:
    """`21+(j-i)/8`: a constant and fractions of scores, each rounded to the nearest whole number, halves up.

    Args:
        n: the constant.
        fractions: one or more.
    """

    n: int
    fractions: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 0, "that fractions are added to")
        if not self.fractions:
            raise InputError("a sum in a rule has a fraction: write a number alone as 25.")

    text = property(lambda self: str(self.n) + "".join(part.text for part in self.fractions))
    python = property(lambda self: str(self.n) + "".join(part.python for part in self.fractions))
    words = property(lambda self: ", ".join([f"hold at {self.n}", *(part.words for part in self.fractions)]))
    integers = property(lambda self: 1 + sum(part.integers for part in self.fractions))
    operations = property(lambda self: sum(part.operations for part in self.fractions))

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        found = self.n + 0 * (i + j)
        for part in self.fractions:
            found = found + part.values(i, j, end)
        return found


@dataclass(frozen=True)
class Floor:
    """`max(17,18+(j-i)/turns)`: a sum, but never below a turn total.

    Args:
        least: the turn total.
        sum: the sum.
    """

    least: int
    sum: Sum

    def __post_init__(self) -> None:
        refuse_no_number(self.least, 0, "to hold at")

    text = property(lambda self: f"max({self.least},{self.sum.text})")
    python = property(lambda self: f"max({self.least}, {self.sum.python})")
    words = property(lambda self: f"{self.sum.words}, but never below {self.least}")
    integers = property(lambda self: 1 + self.sum.integers)
    operations = property(lambda self: COMPARE + self.sum.operations)

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        found: Ints = np.maximum(self.least, self.sum.values(i, j, end))
        return found
