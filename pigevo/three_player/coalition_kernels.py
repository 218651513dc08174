"""The compiled loops of coalitions: two players who only want the third one to lose."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD, fill_held, roll_line, start_values, turn_memory
from pigevo.three_player.rules import PlainDie


@kernel()
def _turn_for(
    x: float, part: int, sign: float, held: Floats, a: int, die: PlainDie, work: Floats, line: Floats
) -> float:
    """The worth of the turn that makes a part of its line large (`sign` 1) or small (-1) if a bust is worth `x` in it.

    The turn's line is written to `line`, shape (4,); `held`, `die` and `work` are as in `best_turn`.
    """
    for k in range(a - 1, -1, -1):
        work[k, OWN], work[k, NEXT], work[k, THIRD], work[k, LEAVE] = roll_line(work, k, die)
        if k > 0 and sign * held[k, part] >= sign * (work[k, part] + (1.0 - work[k, LEAVE]) * x):
            for p in range(4):  # numba copies a row as a slice much more slowly
                work[k, p] = held[k, p]
    for p in range(4):
        line[p] = work[0, p]
    return float(work[0, part] + (1.0 - work[0, LEAVE]) * x)


@kernel()
def _against(lines: Floats, held: Floats, needs: Ints, die: PlainDie, works: tuple[Floats, Floats, Floats]) -> float:
    """Write the best lines of players 1 and 2 together against player 0; what a bust is then worth to player 0."""
    worth = 2.0
    while True:
        y = _turn_for(worth, NEXT, -1.0, held[2], needs[2], die, works[2], lines[2])
        _turn_for(y, THIRD, -1.0, held[1], needs[1], die, works[1], lines[1])
        now = start_values(lines, 0)[0]
        if now >= worth:
            stay = 1.0 - lines[1, LEAVE]
            return float(lines[1, THIRD] + stay * (lines[2, NEXT] + (1.0 - lines[2, LEAVE]) * now))
        worth = now


@kernel(is_long=True)
def solve_coalition(orbits: Ints, values: Floats, die: PlainDie) -> None:
    """The value of the game of one player against the two others.

    The lone player's turn is fixed, the best answer of the two is found, then that turn is
    improved, until it cannot be (Hoffman & Karp 1966).
    """
    held, lines, needs = np.empty((3, values.shape[2] - 1, 4)), np.empty((3, 4)), np.empty(3, np.int64)
    for o in range(orbits.shape[0]):
        for lone in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            for m in range(3):  # the lone player is number 0
                needs[m] = orbits[o, (lone + m) % 3]
            for m in range(3):
                ahead = (5 - m) % 3  # of the lone player, when the one after `m` moves
                fill_held(held[m], values[ahead], needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3])
            works = turn_memory(needs[0], die), turn_memory(needs[1], die), turn_memory(needs[2], die)
            x, worth = 0.0, -1.0
            while True:
                _turn_for(x, OWN, 1.0, held[0], needs[0], die, works[0], lines[0])
                x = _against(lines, held, needs, die, works)
                now = start_values(lines, 0)[0]
                if now <= worth:
                    break
                worth = now
            for m in range(3):
                a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
                r = (3 - m) % 3
                values[r, 0, a, b, c], values[r, 1, a, b, c], values[r, 2, a, b, c] = start_values(lines, m)
