"""Baselines: what a run is compared with."""
