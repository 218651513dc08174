"""The compiled loops of the study: iterations, coalitions, enclosures of values, and any number of players.

Iterations: `values[m, p, a, b, c]` is the win probability of the player `p` turns ahead when player `m` is to move and
mover, next and third player need `a`, `b` and `c` points.  With one policy for all the first axis has one entry; with
separate policies it has three.  A state's whole turn is updated at once, backwards over the turn total, from the
present values of all other states.

Enclosures are made in interval arithmetic, rounded outward: all numbers are sums of products of numbers that are not
negative, so a sum of up to six products that is computed in floating point is wrong by a factor between `1 - OUTWARD`
and `1 + OUTWARD` at most, and multiplying a lower bound by the first and an upper one by the second keeps them bounds.
At an orbit nothing is known at first: each of the nine values, of three players where each of them moves, lies between
0 and 1.  A turn is followed backwards, decision by decision.  Where the bounds say that a roll is better than a hold
for the mover, or the reverse, every equilibrium takes it; where they overlap either may be taken, or a mixture, and the
bounds cover both.  That bounds the values at the start of the turn, and so what a bust of the player before is worth,
and so on, round and round, until nothing moves.

Any number of players: one strategy of all is evaluated, and one player's best response to it.  As in
`pigevo.three_player.evaluation_kernels`, nothing is shared with the solver.  Where scores can fall, orbits lead to
earlier ones, so the whole game is iterated until nothing changes.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.three_player.evaluation_kernels import fill_holds, orbit_states, own_turn, respond_turn, roll_chance
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD, fill_held, start_value, state_after, state_of
from pigevo.three_player.rules import PlainDie, Throws
from pigevo.three_player.strategy import StrategyTables


@kernel()
def _turn_memory(target: int, die: PlainDie) -> Floats:
    return np.empty((target + die[0].max(), 3))


@kernel()
def _begin(turn: Floats, a: int) -> None:
    """From turn total `a` on the mover has won."""
    turn[a:] = 0.0
    turn[a:, 0] = 1.0


@kernel()
def _roll(k: int, busted: Floats, turn: Floats, die: PlainDie, here: Floats) -> None:
    """What a roll at turn total `k` is worth to all three, written to `here`."""
    gains, chances = die
    x, y, z = busted[0], busted[1], busted[2]
    for g in range(gains.shape[0]):
        chance, to = chances[g], k + gains[g]
        x += chance * turn[to, 0]
        y += chance * turn[to, 1]
        z += chance * turn[to, 2]
    here[0], here[1], here[2] = x, y, z


@kernel()
def _finish(values: Floats, state: Ints, start: Floats, changes: Floats) -> None:
    """Write the new values of a state and note the largest change."""
    m, a, b, c = state
    for p in range(3):
        changes[a + b + c] = max(changes[a + b + c], abs(start[p] - values[m, p, a, b, c]))
        values[m, p, a, b, c] = start[p]


@kernel()
def sweep(
    order: Ints, values: Floats, decisions: Bytes, discount: float, die: PlainDie, bust: float, changes: Floats
) -> Bytes:
    """Update states in place, each decision the better one for the mover.

    Args:
        order: the states (m, a, b, c) in the order of their updates, shape (n, 4).
        values: as above, shape (M, 3, T + 1, T + 1, T + 1).
        decisions: 1 rolls, shape (M, T + 1, T + 1, T + 1, T).
        discount: the factor of a value for each turn between it and now.
        die: the gains and their probabilities.
        bust: the probability that a roll busts.
        changes: raised to the largest change of a value, by the total of points needed, shape (3 T + 1,).

    Returns:
        1 for each state whose decisions changed, shape (n,).
    """
    M, T = values.shape[0], decisions.shape[4]
    flips = np.zeros(order.shape[0], np.uint8)
    turn, here, busted = _turn_memory(T, die), np.empty(3), np.empty(3)
    for o in range(order.shape[0]):
        m, a, b, c = order[o]
        n = (m + 1) % M
        _begin(turn, a)
        for p in range(3):
            busted[p] = bust * discount * values[n, (p + 2) % 3, b, c, a]
        for k in range(a - 1, -1, -1):
            _roll(k, busted, turn, die, here)
            roll = 1
            if k > 0 and discount * values[n, 2, b, c, a - k] >= here[0]:
                roll = 0
                for p in range(3):
                    here[p] = discount * values[n, (p + 2) % 3, b, c, a - k]
            if decisions[m, a, b, c, k] != roll:
                decisions[m, a, b, c, k] = roll
                flips[o] = 1
            for p in range(3):
                turn[k, p] = here[p]
        _finish(values, order[o], turn[0], changes)
    return flips


@kernel()
def sweep_with_regret(
    order: Ints, values: Floats, decisions: Bytes, regrets: Floats, die: PlainDie, bust: float, changes: Floats
) -> Bytes:
    """Update states in place, each decision mixed by regret matching (Hart & Mas-Colell 2000).

    A decision is taken in proportion to how much more it would have won so far; regrets
    that fall below zero are set to zero (Tammelin 2014).

    Args:
        order: the states (m, a, b, c) in the order of their updates, shape (n, 4).
        values: as above, shape (M, 3, T + 1, T + 1, T + 1).
        decisions: 1 where rolling is preferred, shape (M, T + 1, T + 1, T + 1, T).
        regrets: of rolling and of holding, shape (M, T + 1, T + 1, T + 1, T, 2).
        die: the gains and their probabilities.
        bust: the probability that a roll busts.
        changes: raised to the largest change of a value, by the total of points needed, shape (3 T + 1,).

    Returns:
        1 for each state whose decisions changed, shape (n,).
    """
    M, T = values.shape[0], decisions.shape[4]
    flips = np.zeros(order.shape[0], np.uint8)
    turn, here, busted = _turn_memory(T, die), np.empty(3), np.empty(3)
    for o in range(order.shape[0]):
        m, a, b, c = order[o]
        n = (m + 1) % M
        _begin(turn, a)
        for p in range(3):
            busted[p] = bust * values[n, (p + 2) % 3, b, c, a]
        for k in range(a - 1, -1, -1):
            _roll(k, busted, turn, die, here)
            rolling = 1.0
            if k > 0:
                regret = regrets[m, a, b, c, k]
                both = regret[0] + regret[1]
                rolling = regret[0] / both if both > 0.0 else 0.5
                roll, hold = here[0], values[n, 2, b, c, a - k]
                now = rolling * roll + (1.0 - rolling) * hold
                regret[0] = max(0.0, regret[0] + roll - now)
                regret[1] = max(0.0, regret[1] + hold - now)
                for p in range(3):
                    here[p] = rolling * here[p] + (1.0 - rolling) * values[n, (p + 2) % 3, b, c, a - k]
            prefers = 1 if rolling > 0.5 else 0
            if decisions[m, a, b, c, k] != prefers:
                decisions[m, a, b, c, k] = prefers
                flips[o] = 1
            for p in range(3):
                turn[k, p] = here[p]
        _finish(values, order[o], turn[0], changes)
    return flips


@kernel(is_long=True)
def sweep_long(
    order: Ints, values: Floats, decisions: Bytes, regrets: Floats, die: PlainDie, bust: float, sweeps: int,
    exact: Floats, watched: Ints,
) -> tuple[float, float, Floats, Floats]:  # fmt: skip
    """Make many sweeps of `sweep_with_regret`, and say where they have been.

    Args:
        order, values, decisions, regrets, die, bust: as there.
        sweeps: how many.
        exact: values to compare with at each state of `order`, shape (n, 3).
        watched: turn total of each state at which the chance of a roll is watched, 0 for none, shape (n,).

    Returns:
        The largest change in the last sweep; how far from `exact` the values have been at most; the mean of the values,
        shape (n, 3); and the least and the largest chance of a roll at each state, shape (2, n).
    """
    n, far, change = order.shape[0], 0.0, 0.0
    total, ends = np.zeros((n, 3)), np.zeros((2, n))
    ends[0] = 1.0
    changes = np.zeros(3 * values.shape[2])
    for _ in range(sweeps):
        changes[:] = 0.0
        sweep_with_regret(order, values, decisions, regrets, die, bust, changes)
        change = changes.max()
        for o in range(n):
            m, a, b, c = order[o]
            for p in range(3):
                total[o, p] += values[m, p, a, b, c]
                far = max(far, abs(values[m, p, a, b, c] - exact[o, p]))
            if watched[o] > 0:
                roll, hold = regrets[m, a, b, c, watched[o], 0], regrets[m, a, b, c, watched[o], 1]
                chance = roll / (roll + hold) if roll + hold > 0.0 else 0.5
                ends[0, o], ends[1, o] = min(ends[0, o], chance), max(ends[1, o], chance)
    return change, far, total / sweeps, ends


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


OUTWARD = 2.0**-49
"""16 units of the last place of 1: more than six products, their sum and this factor's own rounding can be wrong by."""

