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
    "adapting": [
        "Account", "Answers", "Belief", "Plan", "account", "answers_to_holds", "first_belief", "learned", "plan",
        "played_strategy",
    ],
    "analysis": ["Analysis", "Habits", "analyse"],
    "costs": ["Cost", "turn_cost", "worths_of"],
    "forms": ["TrackerForm", "tracker_form"],
    "game_in_progress": [
        "Adviser", "Decided", "Event", "Judge", "Judged", "MOST_TURNS", "Odds", "Played", "Review", "events", "odds_of",
        "review",
    ],
    "habits": [
        "Behind", "Course", "Following", "HoldValue", "RuleErrors", "course", "following", "hold_value",
        "neutral_values", "rule_errors", "when_behind",
    ],
    "pairings": ["Comparison", "Pairings", "Seats"],
    "record_files": ["Register", "as_csv", "open_register", "parse_people", "read_people", "write_people"],
    "recorded_games": ["People", "Person", "RecordedGame", "RecordedTurn", "recorded_game"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
