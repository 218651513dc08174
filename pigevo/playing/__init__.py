"""A person plays against a strategy: the choices, what they are worth and have cost, and the record of the games.

Nothing here reads a key or prints: `pigevo.cli` does that in a terminal.
"""

from __future__ import annotations

from pigevo.doors import names_of, opened

_HOMES = {
    "adviser": ["Adviser"],
    "judge": ["Judge"],
    "odds": ["Odds", "odds_of"],
    "played": ["Decided", "Event", "MOST_TURNS", "Played", "events"],
    "register": ["Register", "open_register"],
    "reviewing": ["Judged", "Review", "review"],
}

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
