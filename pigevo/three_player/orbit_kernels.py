"""One orbit, with all states outside of it known: elimination of turns, and orbits that it solves.

What a bust is worth to a player depends on the turns of the other two, and on the player's
own one when it comes round again.  Turns that are best for no possible bust value cannot be
part of an equilibrium, neither pure nor mixed.  Taking them away narrows what the bust
values can be, which takes away others: where one turn remains for each player, they are
the only equilibrium.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.line_kernels import LEAVE, NEXT, OWN, THIRD, bust_values, start_values
from pigevo.three_player.rules import PlainDie
from pigevo.three_player.turn_kernels import all_turns, best_turn, copy_line, fill_held, turn_memory

MARGIN = 1e-13
"""Turns that are best only this near to the possible bust values are kept, so that ties are seen."""


@kernel()
def _extreme(lines: Floats, first: int, last: int, part: int, x: float, sign: float) -> float:
    """The largest (`sign` 1) or smallest (-1) of `part + (1 - leave) x` over a range of lines."""
    best = -np.inf
    for i in range(first, last):
        best = max(best, sign * (lines[i, part] + (1.0 - lines[i, LEAVE]) * x))
    return sign * best


@kernel()
def _bound(lines: Floats, first: Ints, last: Ints, m: int, x: float, sign: float) -> float:
    """A bound of player `m`'s bust value, beyond which it cannot lie if it does not lie beyond `x`."""
    n, h = (m + 1) % 3, (m + 2) % 3
    for _ in range(50):
        before = x
        x = _extreme(lines[m], first[m], last[m], OWN, x, 1.0)
        x = _extreme(lines[h], first[h], last[h], NEXT, x, sign)
        x = _extreme(lines[n], first[n], last[n], THIRD, x, sign)
        if abs(x - before) < MARGIN:
            break
    return x


@kernel()
def _narrow(lines: Floats, starts: Floats, counts: Ints) -> tuple[Ints, Ints]:
    """The range of turns that elimination leaves to each player: from `first` to before `last`."""
    low, high = np.zeros(3), np.ones(3)
    first, last = np.zeros(3, np.int64), counts.copy()
    changed = True
    while changed:
        changed = False
        for m in range(3):
            low[m] = max(low[m], _bound(lines, first, last, m, low[m], -1.0))
            high[m] = min(high[m], _bound(lines, first, last, m, high[m], 1.0))
            while first[m] + 1 < last[m] and starts[m, first[m] + 1] < low[m] - MARGIN:
                first[m] += 1
                changed = True
            while last[m] - 1 > first[m] and starts[m, last[m] - 1] > high[m] + MARGIN:
                last[m] -= 1
                changed = True
    return first, last


@kernel()
def prepare_orbit(values: Floats, needs: Ints, die: PlainDie) -> tuple[Floats, Floats, Floats, Ints, Ints]:
    """The best turns of three players at an orbit, and which of them elimination leaves.

    Args:
        values: win probabilities as in `orbits.won_values`, known for all states after a hold.
        needs: points needed by the three players, shape (3,).
        die: the gains and their probabilities.

    Returns:
        The lines of each player's holds, shape (3, T, 4); the lines of the best turns, shape (3, room, 4); the
        bust value from which on each is best, and 1 after the last, shape (3, room); the first turn that is left
        to each player, and the one after the last, shape (3,) each.
    """
    # as the bust value rises each decision changes from hold to roll at most once, so there are few best turns
    most = max(needs[0], max(needs[1], needs[2]))
    room = 2 * most + 8
    held, lines, starts = np.empty((3, most, 4)), np.empty((3, room, 4)), np.empty((3, room))
    counts = np.empty(3, np.int64)
    for m in range(3):
        a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
        fill_held(held[m], values, a, b, c)
        counts[m] = all_turns(held[m], a, die, lines[m], starts[m])
    first, last = _narrow(lines, starts, counts)
    return held, lines, starts, first, last


@kernel()
def solve_orbits(orbits: Ints, values: Floats, decisions: Bytes, die: PlainDie) -> Bytes:
    """Solve each orbit that has one equilibrium by elimination.

    Args:
        orbits: points needed by the three players, shape (n, 3).
        values: as in `prepare_orbit`; written at the orbits.
        decisions: as in `strategy.Strategy`; written at the orbits.
        die: the gains and their probabilities.

    Returns:
        1 for each orbit where more than one turn remains to a player, which is left unsolved, shape (n,).
    """
    is_open = np.zeros(orbits.shape[0], np.uint8)
    chosen = np.empty((3, 4))
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        held, lines, _, first, last = prepare_orbit(values, needs, die)
        is_open[o] = last[0] - first[0] > 1 or last[1] - first[1] > 1 or last[2] - first[2] > 1
        if is_open[o]:
            continue
        for m in range(3):
            copy_line(lines[m], first[m], chosen, m)
        x = bust_values(chosen)
        for m in range(3):
            a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
            values[0, a, b, c], values[1, a, b, c], values[2, a, b, c] = start_values(chosen, m)
            best_turn(x[m], held[m], die, turn_memory(a, die), decisions[a, b, c, :a])
    return is_open
