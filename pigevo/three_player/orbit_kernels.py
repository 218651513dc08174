"""One orbit, given all states outside of it: turns as lines, elimination of turns, and orbits solved by elimination.

The value of a bust to a player depends on the turns of the others, and on the player's own next
turn.  As long as it is unknown, a turn is a line.  A turn either ends in a bust, which does not
change the scores, or it leaves them, by a hold or by reaching the target.  Its line has, for each
of n players from the mover on, the part of that player's value that comes from leaving the scores,
and as last entry the chance to leave them.  Values are win probabilities, or others from 0 to 1.  If `x`
is the value of a bust to the mover, the value of the turn is `own + (1 - leave) x`.

A throw may also end a turn with some points, or with the loss of the whole score.  The values after such throws are
taken as known; they are the same at every turn total, so they are one more line, of *exits*, in every roll.

The value of the best turn is the upper envelope of the lines of all turns: convex and piecewise linear in the bust
value, with finitely many break points.  Turns that are best for no possible bust value cannot be part of an
equilibrium, neither pure nor mixed.  Eliminating them narrows the possible bust values, which eliminates other turns:
if one turn remains for each player, these are the only equilibrium.

The players of an orbit are numbered in the order of their turns: player `m` is followed by `m + 1` (modulo n).
`values[p, s]` is the value to the player who moves `p` turns later in state `s`, whose number is the points needed by
mover, next and so on, read as digits of base T + 1.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.rules import Throws

OWN, NEXT, THIRD, LEAVE = 0, 1, 2, 3
"""The parts of a line of three players."""

SMALL, MARGIN = 1e-15, 1e-13
"""Gains below `SMALL` are rounding errors; turns that are best within `MARGIN` of the possible bust values remain."""


@kernel()
def state_after(needs: Ints, m: int, side: int) -> int:
    """The number of the state after a turn of player `m`, before that player's need is added."""
    n, s = needs.shape[0], 0
    for j in range(1, n):
        s = s * side + needs[(m + j) % n]
    return s * side


@kernel()
def state_of(needs: Ints, m: int, side: int) -> int:
    """The number of the state of an orbit in which player `m` is to move."""
    n, s = needs.shape[0], 0
    for j in range(n):
        s = s * side + needs[(m + j) % n]
    return s


@kernel()
def fill_held(held: Floats, values: Floats, after: int, a: int) -> None:
    """Write all players' values after a hold at each turn total, and at `a` after a win."""
    # After its turn the mover moves last, and everybody else one turn sooner than before.
    n = values.shape[0]
    for k in range(a + 1):
        held[k, 0] = values[n - 1, after + a - k]
        for p in range(1, n):
            held[k, p] = values[p - 1, after + a - k]


@kernel()
def fill_exits(exits: Floats, held: Floats, values: Floats, after: int, a: int, throws: Throws, target: int) -> None:
    """Write the line of the throws that end the turn and change the score."""
    n, points, chances, fall = values.shape[0], throws[2], throws[3], throws[5]
    for p in range(n + 1):
        exits[p] = 0.0
    for g in range(points.shape[0]):
        for p in range(n):
            exits[p] += chances[g] * held[min(points[g], a), p]
        exits[n] += chances[g]
    if fall > 0.0 and a < target:  # a player without score loses nothing
        exits[0] += fall * values[n - 1, after + target]
        for p in range(1, n):
            exits[p] += fall * values[p - 1, after + target]
        exits[n] += fall


@kernel()
def best_turn(
    x: float, held: Floats, exits: Floats, a: int, throws: Throws, own: Floats, leave: Floats, rolls: Bytes
) -> tuple[float, float]:
    """The best turn for a bust value of `x`: the mover's own part of its line and the chance to leave; a tie holds.

    Its decisions are written to `rolls`, and both numbers from each turn total to `own` and `leave`.
    """
    gains, chances = throws[0], throws[1]
    n = exits.shape[0] - 1
    for k in range(a - 1, -1, -1):
        rolled, left = exits[0], exits[n]
        for g in range(gains.shape[0]):
            to = k + gains[g]
            if to >= a:
                rolled += chances[g] * held[a, 0]
                left += chances[g]
            else:
                rolled += chances[g] * own[to]
                left += chances[g] * leave[to]
        if k > 0 and held[k, 0] >= rolled + (1.0 - left) * x:
            rolls[k], own[k], leave[k] = 0, held[k, 0], 1.0
        else:
            rolls[k], own[k], leave[k] = 1, rolled, left
    return own[0], leave[0]


