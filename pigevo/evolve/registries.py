"""What a run can be assembled from, by name.

Each registry is filled by the folder of its name: a new operator is one function or class
in a file there, and one YAML in `conf/` if it is to be chosen from the command line.  The
arguments in `given` are offered by pigevo (`pigevo.evolve.offers`); all others are options
of the operator.
"""

from __future__ import annotations

from pigevo.registry import Registry

POPULATIONS = Registry("population", given=("grid", "draw"), package="pigevo.evolve.populations")
JUDGES = Registry("fitness", given=("game", "workers"), package="pigevo.evolve.judges")
SELECTIONS = Registry("selection", package="pigevo.evolve.selection")
CROSSOVERS = Registry(
    "crossover",
    given=("first", "second", "draw", "grid", "memory", "first_scores", "second_scores"),
    package="pigevo.evolve.crossover",
)
MUTATORS = Registry("mutator", given=("genomes", "rate", "draw", "grid", "memory"), package="pigevo.evolve.mutation")
REPLACEMENTS = Registry("replacement", given=("survivors",), package="pigevo.evolve.replacement")
CUBES = Registry("cubes", given=("game", "total"), package="pigevo.evolve.cubes")
BASELINES = Registry("baseline", given=("grid", "size", "workers", "track"), package="pigevo.evolve.baselines")
