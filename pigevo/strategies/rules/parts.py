"""The parts of rules: conditions, and bases, the turn total at which a player plans to hold.

A condition is that a score, or a function of both scores, has reached a number.  Each base is a record with the same
members: `text`, the rule as typed; `python`, an expression of own score `i` and opponent's score `j`; `words`, a
description; `integers`, how many numbers must be remembered; `operations`, the mental arithmetic at the beginning of a
turn (see `pigevo.strategies.rules.rule`); and `values`, the turn totals, computed from both scores and the target or
the turns left.  Some add fractions of scores to a number; `steps` measures how hard a division is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pigevo.core.array_names import Bools, Ints
from pigevo.core.checked_values import is_integer
from pigevo.core.imports import numpy as np
from pigevo.core.text import alternatives, short_repr
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
    "either": Measure("max(i, j)", lambda i, j: np.maximum(i, j), "either of you has {n} or more", 2 * COMPARE),
    "both": Measure("min(i, j)", lambda i, j: np.minimum(i, j), "both of you have {n} or more", 2 * COMPARE),
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


PARTS = {"j-i": "what you are behind", "i": "your score", "j": "the other player's score"}
"""The quantities of which a fraction can be taken."""

NAMES = {2: "a half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth", 7: "a seventh", 8: "an eighth",
         9: "a ninth", 10: "a tenth", 11: "an eleventh", 12: "a twelfth"}  # fmt: skip

TURNS = "turns"  # the word for a division by the turns left, this one included, in a game of rounds

End = Ints | int
"""The target of a race, or the turns left in a game of rounds."""

EASY = {10: 1, 2: 1, 5: 2, 3: 2}
"""Steps of a division: drop a digit, halve, double and drop a digit, and in thirds; see `steps`."""


@cache
def steps(by: int) -> int:
    """The number of steps of a division by a number, as few as its factors allow.

    One for a factor of 10 (drop a digit) and of 2 (halve), two for 5 (double, drop a digit) and for 3, and three
    for any other prime.
    """
    if by == 1:
        return 0
    counts = [cost + steps(by // factor) for factor, cost in EASY.items() if by % factor == 0]
    if counts:
        return min(counts)
    prime = next(p for p in range(7, by + 1) if by % p == 0)
    return 3 + steps(by // prime)


COUNTED = 1 + max(map(steps, range(1, 11)))
"""Steps of a division by the turns left: one to count them, then those of the hardest divisor up to ten, which is 9."""


@dataclass(frozen=True)
class Fraction:
    """`+(j-i)/8`: a fraction of a score, or of the difference of both, rounded to the nearest integer, halves up.

    `+(j-i)/turns` divides by the turns left, this one included.
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
        """As an expression of `i`, `j` and the turns `left`, in integers only, so that nothing is rounded twice."""
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
        """The values to add, for scores that broadcast."""
        of = {"j-i": j - i, "i": i + 0 * j, "j": j + 0 * i}[self.of]
        by = self.divisor(end)
        part: Ints = (2 * of + by) // (2 * by)
        return part if self.sign == "+" else -part

    def divisor(self, end: End) -> End:
        """The divisor: the number, or the turns left."""
        return end if self.by == TURNS else int(self.by)


@dataclass(frozen=True)
class Sum:
    """`21+(j-i)/8`: a constant plus fractions of scores, each rounded to the nearest integer, halves up."""

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
        totals = self.n + 0 * (i + j)
        for part in self.fractions:
            totals = totals + part.values(i, j, end)
        return totals


@dataclass(frozen=True)
class Floor:
    """`max(17,18+(j-i)/turns)`: a sum, or a choice, with a lower limit."""

    least: int
    base: Base

    def __post_init__(self) -> None:
        refuse_no_number(self.least, 0, "to hold at")

    text = property(lambda self: f"max({self.least},{self.base.text})")
    python = property(lambda self: f"max({self.least}, {self.base.python})")
    words = property(
        lambda self: (
            f"{self.base.words}{'; in either case' if isinstance(self.base, ConditionalBase) else ', but'} "
            f"never below {self.least}"
        )
    )
    integers = property(lambda self: 1 + self.base.integers)
    operations = property(lambda self: COMPARE + self.base.operations)

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        totals: Ints = np.maximum(self.least, self.base.values(i, j, end))
        return totals


