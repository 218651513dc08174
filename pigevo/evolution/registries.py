"""Operators that have a file each in the folder of their kind, by name.

A new operator is one function or class in a file there, and one YAML in `conf/` if it is to
be chosen from the command line.  The first arguments are its data and a context
(`pigevo.evolution.operators`); all others are its options.  What is chosen from few (stop
rules, islands, ...) is registered in one file of that name.
"""

from __future__ import annotations

from pigevo.core.registry import Registry

FITNESSES = Registry("fitness", 2, "pigevo.evolution.fitness")
SELECTIONS = Registry("selection", 2, "pigevo.evolution.selection")
CROSSOVERS = Registry("crossover", 3, "pigevo.evolution.crossover")
MUTATORS = Registry("mutator", 2, "pigevo.evolution.mutation")
