"""The exact engine: win probabilities, the optimum and best responses, without sampling.

Costs, for a target of T, a die of G gains and a population of n:

- one strategy against an opponent whose turns are prepared: at most G T^3 / 2 multiplications, in
  vector registers over the opponent's score, and a sum over the opponent's outcomes for each
  of the T^2 pairs of scores; preparing an opponent costs about twice as much;
- a population against one opponent: n times that; its win matrix: n^2 / 2 times, n^2 with
  passing; both spread over threads;
- threshold rules, which hold at a turn total for each pair of scores, against a prepared
  opponent: about G T^2 each, many in parallel;
- the optimum and a best response: a few times G T^3 / 2, since a pair of scores takes two to
  five rounds of policy iteration for any target.

Memory: T^3 bytes for a strategy (three times as much while it is created) and 8 bytes for each
outcome of a prepared opponent, at most 4 T^3.

Comparison with the limit of a processor core (`python -m tests.bench.bound`, the last lines of `make bench`):

- With G gains, five at least, a step follows one turn total of one own score for 16 of the opponent's scores, from the
  first total at which somebody holds; a turn ends where nobody rolls on.  n steps and h groups of 16 of the
  opponent's holds need (G + 1) n + h fused multiply-adds and, with six sides, whose rows stay in registers, n + 2 h
  loads of 16 floats.  At two multiply-adds and two loads of 8 floats a cycle (AVX-512) the multiply-adds decide, and
  they are as many cycles: for the optimum against itself, to 100, n = 8,059, h = 5,569: 53,923.
- The engine takes 0.41 million cycles, 7.6 times this bound, or 0.096 ms at 4.26 GHz; for hold_at:20 it takes 11 times
  its bound, for a random strategy 2.9 times.
- Of these 0.10 ms, 0.02 are 10 cycles a step where the bound has 6: a step needs the chances of rolling from two steps
  before, so multiply-adds and masks wait for each other.  0.03 are the 10,000 pairs, with a sum over lanes and a
  division; 0.03 reading the decisions from a table larger than the nearest caches, and the beginnings of 700 turns;
  0.015 is Python.
- With other dice, or without AVX-512, the rows are written and read again: G n loads more.  Sixteen registers of 4
  floats hold the sums over the holds, the chances of coming to a total, and one chance of the die, so a fair die of six
  sides has a loop of its own.

Importing this package adds `optimal` to the named strategies; the compiled parts are loaded when
a name below is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr
from pigevo.games import Game
from pigevo.strategies import STRATEGIES, Strategy

ENGINE_VERSION = 1  # incremented when a figure of the engine changes in any bit; part of the identity of every run

_HOMES = {
    "choices": [
        "Choice", "Choices", "CostlyPlace", "Decision", "Loss", "LossRegion", "TotalChoice", "choices_at",
        "dearest_places", "decision_costs", "explain_turn",
    ],
    "visits": ["DistinctStates", "Visits", "distinct_states", "gene_importance", "reach", "turn_starts"],
    "equations": ["Equations", "Unknown", "explain_scores"],
    "evaluate": [
        "WinProbability", "against", "matrix_of_tables", "pairs_of_tables", "rational_win_probability", "state_values",
        "win_matrix", "win_probability",
    ],
    "thresholds": ["Thresholds", "simple_rule_against"],
    "solve": ["Solution", "best_response", "iterated_best_response", "optimal"],
    "one_turn": ["hold_outcomes", "mean_turns_alone", "pass_chance", "turn_outcomes"],
    "turns": ["Turns", "prepare", "turns_of_tables"],
}  # fmt: skip

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.exact.choices import (
        Choice as Choice, Choices as Choices, CostlyPlace as CostlyPlace, Decision as Decision, Loss as Loss,
        LossRegion as LossRegion, TotalChoice as TotalChoice, choices_at as choices_at,
        dearest_places as dearest_places, decision_costs as decision_costs, explain_turn as explain_turn,
    )  # fmt: skip
    from pigevo.exact.equations import Equations as Equations, Unknown as Unknown, explain_scores as explain_scores
    from pigevo.exact.evaluate import (
        WinProbability as WinProbability, against as against, matrix_of_tables as matrix_of_tables,
        pairs_of_tables as pairs_of_tables, rational_win_probability as rational_win_probability,
        state_values as state_values, win_matrix as win_matrix, win_probability as win_probability,
    )  # fmt: skip
    from pigevo.exact.one_turn import (
        hold_outcomes as hold_outcomes, mean_turns_alone as mean_turns_alone, pass_chance as pass_chance,
        turn_outcomes as turn_outcomes,
    )  # fmt: skip
    from pigevo.exact.solve import (
        Solution as Solution, best_response as best_response, iterated_best_response as iterated_best_response,
        optimal as optimal,
    )  # fmt: skip
    from pigevo.exact.thresholds import Thresholds as Thresholds, simple_rule_against as simple_rule_against
    from pigevo.exact.turns import Turns as Turns, prepare as prepare, turns_of_tables as turns_of_tables
    from pigevo.exact.visits import (
        DistinctStates as DistinctStates, Visits as Visits, distinct_states as distinct_states,
        gene_importance as gene_importance, reach as reach, turn_starts as turn_starts,
    )  # fmt: skip
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)


@STRATEGIES.register(
    name="optimal", source="pigevo's exact engine; Pig to 100 was first solved by Neller & Presser 2004"
)
def _optimal(game: Game) -> Strategy:
    """The optimal strategy."""
    from pigevo.compiled.cache import compile_ahead
    from pigevo.exact.solve import WIN, optimal

    if game.one_die:
        compile_ahead(WIN)  # prepared as an opponent
    return optimal(game).strategy
