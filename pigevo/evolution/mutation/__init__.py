"""Mutators: what changes genomes.  Each file of this folder is looked through for them."""

from pigevo.core.registry import Registry

MUTATORS = Registry("mutator", 2, __name__)
