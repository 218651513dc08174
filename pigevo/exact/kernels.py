"""The compiled loops of the exact engine: free functions on arrays.

Notation: `T` target, `i` own banked score, `j` the opponent's, `k` turn total.  `rows`
is a strategy as 0/1 bytes `[i, k, j]`.  A die is `gains` (points, in groups of `GROUP`,
filled up with probability 0) and `chances`.  A turn *leaves* a pair of scores if it banks
something: neither a bust nor a pass.  The chance of leaving is summed up from its parts and
never taken from 1, so that a strategy which hardly ever leaves keeps its precision.
"""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.compiled import kernel
from pigevo.exact.dot import LANES, dot

GROUP = 5


@kernel(forceinline=True)
def _come(
    come: Floats,
    rolled: Floats,
    row: int,
    gains: Ints,
    chances: Floats,
    g: int,
) -> None:
    """Add the chance of coming to `row` by one of the `GROUP` gains from number `g` on."""
    a, b, c = row - gains[g], row - gains[g + 1], row - gains[g + 2]
    d, e = row - gains[g + 3], row - gains[g + 4]
    pa, pb, pc, pd, pe = chances[g], chances[g + 1], chances[g + 2], chances[g + 3], chances[g + 4]
    for j in range(come.shape[0]):
        near = pa * rolled[a, j] + pb * rolled[b, j] + pc * rolled[c, j]
        come[j] += near + (pd * rolled[d, j] + pe * rolled[e, j])


@kernel(forceinline=True)
def _come_and_decide(
    come: Floats,
    rolled: Floats,
    row: int,
    gains: Ints,
    chances: Floats,
    g: int,
    rows: Bytes,
    i: int,
    k: int,
    held: Floats,
) -> None:
    """`_come` for the last group of gains, and the decisions of turn total `k`, in one loop.

    One loop, because its cost is loads and stores.
    """
    a, b, c = row - gains[g], row - gains[g + 1], row - gains[g + 2]
    d, e = row - gains[g + 3], row - gains[g + 4]
    pa, pb, pc, pd, pe = chances[g], chances[g + 1], chances[g + 2], chances[g + 3], chances[g + 4]
    for j in range(come.shape[0]):
        near = pa * rolled[a, j] + pb * rolled[b, j] + pc * rolled[c, j]
        stand = come[j] + (near + (pd * rolled[d, j] + pe * rolled[e, j]))
        roll = stand * rows[i, k, j]
        rolled[row, j] = roll
        held[k, j] = stand - roll


@kernel(forceinline=True)
def _nobody(
    rolled: Floats,
    first: int,
    last: int,
) -> bool:
    """Whether nobody rolls any more in the rows from `first` to `last`."""
    for row in range(last, first - 1, -1):
        for j in range(rolled.shape[1]):
            if rolled[row, j] != 0.0:
                return False
    return True


@kernel()
def _follow_turns(
    i: int,
    rows: Bytes,
    gains: Ints,
    chances: Floats,
    rolled: Floats,
    come: Floats,
    held: Floats,
) -> int:
    """One player's turns at own score `i`, against every opponent's score `j` at once.

    Follows a turn forward: the chance of standing at a turn total is spread over the next
    rolls where the strategy rolls, and stays in `held[k, j]` where it holds or has won.  A
    pass, at `k = 0`, is left out: like a bust it changes no score.

    Args:
        rolled: work array of `T + 2 max(gains)` rows; the first `max(gains)` stay 0, and
            row `max(gains) + k` holds the chance of rolling at `k`.
        come: work array of one row.
        held: takes the result, rows `0 .. end - 1`.

    Returns:
        `end`, a multiple of 4: beyond it nobody stands.
    """
    left = rows.shape[0] - i
    top = (rolled.shape[0] - rows.shape[0]) // 2
    last_group = gains.shape[0] - GROUP
    come[:] = 0.0
    for j in range(come.shape[0]):
        rolled[top, j] = rows[i, 0, j]
        held[0, j] = 0.0
    for k in range(1, left):
        if last_group > 0:
            come[:] = 0.0
            for g in range(0, last_group, GROUP):
                _come(come, rolled, top + k, gains, chances, g)
        _come_and_decide(come, rolled, top + k, gains, chances, last_group, rows, i, k, held)
        if k % 8 == 7 and _nobody(rolled, k + 1, top + k):
            return k + 1
    for k in range(left, left + top):
        come[:] = 0.0
        for g in range(0, gains.shape[0], GROUP):
            _come(come, rolled, top + k, gains, chances, g)
        rolled[top + k] = 0.0
        held[k] = come
    end: int = left + top
    while end % 4 > 0:
        held[end] = 0.0
        end += 1
    return end


