"""The compiled loop of many meetings: pairs of strategies whose turns are all known."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.compiled import kernel
from pigevo.exact.dot import LANES, dot
from pigevo.exact.kernels import solve_pair

BLOCK = 8


@kernel()
def meet(start: Ints, low: Ints, hold: Floats, win: Floats, leave: Floats, pairs: Ints) -> Floats:
    """Win probabilities of the first of each pair, in either seat.

    The pairs are the innermost loop and own scores go in blocks, so that the outcomes of
    all strategies are read along memory and only once.

    Args:
        start, low, hold, win, leave: of `kernels.turn_outcomes`, strategy after strategy:
            one more axis in front, and `start` counting on through one long `hold`.
        pairs: who meets whom, shape (m, 2).

    Returns:
        First and second seat, shape (m, 2).
    """
    T = win.shape[1]
    count = pairs.shape[0]
    moving = np.zeros(count * BLOCK * T + LANES)  # a run of holds may reach past the end, with chance 0
    waiting = np.zeros(count * T * T + LANES)  # by the opponent's score first: own holds lie side by side
    for end in range(T, 0, -BLOCK):
        for j in range(T - 1, -1, -1):
            for i in range(end - 1, max(end - BLOCK, 0) - 1, -1):
                for n in range(count):
                    one, two = pairs[n, 0], pairs[n, 1]
                    mine, theirs = start[one, i, j], start[two, j, i]
                    here = (n * BLOCK + end - 1 - i) * T
                    there = (n * T + j) * T
                    u = leave[two, j, i]
                    a = dot(hold, mine, waiting, there + i + low[one, i, j], start[one, i, j + 1] - mine)
                    c = dot(hold, theirs, moving, here + j + low[two, j, i], start[two, j, i + 1] - theirs)
                    p = solve_pair(win[one, i, j] + a, leave[one, i, j], c, u)
                    moving[here + j] = p
                    waiting[there + i] = c + (1.0 - u) * p
    seats = np.empty((count, 2))
    for n in range(count):
        seats[n, 0] = moving[(n * BLOCK + (T - 1) % BLOCK) * T]
        seats[n, 1] = waiting[n * T * T]
    return seats
