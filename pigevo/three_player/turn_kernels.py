"""One turn of one of three players: the best turn for a bust value, and all best turns.

A turn is told by four numbers, a *line*: what the mover, the next and the third player win
when the turn leaves the scores behind (by a hold or by reaching the target), and the
chance that it does.  If a bust is worth `x` to the mover, the turn is worth
`own + (1 - leave) x` to him.  The best turn's value is the upper envelope of such lines:
convex, piecewise linear, with finitely many break points.
"""

from __future__ import annotations

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.compiled import kernel

OWN, NEXT, THIRD, LEAVE = 0, 1, 2, 3
SMALL = 1e-15
"""Gains of less than this are rounding."""


@kernel()
def fill_held(held: Floats, values: Floats, a: int, b: int, c: int) -> None:
    """What a hold at each turn total leads to, as lines; from `a` on the mover has won.

    Args:
        held: filled, shape (more than a, 4).
        values: win probabilities, shape (3, T + 1, T + 1, T + 1), by the player's turn
            (0 for the mover) and the points needed by mover, next and third.
        a, b, c: points needed by mover, next and third.
    """
    for k in range(a):
        held[k, OWN] = values[2, b, c, a - k]
        held[k, NEXT] = values[0, b, c, a - k]
        held[k, THIRD] = values[1, b, c, a - k]
        held[k, LEAVE] = 1.0


@kernel()
def fill_won(work: Floats, a: int) -> None:
    """From turn total `a` on the mover has won: what `best_turn` expects of its work array."""
    for n in range(a, work.shape[0]):
        work[n, OWN] = 1.0
        work[n, NEXT] = 0.0
        work[n, THIRD] = 0.0
        work[n, LEAVE] = 1.0


@kernel()
def best_turn(
    x: float, held: Floats, a: int, gains: Ints, chances: Floats, work: Floats, rolls: Bytes
) -> tuple[float, float]:
    """The best turn when a bust is worth `x` to the mover; a tie holds.

    Args:
        x: the bust value.
        held: from `fill_held`; row 0 is not used, since nobody may pass.
        a: points that the mover needs.
        gains, chances: the die.
        work: shape (a + largest gain, 4), from `fill_won`; row 0 becomes the turn's line.
        rolls: shape (a,), becomes 1 where the turn goes on.

    Returns:
        The mover's own part of the line, and the chance to leave.
    """
    for k in range(a - 1, -1, -1):
        own, following, third, leave = 0.0, 0.0, 0.0, 0.0
        for g in range(gains.shape[0]):
            p, n = chances[g], k + gains[g]
            own += p * work[n, OWN]
            following += p * work[n, NEXT]
            third += p * work[n, THIRD]
            leave += p * work[n, LEAVE]
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
def crossing(low: Floats, high: Floats) -> float:
    """The bust value at which two lines are worth the same; the second has the smaller chance to leave."""
    return float((low[OWN] - high[OWN]) / (low[LEAVE] - high[LEAVE]))


@kernel()
def all_turns(
    held: Floats,
    a: int,
    gains: Ints,
    chances: Floats,
    work: Floats,
    rolls: Bytes,
    lines: Floats,
    starts: Floats,
    waiting: Floats,
) -> int:
    """Every turn that is best for some bust value from 0 to 1, in the order of the bust value.

    Between two known best lines lies another one if any turn is worth more where they
    cross; otherwise that crossing is a break point.

    Args:
        held, a, gains, chances, work, rolls: as `best_turn`.
        lines: becomes the lines, shape (room, 4).
        starts: becomes the bust value from which on each is best, and 1 behind the last, shape (room,).
        waiting: work array, shape (room, 4).

    Returns:
        How many there are.
    """
    best_turn(0.0, held, a, gains, chances, work, rolls)
    lines[0] = work[0]
    starts[0] = 0.0
    best_turn(1.0, held, a, gains, chances, work, rolls)
    waiting[0] = work[0]
    found, left = 1, 1
    while left > 0:
        here, there = lines[found - 1], waiting[left - 1]
        if here[LEAVE] - there[LEAVE] <= SMALL:
            left -= 1
            continue
        x = crossing(here, there)
        own, leave = best_turn(x, held, a, gains, chances, work, rolls)
        between = there[LEAVE] + SMALL < leave < here[LEAVE] - SMALL
        if between and own + (1.0 - leave) * x > there[OWN] + (1.0 - there[LEAVE]) * x + SMALL:
            waiting[left] = work[0]
            left += 1
        else:
            lines[found] = there
            starts[found] = x
            found += 1
            left -= 1
    starts[found] = 1.0
    return found