@kernel()
def turn_line(held: Floats, exits: Floats, a: int, throws: Throws, rolls: Bytes, work: Floats, line: Floats) -> None:
    """Write the line of a turn; `work` has room for every turn total."""
    gains, chances = throws[0], throws[1]
    n = exits.shape[0] - 1
    for p in range(n + 1):
        for k in range(a - 1, -1, -1):
            if rolls[k] == 0:
                work[k] = 1.0 if p == n else held[k, p]
                continue
            part = exits[p]
            for g in range(gains.shape[0]):
                to = k + gains[g]
                won = 1.0 if p == n else held[a, p]
                part += chances[g] * (won if to >= a else work[to])
            work[k] = part
        line[p] = work[0]


@kernel()
def _crossing(low: Floats, high: Floats) -> float:
    """The bust value at which two turns have the same value to the mover."""
    n = low.shape[0] - 1
    return float((low[0] - high[0]) / (low[n] - high[n]))


@kernel()
def _all_turns(
    held: Floats, exits: Floats, a: int, throws: Throws, lines: Floats, starts: Floats, waiting: Floats
) -> int:
    """Write every turn that is best for some bust value from 0 to 1, in the order of the bust value, and count them.

    There is another best line between two known ones if some turn is better where they cross; otherwise the crossing is
    a break point.
    """
    n = exits.shape[0] - 1
    own, leave, work, rolls = np.empty(a), np.empty(a), np.empty(a), np.empty(a, np.uint8)
    best_turn(0.0, held, exits, a, throws, own, leave, rolls)
    turn_line(held, exits, a, throws, rolls, work, lines[0])
    starts[0] = 0.0
    best_turn(1.0, held, exits, a, throws, own, leave, rolls)
    turn_line(held, exits, a, throws, rolls, work, waiting[0])
    # `lines` has the best lines found from the left, and `waiting` those known to their right, the nearest on top. The
    # slope of the envelope rises, so the chance to leave falls from line to line.
    count, left = 1, 1
    while left > 0:
        here, there = lines[count - 1], waiting[left - 1]
        if here[n] - there[n] <= SMALL:
            left -= 1
            continue
        x = _crossing(here, there)
        part, out = best_turn(x, held, exits, a, throws, own, leave, rolls)
        between = there[n] + SMALL < out < here[n] - SMALL
        if between and part + (1.0 - out) * x > there[0] + (1.0 - there[n]) * x + SMALL:
            turn_line(held, exits, a, throws, rolls, work, waiting[left])
            left += 1
        else:
            for p in range(n + 1):  # for whole rows numba would add shape checks, which take seconds to compile
                lines[count, p] = there[p]
            starts[count] = x
            count += 1
            left -= 1
    starts[count] = 1.0
    return count


@kernel()
def _bound(lines: Floats, first: Ints, last: Ints, m: int, x: float, sign: float) -> float:
    """A bound of player `m`'s bust value, given the bound `x`."""
    n = lines.shape[0]
    for _ in range(50):
        before = x
        for j in range(n, 0, -1):  # the value to `m` when the player `j` turns after `m` is to move
            # `m` itself takes its best turn for both bounds, every opponent the best or the worst one for `m`.
            player, part, towards = (m + j) % n, (n - j) % n, 1.0 if j == n else sign
            best = -np.inf
            for i in range(first[player], last[player]):
                best = max(best, towards * (lines[player, i, part] + (1.0 - lines[player, i, n]) * x))
            x = towards * best
        if abs(x - before) < MARGIN:
            break
    return x


