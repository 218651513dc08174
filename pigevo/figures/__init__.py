"""Figures: `*_data` functions give the numbers, `plot_*` functions draw them."""
