"""One turn of one of three players: the best turn for a bust value, and all best turns, as lines.

The value of the best turn is the upper envelope of the lines of all turns: convex and
piecewise linear in the bust value, with finitely many break points.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats
from pigevo.three_player.line_kernels import LEAVE, NEXT, OWN, THIRD, crossing
from pigevo.three_player.rules import PlainDie

SMALL = 1e-15
"""Gains of less than this are rounding."""


@kernel()
def fill_held(held: Floats, values: Floats, a: int, b: int, c: int) -> None:
    """Write the lines of a hold at each turn total.

    Args:
        held: written, shape (at least a, 4).
        values: win probabilities as in `orbits.won_values`.
        a: points needed by the mover.
        b: points needed by the next player.
        c: points needed by the third player.
    """
    for k in range(a):
        held[k, OWN] = values[2, b, c, a - k]
        held[k, NEXT] = values[0, b, c, a - k]
        held[k, THIRD] = values[1, b, c, a - k]
        held[k, LEAVE] = 1.0


@kernel()
def copy_line(lines: Floats, n: int, to: Floats, m: int) -> None:
    """Write line `n` of some as line `m` of others; of whole rows numba would check shapes, seconds of compilation."""
    for part in range(4):
        to[m, part] = lines[n, part]


@kernel()
def turn_memory(a: int, die: PlainDie) -> Floats:
    """Work memory for the turns of one mover: lines by turn total, from `a` on those of a win.

    Args:
        a: points needed by the mover.
        die: the gains and their probabilities.

    Returns:
        Shape (a + largest gain, 4).
    """
    top = 0
    for gain in die[0]:
        top = max(top, gain)
    work = np.zeros((a + top, 4))
    for k in range(a, a + top):
        work[k, OWN] = 1.0
        work[k, LEAVE] = 1.0
    return work


@kernel(inline="always")  # called, it would double the time of a turn
def roll_line(work: Floats, k: int, die: PlainDie) -> tuple[float, float, float, float]:
    """The line of a roll.

    Args:
        work: of `turn_memory`, with the lines of all turn totals above `k`.
        k: the turn total at which the die is rolled.
        die: the gains and their probabilities.
    """
    gains, chances = die
    own, following, third, leave = 0.0, 0.0, 0.0, 0.0
    for g in range(gains.shape[0]):
        p, n = chances[g], k + gains[g]
        own += p * work[n, OWN]
        following += p * work[n, NEXT]
        third += p * work[n, THIRD]
        leave += p * work[n, LEAVE]
    return own, following, third, leave


@kernel()
def best_turn(x: float, held: Floats, die: PlainDie, work: Floats, rolls: Bytes) -> tuple[float, float]:
    """The best turn for a bust value; a tie holds.

    Args:
        x: what a bust is worth to the mover.
        held: of `fill_held`; row 0 is not used, since nobody may pass.
        die: the gains and their probabilities.
        work: of `turn_memory`; row 0 becomes the turn's line.
        rolls: becomes 1 where the mover rolls, by turn total, shape (points needed,).

    Returns:
        The mover's own part of the line, and the chance to leave.
    """
    for k in range(rolls.shape[0] - 1, -1, -1):
        own, following, third, leave = roll_line(work, k, die)
        if k > 0 and held[k, OWN] >= own + (1.0 - leave) * x:
            rolls[k] = 0
            own, following, third, leave = held[k, OWN], held[k, NEXT], held[k, THIRD], 1.0
        else:
            rolls[k] = 1
        work[k, OWN] = own
        work[k, NEXT] = following
        work[k, THIRD] = third
        work[k, LEAVE] = leave
    return work[0, OWN], work[0, LEAVE]


@kernel()
def all_turns(held: Floats, a: int, die: PlainDie, lines: Floats, starts: Floats) -> int:
    """Every turn that is best for some bust value from 0 to 1, in the order of the bust value.

    Between two known best lines lies another one if some turn is worth more where they
    cross; otherwise that crossing is a break point.

    Args:
        held: of `fill_held`.
        a: points needed by the mover.
        die: the gains and their probabilities.
        lines: becomes the lines, shape (room, 4).
        starts: becomes the bust value from which on each is best, and 1 after the last, shape (room,).

    Returns:
        How many there are.
    """
    work, rolls, waiting = turn_memory(a, die), np.empty(a, np.uint8), np.empty_like(lines)
    best_turn(0.0, held, die, work, rolls)
    copy_line(work, 0, lines, 0)
    starts[0] = 0.0
    best_turn(1.0, held, die, work, rolls)
    copy_line(work, 0, waiting, 0)
    found, left = 1, 1
    while left > 0:
        here, there = lines[found - 1], waiting[left - 1]
        if here[LEAVE] - there[LEAVE] <= SMALL:
            left -= 1
            continue
        x = crossing(here, there)
        own, leave = best_turn(x, held, die, work, rolls)
        between = there[LEAVE] + SMALL < leave < here[LEAVE] - SMALL
        if between and own + (1.0 - leave) * x > there[OWN] + (1.0 - there[LEAVE]) * x + SMALL:
            copy_line(work, 0, waiting, left)
            left += 1
        else:
            copy_line(waiting, left - 1, lines, found)
            starts[found] = x
            found += 1
            left -= 1
    starts[found] = 1.0
    return found
