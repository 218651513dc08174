"""What a run can be assembled from, by name.

Each registry is filled by the folder of its name: a new operator is one function or class
in a file there, and one YAML in `conf/` if it is to be chosen from the command line.  The
first arguments are its data and a context (`pigevo.evolution.operators`); all others are
its options.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry

SIZE = Parameter("size", Parameter.KEYWORD_ONLY, default=20, annotation=Annotated[int, Within(2, 5000)])
"""Every population has a size."""

POPULATIONS = Registry("population", 2, "pigevo.evolution.population", common=[SIZE])
FITNESSES = Registry("fitness", 2, "pigevo.evolution.fitness")
SELECTIONS = Registry("selection", 2, "pigevo.evolution.selection")
CROSSOVERS = Registry("crossover", 3, "pigevo.evolution.crossover")
MUTATORS = Registry("mutator", 2, "pigevo.evolution.mutation")
REPLACEMENTS = Registry("replacement", 2, "pigevo.evolution.replacement")
ISLANDS = Registry("islands", 0, "pigevo.evolution.islands")
STOPS = Registry("stop", 0, "pigevo.evolution.stop")
CUBES = Registry("cubes", 2, "pigevo.evolution.cubes")
SPENDINGS = Registry("way to spend games", 1, "pigevo.evolution.game_allocation")
BASELINES = Registry("baseline", 4, "pigevo.evolution.random_search")
