"""The compiled loops of the exact engine: free functions on arrays.

Notation: `T` target, `i` own banked score, `j` the opponent's, `k` turn total.  `rows`
is a strategy as 0/1 bytes `[i, k, j]`.  A die is `gains` (points, in groups of `GROUP`,
filled up with probability 0) and `chances`.  The *survival* of a turn is the
probability that it does not bust; it is summed up from its parts and never taken from 1,
so that a strategy which hardly ever survives keeps its precision.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled import kernel

GROUP = 5


@kernel()
def turn_outcomes(rows, gains, chances):
    """Where the turns of one strategy end, for every score pair.

    Follows a turn forward: the probability of standing at each turn total is spread over
    the next rolls where the strategy rolls, and stays where it holds.

    Returns:
        start: where the outcomes of (opponent i, own j) begin in `hold`, shape (T, T + 1).
        low: the smallest turn total held at, shape (T, T).
        hold: probabilities of holding at `low`, `low + 1`, ...; one run for each (i, j).
        survival: probability that the turn does not bust, wins included, shape (T, T).
    """
    T = rows.shape[0]
    top = gains.max()
    start = np.zeros((T, T + 1), np.int64)
    low = np.zeros((T, T), np.int64)
    survival = np.zeros((T, T))
    hold = np.empty(T * (T * (T + 1)) // 2)
    stand = np.zeros(T + top)
    count = 0
    for i in range(T):
        for j in range(T):
            start[i, j] = count
            left = T - j
            stand[: left + top] = 0.0
            stand[0] = 1.0
            first, last = -1, -1
            for k in range(left + top):
                chance = stand[k]
                if chance == 0.0:
                    continue
                if k < left and rows[j, k, i]:
                    for g in range(gains.shape[0]):
                        stand[k + gains[g]] += chance * chances[g]
                    stand[k] = 0.0
                else:
                    survival[i, j] += chance
                    if k < left:
                        first = k if first < 0 else first
                        last = k
            if first >= 0:
                low[i, j] = first
                for k in range(first, last + 1):
                    hold[count] = stand[k]
                    count += 1
        start[i, T] = count
    return start, low, hold[:count].copy(), survival


@kernel()
def _spread(into, stand, k, gains, chances, g):
    """Probability of coming to turn total `k` from the totals below it, for all `j` at once."""
    a, b, c = stand[k - gains[g]], stand[k - gains[g + 1]], stand[k - gains[g + 2]]
    d, e = stand[k - gains[g + 3]], stand[k - gains[g + 4]]
    pa, pb, pc, pd, pe = chances[g], chances[g + 1], chances[g + 2], chances[g + 3], chances[g + 4]
    if g == 0:
        for j in range(into.shape[0]):
            into[j] = pa * a[j] + pb * b[j] + pc * c[j] + pd * d[j] + pe * e[j]
    else:
        for j in range(into.shape[0]):
            into[j] += pa * a[j] + pb * b[j] + pc * c[j] + pd * d[j] + pe * e[j]


@kernel()
def _keep_rolls(rolled, come, decisions):
    for j in range(rolled.shape[0]):
        rolled[j] = come[j] * decisions[j]


@kernel()
def _add_held(total, come, rolled):
    for j in range(total.shape[0]):
        total[j] += come[j] - rolled[j]


@kernel()
def _add_held_value(total, come, rolled, value):
    for j in range(total.shape[0]):
        total[j] += (come[j] - rolled[j]) * value[j]


@kernel()
def _any(row):
    bits = row.view(np.int64)
    found = np.int64(0)
    for j in range(bits.shape[0]):
        found |= bits[j]
    return found != 0


@kernel()
def _turn(i, rows, gains, chances, rolled, come, behind, value, survival):
    """One player's turns at own score `i`, against every opponent's score `j` at once.

    Adds up, over the turn totals held at, `value[j]`: their probability times the win
    probability afterwards (`behind[i + k, j]`; 1 past the target), and `survival[j]`.
    `rolled[top + k, j]` holds the probability of rolling at `k`; its first rows stay 0.
    """
    left = rows.shape[0] - i
    top = rolled.shape[0] - rows.shape[0] >> 1
    value[:] = 0.0
    survival[:] = 0.0
    come[:] = 1.0
    idle = 0
    for k in range(left + top):
        row = rolled[top + k]
        if k > 0:
            for g in range(0, gains.shape[0], GROUP):
                _spread(come, rolled, top + k, gains, chances, g)
        if k < left:
            _keep_rolls(row, come, rows[i, k])
            _add_held_value(value, come, row, behind[i + k])
            _add_held(survival, come, row)
            idle = 0 if _any(row) else idle + 1
            if idle == top:
                break
        else:
            row[:] = 0.0
            _add_held(value, come, row)
            _add_held(survival, come, row)


@kernel()
def _dot(weights, values):
    """Sum of products in four strands, so that additions need not wait for each other."""
    n = weights.shape[0]
    whole = n - n % 4
    a = b = c = d = 0.0
    for t in range(0, whole, 4):
        a += weights[t] * values[t]
        b += weights[t + 1] * values[t + 1]
        c += weights[t + 2] * values[t + 2]
        d += weights[t + 3] * values[t + 3]
    for t in range(whole, n):
        a += weights[t] * values[t]
    return (a + b) + (c + d)


@kernel()
def win_tables(rows, gains, chances, start, low, hold, survival):
    """Win probabilities of one strategy against an opponent whose turns are known.

    At a score pair the player's value moving first is `P = a + (1 - s) Q`, and with the
    opponent to move `Q = c + (1 - t) P`, where `s` and `t` are survivals and `a`, `c` come
    from higher scores.  A pass is a hold at 0 that leads to the same pair: it belongs to
    the `1 - s`.  Where nobody ever leaves the pair, both are 0.

    Returns:
        P, Q: win probabilities of the player with itself, and with the opponent, to move,
        shape (T, T), indexed by own and opponent's score.
    """
    T = rows.shape[0]
    top = gains.max()
    moving = np.zeros((T, T))
    waiting = np.ones((T + top, T))
    rolled = np.zeros((T + 2 * top, T))
    come, value, survive = np.empty(T), np.empty(T), np.empty(T)
    ahead = np.zeros(2 * T)
    for i in range(T - 1, -1, -1):
        waiting[i] = 0.0
        _turn(i, rows, gains, chances, rolled, come, waiting, value, survive)
        for j in range(T - 1, -1, -1):
            n = start[i, j + 1] - start[i, j]
            u = survival[i, j]
            s = survive[j]
            if n > 0 and low[i, j] == 0:
                u -= hold[start[i, j]]
            if rows[i, 0, j] == 0:
                s = 0.0
            begin = j + low[i, j]
            ahead[j] = 0.0
            c = _dot(hold[start[i, j] : start[i, j] + n], ahead[begin : begin + n])
            leave = s + u - s * u
            p = (value[j] + (1.0 - s) * c) / leave if leave > 0.0 else 0.0
            ahead[j] = p
            moving[i, j] = p
            waiting[i, j] = c + (1.0 - u) * p
    return moving, waiting[:T].copy()
