"""The arena: games simulated with counter-based dice, and the statistics of matches."""

from pigevo.arena.match import MOST_TURNS, play_match, play_pairs
from pigevo.arena.result import Match
from pigevo.arena.variation import match_variation

__all__ = ["MOST_TURNS", "Match", "match_variation", "play_match", "play_pairs"]
