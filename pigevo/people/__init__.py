"""Games of people: how they are written down, what they say about the players, and a game in progress with its review.

Exeter 2017 had thirty students play Pig and write each turn on a form: how often they rolled and what they banked.
`read_people` reads such records from a CSV file and refuses what breaks the rules; `write_people` writes the same
format, with the dice where they are known; `analyse` says what the records tell (docs/people.md).

Of a game in progress there are the choices, what they are worth and have cost, and its record; nothing here reads a key
or prints: `pigevo.cli` does that in a terminal.
"""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {
    "advice": ["Adviser", "Judge", "Odds", "odds_of"],
    "analysis": ["Analysis", "Habits", "analyse"],
    "behind": ["Behind", "when_behind"],
    "costs": ["Cost", "turn_cost", "worths_of"],
    "mutual_influence": ["Following", "following"],
    "game_file": ["Register", "open_register"],
    "game_in_progress": ["Decided", "Event", "Judged", "MOST_TURNS", "Played", "Review", "events", "review"],
    "holding": ["HoldValue", "hold_value", "neutral_values"],
    "reading": ["parse_people", "read_people"],
    "records": ["People", "Person", "RecordedGame", "RecordedTurn", "recorded_game"],
    "scores": ["Course", "course"],
    "writing": ["as_csv", "write_people"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
