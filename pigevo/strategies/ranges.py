"""Many strategies in one word: `hold_at:1..100`, `hold_at:5..95..5`, `score:20,0..3`."""

from __future__ import annotations

import itertools
import re

from pigevo.errors import InputError
from pigevo.strategies.parse import names_file
from pigevo.telling import told

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
        raise InputError(f"{told(word)} stands for {count:,} strategies: {MOST:,} are the most.")
    return [f"{name}{colon}{','.join(chosen)}" for chosen in itertools.product(*spans)]


def _span(number: str, word: str) -> list[str]:
    if ".." not in number:
        return [number]
    found = _RANGE.fullmatch(number)
    step = int(found[3] or 1) if found else 0
    if not found or not step:
        raise InputError(f"{told(number)} in {told(word)} is no range: write 1..100, or 5..95..5 for steps of 5.")
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise InputError(f"{told(number)} in {told(word)} is an empty range: write the smaller number first.")
    if (last - first) // step >= MOST:
        raise InputError(f"{told(number)} in {told(word)} is too long a range: {MOST:,} strategies are the most.")
    return [str(n) for n in range(first, last + 1, step)]
