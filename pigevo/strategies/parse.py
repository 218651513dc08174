"""Strategies as words: one (`hold_at:25`, `optimal`, a file), or a range (`hold_at:1..100`, `score:20,0..3`)."""

from __future__ import annotations

import itertools
import re

from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies.named import STRATEGIES
from pigevo.strategies.own import is_own, own_strategy
from pigevo.strategies.rules import is_rule, parse_rule
from pigevo.strategies.strategy import Strategy


def parse_strategy(text: str | Strategy, game: Game) -> Strategy:
    """The strategy that a word says.

    Args:
        text: what the user wrote: `name`, `name:number,number`, a rule (`rule: 21+(j-i)/8; race
            either>=71`), `mine.py:function` (a rule f(i, j, k), or a function of the game that
            returns a `Strategy`), a table of hold values (`.csv`), a saved strategy (`.npz`), or a
            run's folder for its champion.  What is a strategy already stays it.
        game: the game it shall play.

    Raises:
        InputError: no such name, file or function, wrong numbers, or a strategy of another game.
    """
    if isinstance(text, Strategy):
        return text
    if is_rule(text):
        return parse_rule(text).strategy(game)
    if names_file(text):
        return own_strategy(text, game)
    entry, options = STRATEGIES.spelled(text)
    strategy: Strategy = entry.function(game, **options)
    return strategy


def names_file(text: str) -> bool:
    """Whether a word names a file or folder of the user's, and not a strategy of the literature."""
    return not is_rule(text) and text.partition(":")[0].strip() not in STRATEGIES and is_own(text)


MOST = 10_000
"""Strategies of one word."""

_RANGE = re.compile(r"\s*(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.([0-9]{1,9}))?\s*", re.ASCII)


def expand(word: str) -> list[str]:
    """The words that a word with ranges stands for; one without any stays alone.

    Args:
        word: a strategy as on the command line, whose numbers may be `first..last` or `first..last..step`; both ends
            belong to the range. Several ranges stand for every combination.

    Raises:
        InputError: a range that is none, that has no numbers in it, or that has too many.
    """
    name, colon, numbers = word.partition(":")
    if ".." not in numbers or names_file(word):
        return [word]
    spans = [_span(number, word) for number in numbers.split(",")]
    count = 1
    for span in spans:
        count *= len(span)
    if count > MOST:
        raise InputError(f"{short_repr(word)} stands for {count:,} strategies: {MOST:,} are the most.")
    return [f"{name}{colon}{','.join(chosen)}" for chosen in itertools.product(*spans)]


def _span(number: str, word: str) -> list[str]:
    if ".." not in number:
        return [number]
    found = _RANGE.fullmatch(number)
    step = int(found[3] or 1) if found else 0
    if not found or not step:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} is no range: write 1..100, or 5..95..5 for steps of 5."
        )
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} is an empty range: write the smaller number first."
        )
    if (last - first) // step >= MOST:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} is too long a range: {MOST:,} strategies are the most."
        )
    return [str(n) for n in range(first, last + 1, step)]
