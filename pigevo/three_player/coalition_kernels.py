"""The compiled loops of coalitions: two players who only want the third one to lose."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.compiled import kernel
from pigevo.three_player.orbit_kernels import start_values
from pigevo.three_player.turn_kernels import LEAVE, NEXT, OWN, THIRD, fill_won


@kernel()
def _turn_for(
    x: float, part: int, sign: float, held: Floats, a: int, gains: Ints, chances: Floats, work: Floats
) -> float:
    """The turn that makes one part of its line large (`sign` 1) or small (-1) when a bust is worth `x` in it.

    Other arguments as `best_turn`.

    Returns:
        What the turn is worth.
    """
    for k in range(a - 1, -1, -1):
        own, following, third, leave = 0.0, 0.0, 0.0, 0.0
        for g in range(gains.shape[0]):
            p, n = chances[g], k + gains[g]
            own += p * work[n, OWN]
            following += p * work[n, NEXT]
            third += p * work[n, THIRD]
            leave += p * work[n, LEAVE]
        work[k, OWN], work[k, NEXT], work[k, THIRD], work[k, LEAVE] = own, following, third, leave
        if k > 0 and sign * held[k, part] >= sign * (work[k, part] + (1.0 - leave) * x):
            for p in range(4):
                work[k, p] = held[k, p]
    return float(work[0, part] + (1.0 - work[0, LEAVE]) * x)


@kernel()
def _against(lines: Floats, held: Floats, needs: Ints, gains: Ints, chances: Floats, work: Floats) -> float:
    """The best that players 1 and 2 can do together against the turn of player 0; their lines are written.

    Returns:
        What a bust is then worth to player 0.
    """
    worth = 2.0
    while True:
        bust = worth
        fill_won(work, needs[2])
        y = _turn_for(bust, NEXT, -1.0, held[2], needs[2], gains, chances, work)
        lines[2] = work[0]
        fill_won(work, needs[1])
        _turn_for(y, THIRD, -1.0, held[1], needs[1], gains, chances, work)
        lines[1] = work[0]
        now = start_values(lines, 0)[0]
        if now >= worth:
            stay = 1.0 - lines[1, LEAVE]
            return float(lines[1, THIRD] + stay * (lines[2, NEXT] + (1.0 - lines[2, LEAVE]) * now))
        worth = now


@kernel()
def solve_coalition(orbits: Ints, values: Floats, gains: Ints, chances: Floats) -> None:
    """The value of the game of one player against the two others.

    The lone player's turn is fixed, the best answer of the two is found, then his turn is
    improved, until it cannot be (Hoffman & Karp 1966).

    Args:
        orbits: points needed by the three players, shape (n, 3).
        values: win probability of the player `p` turns ahead when the lone player is `r` turns ahead,
            shape (3, 3, T + 1, T + 1, T + 1) by r, p and the points needed by mover, next, third;
            written at the orbits, and known for all states after a hold.
        gains, chances: the die.
    """
    T = values.shape[2] - 1
    held, lines = np.empty((3, T, 4)), np.empty((3, 4))
    work, needs = np.empty((T + gains.max(), 4)), np.empty(3, np.int64)
    for o in range(orbits.shape[0]):
        for lone in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            for m in range(3):
                needs[m] = orbits[o, (lone + m) % 3]
            for m in range(3):
                a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
                r = (5 - m) % 3  # how far ahead the lone player is when the one after `m` moves
                for k in range(a):
                    held[m, k, OWN] = values[r, 2, b, c, a - k]
                    held[m, k, NEXT] = values[r, 0, b, c, a - k]
                    held[m, k, THIRD] = values[r, 1, b, c, a - k]
                    held[m, k, LEAVE] = 1.0
            x, worth = 0.0, -1.0
            while True:
                fill_won(work, needs[0])
                _turn_for(x, OWN, 1.0, held[0], needs[0], gains, chances, work)
                lines[0] = work[0]
                x = _against(lines, held, needs, gains, chances, work)
                now = start_values(lines, 0)[0]
                if now <= worth:
                    break
                worth = now
            for m in range(3):
                a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
                first, second, third = start_values(lines, m)
                r = (3 - m) % 3
                values[r, 0, a, b, c], values[r, 1, a, b, c], values[r, 2, a, b, c] = first, second, third
