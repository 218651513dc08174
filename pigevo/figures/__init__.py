"""Figures: `*_data` functions give the numbers, `plot_*` functions draw them."""

from pigevo.core.registry import Registry

FORMATS = ("png", "pdf", "svg")
"""The formats in which pictures are written."""

OUTCOME_PICTURES = Registry("picture", 1, __name__)
"""Pictures of the arrays in the `archive.npz` of runs, by the names of what selections say of a population; each
in the file of that name."""
