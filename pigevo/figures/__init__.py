"""Figures: `*_data` functions return the numbers, `plot_*` functions draw them."""

from pigevo.core.registry import Registry

FORMATS = ("png", "pdf", "svg")  # the formats in which pictures are written

FIRST_IN_ROUND = "For the player who moves first in each round."
"""What pictures and tables say that show one of two players who decide differently."""

OUTCOME_PICTURES = Registry("picture", 1, __name__)
"""Pictures of the arrays in the `archive.npz` of runs, by the `outcome_name` of the selection; each is defined in the
file of that name."""
