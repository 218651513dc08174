"""The names in a run's record, which the outcome of a user's selection must not use."""

from __future__ import annotations

from typing import Any

from pigevo.errors import InputError
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.logbook import COLUMNS, DIGEST_COLUMN, FURTHER, MEASURED
from pigevo.evolution.plan import Plan
from pigevo.evolution.selection import outcomes

RESULT_FIELDS = (
    "format", "champion", "champion_member", "optimum", "optimum_overall", "peak_mean", "peak_generation", "last_mean",
    "best_seen", "generations", "planned", "evaluations", "games", "champion_games", "measured", "seconds", "phases",
    "baseline", "digest", "versions", "begun_with", "checkout", "config_hash", "config", "files", "hash",
)  # fmt: skip
"""The fields of every run's `result.json`."""

TAKEN_COLUMNS = frozenset({*COLUMNS, *FURTHER, *MEASURED, *GAINS, DIGEST_COLUMN})
"""The columns that a run's `metrics.csv` may have without a user's own selection."""


def refuse_taken(plan: Plan) -> None:
    """Refuse a user's selection with an `outcome_name` if one of its names is invalid or already used."""
    chosen, owner = plan.selection, f"{plan.called('selection')} has"
    name: Any = chosen.outcome_name
    columns: Any = chosen.outcome_columns
    if not _is_name(name):
        raise InputError(f"{owner} the outcome_name {name!r}: it must be a name of letters and digits.")
    if name in RESULT_FIELDS:
        raise InputError(f"{owner} the outcome_name {name!r}, which result.json already has: choose another name.")
    if (theirs := outcomes().get(name)) and not isinstance(chosen, theirs):
        raise InputError(
            f"{owner} the outcome_name {name!r}, which belongs to pigevo's {theirs.__name__}: choose another name, or "
            f"inherit from that class."
        )
    if not isinstance(columns, tuple) or not all(map(_is_name, columns)):
        raise InputError(
            f"{owner} outcome_columns = {columns!r}; it must be a tuple of names of letters and digits, as in "
            f'("upper", "lower").'
        )
    if taken := [column for column in columns if column in TAKEN_COLUMNS]:
        raise InputError(
            f"{owner} {taken[0]!r} in its outcome_columns, which metrics.csv already has: choose another name."
        )


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier()
