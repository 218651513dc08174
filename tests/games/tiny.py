"""A tiny instance of every registered game: small enough for every state to be an unknown of one dense system.

A game that is registered and has no instance here gets one by itself, from the smallest options that work.
"""

import pytest

from pigevo.errors import InputError
from pigevo.games import GAMES

SMALL = {"target": (7, 12, 20), "turns": (2,), "cap": (12,), "beyond": (5,), "heads": (0.5,)}
"""Options that decide how large a game is, smallest first."""


def tiny(name):
    """The smallest instance of a game."""
    entry = GAMES[name]
    for place in range(3):
        small = {o: values[min(place, len(values) - 1)] for o, values in SMALL.items() if o in entry.options}
        try:
            return entry.bind(entry.check(small, "game"))
        except InputError:
            continue
    return entry.bind({})


TINY = {name: tiny(name) for name in GAMES}


def sample(*quick):
    """The names of all games as cases of a test, of which all but these are slow."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in sorted(GAMES)]
