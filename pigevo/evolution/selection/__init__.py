"""Selections, which choose the pairs and the survivors.  All files of this folder are searched for them."""

import inspect

from pigevo.core.registry import Registry
from pigevo.evolution.operators import Selection

SELECTIONS = Registry("selection", 2, __name__)


def outcomes() -> dict[str, type[Selection]]:
    """The outcome names of pigevo's selections, each with the class of the selection."""
    functions = [entry.function for entry in SELECTIONS.values()]
    classes = [one for one in functions if inspect.isclass(one) and issubclass(one, Selection)]
    return {one.outcome_name: one for one in classes if one.outcome_name}
