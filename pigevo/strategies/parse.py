"""A strategy as it is written on the command line: `hold_at:25`, `optimal`, or a saved file."""

from __future__ import annotations

import os
from pathlib import Path

from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.strategies.named import STRATEGIES
from pigevo.strategies.store import load_strategy
from pigevo.strategies.strategy import Strategy


def parse_strategy(text: str, game: Race) -> Strategy:
    """The strategy that `name`, `name:number,number` or the path of a saved one says.

    Args:
        text: what the user wrote.
        game: the game it shall play.

    Raises:
        InputError: no such name or file, wrong numbers, or a file for another game.
    """
    if text.endswith(".npz") or os.sep in text:
        loaded = load_strategy(Path(text).expanduser())
        if loaded.game.rules != game.rules:
            raise InputError(f"{text} plays {loaded.game}, not {game}: give the game's own settings.")
        return loaded
    name, _, numbers = text.partition(":")
    entry = STRATEGIES[name.strip()]
    options = list(entry.options)
    given = [_number(n, text) for n in numbers.split(",")] if numbers else []
    if len(given) > len(options):
        takes = f"{name} takes {len(options)} ({', '.join(options)})" if options else f"{name} takes none"
        raise InputError(f"too many numbers in {text!r}: {takes}.")
    strategy: Strategy = entry.function(game, **entry.check(dict(zip(options, given, strict=False)), name))
    return strategy


def _number(text: str, whole: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise InputError(f"{text!r} in {whole!r} is no number: write a strategy as name:number,number.")
