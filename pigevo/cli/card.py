"""A page to print: for each number of numbers the best rule that was found, in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pigevo.games import Game

if TYPE_CHECKING:
    from pigevo.studies.remembered import Remembered

WIDTH = 88
GAMES = 1_000

BEST, SAFE = "least loss", "least exploitable"
"""The fronts on the card."""

NUMBERS = ("no numbers", "one number", "two numbers", "three numbers", "four numbers", "five numbers")

HOW = """\
On your turn you roll as often as you like, and add up what you roll: that is your turn total. A 1 loses it and ends
your turn; if you hold, you bank it. To hold at 25 is to stop as soon as your turn total is 25 or more. To roll to win
is to stop only when you have won. Look at both scores when your turn begins, and decide then. Parts of a number are
rounded to the nearest whole number, halves up.
"""


def card_of(found: Sequence[Remembered], game: Game) -> str:
    """The page: for each number of numbers the best rule found, in words, and the one that is hardest to exploit.

    Args:
        found: the rules of all fronts.
        game: what they are for.
    """
    lines = [f"PIG TO {game.target}: THE BEST RULES FOUND THAT A PERSON CAN REMEMBER", "", *textwrap.wrap(HOW, WIDTH)]
    best, safe = ({one.integers: one for one in found if one.front == front} for front in (BEST, SAFE))
    told: list[Remembered] = []
    for integers, one in best.items():
        lines += ["", f"{NUMBERS[integers].capitalize()} to remember", *_wrapped_rule(one)]
        told.append(one)
        other = safe.get(integers, one)
        if other.rule != one.rule:
            lines += ["  Safer, if the other player knows your rule:", *_wrapped_rule(other)]
            told.append(other)
    return "\n".join([*lines, "", *_table(told)])


def _wrapped_rule(one: Remembered) -> list[str]:
    return textwrap.wrap(one.rule.sentence, WIDTH, initial_indent="    ", subsequent_indent="    ")


def _table(rules: Sequence[Remembered]) -> list[str]:
    width = max(len(one.rule.text) for one in rules)
    lines = [
        f"Wins in {GAMES:,} games, taking turns to begin:",
        f"{'':{width}}  against perfect play  against one who knows it ",
    ]
    for one in rules:
        won, least = GAMES * (1 - one.difference) / 2, GAMES * (0.5 - one.exploitability)
        lines.append(f"{one.rule.text:{width}}  {won:20.1f}  {least:26.1f}")
    return lines
