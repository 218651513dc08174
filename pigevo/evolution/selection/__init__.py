"""Selections: who meets whom, and who survives.  Each file of this folder is looked through for them."""

import inspect

from pigevo.core.registry import Registry
from pigevo.evolution.operators import Selection

SELECTIONS = Registry("selection", 2, __name__)


def outcomes() -> dict[str, tuple[str, ...]]:
    """The names of what selections of pigevo say of a population, each with the columns of `metrics.csv`."""
    functions = [entry.function for entry in SELECTIONS.values()]
    classes = [one for one in functions if inspect.isclass(one) and issubclass(one, Selection)]
    return {one.outcome_name: one.columns for one in classes if one.outcome_name}
