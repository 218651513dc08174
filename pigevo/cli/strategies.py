"""Strategies as arguments of commands."""

from __future__ import annotations

import importlib

from pigevo.games import Game
from pigevo.strategies import Strategy, parse_strategy

EPILOG = """\
A strategy is NAME or NAME:number,number; the path of a saved one (.npz); a run's folder, for its champion; a table
(.csv) with a line for each own score and a column for each of the opponent's, which says at what turn total to hold; or
FILE.py:FUNCTION, a function (i, j, k) that says whether to roll, or a function of the game that returns a Strategy; or
a rule in quotes, 'rule: 21+(j-i)/8; race either>=71', as `pigevo rules --help` tells.
Without --game and its options a saved strategy or a run's folder says what is played.
"""
"""What the help of a command says about strategies."""


def read_strategy(text: str, game: Game) -> Strategy:
    """The strategy that a word of the command line says; `optimal` is a name here too.

    Raises:
        InputError: no such name or file, wrong numbers, or a strategy for another game.
    """
    importlib.import_module("pigevo.exact")  # adds `optimal` to the names
    return parse_strategy(text, game)
