"""The arena: games simulated with counter-based dice, and the statistics of matches."""

from pigevo.arena.match import MOST_TURNS, play_match, play_pairs
from pigevo.arena.result import Match

__all__ = ["MOST_TURNS", "Match", "play_match", "play_pairs"]