FREE, ROLLS, HOLDS, MIXES = 0, 1, 2, 3
"""What is asked of a decision: nothing, or that it is this one, and no worse than the other; or both equally good."""

STILL = 1e-16
"""Bounds that move by less in a round are at rest."""


@kernel()
def _bound_turn(
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
            if not _bound_turn(bounds, m, needs, low, high, die, chances, asked, open_decisions, work):
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


@kernel()
def _follow(tables: StrategyTables, s: int, a: int, throws: Throws, ends: Floats) -> tuple[float, float]:
    """Follow a turn: the chance to bust and the number of throws; `ends` gets the chances of all gains."""
    T = tables[0].shape[1]
    ends[: a + 1] = 0.0  # above `k` it has the chance to reach each turn total
    ends[0] = 1.0
    thrown = 0.0
    for k in range(a):
        rolls = ends[k] * roll_chance(tables, s, k)
        ends[k] -= rolls
        thrown += rolls
        if rolls > 0.0:
            for g in range(throws[0].shape[0]):
                ends[min(k + throws[0][g], a)] += rolls * throws[1][g]
    for g in range(throws[2].shape[0]):
        ends[min(throws[2][g], a)] += thrown * throws[3][g]
    return thrown * (throws[4] + (throws[5] if a == T else 0.0)), thrown


@kernel()
def _expects(values: Floats, p: int, after: int, a: int, ends: Floats, falls: float, T: int) -> float:
    """The value of a turn, except for busts, to the player who moves `p` turns after it."""
    total = falls * values[p, after + T] if a < T else 0.0
    for k in range(1, a + 1):
        if ends[k] > 0.0:
            total += ends[k] * values[p, after + a - k]
    return total


@kernel(is_long=True)
def evaluate_all(orbits: Ints, tables: StrategyTables, throws: Throws, values: Floats) -> float:
    """Iterate once over the game and write the values if all play one strategy; returns the largest change."""
    n, T = orbits.shape[1], tables[0].shape[1]
    ends, stay, parts = np.empty(T + 1), np.empty(n), np.empty((n, n))
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change = 0.0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        orbit_states(needs, T + 1, states, afters)
        back = 1.0
        for i in range(n):
            stay[i], thrown = _follow(tables, states[i], needs[i], throws, ends)
            back *= stay[i]
            for p in range(n):  # the player who moves in `p` turns at `i`
                parts[i, p] = _expects(values, (p - 1) % n, afters[i], needs[i], ends, thrown * throws[5], T)
        for i in range(n):
            for p in range(n):
                total, through = 0.0, 1.0
                for j in range(n):
                    total += through * parts[(i + j) % n, (p - j) % n]
                    through *= stay[(i + j) % n]
                total /= 1.0 - back
                change = max(change, abs(total - values[p, states[i]]))
                values[p, states[i]] = total
    return change


@kernel(is_long=True)
def respond_all(
    orbits: Ints, tables: StrategyTables, throws: Throws, best: Floats, own: Floats
) -> tuple[float, float, int, int]:
    """Iterate once over the game and write the values of the best response to a strategy that all others play.

    Returns:
        The largest change, the largest gain over `own` at any state and turn total, and that state and total.
    """
    n, T = orbits.shape[1], tables[0].shape[1]
    ends, stay, falls = np.empty((n, T + 1)), np.empty(n), np.empty(n)
    holds, worth, busts, stays = np.empty(T + 1), np.empty(T), np.empty(T), np.empty(T)
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change, top, where, at = 0.0, -np.inf, 0, 0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        orbit_states(needs, T + 1, states, afters)
        for i in range(n):
            stay[i], thrown = _follow(tables, states[i], needs[i], throws, ends[i])
            falls[i] = thrown * throws[5]
        for q in range(n):  # the responder
            a, bust = needs[q], throws[4] + (throws[5] if needs[q] == T else 0.0)
            exits = fill_holds(best, afters[q], a, T, throws, holds)
            p = 0.0
            while True:
                x, through, fixed = 0.0, 1.0, 0.0
                for j in range(1, n):  # after the turns of the others
                    i = (q + j) % n
                    fixed += through * _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T)
                    through *= stay[i]
                x = fixed + through * p
                respond_turn(x, holds, a, throws, exits, bust, worth, busts)
                better = (worth[0] - busts[0] * x + busts[0] * fixed) / (1.0 - busts[0] * through)
                if not better > p:
                    break
                p = better
            value = p
            for j in range(n, 0, -1):
                i = (q + j) % n
                if j < n:
                    value = _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T) + stay[i] * value
                change = max(change, abs(value - best[(n - j) % n, states[i]]))
                best[(n - j) % n, states[i]] = value
                if not value - own[(n - j) % n, states[i]] <= top:
                    top, where, at = value - own[(n - j) % n, states[i]], states[i], 0
            exits = fill_holds(own, afters[q], a, T, throws, holds)
            x = own[n - 1, states[(q + 1) % n]]
            own_turn(x, holds, tables, states[q], a, throws, exits, bust, stays)
            for k in range(a):
                if not worth[k] - stays[k] <= top:
                    top, where, at = worth[k] - stays[k], states[q], k
    return change, top, where, at