@kernel()
def _narrow(lines: Floats, starts: Floats, first: Ints, last: Ints) -> None:
    """Narrow the range of turns of each player, from `first` to before `last`, by elimination."""
    n = lines.shape[0]
    low, high = np.zeros(n), np.ones(n)
    changed = True
    while changed:
        changed = False
        for m in range(n):
            low[m] = max(low[m], _bound(lines, first, last, m, low[m], -1.0))
            high[m] = min(high[m], _bound(lines, first, last, m, high[m], 1.0))
            # A turn is best from its start to that of the next one: it goes if all of that lies outside of the bounds.
            while first[m] + 1 < last[m] and starts[m, first[m] + 1] < low[m] - MARGIN:
                first[m] += 1
                changed = True
            while last[m] - 1 > first[m] and starts[m, last[m] - 1] > high[m] + MARGIN:
                last[m] -= 1
                changed = True


@kernel()
def start_value(lines: Floats, m: int, p: int, backwards: bool) -> float:
    """The value to the player who moves `p` turns after player `m` of an orbit, who is to move, if each plays one line.

    The turns are added up from the last or from the first one; the sums differ by rounding.
    """
    # `total` is the value of what happens in one round, in which somebody leaves the scores with probability `out`.
    # With probability `1 - out` the round is repeated: `value = total + (1 - out) value`.
    n = lines.shape[0]
    total, out, through = 0.0, 0.0, 1.0
    if backwards:
        for j in range(n - 1, -1, -1):
            i = (m + j) % n
            total = lines[i, (p - j) % n] + (1.0 - lines[i, n]) * total
            out = lines[i, n] + (1.0 - lines[i, n]) * out
        return total / out
    for j in range(n):
        i = (m + j) % n
        total += through * lines[i, (p - j) % n]
        out += through * lines[i, n]
        through *= 1.0 - lines[i, n]
    return total / out


@kernel()
def start_values(lines: Floats, m: int) -> Floats:
    """All players' values when player `m` is to move, from `m` on, shape (n,)."""
    values = np.empty(lines.shape[0])
    for p in range(lines.shape[0]):
        values[p] = start_value(lines, m, p, True)
    return values


@kernel()
def prepare_orbit(
    needs: Ints, values: Floats, throws: Throws, target: int
) -> tuple[Floats, Floats, Floats, Floats, Ints, Ints]:
    """`held`, `exits`, `lines`, `starts`, `first` and `last` of `BestTurns` at an orbit."""
    # as the bust value rises, each decision changes from hold to roll at most once, so there are few best turns
    n, most = needs.shape[0], needs.max()
    room = 2 * most + 8
    held, exits = np.empty((n, most + 1, n)), np.empty((n, n + 1))
    lines, starts, waiting = np.empty((n, room, n + 1)), np.empty((n, room)), np.empty((room, n + 1))
    first, last = np.zeros(n, np.int64), np.empty(n, np.int64)
    for m in range(n):
        a, after = needs[m], state_after(needs, m, target + 1)
        fill_held(held[m], values, after, a)
        fill_exits(exits[m], held[m], values, after, a, throws, target)
        last[m] = _all_turns(held[m], exits[m], a, throws, lines[m], starts[m], waiting)
    _narrow(lines, starts, first, last)
    return held, exits, lines, starts, first, last


@kernel()
def solve_orbits(
    orbits: Ints, values: Floats, decisions: Bytes, throws: Throws, backwards: bool
) -> tuple[Bytes, float]:
    """Solve each orbit where elimination leaves one turn each; returns 1 for other orbits, and the largest change."""
    n, T = orbits.shape[1], decisions.shape[1]
    is_open, change = np.zeros(orbits.shape[0], np.uint8), 0.0
    chosen, own, leave, rolls = np.empty((n, n + 1)), np.empty(T), np.empty(T), np.empty(T, np.uint8)
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        held, exits, lines, _, first, last = prepare_orbit(needs, values, throws, T)
        for m in range(n):
            is_open[o] |= last[m] - first[m] > 1
            for p in range(n + 1):
                chosen[m, p] = lines[m, first[m], p]
        if is_open[o]:
            continue
        for m in range(n):
            s = state_of(needs, m, T + 1)
            bust = start_value(chosen, (m + 1) % n, n - 1, backwards)
            best_turn(bust, held[m], exits[m], needs[m], throws, own, leave, rolls)
            for k in range(needs[m]):
                decisions[s, k] = rolls[k]
            for p in range(n):
                value = start_value(chosen, m, p, backwards)
                change = max(change, abs(value - values[p, s]))
                values[p, s] = value
    return is_open, change
