"""Rules for two dice, where two 1s lose the whole score."""

from __future__ import annotations

from pigevo.games import Game
from pigevo.strategies.rules import Constant, Multiple, Rule

from . import general

ALONE = range(5, 61)
"""Numbers that are tried alone, all of them."""

FORMS = (
    "24; race either>=75",
    "24; race 2*own+opponent>=178",
    "18 if ahead else 24; race sum>=121",
    "22+(j-i)/7; race either>=75",
    "22+(j-i)/7; race 2*own+opponent>=178",
    "21+(j-i)/8; race either>=75 or 2*own+opponent>=185",
)
"""Forms that are searched by descents, with numbers around which these begin."""


def table(game: Game, starts: int, workers: int) -> str:
    """The best hold-at, the best multiple, and the best ends of descents of other forms.

    Args:
        game: a race with two scores to look at.
        starts: descents of each form.
        workers: threads.
    """
    whole = [[Rule(Constant(n)) for n in ALONE], [Rule(Multiple(n)) for n in ALONE]]
    return general.table("rule for two dice", game, whole, FORMS, starts, workers)
