"""Selections: who meets whom, and who survives.  Each file of this folder is looked through for them."""

from pigevo.core.registry import Registry

SELECTIONS = Registry("selection", 2, __name__)
