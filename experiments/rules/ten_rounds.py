"""Rules for ten rounds, where nobody races to a target: they look at the lead, and at whether it is the last turn."""

from __future__ import annotations

from collections.abc import Sequence

from pigevo.games import Game
from pigevo.strategies.rules import AtLeast, Base, Choice, Constant, Fraction, KeepUp, Rule, Sum

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
)
"""Forms that are searched by descents, with numbers around which these begin."""


def families() -> list[list[Rule]]:
    """Families with one and two integers, every member of which is evaluated."""
    holds: list[Base] = [Constant(n) for n in HOLDS]
    lines = [_line(n, d) for n in HOLDS for d in DIVISORS]
    sides = [Choice(AtLeast("lead", 1), a, b) for a in holds for b in holds]
    kept = [KeepUp(n, m) for n in HOLDS for m in range(-1, 31)]
    ends = [Rule(n, last=_line(lead, 1)) for n in holds for lead in LEADS]
    return [*(list(map(Rule, some)) for some in (holds, lines, sides, kept)), ends]


def table(game: Game, starts: int, workers: int, forms: Sequence[str] = FORMS) -> str:
    """The best of each family, and the best ends of descents of other forms.

    Args:
        game: of rounds.
        starts: descents of each form.
        workers: threads.
        forms: those that are descended.
    """
    return general.table("rule for ten rounds", game, families(), forms, starts, workers)


def _line(n: int, d: int) -> Sum:
    return Sum(n, (Fraction("+", "j-i", d),))
