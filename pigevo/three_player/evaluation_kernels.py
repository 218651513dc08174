"""The compiled loops that judge given strategies of three players.

Nothing here shares code with the solver: turns are followed forward, from a turn total of 0
to where they end, and the linear equations of an orbit are solved.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints
from pigevo.three_player.rules import PlainDie
from pigevo.three_player.strategy import Tables


@kernel()
def roll_chance(tables: Tables, a: int, b: int, c: int, k: int) -> float:
    """The chance that a strategy rolls.

    Args:
        tables: the strategy.
        a: points needed by the mover.
        b: points needed by the next player.
        c: points needed by the third player.
        k: the turn total.
    """
    decisions, codes, chances = tables
    byte = decisions[a, b, c, k]
    if byte < 2:
        return float(byte)
    side = decisions.shape[0]
    code = ((a * side + b) * side + c) * decisions.shape[3] + k
    return float(chances[np.searchsorted(codes, code)])


@kernel()
def follow_turn(tables: Tables, a: int, b: int, c: int, die: PlainDie, hold: Floats) -> tuple[float, float]:
    """Follow a turn forward.

    Args:
        tables: the mover's strategy.
        a: points needed by the mover.
        b: points needed by the next player.
        c: points needed by the third player.
        die: the gains and their probabilities.
        hold: becomes the chance to hold at each turn total, shape (at least a,).

    Returns:
        The chance to win at once, and the chance to leave the scores: to win or to hold.
    """
    gains, probabilities = die
    hold[:a] = 0.0  # above `k` it holds the chance to come to each turn total
    hold[0] = 1.0
    win, leave = 0.0, 0.0
    for k in range(a):
        reach = hold[k]
        if reach == 0.0:
            continue
        rolling = roll_chance(tables, a, b, c, k)
        hold[k] = reach * (1.0 - rolling)
        leave += hold[k]
        if rolling > 0.0:
            for g in range(gains.shape[0]):
                come = reach * rolling * probabilities[g]
                if k + gains[g] < a:
                    hold[k + gains[g]] += come
                else:
                    win += come
    return win, leave + win


@kernel(is_long=True)
def evaluate_orbits(orbits: Ints, players: tuple[Tables, Tables, Tables], die: PlainDie, values: Floats) -> None:
    """Win probabilities of three strategies that play each other, exactly.

    Args:
        orbits: all orbits by the total of points needed, shape (n, 3).
        players: the strategies of players 0, 1 and 2, who take turns in this order.
        die: the gains and their probabilities.
        values: win probability of player `p` when `m` is to move, shape (3, 3, T + 1, T + 1, T + 1) by m, p and
            the points needed by mover, next and third; known where somebody has won, written elsewhere.
    """
    hold, parts, stay = np.empty(values.shape[2] - 1), np.empty((3, 3)), np.empty(3)
    for o in range(orbits.shape[0]):
        for shift in range(3):  # each way to seat the players at the three states
            out, through = 0.0, 1.0
            for n in range(3):
                m = (n + shift) % 3
                a, b, c = orbits[o, n], orbits[o, (n + 1) % 3], orbits[o, (n + 2) % 3]
                win, leave = follow_turn(players[m], a, b, c, die, hold)
                for p in range(3):
                    parts[n, p] = win if p == m else 0.0
                    for k in range(1, a):
                        if hold[k] > 0.0:
                            parts[n, p] += hold[k] * values[(m + 1) % 3, p, b, c, a - k]
                stay[n] = 1.0 - leave
                out += through * leave
                through *= stay[n]
            for n in range(3):
                m, then, after = (n + shift) % 3, (n + 1) % 3, (n + 2) % 3
                for p in range(3):
                    total = parts[n, p] + stay[n] * (parts[then, p] + stay[then] * parts[after, p])
                    values[m, p, orbits[o, n], orbits[o, then], orbits[o, after]] = total / out
