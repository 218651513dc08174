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

from pigevo.core.imports import VIEWS as _VIEWS

# As in `typing`, which need not be loaded for it. Without the annotation, jedi skips the block below.
TYPE_CHECKING: bool = False

__version__ = "1.0.0"

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


if TYPE_CHECKING:
    from pigevo.api import evolve as evolve, generations as generations, sweep as sweep
    from pigevo.errors import InputError as InputError
    from pigevo.evolution.evaluation import Evaluation as Evaluation
    from pigevo.evolution.operators import (
        Context as Context, Crossover as Crossover, Fitness as Fitness, Mutation as Mutation, Plays as Plays,
        Population as Population, Replacement as Replacement, Selection as Selection,
    )  # fmt: skip
    from pigevo.evolution.plan import StopRule as StopRule
    from pigevo.exact import (
        best_response as best_response, choices_at as choices_at, distinct_states as distinct_states,
        explain_scores as explain_scores, explain_turn as explain_turn, gene_importance as gene_importance,
        iterated_best_response as iterated_best_response, optimal as optimal,
        rational_win_probability as rational_win_probability, reach as reach, state_values as state_values,
        turn_outcomes as turn_outcomes, win_matrix as win_matrix, win_probability as win_probability,
    )  # fmt: skip
    from pigevo.games import Pig as Pig, Piglet as Piglet, Race as Race
    from pigevo.runs.load import load_run as load_run
    from pigevo.settings.settings import Settings as Settings
    from pigevo.simulation import play_match as play_match
    from pigevo.strategies import (
        CubeGrid as CubeGrid, Strategy as Strategy, hold_at as hold_at,
        keep_pace_and_end_race as keep_pace_and_end_race, load_strategy as load_strategy, mirror as mirror, mix as mix,
        noisy as noisy, parse_strategy as parse_strategy, random_strategy as random_strategy,
        roll_and_wait as roll_and_wait, roll_to_win as roll_to_win, score as score, skip_when_level as skip_when_level,
        turtle as turtle,
    )  # fmt: skip
    from pigevo.strategies.openspiel import to_openspiel as to_openspiel
    from pigevo.sweeps.comparison import compare as compare
    from pigevo.sweeps.load import load_sweep as load_sweep
    from pigevo.tournaments import fair_test as fair_test, tournament as tournament
else:

    def __getattr__(name):
        if name not in _HOME_OF:
            raise AttributeError(f"module 'pigevo' has no attribute {name!r}")
        if name == "parse_strategy":
            importlib.import_module("pigevo.exact")  # adds `optimal` to the names it knows
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
