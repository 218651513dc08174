"""Bases of rules that add fractions of scores to a number, and how hard it is to divide by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.errors import InputError
from pigevo.strategies.rules.conditions import ADD, COMPARE
from pigevo.strategies.rules.numbers import refuse_no_number

PARTS = {"j-i": "what you are behind", "i": "your score", "j": "the other player's score"}
"""What a fraction can be taken of."""

NAMES = {2: "a half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth", 7: "a seventh", 8: "an eighth",
         9: "a ninth", 10: "a tenth", 11: "an eleventh", 12: "a twelfth"}  # fmt: skip

TURNS = "turns"
"""What a fraction is divided by where it is the turns left, this one included, in a game of rounds."""

End = Ints | int
"""What ends a game: the target of a race, or the turns left in a game of rounds."""

EASY = {10: 1, 2: 1, 5: 2, 3: 2}
"""Steps of a division: drop a digit, halve, double and drop a digit, and in thirds; see `steps`."""


@cache
def steps(by: int) -> int:
    """How many steps it takes to divide by a number: as few as its factors allow.

    One for a factor of 10 (drop a digit) and of 2 (halve), two for 5 (double, drop a digit) and for 3, and three
    for any other prime.
    """
    if by == 1:
        return 0
    found = [cost + steps(by // factor) for factor, cost in EASY.items() if by % factor == 0]
    if found:
        return min(found)
    prime = next(p for p in range(7, by + 1) if by % p == 0)
    return 3 + steps(by // prime)


COUNTED = 1 + max(map(steps, range(1, 11)))
"""Steps of a division by the turns left: to find out how many, and then as many as for the worst of ten, which is 9."""


@dataclass(frozen=True)
class Fraction:
    """`+(j-i)/8`: a part of a score, or of the difference of both, rounded to the nearest whole number, halves up.

    `+(j-i)/turns` divides by the turns left, this one included.

    Args:
        sign: 1 to add it, -1 to take it away, as a word: `+` or `-`.
        of: `j-i`, `i` or `j`.
        by: the number to divide by, or `turns`.
    """

    sign: str
    of: str
    by: int | str

    def __post_init__(self) -> None:
        if self.sign not in ("+", "-") or self.of not in PARTS:
            raise InputError("a fraction in a rule is added (+) or taken away (-), and is one of (j-i), i or j.")
        if self.by != TURNS:
            refuse_no_number(self.by, 1, "to divide by")

    integers = property(lambda self: int(self.by not in (1, TURNS)))
    operations = property(
        lambda self: ADD * (1 + (self.of == "j-i") + (COUNTED if self.by == TURNS else steps(self.by)))
    )

    @property
    def text(self) -> str:
        """As it is typed."""
        of = f"({self.of})" if self.of == "j-i" else self.of
        return f"{self.sign}{of}" + (f"/{self.by}" if self.by != 1 else "")

    @property
    def python(self) -> str:
        """As an expression of `i`, `j` and the turns `left`; whole numbers alone, so that nothing is rounded twice."""
        of = "(j - i)" if self.of == "j-i" else self.of
        if self.by == TURNS:
            return f" {self.sign} (2*{of} + left)//(2*left)"
        return f" {self.sign} " + (f"(2*{of} + {self.by})//{2 * int(self.by)}" if self.by != 1 else of)

    @property
    def words(self) -> str:
        """As a clause of a sentence."""
        shared = ", shared out over your turns left (this one counts too)" if self.by == TURNS else ""
        part = "" if self.by in (1, TURNS) else f"{NAMES.get(int(self.by), f'one {self.by}th')} of "
        does, counter = ("plus", "minus") if self.sign == "+" else ("minus", "plus")
        if self.of != "j-i":
            return f"{does} {part}{PARTS[self.of]}{shared}"
        return f"{does} {part}what you are behind or {counter} {part}what you are ahead{shared}"

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        of = {"j-i": j - i, "i": i + 0 * j, "j": j + 0 * i}[self.of]
        by = self.divisor(end)
        part: Ints = (2 * of + by) // (2 * by)
        return part if self.sign == "+" else -part

    def divisor(self, end: End) -> End:
        """What is divided by: the number, or the turns left."""
        return end if self.by == TURNS else int(self.by)


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
