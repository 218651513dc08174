"""The compiled loop of gene importance: every single flip of a strategy, in one pass.

A turn total is stood at no more than once in a turn.  So flipping the decision at (i, j, k)
changes the turn's parts to `a + r (a' - a_k)` and `s + r (s' - s_k)`, where `r` is the
chance of standing at `k`, `a_k`, `s_k` are the parts from there on as decided, and `a'`,
`s'` as flipped.  That gives new values of the pair (i, j); and the game first comes to
the pair with chances that its own decisions cannot change.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.exact.kernels import solve_pair


@kernel()
def importance_table(
    rows: Bytes,
    gains: Ints,
    chances: Floats,
    waiting: Floats,
    their_worth: Floats,
    their_leaving: Floats,
    arrive: Floats,
    their_arrive: Floats,
) -> Floats:
    """The win probability that flipping each decision costs, shape (T, T, T) by (i, j, k).

    `waiting` is the player's win probability with the opponent to move. The opponent's turn is worth
    `their_worth + (1 - their_leaving) P` to the player; `arrive` and `their_arrive` are the chances that play first
    comes to (i, j) with the player, and with the opponent, to move. All have shape (T, T).
    """
    T = rows.shape[0]
    top = gains[0]
    lost = np.zeros((T, T, T))
    won, lived = np.ones(T + top), np.ones(T + top)
    rolled_won, rolled_lived = np.zeros(T), np.zeros(T)
    stand = np.zeros(T + top)
    for i in range(T):
        left = T - i
        won[left:] = 1.0
        lived[left:] = 1.0
        for j in range(T):
            for k in range(left - 1, -1, -1):
                a = 0.0
                s = 0.0
                for g in range(gains.shape[0]):
                    a += chances[g] * won[k + gains[g]]
                    s += chances[g] * lived[k + gains[g]]
                rolled_won[k] = a
                rolled_lived[k] = s
                if rows[i, k, j] == 0:
                    a = waiting[i + k, j] if k > 0 else 0.0
                    s = 1.0 if k > 0 else 0.0
                won[k] = a
                lived[k] = s
            c = their_worth[i, j]
            u = their_leaving[i, j]
            p = solve_pair(won[0], lived[0], c, u)
            q = c + (1.0 - u) * p
            stand[: left + top] = 0.0
            stand[0] = 1.0
            for k in range(left):
                r = stand[k]
                if r == 0.0:
                    continue
                if rows[i, k, j]:
                    for g in range(gains.shape[0]):
                        stand[k + gains[g]] += r * chances[g]
                    a = waiting[i + k, j] if k > 0 else 0.0
                    s = 1.0 if k > 0 else 0.0
                else:
                    a = rolled_won[k]
                    s = rolled_lived[k]
                flipped = solve_pair(won[0] + r * (a - won[k]), lived[0] + r * (s - lived[k]), c, u)
                other = c + (1.0 - u) * flipped
                lost[i, j, k] = arrive[i, j] * (p - flipped) + their_arrive[i, j] * (q - other)
    return lost
