"""Simulated games with counter-based dice, and the statistics of matches."""

from pigevo.simulation.match import MOST_TURNS, Match, play_match, play_pairs

__all__ = ["MOST_TURNS", "Match", "play_match", "play_pairs"]
