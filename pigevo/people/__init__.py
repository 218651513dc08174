"""Games of people: their records, the analysis of players' habits, and a game in progress with its review.

In Exeter 2017 thirty students played Pig and wrote down each turn: the number of rolls and the points banked.
`read_people` reads such records from a CSV file and refuses impossible ones; `write_people` writes the same format,
with the dice where they are known; `analyse` computes the statistics (docs/people.md).

For a game in progress there are the choices, their values and costs, and the record; nothing here reads keys or prints:
`pigevo.cli` does that in a terminal.
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
