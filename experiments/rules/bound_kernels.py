"""The compiled loop that bounds many rules at once: a player who may choose, for each pair of scores, where to hold."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Floats, Ints, Shorts
from pigevo.exact.kernels import DieArrays, Outcomes
from pigevo.exact.threshold_kernels import threshold_turns


@kernel(error_model="numpy", fastmath=True, borrows=True)
def won(
    values: Floats, first: int, last: int, at: int, u: float, c: float, ends: Floats, leaves: Floats, waiting: Floats
) -> float:
    """The most that a turn brings whose player holds at some total from `first` to `last`."""
    if first == last:
        s, a = leaves[first], 0.0
        for t in range(len(ends)):
            a += ends[t, first] * waiting[at + first + t]
        return float((a + c * (1.0 - s)) / (s + u - s * u))
    values[first : last + 1] = 0.0
    for t in range(len(ends)):
        for k in range(first, last + 1):
            values[k] += ends[t, k] * waiting[at + k + t]
    best = 0.0
    for k in range(first, last + 1):
        s = leaves[k]
        best = max(best, (values[k] + c * (1.0 - s)) / (s + u - s * u))
    return best


@kernel(error_model="numpy")
def best_within(
    lowest: Shorts,
    highest: Shorts,
    may: Bools,
    must: Bools,
    die: DieArrays,
    turns: Outcomes,
    stop: Ints,
) -> float:
    """What the best strategy within limits loses to one opponent: 1 less what it wins in both seats together.

    Where a turn begins, the strategy holds at any turn total from `lowest` to `highest`, or rolls to win where it may;
    where it must, it does.  No rule within these limits loses less, for its choices are among them.

    Args:
        lowest, highest: turn totals, shape (T, T), by own and opponent's score.
        may, must: whether it can roll to win instead, and whether it has to, likewise.
        die, turns, stop: the opponent's, see `rule_seats`.
    """
    T = lowest.shape[0]
    gains, chances = die
    start, low, hold, leave = turns
    own_turns, leaves = threshold_turns(T, gains, chances)
    ends = np.ascontiguousarray(own_turns.T)
    top, values = len(ends), np.empty(T + 1)
    moving = np.zeros(2 * T)
    waiting = np.ones(T * (T + top))  # by the opponent's score, then by the own one; 1 where the game is won
    for i in range(T - 1, -1, -1):
        left = T - i
        for j in range(T - 1, -1, -1):
            u, at, to = leave[j, i], j * (T + top) + i, j + low[i, j]
            c = 0.0
            for t in range(start[i, j], stop[i, j]):
                c += hold[t] * moving[to]
                to += 1
            first, last = min(max(lowest[i, j], 1), left), min(max(highest[i, j], 1), left)
            if must[i, j]:
                first = last = left
            raced = may[i, j] and last < left
            best = won(values, first, last, at, u, c, ends, leaves, waiting)
            if raced:
                best = max(best, won(values, left, left, at, u, c, ends, leaves, waiting))
            moving[j] = best
            waiting[at] = (1.0 - u) * best + c
    return float(1.0 - moving[0] - waiting[0])
