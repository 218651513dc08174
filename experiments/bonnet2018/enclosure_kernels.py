"""Enclosures of the values of every equilibrium, in interval arithmetic: bounds below and above, rounded outward.

All numbers are sums of products of numbers that are not negative, so a sum of up to six
products that is computed in floating point is wrong by a factor between `1 - OUTWARD` and
`1 + OUTWARD` at most, and multiplying a lower bound by the first and an upper one by the second
keeps them bounds.

At an orbit nothing is known at first: each of the nine values, of three players where each of
them moves, lies between 0 and 1.  A turn is followed backwards, decision by decision.  Where the
bounds say that a roll is better than a hold for the mover, or the reverse, every equilibrium
takes it; where they overlap either may be taken, or a mixture, and the bounds cover both.  That
bounds the values at the start of the turn, and so what a bust of the player before is worth,
and so on, round and round, until nothing moves.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Floats, Ints

OUTWARD = 2.0**-49
"""16 units of the last place of 1: more than six products, their sum and this factor's own rounding can be wrong by."""

FREE, ROLLS, HOLDS, MIXES = 0, 1, 2, 3
"""What is asked of a decision: nothing, or that it is this one, and no worse than the other; or both equally good."""

STILL = 1e-16
"""Bounds that move by less in a round are at rest."""


@kernel()
def _turn(
    bounds: Floats, m: int, needs: Ints, low: Floats, high: Floats, die: Ints, chances: Floats, asked: Bytes,
    open_decisions: Bools, work: Floats,
) -> bool:  # fmt: skip
    """Bound the values where player `m` moves; False if what is asked of a decision cannot be.

    `bounds` has shape (2, 3, 3): below and above, mover, and whose value, counted from the mover on. `chances` are
    those of the gains of `die`, and last that of a bust, below and above.
    """
    a, b, c, n = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3], (m + 1) % 3
    down, up, last = 1.0 - OUTWARD, 1.0 + OUTWARD, die.shape[0]
    for k in range(a, work.shape[1]):
        for p in range(3):
            work[0, k, p] = work[1, k, p] = 1.0 if p == 0 else 0.0
    for k in range(a - 1, -1, -1):
        for p in range(3):
            below = chances[0, last] * bounds[0, n, (p + 2) % 3]
            above = chances[1, last] * bounds[1, n, (p + 2) % 3]
            for g in range(last):
                below += chances[0, g] * work[0, k + die[g], p]
                above += chances[1, g] * work[1, k + die[g], p]
            work[0, k, p], work[1, k, p] = below * down, min(1.0, above * up)
        if k == 0:
            break
        rolls = work[1, k, 0] >= low[2, b, c, a - k]  # may be as good as a hold
        holds = high[2, b, c, a - k] >= work[0, k, 0]
        ask = asked[m, k]
        if (ask == ROLLS and not rolls) or (ask == HOLDS and not holds) or (ask == MIXES and not (rolls and holds)):
            return False
        open_decisions[m, k] = rolls and holds
        best = max(work[0, k, 0], low[2, b, c, a - k]), max(work[1, k, 0], high[2, b, c, a - k])
        rolls, holds = rolls and ask != HOLDS, holds and ask != ROLLS
        for p in range(3):
            below, above = low[(p + 2) % 3, b, c, a - k], high[(p + 2) % 3, b, c, a - k]
            if holds and not rolls:
                work[0, k, p], work[1, k, p] = below, above
            elif holds:
                work[0, k, p], work[1, k, p] = min(work[0, k, p], below), max(work[1, k, p], above)
        work[0, k, 0] = max(work[0, k, 0], best[0])  # the mover takes what is best
        work[1, k, 0] = min(work[1, k, 0], best[1]) if ask != MIXES else min(work[1, k, 0], high[2, b, c, a - k])
    for p in range(3):
        bounds[0, m, p] = max(bounds[0, m, p], work[0, 0, p])
        bounds[1, m, p] = min(bounds[1, m, p], work[1, 0, p])
    for p in range(3):  # somebody wins: the three add up to 1
        q, r = (p + 1) % 3, (p + 2) % 3
        bounds[1, m, p] = min(bounds[1, m, p], 1.0 - bounds[0, m, q] - bounds[0, m, r] + OUTWARD)
        bounds[0, m, p] = max(bounds[0, m, p], 1.0 - bounds[1, m, q] - bounds[1, m, r] - OUTWARD)
    sound = True  # and no `all` of a generator, which numba does not compile
    for p in range(3):
        sound = sound and bounds[0, m, p] <= bounds[1, m, p]
    return sound


@kernel()
def bound_orbit(
    bounds: Floats, needs: Ints, low: Floats, high: Floats, die: Ints, chances: Floats, asked: Bytes,
    open_decisions: Bools, work: Floats,
) -> bool:  # fmt: skip
    """Narrow the nine bounds of an orbit until they rest; False if no equilibrium is as asked.

    Args:
        bounds: where the values are known to lie, changed in place, shape (2, 3, 3).
        needs: points needed by the three, shape (3,).
        low, high: bounds of all later values, shape (3, T + 1, T + 1, T + 1) each.
        die, chances: the gains, and bounds of their chances and of that of a bust, shape (2, gains + 1).
        asked: of each decision, `FREE`, `ROLLS`, `HOLDS` or `MIXES`, shape (3, T).
        open_decisions: set to where roll and hold may be equally good, shape (3, T).
        work: memory, shape (2, T + largest gain, 3).
    """
    before = np.empty_like(bounds)
    same = needs[0] == needs[1] == needs[2]
    while True:
        before[:] = bounds
        for m in range(2, -1, -1):
            if not _turn(bounds, m, needs, low, high, die, chances, asked, open_decisions, work):
                return False
        if same:  # the three states are one, and so are their values
            for p in range(3):
                bounds[0, :, p] = bounds[0, :, p].max()
                bounds[1, :, p] = bounds[1, :, p].min()
        if np.abs(bounds - before).max() < STILL:
            return True


@kernel(is_long=True)
def bound_orbits(orbits: Ints, low: Floats, high: Floats, die: Ints, chances: Floats) -> Ints:
    """Bound all equilibria of orbits whose later values are bounded; how many decisions of each stay open."""
    T = low.shape[1] - 1
    asked, opened, work = np.zeros((3, T), np.uint8), np.zeros((3, T), np.bool_), np.empty((2, T + die.max(), 3))
    bounds, found = np.empty((2, 3, 3)), np.zeros(orbits.shape[0], np.int64)
    for o in range(orbits.shape[0]):
        bounds[0], bounds[1] = 0.0, 1.0
        opened[:] = False
        bound_orbit(bounds, orbits[o], low, high, die, chances, asked, opened, work)
        found[o] = opened.sum()
        for m in range(3):
            a, b, c = orbits[o, m], orbits[o, (m + 1) % 3], orbits[o, (m + 2) % 3]
            for p in range(3):
                low[p, a, b, c], high[p, a, b, c] = bounds[0, m, p], bounds[1, m, p]
    return found
