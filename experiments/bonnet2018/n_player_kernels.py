"""The compiled loops that evaluate one strategy of all players: its values, and one player's best response.

As in `pigevo.three_player.evaluation_kernels`, nothing is shared with the solver. Where scores can fall, orbits lead to
earlier ones, so the whole game is iterated until nothing changes.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints
from pigevo.three_player.evaluation_kernels import fill_holds, orbit_states, own_turn, respond_turn, roll_chance
from pigevo.three_player.rules import Throws
from pigevo.three_player.strategy import StrategyTables


@kernel()
def _follow(tables: StrategyTables, s: int, a: int, throws: Throws, ends: Floats) -> tuple[float, float]:
    """Follow a turn: the chance to bust and the number of throws; `ends` gets the chances of all gains."""
    T = tables[0].shape[1]
    ends[: a + 1] = 0.0  # above `k` it has the chance to reach each turn total
    ends[0] = 1.0
    thrown = 0.0
    for k in range(a):
        rolls = ends[k] * roll_chance(tables, s, k)
        ends[k] -= rolls
        thrown += rolls
        if rolls > 0.0:
            for g in range(throws[0].shape[0]):
                ends[min(k + throws[0][g], a)] += rolls * throws[1][g]
    for g in range(throws[2].shape[0]):
        ends[min(throws[2][g], a)] += thrown * throws[3][g]
    return thrown * (throws[4] + (throws[5] if a == T else 0.0)), thrown


@kernel()
def _expects(values: Floats, p: int, after: int, a: int, ends: Floats, falls: float, T: int) -> float:
    """The value of a turn, except for busts, to the player who moves `p` turns after it."""
    total = falls * values[p, after + T] if a < T else 0.0
    for k in range(1, a + 1):
        if ends[k] > 0.0:
            total += ends[k] * values[p, after + a - k]
    return total


@kernel(is_long=True)
def evaluate_all(orbits: Ints, tables: StrategyTables, throws: Throws, values: Floats) -> float:
    """Iterate once over the game and write the values if all play one strategy; returns the largest change."""
    n, T = orbits.shape[1], tables[0].shape[1]
    ends, stay, parts = np.empty(T + 1), np.empty(n), np.empty((n, n))
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change = 0.0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        orbit_states(needs, T + 1, states, afters)
        back = 1.0
        for i in range(n):
            stay[i], thrown = _follow(tables, states[i], needs[i], throws, ends)
            back *= stay[i]
            for p in range(n):  # the player who moves in `p` turns at `i`
                parts[i, p] = _expects(values, (p - 1) % n, afters[i], needs[i], ends, thrown * throws[5], T)
        for i in range(n):
            for p in range(n):
                total, through = 0.0, 1.0
                for j in range(n):
                    total += through * parts[(i + j) % n, (p - j) % n]
                    through *= stay[(i + j) % n]
                total /= 1.0 - back
                change = max(change, abs(total - values[p, states[i]]))
                values[p, states[i]] = total
    return change


@kernel(is_long=True)
def respond_all(
    orbits: Ints, tables: StrategyTables, throws: Throws, best: Floats, own: Floats
) -> tuple[float, float, int, int]:
    """Iterate once over the game and write the values of the best response to a strategy that all others play.

    Returns:
        The largest change, the largest gain over `own` at any state and turn total, and that state and total.
    """
    n, T = orbits.shape[1], tables[0].shape[1]
    ends, stay, falls = np.empty((n, T + 1)), np.empty(n), np.empty(n)
    holds, worth, busts, stays = np.empty(T + 1), np.empty(T), np.empty(T), np.empty(T)
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change, top, where, at = 0.0, -np.inf, 0, 0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        orbit_states(needs, T + 1, states, afters)
        for i in range(n):
            stay[i], thrown = _follow(tables, states[i], needs[i], throws, ends[i])
            falls[i] = thrown * throws[5]
        for q in range(n):  # the responder
            a, bust = needs[q], throws[4] + (throws[5] if needs[q] == T else 0.0)
            exits = fill_holds(best, afters[q], a, T, throws, holds)
            p = 0.0
            while True:
                x, through, fixed = 0.0, 1.0, 0.0
                for j in range(1, n):  # after the turns of the others
                    i = (q + j) % n
                    fixed += through * _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T)
                    through *= stay[i]
                x = fixed + through * p
                respond_turn(x, holds, a, throws, exits, bust, worth, busts)
                better = (worth[0] - busts[0] * x + busts[0] * fixed) / (1.0 - busts[0] * through)
                if not better > p:
                    break
                p = better
            value = p
            for j in range(n, 0, -1):
                i = (q + j) % n
                if j < n:
                    value = _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T) + stay[i] * value
                change = max(change, abs(value - best[(n - j) % n, states[i]]))
                best[(n - j) % n, states[i]] = value
                if not value - own[(n - j) % n, states[i]] <= top:
                    top, where, at = value - own[(n - j) % n, states[i]], states[i], 0
            exits = fill_holds(own, afters[q], a, T, throws, holds)
            x = own[n - 1, states[(q + 1) % n]]
            own_turn(x, holds, tables, states[q], a, throws, exits, bust, stays)
            for k in range(a):
                if not worth[k] - stays[k] <= top:
                    top, where, at = worth[k] - stays[k], states[q], k
    return change, top, where, at
