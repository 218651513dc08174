"""One orbit, with all states outside of it known: turns as lines, elimination of turns, and orbits that it solves.

What a bust is worth to a player depends on the turns of the other two, and on the player's
own one when it comes round again.  As long as that is not known, a turn is a line: it ends in
a bust, which leaves the scores as they are, or it leaves them, by a hold or by reaching the
target.  Its line holds four numbers: what the mover, the next and the third player can expect
from its leaving the scores, and the chance that it leaves them.  What they expect are shares of
rewards, from 0 to 1 (`rewards.py`); where only a win counts, they are win probabilities.  If a bust is
worth `x` to the mover, the turn is worth `own + (1 - leave) x`.

The value of the best turn is the upper envelope of the lines of all turns: convex and
piecewise linear in the bust value, with finitely many break points.  Turns that are best for
no possible bust value cannot be part of an equilibrium, neither pure nor mixed.  Taking them
away narrows what the bust values can be, which takes away others: where one turn remains for
each player, they are the only equilibrium.

The players of an orbit are numbered in the order of their turns: after player `m` come
`m + 1` and `m + 2` (modulo 3).

At the end stand the loops of coalitions: two players who only want the third one to lose.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.rules import PlainDie

OWN, NEXT, THIRD, LEAVE = 0, 1, 2, 3


@kernel()
def crossing(low: Floats, high: Floats) -> float:
    """The bust value at which two turns are worth the same to the mover."""
    return float((low[OWN] - high[OWN]) / (low[LEAVE] - high[LEAVE]))


@kernel()
def bust_values(lines: Floats) -> tuple[float, float, float]:
    """What a bust is worth to each of three players."""
    x = np.empty(3)
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        stay_n, stay_h = 1.0 - lines[n, LEAVE], 1.0 - lines[h, LEAVE]
        gain = lines[n, THIRD] + stay_n * (lines[h, NEXT] + stay_h * lines[m, OWN])
        # the divisor is 1 - stay_n stay_h stay_m, summed from its parts to lose no digits
        x[m] = gain / (lines[n, LEAVE] + stay_n * (lines[h, LEAVE] + stay_h * lines[m, LEAVE]))
    return x[0], x[1], x[2]


@kernel()
def start_values(lines: Floats, m: int) -> tuple[float, float, float]:
    """Win probabilities of mover, next and third player at the start of a turn."""
    n, h = (m + 1) % 3, (m + 2) % 3
    stay_m, stay_n = 1.0 - lines[m, LEAVE], 1.0 - lines[n, LEAVE]
    out = lines[m, LEAVE] + stay_m * (lines[n, LEAVE] + stay_n * lines[h, LEAVE])
    mover = (lines[m, OWN] + stay_m * (lines[n, THIRD] + stay_n * lines[h, NEXT])) / out
    following = (lines[m, NEXT] + stay_m * (lines[n, OWN] + stay_n * lines[h, THIRD])) / out
    third = (lines[m, THIRD] + stay_m * (lines[n, NEXT] + stay_n * lines[h, OWN])) / out
    return mover, following, third


SMALL = 1e-15
"""Gains of less than this are rounding."""


@kernel()
def fill_held(held: Floats, values: Floats, a: int, b: int, c: int) -> None:
    """Write the lines of a hold at each turn total, and at `a` that of a win."""
    for k in range(a + 1):
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
def turn_memory(held: Floats, a: int, die: PlainDie) -> Floats:
    """Work memory for the turns of one mover: lines by total, from `a` on of a win, shape (a + largest gain, 4)."""
    top = 0
    for gain in die[0]:
        top = max(top, gain)
    work = np.zeros((a + top, 4))
    for k in range(a, a + top):
        copy_line(held, a, work, k)
    return work


@kernel(inline="always")  # called, it would double the time of a turn
def roll_line(work: Floats, k: int, die: PlainDie) -> tuple[float, float, float, float]:
    """The line of a roll."""
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
    """The best turn for a bust value: the mover's own part of its line, and the chance to leave; a tie holds."""
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
    """Write every turn that is best for some bust value from 0 to 1, in the order of the bust value, and count them.

    Between two known best lines lies another one if some turn is worth more where they cross; otherwise that crossing
    is a break point.
    """
    work, rolls, waiting = turn_memory(held, a, die), np.empty(a, np.uint8), np.empty_like(lines)
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
    """`held`, `lines`, `starts`, `first` and `last` of `BestTurns` at an orbit."""
    # as the bust value rises each decision changes from hold to roll at most once, so there are few best turns
    most = max(needs[0], max(needs[1], needs[2]))
    room = 2 * most + 8
    held, lines, starts = np.empty((3, most + 1, 4)), np.empty((3, room, 4)), np.empty((3, room))
    counts = np.empty(3, np.int64)
    for m in range(3):
        a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
        fill_held(held[m], values, a, b, c)
        counts[m] = all_turns(held[m], a, die, lines[m], starts[m])
    first, last = _narrow(lines, starts, counts)
    return held, lines, starts, first, last


@kernel()
def solve_orbits(orbits: Ints, values: Floats, decisions: Bytes, die: PlainDie) -> Bytes:
    """Solve each orbit that has one equilibrium by elimination; 1 for each that is left unsolved."""
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
            best_turn(x[m], held[m], die, turn_memory(held[m], a, die), decisions[a, b, c, :a])
    return is_open


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
    held, lines, needs = np.empty((3, values.shape[2], 4)), np.empty((3, 4)), np.empty(3, np.int64)
    for o in range(orbits.shape[0]):
        for lone in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            for m in range(3):  # the lone player is number 0
                needs[m] = orbits[o, (lone + m) % 3]
            for m in range(3):
                ahead = (5 - m) % 3  # of the lone player, when the one after `m` moves
                fill_held(held[m], values[ahead], needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3])
            works = (
                turn_memory(held[0], needs[0], die),
                turn_memory(held[1], needs[1], die),
                turn_memory(held[2], needs[2], die),
            )
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
