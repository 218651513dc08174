"""Tournaments: many strategies against each other, rankings and ratings, and the number of games that separates two.

Costs: the exact matrix of a hundred strategies for Pig takes about two seconds on one core, everything computed from it
less than one; a simulated game takes about a microsecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

LENGTH = 100  # the number of games of a match in round robins and knockouts
TIMES = 1000  # the number of round robins, and of knockout brackets, that are drawn
SECONDS = 10.0  # seconds of processor time allowed for each function of a Python file
PLAYERS = 60  # the number of members of a finite population

INTENSITY = 4.0
"""The intensity of selection: a member that wins 0.6 against all others has exp(4 x 0.1) = 1.5 times as many children
as one that wins a half."""

MOST_TEST_GAMES = 10_000_000  # the largest number of games of a fair test
LEAST_SHOWN = 0.0005  # the smallest share in the Nash mixture that three decimals show

_HOMES = {
    "dynamics": ["Course", "alpha_rank", "fixation_probabilities", "moran", "replicator", "takeovers"],
    "dominance": ["Dominated", "Elimination", "dominated", "eliminate"],
    "fair": ["FairTest", "fair_test", "games_to_tell", "games_within", "power_of"],
    "play": [
        "entries_of", "exact_seats", "knockout_winners", "match_chances", "play_all", "round_robin_winners",
        "tournament",
    ],
    "ratings": ["Cycles", "Mixture", "Ratings", "bradley_terry", "cycles_of", "is_transitive", "margins_of", "nash"],
    "result": ["Dominance", "RankedStrategy", "Tournament"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.tournaments.dominance import (
        Dominated as Dominated, Elimination as Elimination, dominated as dominated, eliminate as eliminate,
    )  # fmt: skip
    from pigevo.tournaments.dynamics import (
        Course as Course, alpha_rank as alpha_rank, fixation_probabilities as fixation_probabilities, moran as moran,
        replicator as replicator, takeovers as takeovers,
    )  # fmt: skip
    from pigevo.tournaments.fair import (
        FairTest as FairTest, fair_test as fair_test, games_to_tell as games_to_tell, games_within as games_within,
        power_of as power_of,
    )  # fmt: skip
    from pigevo.tournaments.play import (
        entries_of as entries_of, exact_seats as exact_seats, knockout_winners as knockout_winners,
        match_chances as match_chances, play_all as play_all, round_robin_winners as round_robin_winners,
        tournament as tournament,
    )  # fmt: skip
    from pigevo.tournaments.ratings import (
        Cycles as Cycles, Mixture as Mixture, Ratings as Ratings, bradley_terry as bradley_terry,
        cycles_of as cycles_of, is_transitive as is_transitive, margins_of as margins_of, nash as nash,
    )  # fmt: skip
    from pigevo.tournaments.result import (
        Dominance as Dominance, RankedStrategy as RankedStrategy, Tournament as Tournament,
    )  # fmt: skip
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
