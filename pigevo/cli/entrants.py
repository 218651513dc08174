"""Who takes part where many strategies meet: words as typed, a sweep's folder among them for its champions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pigevo.cli.options import EPILOG, game_of_words, game_was_typed
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import Strategy

EPILOG_OF_MANY = f"""\
{EPILOG}
Numbers may be ranges: hold_at:1..100, hold_at:5..95..5 in steps of 5, score:20,0..3. A FOLDER stands for the Python
files, tables and saved strategies in it, a Python file alone for its public functions of (i, j, k) or of (game), the
folder of a sweep (outputs/sweeps/NAME) for the champions of its finished runs.
"""
"""What the help of a command says about many strategies."""


@dataclass(frozen=True)
class Entrants:
    """What is handed to `pigevo.tournament`, and the game; `settings` are those of the champions, who come last."""

    strategies: list[str | Strategy]
    game: Game
    settings: tuple[str, ...] = ()


def entrants_of(words: Sequence[str], game: Game) -> Entrants:
    """The words, each folder of a sweep with the champions of its finished runs in its place, and the game of all.

    Without an option about the game, a sweep says what is played, or else a saved strategy or a run's folder.
    """
    from pigevo.sweeps.record import SWEEP_FILE  # settings of runs, which help need not wait for

    sweeps = [word for word in words if os.path.isfile(Path(os.path.expanduser(word), SWEEP_FILE))]
    others = [word for word in words if word not in sweeps]
    champions: list[Strategy] = []
    settings: list[str] = []
    for word in dict.fromkeys(sweeps):
        from pigevo.sweeps.load import load_sweep

        sweep = load_sweep(os.path.expanduser(word))
        champions += sweep.champions().values()
        plays = champions[-1].game
        if game_was_typed() and plays.rules != game.rules:
            raise InputError(f"{word} plays {plays}, not {game}: give the game's own settings, or none.")
        settings += [member.setting for member in sweep.finished]
    game = champions[0].game if champions and not game_was_typed() else game_of_words(others, game)
    return Entrants([*others, *champions], game, tuple(settings))
