"""The compiled loops of the exact engine: free functions on arrays, notation as in `turn_kernels`."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import LANES, copy_bytes, fused, load, spread, total
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.exact.turn_kernels import aligned, follow_turns, whole_lanes


@kernel(forceinline=True, borrows=True)
def dot(a: Floats, a_start: int, b: Floats, b_start: int, count: int) -> float:
    """The sum of `a[a_start + t] * b[b_start + t]`; `count` is a multiple of `LANES`."""
    products = spread(0.0)
    for t in range(0, count, LANES):
        products = fused(load(a, a_start + t), load(b, b_start + t), products)
    return float(total(products))


@kernel(forceinline=True, borrows=True)
def hold_worth(start: Ints, low: Ints, hold: Floats, own: int, other: int, values: Floats) -> float:
    """What the holds of one turn are worth, `values` being by the score they lead to."""
    begin = start[other, own]
    return float(dot(hold, begin, values, own + low[other, own], start[other, own + 1] - begin))


@kernel(forceinline=True, borrows=True)
def solve_pair(a: float, s: float, c: float, u: float) -> float:
    """`P` of `P = a + (1 - s) Q`, `Q = c + (1 - u) P`; 0 where nobody ever leaves the pair."""
    leave = s + u - s * u
    return (a + (1.0 - s) * c) / leave if leave > 0.0 else 0.0


@kernel()
def win_tables(
    rows: Bytes,
    players: Ints,
    gains: Ints,
    chances: Floats,
    start: Ints,
    low: Ints,
    hold: Floats,
    leave: Floats,
) -> tuple[Floats, Floats]:
    """Win probabilities of strategies, each against one opponent whose turns are known.

    At a score pair a player's value moving first is `P = a + (1 - s) Q`, and with the
    opponent to move `Q = c + (1 - u) P`, where `s` and `u` are the chances of leaving, and
    `a`, `c` come from higher scores.  The players take turns at each own score, so that
    the opponent's turns are read from memory only once.

    Args:
        rows: strategies, shape (any, T, T, T).
        players: which of them play, shape (n,).
        start, low, hold, leave: the opponent's, of `turn_outcomes`.

    Returns:
        P, Q: win probabilities of the players with themselves, and with the opponent, to
        move, shape (n, T, T), by own and opponent's score.
    """
    n, T, wide = players.shape[0], rows.shape[1], whole_lanes(rows.shape[1])
    top = gains[0]
    moving = np.zeros((n, T, T + LANES))  # a run of holds may reach past the end, with chance 0
    waiting, sums = aligned(n * (T + top), wide, 1.0).reshape((n, T + top, wide)), aligned(2, wide, 0.0)
    rolled = aligned(T + 2 * top, LANES, 0.0)
    decisions = np.zeros(T * T + LANES, np.uint8)
    for i in range(T - 1, -1, -1):
        for m in range(n):
            begin = (players[m] * T + i) * T * T
            copy_bytes(rows, begin, (T - i) * T, decisions)  # in one go: memory is slow in pieces
            for lane in range(0, wide, LANES):
                follow_turns(i, lane, decisions, gains, chances, rolled, None, waiting[m], sums)
            for j in range(T - 1, -1, -1):
                u = leave[j, i]
                c = hold_worth(start, low, hold, j, i, moving[m, i])
                p = solve_pair(sums[0, j], sums[1, j], c, u)
                moving[m, i, j] = p
                waiting[m, i, j] = c + (1.0 - u) * p
    return moving[:, :, :T], waiting[:, :T, :T]
