"""Fitnesses, which score members.  All files of this folder are searched for them."""

from pigevo.core.registry import Registry

FITNESSES = Registry("fitness", 2, __name__)
