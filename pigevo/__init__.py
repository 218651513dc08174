"""pigevo: a genetic-algorithm laboratory for the dice game Pig.

The names below are loaded when first used (PEP 562), so that `import pigevo` costs
nothing and imports no compiler.
"""

from __future__ import annotations

import importlib
import os

if not os.path.isdir(os.path.dirname(__file__)):  # its configs and the cache of its kernels need files
    raise ImportError(f"pigevo cannot be imported out of the zip file {os.path.dirname(os.path.dirname(__file__))}: "
                      "install it with `pip install FILE.whl`, or unpack it.")  # fmt: skip

from pigevo.core.notebook import VIEWS as _VIEWS

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.2.0"

_VIEWS.append("pigevo.web.notebook")  # imported when a notebook asks for a view

_HOMES = {
    "pigevo.errors": ["InputError"],
    "pigevo.games": ["Pig", "Piglet", "Race"],
    "pigevo.strategies": [
        "CubeGrid", "Strategy", "hold_at", "keep_pace_and_end_race", "load_strategy", "mirror", "mix", "noisy",
        "parse_strategy", "random_strategy", "roll_and_wait", "roll_to_win", "score", "skip_when_level", "turtle",
    ],
    "pigevo.exact": [
        "best_response", "choices_at", "distinct_states", "explain_scores", "explain_turn", "gene_importance",
        "iterated_best_response", "optimal", "rational_win_probability", "reach", "state_values", "turn_outcomes",
        "win_matrix", "win_probability",
    ],
    "pigevo.simulation": ["play_match"],
    "pigevo.evolution.evaluation": ["Evaluation"],
    "pigevo.evolution.operators": [
        "Context", "Crossover", "Fitness", "Mutation", "Plays", "Population", "Replacement", "Selection",
    ],
    "pigevo.evolution.plan": ["StopRule"],
    "pigevo.api": ["evolve", "generations", "sweep"],
    "pigevo.strategies.openspiel": ["to_openspiel"],
    "pigevo.settings.settings": ["Settings"],
    "pigevo.runs.load": ["load_run"],
    "pigevo.sweeps.comparison": ["compare"],
    "pigevo.sweeps.load": ["load_sweep"],
    "pigevo.tournaments": ["fair_test", "tournament"],
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name == "benchmark":
        return importlib.import_module("pigevo.benchmark")  # a room that can be called
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pigevo' has no attribute {name!r}")
    if name == "parse_strategy":
        importlib.import_module("pigevo.exact")  # adds `optimal` to the names it knows
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
