"""A person plays against a strategy: the choices, what they are worth and have cost, and the record of the games.

Nothing here reads a key or prints: `pigevo.cli` does that in a terminal.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "adviser": ["Adviser"],
    "judge": ["Judge"],
    "odds": ["Odds", "odds_of"],
    "played": ["Decided", "Event", "MOST_TURNS", "Played", "events"],
    "register": ["Register", "open_register"],
    "reviewing": ["Judged", "Review", "review"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pigevo.playing' has no attribute {name!r}")
    return getattr(importlib.import_module(f"pigevo.playing.{_HOME_OF[name]}"), name)
