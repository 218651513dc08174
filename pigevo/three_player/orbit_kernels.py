"""One orbit, with all states outside of it known: turns as lines, elimination of turns, and orbits that it solves.

What a bust is worth to a player depends on the turns of the others, and on the player's
own one when it comes round again.  As long as that is not known, a turn is a line: it ends in
a bust, which leaves the scores as they are, or it leaves them, by a hold or by reaching the
target.  Its line holds for each of n players, from the mover on, what that player can expect from its
leaving the scores, and last the chance that it leaves them.  What they expect are shares of
rewards, from 0 to 1 (`rewards.py`); where only a win counts, they are win probabilities.  If a bust is
worth `x` to the mover, the turn is worth `own + (1 - leave) x`.

A throw may also end a turn with some points, or with the loss of the whole score.  What that leads to is taken as
known; it is the same at every turn total, so it is one more line, of *exits*, in every roll.

The value of the best turn is the upper envelope of the lines of all turns: convex and
piecewise linear in the bust value, with finitely many break points.  Turns that are best for
no possible bust value cannot be part of an equilibrium, neither pure nor mixed.  Taking them
away narrows what the bust values can be, which takes away others: where one turn remains for
each player, they are the only equilibrium.

The players of an orbit are numbered in the order of their turns: after player `m` comes `m + 1` (modulo n).
`values[p, s]` is what the player `p` turns ahead expects in state `s`, whose number is the points needed by mover,
next and so on, read as digits of base T + 1.

At the end stand the loops of coalitions: two players who only want the third one to lose.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.rules import Throws

OWN, NEXT, THIRD, LEAVE = 0, 1, 2, 3
"""The parts of a line of three players."""

SMALL, MARGIN = 1e-15, 1e-13
"""Gains of less than `SMALL` are rounding; turns that are best only `MARGIN` off the possible bust values stay in."""


@kernel()
def state_after(needs: Ints, m: int, side: int) -> int:
    """The number of the state that follows a turn of player `m`, less what that player then needs."""
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
    """Write what all expect after a hold at each turn total, at `a` after a win."""
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
    if fall > 0.0 and a < target:  # who has no score loses none
        exits[0] += fall * values[n - 1, after + target]
        for p in range(1, n):
            exits[p] += fall * values[p - 1, after + target]
        exits[n] += fall


@kernel()
def best_turn(
    x: float, held: Floats, exits: Floats, a: int, throws: Throws, own: Floats, leave: Floats, rolls: Bytes
) -> tuple[float, float]:
    """The best turn if a bust is worth `x`: the mover's own part of its line and the chance to leave; a tie holds.

    Its decisions are written to `rolls`, both numbers from each turn total on to `own` and `leave`.
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
    """The bust value at which two turns are worth the same to the mover."""
    n = low.shape[0] - 1
    return float((low[0] - high[0]) / (low[n] - high[n]))


@kernel()
def _all_turns(
    held: Floats, exits: Floats, a: int, throws: Throws, lines: Floats, starts: Floats, waiting: Floats
) -> int:
    """Write every turn that is best for some bust value from 0 to 1, in the order of the bust value, and count them.

    Between two known best lines lies another one if some turn is worth more where they cross; otherwise that crossing
    is a break point.
    """
    n = exits.shape[0] - 1
    own, leave, work, rolls = np.empty(a), np.empty(a), np.empty(a), np.empty(a, np.uint8)
    best_turn(0.0, held, exits, a, throws, own, leave, rolls)
    turn_line(held, exits, a, throws, rolls, work, lines[0])
    starts[0] = 0.0
    best_turn(1.0, held, exits, a, throws, own, leave, rolls)
    turn_line(held, exits, a, throws, rolls, work, waiting[0])
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
            for p in range(n + 1):  # of whole rows numba would check shapes, seconds of compilation
                lines[count, p] = there[p]
            starts[count] = x
            count += 1
            left -= 1
    starts[count] = 1.0
    return count


@kernel()
def _bound(lines: Floats, first: Ints, last: Ints, m: int, x: float, sign: float) -> float:
    """A bound of player `m`'s bust value, beyond which it cannot lie if it does not lie beyond `x`."""
    n = lines.shape[0]
    for _ in range(50):
        before = x
        for j in range(n, 0, -1):  # what `m` expects where the player `j` turns after `m` is to move
            other, part, towards = (m + j) % n, (n - j) % n, 1.0 if j == n else sign
            best = -np.inf
            for i in range(first[other], last[other]):
                best = max(best, towards * (lines[other, i, part] + (1.0 - lines[other, i, n]) * x))
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
            while first[m] + 1 < last[m] and starts[m, first[m] + 1] < low[m] - MARGIN:
                first[m] += 1
                changed = True
            while last[m] - 1 > first[m] and starts[m, last[m] - 1] > high[m] + MARGIN:
                last[m] -= 1
                changed = True


@kernel()
def start_value(lines: Floats, m: int, p: int, backwards: bool) -> float:
    """What the player `p` turns ahead expects where player `m` of an orbit is to move, and everybody plays one line.

    The turns are added up from the last or from the first; the sums differ by rounding.
    """
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
    """What all players expect where player `m` is to move, from `m` on, shape (n,)."""
    values = np.empty(lines.shape[0])
    for p in range(lines.shape[0]):
        values[p] = start_value(lines, m, p, True)
    return values


@kernel()
def prepare_orbit(
    needs: Ints, values: Floats, throws: Throws, target: int
) -> tuple[Floats, Floats, Floats, Floats, Ints, Ints]:
    """`held`, `exits`, `lines`, `starts`, `first` and `last` of `BestTurns` at an orbit."""
    # as the bust value rises each decision changes from hold to roll at most once, so there are few best turns
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
    """Solve each orbit that has one equilibrium by elimination; 1 for each that is left, and the largest change."""
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


@kernel()
def _turn_for(
    x: float, part: int, sign: float, held: Floats, a: int, throws: Throws, work: Floats, line: Floats
) -> float:
    """The worth of the turn that makes a part of its line large (`sign` 1) or small (-1) if a bust is worth `x` in it.

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
    for p in range(4):  # numba copies a row as a slice much more slowly
        line[p] = work[0, p]
    return float(work[0, part] + (1.0 - work[0, LEAVE]) * x)


@kernel()
def _against(lines: Floats, held: Floats, needs: Ints, throws: Throws, work: Floats) -> float:
    """Write the best lines of players 1 and 2 together against player 0; what player 0 then expects."""
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
    """The value of the game of one player against the two others, `values[r]` if the lone one is `r` turns ahead.

    The lone player's turn is fixed, the best answer of the two is found, then that turn is
    improved, until it cannot be (Hoffman & Karp 1966).
    """
    held, lines, needs = np.empty((3, target + 1, 3)), np.empty((3, 4)), np.empty(3, np.int64)
    work = np.empty((target + throws[0].max(), 4))
    for o in range(orbits.shape[0]):
        for lone in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            for m in range(3):  # the lone player is number 0
                needs[m] = orbits[o, (lone + m) % 3]
            for m in range(3):
                ahead = (5 - m) % 3  # of the lone player, when the one after `m` moves
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
