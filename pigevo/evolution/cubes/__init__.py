"""Cube systems: how the array is divided into genes over a run."""
