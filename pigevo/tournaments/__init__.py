"""Tournaments: many strategies against each other, rankings and ratings, and the number of games that separates two.

Costs: the exact matrix of a hundred strategies for Pig takes about two seconds on one core, everything computed from it
less than one; a simulated game takes about a microsecond.
"""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

LENGTH = 100
"""The number of games of a match in round robins and knockouts."""

TIMES = 1000
"""The number of round robins, and of knockout brackets, that are drawn."""

SECONDS = 10.0
"""Seconds of processor time allowed for each function of a Python file."""

PLAYERS = 60
"""The number of members of a finite population."""

INTENSITY = 4.0
"""The intensity of selection: a member that wins 0.6 against all others has exp(4 x 0.1) = 1.5 times as many children
as one that wins a half."""

MOST_GAMES = 10_000_000
"""The largest number of games of a fair test."""

_HOMES = {
    "dynamics": ["Course", "alpha_rank", "fixation_probabilities", "moran", "replicator", "takeovers"],
    "fair": ["FairTest", "fair_test", "win_rates"],
    "planning": ["chance_within", "extremes", "games_to_tell", "games_within", "power_of"],
    "play": ["entries_of", "exact_seats", "play_all", "tournament"],
    "ratings": [
        "Cycles", "Mixture", "Ratings", "bradley_terry", "cycles_of", "is_transitive", "margins_of", "nash",
    ],
    "result": ["Dominance", "RankedStrategy", "Tournament"],
    "winners": ["knockout_winners", "match_chances", "round_robin_winners"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
