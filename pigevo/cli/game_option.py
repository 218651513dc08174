"""The game of a command: the one that was typed, or else that of a saved strategy among its words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from pigevo.games import GAMES, Game
from pigevo.strategies import load_strategy, names_file
from pigevo.strategies.parse import CHAMPION


def game_of_words(words: Sequence[str], game: Game) -> Game:
    """The game that strategies shall play.

    Args:
        words: the strategies as they were typed.
        game: that of the command's options.

    Returns:
        `game`, if any option of it was typed; else that of the first word which is a saved strategy or a run's
        folder, and `game` where there is none.

    Raises:
        InputError: such a file is no strategy.
    """
    if _is_typed():
        return game
    for word in words:
        path = Path(os.path.expanduser(word))
        if names_file(word) and (word.lower().endswith(".npz") or os.path.isdir(path)):
            place = path / CHAMPION if os.path.isdir(path) else path
            if os.path.isfile(place):
                return load_strategy(place).game
    return game


def _is_typed() -> bool:
    context = click.get_current_context()
    options = {"game", *(option for entry in GAMES.values() for option in entry.options)}
    return any(context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT) for name in options)
