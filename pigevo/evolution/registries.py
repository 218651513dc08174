"""What a run can be assembled from, by name.

Each registry is filled by the folder of its name: a new operator is one function or class
in a file there, and one YAML in `conf/` if it is to be chosen from the command line.  The
arguments in `given` are offered by pigevo (`pigevo.evolution.offers`); all others are options
of the operator.
"""

from __future__ import annotations

from pigevo.registry import Registry

POPULATIONS = Registry("population", given=("grid", "draw"), package="pigevo.evolution.populations")
JUDGES = Registry("fitness", given=("game", "workers"), package="pigevo.evolution.fitness")
SELECTIONS = Registry("selection", package="pigevo.evolution.selection")
CROSSOVERS = Registry(
    "crossover",
    given=("first", "second", "draw", "grid", "memory", "first_scores", "second_scores"),
    package="pigevo.evolution.crossover",
)
MUTATORS = Registry("mutator", given=("genomes", "rate", "draw", "grid", "memory"), package="pigevo.evolution.mutation")
REPLACEMENTS = Registry("replacement", given=("survivors",), package="pigevo.evolution.replacement")
CUBES = Registry("cubes", given=("game", "total"), package="pigevo.evolution.cubes")
BASELINES = Registry("baseline", given=("grid", "size", "workers", "track"), package="pigevo.evolution.baselines")
