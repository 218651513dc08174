"""Games that people have played: how they are written down, and what they say about the players.

Exeter 2017 had thirty students play Pig and write each turn on a form: how often they rolled and what they banked.
`read_people` reads such records from a CSV file and refuses what breaks the rules; `write_people` writes the same
format, with the dice where they are known; `analyse` says what the records tell (docs/people.md).
"""

from __future__ import annotations

from pigevo.doors import names_of, opened

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

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
