"""Fitnesses: how good members are.  Each file of this folder is looked through for them."""

from pigevo.core.registry import Registry

FITNESSES = Registry("fitness", 2, __name__)
