"""The compiled loops that judge given strategies of three players.

Nothing here knows how an equilibrium is found: turns are followed forward, from a turn
total of 0 to where they end, and the linear equations of an orbit are solved.
"""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.compiled import kernel

Tables = tuple[Bytes, Ints, Floats]


@kernel()
def roll_chance(tables: Tables, a: int, b: int, c: int, k: int) -> float:
    """The chance that a strategy rolls."""
    decisions, codes, chances = tables
    byte = decisions[a, b, c, k]
    if byte < 2:
        return float(byte)
    side = decisions.shape[0]
    code = ((a * side + b) * side + c) * decisions.shape[3] + k
    return float(chances[np.searchsorted(codes, code)])


@kernel()
def follow_turn(
    tables: Tables, a: int, b: int, c: int, gains: Ints, probabilities: Floats, reach: Floats, hold: Floats
) -> tuple[float, float]:
    """Follow a turn forward.

    Args:
        tables: the mover's strategy.
        a, b, c: points needed by mover, next and third.
        gains, probabilities: the die.
        reach: work array of at least `a`.
        hold: becomes the chance to hold at each turn total, shape (at least a,).

    Returns:
        The chance to win at once, and the chance to leave the scores behind: to win or to hold.
    """
    reach[:a] = 0.0
    hold[:a] = 0.0
    reach[0] = 1.0
    win, leave = 0.0, 0.0
    for k in range(a):
        if reach[k] == 0.0:
            continue
        rolling = roll_chance(tables, a, b, c, k)
        hold[k] = reach[k] * (1.0 - rolling)
        leave += hold[k]
        if rolling > 0.0:
            for g in range(gains.shape[0]):
                come = reach[k] * rolling * probabilities[g]
                if k + gains[g] < a:
                    reach[k + gains[g]] += come
                else:
                    win += come
    return win, leave + win


@kernel()
def evaluate_orbits(
    orbits: Ints, first: Tables, second: Tables, third: Tables, gains: Ints, probabilities: Floats, values: Floats
) -> None:
    """Win probabilities of three strategies that play each other, exactly.

    Args:
        orbits: the orbits in an order in which they can be solved, shape (n, 3).
        first, second, third: the strategies of players 0, 1 and 2, who take turns in this order.
        gains, probabilities: the die.
        values: win probability of player `p` when `m` is to move, shape (3, 3, T + 1, T + 1, T + 1) by
            m, p and the points needed by mover, next and third; written at the orbits, and
            known where somebody has won.
    """
    T = values.shape[2] - 1
    reach, hold = np.empty(T), np.empty(T)
    parts, stay = np.empty((3, 3)), np.empty(3)
    for o in range(orbits.shape[0]):
        a, b, c = orbits[o]
        for shift in range(3):  # each way to seat the players at the three states
            out, through = 0.0, 1.0
            for n in range(3):
                m = (n + shift) % 3
                x, y, z = (a, b, c) if n == 0 else ((b, c, a) if n == 1 else (c, a, b))
                if m == 0:
                    win, leave = follow_turn(first, x, y, z, gains, probabilities, reach, hold)
                elif m == 1:
                    win, leave = follow_turn(second, x, y, z, gains, probabilities, reach, hold)
                else:
                    win, leave = follow_turn(third, x, y, z, gains, probabilities, reach, hold)
                for p in range(3):
                    parts[n, p] = win if p == m else 0.0
                    for k in range(1, x):
                        if hold[k] > 0.0:
                            parts[n, p] += hold[k] * values[(m + 1) % 3, p, y, z, x - k]
                stay[n] = 1.0 - leave
                out += through * leave
                through *= stay[n]
            for n in range(3):
                m = (n + shift) % 3
                x, y, z = (a, b, c) if n == 0 else ((b, c, a) if n == 1 else (c, a, b))
                then, after = (n + 1) % 3, (n + 2) % 3
                for p in range(3):
                    total = parts[n, p] + stay[n] * (parts[then, p] + stay[then] * parts[after, p])
                    values[m, p, x, y, z] = total / out
