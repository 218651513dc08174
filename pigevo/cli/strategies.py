"""Strategies as arguments of commands."""

from __future__ import annotations

import importlib

from pigevo.games import Race
from pigevo.strategies import Strategy, parse_strategy


def read_strategy(text: str, game: Race) -> Strategy:
    """The strategy that a word of the command line says; `optimal` is a name here too.

    Raises:
        InputError: no such name or file, wrong numbers, or a strategy for another game.
    """
    importlib.import_module("pigevo.exact")  # adds `optimal` to the names
    return parse_strategy(text, game)
