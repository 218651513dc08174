"""Mutators, which change genomes.  All files of this folder are searched for them."""

from pigevo.core.registry import Registry

MUTATORS = Registry("mutator", 2, __name__)