FAR = 10_000  # a turn total that is never reached: the player rolls to win


@dataclass(frozen=True)
class Constant:
    """`25`: always the same turn total."""

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
    """`multiple(25)`: roll until the score, turn total included, reaches the next multiple of a number."""

    n: int

    def __post_init__(self) -> None:
        refuse_no_number(self.n, 1, "whose multiples count")

    text = property(lambda self: f"multiple({self.n})")
    python = property(lambda self: f"{self.n} - i % {self.n}")
    words = property(
        lambda self: f"roll until your score and your turn total together reach or pass the next multiple of {self.n}"
    )
    integers = property(lambda self: 1)
    operations = property(lambda self: ADD + COMPARE)  # to find the next multiple, and to add score and total

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        return self.n - i % self.n + 0 * j


@dataclass(frozen=True)
class Marks:
    """`marks(25,50,74)`: roll until the score, turn total included, reaches the next mark; after the last, to win."""

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
        mark = "the next of the marks" if len(self.marks) > 1 else "the mark"
        reached = f"your score and your turn total together reach or pass {mark} {alternatives(map(str, self.marks))}"
        return f"roll until {reached}; after it, roll to win"

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        marks = np.array([*self.marks, FAR])
        return marks[np.searchsorted(marks, i, side="right")] - i + 0 * j


@dataclass(frozen=True)
class KeepUp:
    """`max(25,j-i-10)`: hold at `n`, or later when at most `allowed` points behind; -1 requires a lead."""

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
        totals: Ints = np.maximum(self.n, j - i - self.allowed)
        return totals


@dataclass(frozen=True)
class Quarters:
    """`quarters(24,25,23,25)`: a turn total for each quarter of the way to the target, by own score."""

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
        quarters = ("first", "second", "third", "last")
        parts = [f"{n} in the {quarter}" for n, quarter in zip(self.totals, quarters, strict=True)]
        return f"hold at {', '.join(parts)} quarter of your way to the target"

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast."""
        totals: Ints = np.array(self.totals)[np.minimum(4 * i // end, 3)] + 0 * j
        return totals


@dataclass(frozen=True)
class ConditionalBase:
    """`19 if ahead else 24`: one base where a condition holds, another base elsewhere."""

    condition: AtLeast | Second
    then: Base
    otherwise: Base

    def __post_init__(self) -> None:
        if not isinstance(self.condition, AtLeast | Second):
            raise InputError("what a hold would leave cannot choose between two bases: it can end a race only.")

    integers = property(lambda self: self.condition.integers + self.then.integers + self.otherwise.integers)

    @property
    def text(self) -> str:
        """As it is typed."""
        then = f"({self.then.text})" if isinstance(self.then, ConditionalBase) else self.then.text
        return f"{then} if {self.condition.text} else {self.otherwise.text}"

    @property
    def python(self) -> str:
        """An expression of `i` and `j`."""
        return f"({self.then.python} if {self.condition.python} else {self.otherwise.python})"

    @property
    def words(self) -> str:
        """What the player does."""
        return f"if {self.condition.words}, {self.then.words}; otherwise {self.otherwise.words}"

    @property
    def operations(self) -> int:
        """Those of the condition and of the more complex base."""
        return int(self.condition.operations + max(self.then.operations, self.otherwise.operations))

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """The turn totals, for scores that broadcast; the seat must be known where it matters (see `seated`)."""
        assert isinstance(self.condition, AtLeast)
        return np.where(self.condition.holds(i, j), self.then.values(i, j, end), self.otherwise.values(i, j, end))


Base = Constant | ToTheEnd | Multiple | Marks | Sum | Floor | KeepUp | Quarters | ConditionalBase


def seated(base: Base, second: bool) -> Base:
    """The base for the player who moves second, or first, in each round: resolves a choice by `second`."""
    match base:
        case ConditionalBase(condition=Second(), then=then, otherwise=otherwise):
            return seated(then if second else otherwise, second)
        case ConditionalBase(condition=condition, then=then, otherwise=otherwise):
            return ConditionalBase(condition, seated(then, second), seated(otherwise, second))
        case Floor(least=least, base=inner):
            return Floor(least, seated(inner, second))
    return base
