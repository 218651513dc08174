"""The exact engine: win probabilities, the optimum and best responses, without sampling.

What it costs, for a target of T, a die of G gains and a population of n:

- one strategy against an opponent whose turns are prepared: G T^3 / 2 multiplications, in
  vector registers over the opponent's score, and a sum over the opponent's outcomes for each
  of the T^2 pairs of scores; preparing an opponent costs about twice as much;
- a population against one opponent: n times that; its win matrix: n^2 / 2 times, n^2 with
  passing; both spread over threads;
- threshold rules, which hold at a turn total for each pair of scores, against a prepared
  opponent: some G T^2 each, many side by side;
- the optimum and a best response: a few times G T^3 / 2, since a pair of scores takes two to
  five rounds of policy iteration whatever the target.

Memory is T^3 bytes for a strategy (three times that while it is made) and 8 bytes for each
outcome of a prepared opponent, at most 4 T^3.

Importing it adds `optimal` to the named strategies; the compiled parts are loaded when a
name below is first used.
"""

from __future__ import annotations

import pigevo.exact.names  # noqa: F401  (registers the name `optimal`)
from pigevo.doors import names_of, opened

ENGINE_VERSION = 1
"""Raised when a figure of the engine changes in any bit; it belongs to the identity of every run."""

_HOMES = {
    "choices": ["Choice", "Choices"],
    "decision": ["Decision", "explain_turn"],
    "equations": ["Equations", "Unknown", "explain_scores"],
    "evaluate": [
        "WinProbability", "against", "matrix_of_tables", "pairs_of_tables", "state_values", "win_matrix",
        "win_probability",
    ],
    "totals": ["TotalChoice", "choices_at"],
    "thresholds": ["Thresholds"],
    "importance": ["gene_importance"],
    "iterate": ["iterated_best_response"],
    "rational": ["rational_win_probability"],
    "solve": ["Solution", "best_response", "optimal"],
    "turns": ["Turns", "prepare", "turn_outcomes", "turns_of_tables"],
    "visits": ["Visits", "reach", "turn_starts"],
}  # fmt: skip

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
