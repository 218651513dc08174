"""Games that people have played: how they are written down, and what they say about the players.

Exeter 2017 had thirty students play Pig and write each turn on a form: how often they rolled and what they banked.
`read_people` reads such records from a CSV file and refuses what breaks the rules; `write_people` writes the same
format, with the dice where they are known; `analyse` says what the records tell (docs/people.md).
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "analysis": ["Analysis", "Habits", "analyse"],
    "behind": ["Behind", "when_behind"],
    "costs": ["Cost", "turn_cost", "worths_of"],
    "mutual": ["Following", "following"],
    "holding": ["HoldValue", "hold_value", "neutral_values"],
    "reading": ["parse_people", "read_people"],
    "records": ["People", "Person", "RecordedGame", "RecordedTurn", "recorded_game"],
    "scores": ["Course", "course"],
    "writing": ["as_csv", "write_people"],
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pigevo.people' has no attribute {name!r}")
    return getattr(importlib.import_module(f"pigevo.people.{_HOME_OF[name]}"), name)
