"""Selections: who meets whom, and who survives."""
