"""Selections, which choose the pairs and the survivors.  All files of this folder are searched for them."""

import inspect

from pigevo.core.registry import Registry
from pigevo.evolution.operators import Selection

SELECTIONS = Registry("selection", 2, __name__)


def outcomes() -> dict[str, type[Selection]]:
    """The outcome names of pigevo's selections, each with the class of the selection."""
    functions = [entry.function for entry in SELECTIONS.values()]
    classes = [function for function in functions if inspect.isclass(function) and issubclass(function, Selection)]
    return {kind.outcome_name: kind for kind in classes if kind.outcome_name}
