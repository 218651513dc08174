"""One orbit: the three states that busts lead around, with all others known.

The players are numbered in the order of their turns: player `m` moves with `needs[m]`
points to go, after him `m + 1`, then `m + 2` (modulo 3).  What a bust is worth to a player
depends on the turns of the other two, and on his own one when it comes round again.

Turns that are best for no possible bust value cannot be part of an equilibrium, neither
pure nor mixed.  Taking them away narrows what the bust values can be, which takes away
others: where one turn remains for each player, they are the only equilibrium.
"""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.compiled import kernel
from pigevo.three_player.turn_kernels import LEAVE, NEXT, OWN, THIRD, all_turns, best_turn, fill_held, fill_won

MARGIN = 1e-13
"""Turns that are best only this near to the possible bust values stay, so that ties are seen."""


@kernel()
def room_for(target: int) -> int:
    """Room for the best turns: a dearer bust never makes a roll better, so each decision changes once at most."""
    return 2 * target + 8


@kernel()
def bust_values(lines: Floats) -> tuple[float, float, float]:
    """What a bust is worth to each of three players who play these turns.

    Args:
        lines: one line for each player, shape (3, 4).
    """
    x = np.empty(3)
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        stay_n, stay_h = 1.0 - lines[n, LEAVE], 1.0 - lines[h, LEAVE]
        gain = lines[n, THIRD] + stay_n * (lines[h, NEXT] + stay_h * lines[m, OWN])
        # 1 - stay_n stay_h stay_m, summed up from its parts
        x[m] = gain / (lines[n, LEAVE] + stay_n * (lines[h, LEAVE] + stay_h * lines[m, LEAVE]))
    return x[0], x[1], x[2]


@kernel()
def start_values(lines: Floats, m: int) -> tuple[float, float, float]:
    """Win probabilities of mover, next and third when player `m` is to move; arguments as `bust_values`."""
    n, h = (m + 1) % 3, (m + 2) % 3
    stay_m, stay_n = 1.0 - lines[m, LEAVE], 1.0 - lines[n, LEAVE]
    out = lines[m, LEAVE] + stay_m * (lines[n, LEAVE] + stay_n * lines[h, LEAVE])
    mover = (lines[m, OWN] + stay_m * (lines[n, THIRD] + stay_n * lines[h, NEXT])) / out
    following = (lines[m, NEXT] + stay_m * (lines[n, OWN] + stay_n * lines[h, THIRD])) / out
    third = (lines[m, THIRD] + stay_m * (lines[n, NEXT] + stay_n * lines[h, OWN])) / out
    return mover, following, third


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
def narrow(lines: Floats, starts: Floats, counts: Ints, first: Ints, last: Ints) -> None:
    """Take away every turn that no equilibrium can use.

    Args:
        lines, starts: from `all_turns` for each player, shapes (3, room, 4) and (3, room).
        counts: how many there are, shape (3,).
        first, last: become the range of those that remain for each player, shape (3,).
    """
    low, high = np.zeros(3), np.ones(3)
    for m in range(3):
        first[m], last[m] = 0, counts[m]
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


@kernel()
def prepare_orbit(
    values: Floats,
    needs: Ints,
    gains: Ints,
    chances: Floats,
    held: Floats,
    work: Floats,
    rolls: Bytes,
    waiting: Floats,
    lines: Floats,
    starts: Floats,
    first: Ints,
    last: Ints,
) -> None:
    """All turns of the three players at an orbit that an equilibrium can use.

    Args:
        values: as in `fill_held`, known for all states after a hold.
        needs: points needed by the three players, shape (3,).
        gains, chances: the die.
        held, work, rolls, waiting: work arrays of shapes (3, T, 4), (T + largest gain, 4), (T,), (room, 4).
        lines, starts, first, last: become what `narrow` says.
    """
    counts = np.empty(3, np.int64)
    for m in range(3):
        a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
        fill_held(held[m], values, a, b, c)
        fill_won(work, a)
        counts[m] = all_turns(held[m], a, gains, chances, work, rolls, lines[m], starts[m], waiting)
    narrow(lines, starts, counts, first, last)


@kernel()
def solve_orbits(
    orbits: Ints, values: Floats, decisions: Bytes, gains: Ints, chances: Floats, open_ones: Bytes
) -> None:
    """Solve each orbit that has one equilibrium by elimination.

    Args:
        orbits: points needed by the three players, shape (n, 3).
        values: as in `fill_held`; written at the orbits.
        decisions: 1 where a player rolls, shape (T + 1, T + 1, T + 1, T), by the points needed by mover,
            next, third, and the turn total; written likewise.
        gains, chances: the die.
        open_ones: becomes 1 for each orbit where more than one turn remains, shape (n,).
    """
    T = decisions.shape[3]
    room = room_for(T)
    held, work = np.empty((3, T, 4)), np.empty((T + gains.max(), 4))
    rolls, waiting = np.empty(T, np.uint8), np.empty((room, 4))
    lines, starts = np.empty((3, room, 4)), np.empty((3, room))
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    chosen = np.empty((3, 4))
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        prepare_orbit(values, needs, gains, chances, held, work, rolls, waiting, lines, starts, first, last)
        open_ones[o] = (last - first).max() > 1
        if open_ones[o]:
            continue
        for m in range(3):
            chosen[m] = lines[m, first[m]]
        x = bust_values(chosen)
        for m in range(3):
            a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
            values[0, a, b, c], values[1, a, b, c], values[2, a, b, c] = start_values(chosen, m)
            fill_won(work, a)
            best_turn(x[m], held[m], a, gains, chances, work, decisions[a, b, c, :a])
