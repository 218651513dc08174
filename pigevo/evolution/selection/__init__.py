"""Selections: who meets whom, and who survives.  Each file of this folder is looked through for them."""

import inspect

from pigevo.core.registry import Registry
from pigevo.evolution.operators import Selection

SELECTIONS = Registry("selection", 2, __name__)


def outcomes() -> dict[str, type[Selection]]:
    """The names of what selections of pigevo say of a population, each with the class that says it."""
    functions = [entry.function for entry in SELECTIONS.values()]
    classes = [one for one in functions if inspect.isclass(one) and issubclass(one, Selection)]
    return {one.outcome_name: one for one in classes if one.outcome_name}
