"""A rule that a person can remember: where to hold, and when to roll to win.

    Rule(Sum(21, (Fraction("+", "j-i", 8),)), ((AtLeast("either", 71),),))

is `21+(j-i)/8; race either>=71`, the rule of Neller & Presser 2010.  A rule is data: its sentence, its line of Python,
its complexity and its strategy are all derived from the record.  When a turn begins, the player looks at the banked
scores and plans where to hold; so a rule is a turn total for each pair of scores.  In a game of rounds it is a turn
total for each lead; it may have another base for the player's own last turn, and may divide by the turns left:
`20+(j-i)/8; last 16+(j-i)` and `max(17,18+(j-i)/turns)`.  Such a game has no target to race to: the player who has the
last turn of the game rolls until ahead, whatever the rule, as in the last turn after a target has been reached.  The
turn before it is the last turn of the player who moves first; `last` is the base for it.

The complexity of a rule has two parts: integers to remember, and operations of mental arithmetic at each turn.

**Integers** come first, because a forgotten number cannot be used.  Each number in the rule's text counts, twice if it
occurs twice, because the terms must be remembered too.  `ahead`, `behind`, division by 1, doubling, the target, and
the quarters of the way to it need none.

**Operations** are counted at the beginning of the most complex turn.  A comparison counts 1.  An addition, a
subtraction, a doubling and each step of a division count 2: two-digit numbers have two digits to work on, and a result
to remember.  A division takes one step for each factor 10 (drop a digit) and 2 (halve), two for 5 (double, drop a
digit) and for 3, three for any larger prime: an eighth is three halvings, a tenth is one step, a seventh counts as much
as an eighth.  A division by the turns left is awkward because the number changes: it counts as many steps as the
hardest divisor up to ten, a ninth with its four steps, and one more to find out how many turns are left.
The weights are a convention; the front is also given by integers alone and by operations alone, which shows the effect
of other weights.

Work that every rule needs is not counted: adding up the turn total, and comparing it with the hold value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pigevo.core.array_names import Bools, Ints
from pigevo.core.imports import numpy as np
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN, SECOND, TOTAL
from pigevo.strategies.rules import PREFIX
from pigevo.strategies.rules.parts import (
    COMPARE,
    FAR,
    TURNS,
    Base,
    Condition,
    ConditionalBase,
    Constant,
    Floor,
    KeepUp,
    Leaves,
    Second,
    Sum,
    seated,
)
from pigevo.strategies.strategy import Strategy, of_rule

Reasons = tuple[tuple[Condition, ...], ...]
"""When to roll to win: if all conditions of at least one of these groups hold."""


@dataclass(frozen=True)
class Rule:
    """A rule: the turn total to hold at, when to roll to win instead (empty: never), and a base for the last turn."""

    base: Base
    race: Reasons = ()
    last: Base | None = None

    def __post_init__(self) -> None:
        if not all(self.race):
            raise InputError("a race in a rule needs a condition.")
        if self.race and self.last is not None:
            raise InputError("a rule has a race (in a game with a target) or a last turn (in one of rounds), not both.")
        if self.race and self.counts_turns:
            raise InputError("a rule has a race (in a game with a target) or turns (in one of rounds), not both.")
        if self.last and Second.text in self.last.text:
            raise InputError(
                "`second` has no meaning after `last`: the player who moves second rolls until ahead in the last turn."
            )

    @property
    def text(self) -> str:
        """The rule as typed, without `rule:`; `parse_rule` reads it."""
        reasons = " or ".join(" and ".join(condition.text for condition in group) for group in self.race)
        race, last = f"; race {reasons}" if reasons else "", f"; last {self.last.text}" if self.last else ""
        return f"{self.base.text}{race}{last}"

    def __str__(self) -> str:
        return self.text

    def python(self, game: Game) -> str:
        """A line of Python that decides as the rule does in a game, and that `Strategy.from_function` takes there.

        It is given own score `i`, opponent's score `j` and turn total `k`; in a game of rounds, or where the rule
        depends on who moves second, the values along the game's axes.
        """
        target = game.target
        if not target:
            return python_in_rounds(self.base, self.last, [*game.mesh])
        base = self.base.python.replace("T", str(target))
        groups = [" and ".join(_python(condition, base, target) for condition in group) for group in self.race]
        rolls = " or ".join([*groups, f"k < {base}"])
        if game.reply or game.must_hold:
            rolls = f"i + k < {target} and ({rolls})"
        if game.reply:
            rolls = f"i + k <= j if j >= {target} else {rolls}"
        second = "second, " if self.looks_at_seat else ""
        return f"lambda {second}i, j, k: {rolls}"

    @property
    def sentence(self) -> str:
        """The rule in words that a child can follow."""
        first = self.base.words[:1].upper() + self.base.words[1:]
        clauses = [" and ".join(condition.words for condition in group) for group in self.race]
        race = f" But roll to win once {', or '.join(clauses)}." if clauses else ""
        last = f" In your last turn {self.last.words}." if self.last else ""
        return f"{first}.{race}{last}{' If nobody plays after you, roll until ahead.' if last else ''}"

    @property
    def integers(self) -> int:
        """The number of integers to remember; see `pigevo.strategies.rules.rule`."""
        last = self.last.integers if self.last else 0
        return int(self.base.integers + last + sum(condition.integers for group in self.race for condition in group))

    @property
    def counts_turns(self) -> bool:
        """Whether the rule divides by the turns left."""
        return f"/{TURNS}" in self.text

    @property
    def looks_at_seat(self) -> bool:
        """Whether the rule differs between the players who move first and second in each round."""
        return Second.text in self.base.text

    def planned(self, game: Game) -> Ints:
        """The turn total to hold at for each state in which a turn can begin.

        In a race the shape is (target, target), by own and opponent's score, with `FAR` where the player rolls to win;
        in a game of rounds, the axes are those that do not change during a turn.
        """
        if not game.target:
            if self.race:
                raise InputError(f"`race` in {self.text} needs a game with a target: one of rounds has `last BASE`.")
            return planned_in_rounds(self.base, self.last, game)
        self._refuse_rounds()
        if self.looks_at_seat:
            raise InputError(f"`second` in {self.text} needs a game in which both players have equally many turns.")
        own = np.arange(game.target)
        return self.at(own[:, None], own[None, :], game.target)

    def at(self, i: Ints, j: Ints, target: int) -> Ints:
        """The turn total to hold at, for scores that broadcast."""
        plan = self.base.values(i, j, target)
        left = target - i - plan
        raced = np.zeros(plan.shape, np.bool_)
        for group in self.race:
            raced |= np.logical_and.reduce([_holds(condition, i, j, left) for condition in group])
        return np.where(raced, FAR, plan)

    def strategy(self, game: Game) -> Strategy:
        """The rule as a strategy; a rule for a race is refused in a game of rounds, and the other way round."""
        name = f"{PREFIX} {self.text}"
        if not game.target:
            plan, total = self.planned(game), game.mesh[TOTAL]
            return of_rule(game, lambda *_: total < plan[(..., *[None] * len(game.within))], name)
        self._refuse_rounds()
        if self.looks_at_seat and game.reply != "second":
            raise InputError(
                f"`second` in {self.text} needs a game in which both players have equally many turns: "
                "ten_rounds or equal_turns."
            )
        seats = [replace(self, base=seated(self.base, second)) for second in (False, True)]

        def planned(i: Ints, j: Ints) -> Ints:
            plans = [base.at(i, j, game.target) for base in seats]
            return np.where(game.mesh[SECOND] == 1, plans[1], plans[0]) if self.looks_at_seat else plans[0]

        if not game.reply and not game.must_hold:
            return of_rule(game, lambda i, j, k: k < planned(i, j), name)

        def to_the_end(i: Ints, j: Ints, k: Ints) -> Bools:
            plan = planned(i, j)
            return np.where(j >= game.target, i + k <= j, (i + k < game.target) & (k < plan))

        return of_rule(game, to_the_end, name)

    def _refuse_rounds(self) -> None:
        if self.last:
            raise InputError(f"`last` in {self.text} needs a game of rounds: in one with a target write `race`.")
        if self.counts_turns:
            raise InputError(f"`{TURNS}` in {self.text} needs a game of rounds: in one with a target write a number.")


def _holds(condition: Condition, i: Ints, j: Ints, left: Ints) -> Bools:
    held: Bools = (
        left <= condition.n if isinstance(condition, Leaves) else condition.holds(i, j) | np.zeros(left.shape, np.bool_)
    )
    return held


def _python(condition: Condition, base: str, target: int) -> str:
    return f"{target} - i - ({base}) <= {condition.n}" if isinstance(condition, Leaves) else condition.python


@dataclass(frozen=True, order=True)
class Complexity:
    """The complexity of a rule for a person: numbers to remember, and weighted operations of a turn."""

    integers: int
    operations: int


def complexity(rule: Rule) -> Complexity:
    """The complexity of a rule, computed from its record alone."""
    conditions = sum(condition.operations for group in rule.race for condition in group)
    last = COMPARE + rule.last.operations if rule.last else 0
    return Complexity(rule.integers, max(rule.base.operations, last) + conditions)


def planned_in_rounds(base: Base, last: Base | None, game: Game) -> Ints:
    """`Rule.planned` in a game of rounds; a base that depends on more than the lead is refused."""
    for hold_base in (base, last or base):
        if not needs_the_lead_alone(hold_base):
            raise InputError(
                f"{hold_base.text} needs both scores, and a rule in rounds has the lead alone: n, n+(j-i)/d, "
                "n+(j-i)/turns, max(m,n+(j-i)/d), max(n,j-i-m), or one of these if ahead, behind, lead>=n, deficit>=n "
                "or second."
            )
    own, opponent, _ = game.scores
    left, is_second = game.mesh[LEFT], game.mesh[SECOND] == 1
    is_last = left == 1
    first, second = (seated(base, seat).values(own, opponent, left) for seat in (False, True))
    if last:
        first = np.where(is_last, last.values(own, opponent, left), first)
    plan = np.where(is_second, np.where(is_last, opponent - own + 1, second), first)
    totals: Ints = np.broadcast_to(plan[game.beginning], tuple(len(axis.values) for axis in game.between))
    return totals


def python_in_rounds(base: Base, last: Base | None, axes: Sequence[str]) -> str:
    """A line of Python: whether to roll in a game of rounds, given the values along its axes."""
    earlier = f"{last.python} if left == 1 else {base.python}" if last else base.python
    rolls = f"k < (j - i + 1 if left == 1 and second else {earlier})"
    if DIFFERENCE in axes:
        rolls = rolls.replace("j - i", f"-{DIFFERENCE}").replace("i - j", DIFFERENCE)
    names = {"i": OWN, "j": OPPONENT, "k": TOTAL}
    rolls = re.sub(r"\b[ijk]\b", lambda found: names[found[0]], rolls)
    return f"lambda {', '.join(axes)}: {rolls}"


def needs_the_lead_alone(base: Base) -> bool:
    """Whether a base depends only on the difference of the scores and the turns left."""
    match base:
        case Constant() | KeepUp():
            return True
        case Sum(fractions=fractions):
            return all(fraction.of == "j-i" for fraction in fractions)
        case Floor(base=inner):
            return needs_the_lead_alone(inner)
        case ConditionalBase(condition=condition, then=then, otherwise=otherwise):
            known = isinstance(condition, Second) or condition.what in ("lead", "deficit")
            return known and all(map(needs_the_lead_alone, (then, otherwise)))
    return False