@kernel()
def _sum_held(
    i: int,
    held: Floats,
    end: int,
    behind: Floats,
    value: Floats,
    leave: Floats,
) -> None:
    """Sums over the turn totals `k < end` held at, for every opponent's score `j`.

    `leave[j]` is their chance; `value[j]` is weighted with the win probability
    afterwards, `behind[i + k, j]`.
    """
    value[:] = 0.0
    leave[:] = 0.0
    for k in range(0, end, 4):
        a = i + k
        for j in range(value.shape[0]):
            low = held[k, j] * behind[a, j] + held[k + 1, j] * behind[a + 1, j]
            value[j] += low + (held[k + 2, j] * behind[a + 2, j] + held[k + 3, j] * behind[a + 3, j])
        for j in range(value.shape[0]):
            leave[j] += (held[k, j] + held[k + 1, j]) + (held[k + 2, j] + held[k + 3, j])


@kernel()
def turn_outcomes(
    rows: Bytes,
    gains: Ints,
    chances: Floats,
) -> tuple[Ints, Ints, Floats, Floats, Floats]:
    """Where the turns of one strategy end, for every pair of own and opponent's score.

    Returns:
        start: where the outcomes of a pair begin in `hold`, shape (T, T + 1); pairs follow
            each other by own score, then by the opponent's.
        low: the smallest turn total held at, shape (T, T).
        hold: chances of holding at `low`, `low + 1`, ...; one run for each pair, filled up
            with zeros to a multiple of `LANES`.
        win: chance that the turn wins, shape (T, T).
        leave: chance that the turn banks something, wins included, shape (T, T).
    """
    T = rows.shape[0]
    top = gains.max()
    start = np.zeros((T, T + 1), np.int64)
    low = np.zeros((T, T), np.int64)
    win, leave = np.zeros((T, T)), np.zeros((T, T))
    hold = np.empty(T * T * (T + 1) // 2 + LANES * T * T)
    rolled, held = np.zeros((T + 2 * top, T)), np.zeros((T + top + 4, T))
    come = np.empty(T)
    count = 0
    for own in range(T):
        end = _follow_turns(own, rows, gains, chances, rolled, come, held)
        left = min(end, T - own)
        for k in range(left, end):
            for j in range(T):
                win[own, j] += held[k, j]
        for k in range(end):
            for j in range(T):
                leave[own, j] += held[k, j]
        for j in range(T):
            start[own, j] = count
            first = 0
            while first < left and held[first, j] == 0.0:
                first += 1
            low[own, j] = first
            last = left - 1
            while last >= first and held[last, j] == 0.0:
                last -= 1
            for k in range(first, last + 1):
                hold[count] = held[k, j]
                count += 1
            while count % LANES > 0:
                hold[count] = 0.0
                count += 1
        start[own, T] = count
    return start, low, hold[:count].copy(), win, leave


@kernel(forceinline=True)
def kept(start: Ints, low: Ints, hold: Floats, own: int, other: int, values: Floats) -> float:
    """What the holds of one turn are worth, `values` being by the score they lead to."""
    begin = start[own, other]
    return float(dot(hold, begin, values, own + low[own, other], start[own, other + 1] - begin))


@kernel(forceinline=True)
def solve_pair(a: float, s: float, c: float, u: float) -> float:
    """`P` of `P = a + (1 - s) Q`, `Q = c + (1 - u) P`; 0 where nobody ever leaves the pair."""
    leave = s + u - s * u
    return (a + (1.0 - s) * c) / leave if leave > 0.0 else 0.0


@kernel()
def win_tables(
    rows: Bytes,
    gains: Ints,
    chances: Floats,
    start: Ints,
    low: Ints,
    hold: Floats,
    leave: Floats,
) -> tuple[Floats, Floats]:
    """Win probabilities of one strategy against an opponent whose turns are known.

    At a score pair the player's value moving first is `P = a + (1 - s) Q`, and with the
    opponent to move `Q = c + (1 - u) P`, where `s` and `u` are the chances of leaving, and
    `a`, `c` come from higher scores.

    Returns:
        P, Q: win probabilities of the player with itself, and with the opponent, to move,
        shape (T, T), indexed by own and opponent's score.
    """
    T = rows.shape[0]
    top = gains.max()
    moving = np.zeros((T, T + LANES))  # a run of holds may reach past the end, with chance 0
    waiting = np.ones((T + top + 4, T))
    rolled, held = np.zeros((T + 2 * top, T)), np.zeros((T + top + 4, T))
    come, value, away = np.empty(T), np.empty(T), np.empty(T)
    for i in range(T - 1, -1, -1):
        end = _follow_turns(i, rows, gains, chances, rolled, come, held)
        waiting[i] = 0.0
        _sum_held(i, held, end, waiting, value, away)
        for j in range(T - 1, -1, -1):
            u = leave[j, i]
            c = kept(start, low, hold, j, i, moving[i])
            p = solve_pair(value[j], away[j], c, u)
            moving[i, j] = p
            waiting[i, j] = c + (1.0 - u) * p
    return moving[:T, :T].copy(), waiting[:T].copy()
