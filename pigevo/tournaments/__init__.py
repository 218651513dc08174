"""Tournaments: many strategies against each other, rankings and ratings, and how many games tell two of them apart.

What it costs: the exact matrix of a hundred strategies of Pig takes about two seconds of one core, everything else on
it less than one; a game played takes about a microsecond.
"""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

LENGTH = 100
"""Games of a match in round robins and knockouts."""

TIMES = 1000
"""Round robins, and brackets of knockouts, that are drawn."""

SECONDS = 10.0
"""Processor time that each function of a Python file may take."""

PLAYERS = 60
"""Members of a finite population."""

INTENSITY = 4.0
"""Of selection: who wins 0.6 against all others has children exp(4 x 0.1) = 1.5 times as often as who wins a half."""

MOST_GAMES = 10_000_000
"""Games of a fair test at most."""

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
