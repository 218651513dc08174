"""A strategy as it is written on the command line: `hold_at:25`, `optimal`, or what the user has made."""

from __future__ import annotations

from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.strategies.named import STRATEGIES
from pigevo.strategies.own import is_own, own_strategy
from pigevo.strategies.strategy import Strategy


def parse_strategy(text: str, game: Race) -> Strategy:
    """The strategy that a word says.

    Args:
        text: what the user wrote: `name`, `name:number,number`, `mine.py:function` (a rule
            f(i, j, k), or a function of the game that returns a `Strategy`), a table of hold
            values (`.csv`), a saved strategy (`.npz`), or a run's folder for its champion.
        game: the game it shall play.

    Raises:
        InputError: no such name, file or function, wrong numbers, or a strategy of another game.
    """
    name, _, numbers = text.partition(":")
    if _is_file(text):
        return own_strategy(text, game)
    entry = STRATEGIES[name.strip()]
    options = list(entry.options)
    given = [_number(n, text) for n in numbers.split(",")] if numbers else []
    if len(given) > len(options):
        takes = f"{name} takes {len(options)} ({', '.join(options)})" if options else f"{name} takes none"
        raise InputError(f"too many numbers in {text!r}: {takes}.")
    strategy: Strategy = entry.function(game, **entry.check(dict(zip(options, given, strict=False)), name))
    return strategy


def source_identity(text: str, game: Race) -> str:
    """What the strategy of a word is known by: for a file, its decisions, whatever the file is called.

    Args:
        text: what the user wrote.
        game: the game it shall play.

    Returns:
        The digest of the strategy where the word names a file or folder; else the word itself.

    Raises:
        InputError: as `parse_strategy`, where the word names a file or folder.
    """
    return own_strategy(text, game).digest if _is_file(text) else text


def _is_file(text: str) -> bool:
    return text.partition(":")[0].strip() not in STRATEGIES and is_own(text)


def _number(text: str, whole: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise InputError(f"{text!r} in {whole!r} is no number: write a strategy as name:number,number.")
