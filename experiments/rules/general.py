"""Rules in any game, ten rounds and two dice among them.

The general engine evaluates them, slower than `Thresholds`, and descents search their forms.  In ten rounds nobody
races to a target: rules look at the lead, and at how many turns are left.  With two dice two 1s lose the whole score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from pigevo import optimal, win_probability
from pigevo.core.arrays import Floats, Ints
from pigevo.core.machine import map_threads
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.rules import (
    TURNS,
    AtLeast,
    Base,
    ConditionalBase,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Multiple,
    Rule,
    Second,
    Sum,
    parse_rule,
)
from pigevo.strategies.strategy import of_rule

from ..common import tables
from .descent import Descended, descended
from .exhaust import differences
from .front import judged


@dataclass(frozen=True, eq=False)
class General:
    """An opponent in any game for which there are rules, as `Thresholds` is in races of one die.

    Args:
        opponent: whom rules meet.
        workers: threads.
    """

    opponent: Strategy
    workers: int = 1

    @property
    def game(self) -> Game:
        """What is played."""
        return self.opponent.game

    def overall(self, plans: Ints, workers: int = 1) -> Floats:
        """Mean win probabilities of both seats, shape (n,), of turn totals by all that stands still during a turn."""
        return np.asarray(self.seats(plans, workers).mean(axis=1))

    def seats(self, plans: Ints, workers: int = 1) -> Floats:
        """Win probabilities moving first and second, shape (n, 2)."""
        inner = [None] * len(self.game.within)

        def won(plan: Ints) -> tuple[float, float]:
            total = self.game.scores[-1]
            rolls = of_rule(self.game, lambda *_: total < plan[(..., *inner)])
            met = win_probability(rolls, self.opponent)
            return met.first, met.second

        return np.array(map_threads(won, list(plans), max(workers, self.workers)))


More = Callable[[General], list[tuple[Rule, str]]]
"""Further rules of a table, each with how it was found."""


def rules_table(
    title: str,
    game: Game,
    whole: Sequence[Sequence[Rule]],
    forms: Sequence[str],
    starts: int,
    workers: int,
    more: More = lambda _: [],
) -> str:
    """The best of families that are small enough to exhaust, and the best ends of descents of other forms.

    Args:
        title: what the rules are.
        game: the game.
        whole: families, of which every member is evaluated.
        forms: rules, of which the numbers are where descents begin.
        starts: descents of each form.
        workers: threads.
        more: what else stands in it.
    """
    referee: Any = General(optimal(game).strategy, workers)
    best = [(_least(rules, referee), f"all of {len(rules)}") for rules in whole]
    best += [(one.rule, _told(one)) for one in (descended(form, starts, referee) for form in forms)]
    return tables.table(
        [title, "integers", "operations", "difference", "exploitability", "best of"],
        [row(rule, how, game) for rule, how in (*best, *more(referee))],
    )


def row(rule: Rule, how: str, game: Game) -> tuple[str | int, ...]:
    """A row of the table."""
    one = judged(rule, game)
    return f"`{rule}`", one.integers, one.operations, f"{one.difference:.5f}", f"{one.exploitability:.5f}", how


def _least(rules: Sequence[Rule], referee: Any) -> Rule:
    return rules[int(differences(rules, referee).argmin())]


def _told(one: Descended) -> str:
    return f"{one.starts} descents, {one.ended} of which end there, {one.evaluations:,} rules"


HOLDS, LEADS, DIVISORS = range(12, 29), range(8, 25), range(2, 17)
"""Turn totals; leads that the player who moves first wants to have in the end; numbers to divide by."""

FORMS_OF_TEN_ROUNDS = (
    "20+(j-i)/8; last 16+(j-i)",
    "17 if ahead else 20; last 16+(j-i)",
    "17 if ahead else 20+(j-i)/8",
    "20; last 14 if ahead else 16+(j-i)",
    "17 if ahead else 20; last 14 if ahead else 16+(j-i)",
    "20+(j-i)/8; last 14 if ahead else 16+(j-i)",
    "17 if ahead else 20+(j-i)/8; last 16+(j-i)",
    "17 if ahead else 20+(j-i)/8; last 14 if ahead else 16+(j-i)",
    "max(15,19+(j-i)/turns-(j-i)/15)",
    "17 if ahead else max(20,15+(j-i)/turns)",
    "max(17,18+(j-i)/turns); last 14 if ahead else 16+(j-i)",
    "18+(j-i)/16 if ahead else max(20,15+(j-i)/turns)",
    "max(16,20+(j-i)/turns) if ahead else max(20,15+(j-i)/turns)",
    "17 if ahead else max(20,15+(j-i)/turns); last 14 if ahead else 16+(j-i)",
)
"""Forms that are searched by descents, with numbers around which these begin."""


TRIED = "max(17,17+(j-i)/turns if second else 21+(j-i)/turns)"
"""The first rule that knew who moves second."""

KNOWING = range(2, 5)
"""Integers of rules that know who moves second in a round."""


def families_of_ten_rounds() -> list[list[Rule]]:
    """Families with one and two integers, every member of which is evaluated."""
    holds: list[Base] = [Constant(n) for n in HOLDS]
    shared = [_line(n, TURNS) for n in HOLDS]
    lines = [_line(n, d) for n in HOLDS for d in DIVISORS]
    sides = [ConditionalBase(AtLeast("lead", 1), a, b) for a in holds for b in holds]
    kept = [KeepUp(n, m) for n in HOLDS for m in range(-1, 31)]
    ends, shared_ends = ([Rule(n, last=_line(lead, 1)) for n in some for lead in LEADS] for some in (holds, shared))
    floors = [Floor(n, line) for n in HOLDS for line in shared]
    behind = [ConditionalBase(AtLeast("lead", 1), n, line) for n in holds for line in shared]
    twice = [_line(line.n, TURNS, Fraction(sign, "j-i", d)) for line in shared for sign in "+-" for d in DIVISORS]
    bases: tuple[Sequence[Base], ...] = (holds, shared, lines, sides, kept, floors, behind, twice)
    return [*(list(map(Rule, some)) for some in bases), ends, shared_ends]


def ten_rounds_table(game: Game, starts: int, workers: int, forms: Sequence[str] = FORMS_OF_TEN_ROUNDS) -> str:
    """The best of each family, and the best ends of descents of other forms.

    Args:
        game: of rounds.
        starts: descents of each form.
        workers: threads.
        forms: those that are descended.
    """
    return rules_table("rule for ten rounds", game, families_of_ten_rounds(), forms, starts, workers, knowing)


def knowing(referee: General) -> list[tuple[Rule, str]]:
    """The best rules that know who moves second, for each number of integers, and the first that was tried.

    One who moves first plays by one base alone, and one who moves second by the other.  So what each base wins in
    either seat tells what every pair of them wins.
    """
    bases = [rule.base for rules in families_of_ten_rounds() for rule in rules if rule.last is None]
    seats = referee.seats(np.stack([Rule(base).planned(referee.game) for base in bases]))
    return [*best_pairs(bases, seats), *best_floor(bases, seats), (parse_rule(TRIED), "a trial")]


def best_pairs(bases: Sequence[Base], seats: Floats) -> list[tuple[Rule, str]]:
    """The best `A if second else B` for each number of integers, of all pairs of bases.

    Args:
        bases: what A and B can be.
        seats: what each wins moving first and second, shape (n, 2).
    """
    counts = np.array([base.integers for base in bases])
    found = []
    for integers in KNOWING:
        tried, best = 0, (-1.0, bases[0], bases[0])
        for count in range(1, integers):
            first, second = (np.flatnonzero(counts == n) for n in (integers - count, count))
            if len(first) and len(second):
                one, other = (at[seats[at, seat].argmax()] for seat, at in enumerate((first, second)))
                tried += len(first) * len(second)
                best = max(best, (seats[one, 0] + seats[other, 1], bases[other], bases[one]), key=lambda pair: pair[0])
        found.append((Rule(ConditionalBase(Second(), best[1], best[2])), f"all of {tried:,}"))
    return found


def best_floor(bases: Sequence[Base], seats: Floats) -> list[tuple[Rule, str]]:
    """The best `max(m,A if second else B)`, of all pairs of lines with the same floor; none without floors."""
    floors = sorted((base.least, n) for n, base in enumerate(bases) if isinstance(base, Floor))
    found: Mapping[int, list[int]] = {m: [n for _, n in some] for m, some in groupby(floors, key=lambda one: one[0])}
    if not found:
        return []

    def best(at: list[int]) -> tuple[float, int, int]:
        one, other = (at[int(seats[at, seat].argmax())] for seat in (0, 1))
        return float(seats[one, 0] + seats[other, 1]), other, one

    least = max(found, key=lambda m: best(found[m])[0])
    then, otherwise = (bases[n] for n in best(found[least])[1:])
    assert isinstance(then, Floor)
    assert isinstance(otherwise, Floor)
    rule = Rule(Floor(least, ConditionalBase(Second(), then.base, otherwise.base)))
    return [(rule, f"all of {sum(len(at) ** 2 for at in found.values()):,}")]


def _line(n: int, d: int | str, *more: Fraction) -> Sum:
    return Sum(n, (Fraction("+", "j-i", d), *more))


ALONE = range(5, 61)
"""Numbers that are tried alone, all of them."""

FORMS_OF_TWO_DICE = (
    "24; race either>=75",
    "24; race 2*own+opponent>=178",
    "18 if ahead else 24; race sum>=121",
    "22+(j-i)/7; race either>=75",
    "22+(j-i)/7; race 2*own+opponent>=178",
    "21+(j-i)/8; race either>=75 or 2*own+opponent>=185",
)
"""Forms that are searched by descents, with numbers around which these begin."""


def two_dice_table(game: Game, starts: int, workers: int) -> str:
    """The best hold-at, the best multiple, and the best ends of descents of other forms.

    Args:
        game: a race with two scores to look at.
        starts: descents of each form.
        workers: threads.
    """
    whole = [[Rule(Constant(n)) for n in ALONE], [Rule(Multiple(n)) for n in ALONE]]
    return rules_table("rule for two dice", game, whole, FORMS_OF_TWO_DICE, starts, workers)
