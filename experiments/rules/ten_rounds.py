"""Rules for ten rounds, where nobody races to a target: they look at the lead, and at how many turns are left."""

from __future__ import annotations

from collections.abc import Sequence

from pigevo.games import Game
from pigevo.strategies.rules import TURNS, AtLeast, Base, Choice, Constant, Floor, Fraction, KeepUp, Rule, Sum

from . import general

HOLDS, LEADS, DIVISORS = range(12, 29), range(8, 25), range(2, 17)
"""Turn totals; leads that the player who moves first wants to have in the end; numbers to divide by."""

FORMS = (
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


def families() -> list[list[Rule]]:
    """Families with one and two integers, every member of which is evaluated."""
    holds: list[Base] = [Constant(n) for n in HOLDS]
    shared = [_line(n, TURNS) for n in HOLDS]
    lines = [_line(n, d) for n in HOLDS for d in DIVISORS]
    sides = [Choice(AtLeast("lead", 1), a, b) for a in holds for b in holds]
    kept = [KeepUp(n, m) for n in HOLDS for m in range(-1, 31)]
    ends, shared_ends = ([Rule(n, last=_line(lead, 1)) for n in some for lead in LEADS] for some in (holds, shared))
    floors = [Floor(n, line) for n in HOLDS for line in shared]
    behind = [Choice(AtLeast("lead", 1), n, line) for n in holds for line in shared]
    twice = [_line(line.n, TURNS, Fraction(sign, "j-i", d)) for line in shared for sign in "+-" for d in DIVISORS]
    bases: tuple[Sequence[Base], ...] = (holds, shared, lines, sides, kept, floors, behind, twice)
    return [*(list(map(Rule, some)) for some in bases), ends, shared_ends]


def table(game: Game, starts: int, workers: int, forms: Sequence[str] = FORMS) -> str:
    """The best of each family, and the best ends of descents of other forms.

    Args:
        game: of rounds.
        starts: descents of each form.
        workers: threads.
        forms: those that are descended.
    """
    return general.table("rule for ten rounds", game, families(), forms, starts, workers)


def _line(n: int, d: int | str, *more: Fraction) -> Sum:
    return Sum(n, (Fraction("+", "j-i", d), *more))
