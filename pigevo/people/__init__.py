"""Games of people: their records, the analysis of players' habits, and a game in progress with its review.

In Exeter 2017 thirty students played Pig and wrote down each turn: the number of rolls and the points banked.
`read_people` reads such records from a CSV file and refuses impossible ones; `write_people` writes the same format,
with the dice where they are known; `analyse` computes the statistics (docs/people.md).

For a game in progress there are the choices, their values and costs, and the record; nothing here reads keys or prints:
`pigevo.cli` does that in a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {
    "adapting": [
        "Account", "Belief", "BestResponses", "GamePlan", "account", "answers_to_holds", "first_belief", "learned",
        "plan", "played_strategy",
    ],
    "analysis": ["Analysis", "Cost", "Habits", "analyse", "turn_cost", "worths_of"],
    "record_files": [
        "Register", "TrackerForm", "as_csv", "open_register", "parse_people", "read_people", "tracker_form",
        "write_people",
    ],
    "game_in_progress": [
        "Adviser", "Decided", "Event", "Judge", "Judged", "MOST_TURNS", "Odds", "Played", "Review", "events",
        "odds_of", "review",
    ],
    "habits": [
        "Behind", "ScoreGrowth", "Following", "HoldValue", "RuleErrors", "following", "hold_value",
        "neutral_values", "rule_errors", "score_growth", "when_behind",
    ],
    "pairings": ["Comparison", "Pairings", "Seats"],
    "recorded_games": ["People", "Person", "RecordedGame", "RecordedTurn", "recorded_game"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.people.adapting import (
        Account as Account, Belief as Belief, BestResponses as BestResponses, GamePlan as GamePlan, account as account,
        answers_to_holds as answers_to_holds, first_belief as first_belief, learned as learned, plan as plan,
        played_strategy as played_strategy,
    )  # fmt: skip
    from pigevo.people.analysis import (
        Analysis as Analysis, Cost as Cost, Habits as Habits, analyse as analyse, turn_cost as turn_cost,
        worths_of as worths_of,
    )  # fmt: skip
    from pigevo.people.game_in_progress import (
        MOST_TURNS as MOST_TURNS, Adviser as Adviser, Decided as Decided, Event as Event, Judge as Judge,
        Judged as Judged, Odds as Odds, Played as Played, Review as Review, events as events, odds_of as odds_of,
        review as review,
    )  # fmt: skip
    from pigevo.people.habits import (
        Behind as Behind, Following as Following, HoldValue as HoldValue, RuleErrors as RuleErrors,
        ScoreGrowth as ScoreGrowth, following as following, hold_value as hold_value, neutral_values as neutral_values,
        rule_errors as rule_errors, score_growth as score_growth, when_behind as when_behind,
    )  # fmt: skip
    from pigevo.people.pairings import Comparison as Comparison, Pairings as Pairings, Seats as Seats
    from pigevo.people.record_files import (
        Register as Register, TrackerForm as TrackerForm, as_csv as as_csv, open_register as open_register,
        parse_people as parse_people, read_people as read_people, tracker_form as tracker_form,
        write_people as write_people,
    )  # fmt: skip
    from pigevo.people.recorded_games import (
        People as People, Person as Person, RecordedGame as RecordedGame, RecordedTurn as RecordedTurn,
        recorded_game as recorded_game,
    )  # fmt: skip
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
