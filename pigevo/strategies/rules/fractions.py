"""Fractions of scores that a rule adds or takes away, and how hard a number is to divide by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pigevo.arrays import Ints
from pigevo.errors import InputError
from pigevo.strategies.rules.conditions import ADD
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
