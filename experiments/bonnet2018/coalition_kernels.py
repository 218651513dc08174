"""The compiled loops of coalitions: two players whose only aim is that the third one loses."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD, fill_held, start_value, state_after, state_of
from pigevo.three_player.rules import Throws


@kernel()
def _turn_for(
    x: float, part: int, sign: float, held: Floats, a: int, throws: Throws, work: Floats, line: Floats
) -> float:
    """The value, for a bust value of `x`, of the turn that maximises (`sign` 1) or minimises (-1) a part of its line.

    The turn's line is written to `line`, shape (4,); from `a` on `work` gets the line of a win.
    """
    gains, chances = throws[0], throws[1]
    for k in range(a, a + gains.max()):
        work[k, OWN], work[k, NEXT], work[k, THIRD], work[k, LEAVE] = held[a, OWN], held[a, NEXT], held[a, THIRD], 1.0
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
            work[k, OWN], work[k, NEXT], work[k, THIRD], work[k, LEAVE] = (
                held[k, OWN],
                held[k, NEXT],
                held[k, THIRD],
                1.0,
            )
    for p in range(4):  # numba copies slices much more slowly
        line[p] = work[0, p]
    return float(work[0, part] + (1.0 - work[0, LEAVE]) * x)


@kernel()
def _against(lines: Floats, held: Floats, needs: Ints, throws: Throws, work: Floats) -> float:
    """Write the best lines of players 1 and 2 together against player 0; returns the value to player 0."""
    worth = 2.0
    while True:
        y = _turn_for(worth, NEXT, -1.0, held[2], needs[2], throws, work, lines[2])
        _turn_for(y, THIRD, -1.0, held[1], needs[1], throws, work, lines[1])
        now = start_value(lines, 0, 0, True)
        if now >= worth:
            return now
        worth = now


@kernel(is_long=True)
def solve_coalition(orbits: Ints, values: Floats, throws: Throws, target: int) -> None:
    """The value of the game of one player against the two others, `values[r]` if the lone player moves in `r` turns.

    The lone player's turn is fixed, the best response of the two is found, then the turn is
    improved, until no improvement is possible (Hoffman & Karp 1966).
    """
    held, lines, needs = np.empty((3, target + 1, 3)), np.empty((3, 4)), np.empty(3, np.int64)
    work = np.empty((target + throws[0].max(), 4))
    for o in range(orbits.shape[0]):
        for lone in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            for m in range(3):  # the lone player is number 0
                needs[m] = orbits[o, (lone + m) % 3]
            for m in range(3):
                ahead = (5 - m) % 3  # of the lone player, when the player after `m` moves
                fill_held(held[m], values[ahead], state_after(needs, m, target + 1), needs[m])
            x, worth = 0.0, -1.0
            while True:
                _turn_for(x, OWN, 1.0, held[0], needs[0], throws, work, lines[0])
                now = _against(lines, held, needs, throws, work)
                x = lines[1, THIRD] + (1.0 - lines[1, LEAVE]) * (lines[2, NEXT] + (1.0 - lines[2, LEAVE]) * now)
                if now <= worth:
                    break
                worth = now
            for m in range(3):
                for p in range(3):
                    values[(3 - m) % 3, p, state_of(needs, m, target + 1)] = start_value(lines, m, p, True)
