"""Figures: `*_data` functions give the numbers, `plot_*` functions draw them."""

FORMATS = ("png", "pdf", "svg")
"""The formats in which pictures are written."""
