"""Crossovers: children of two parents, for all pairs at once."""
