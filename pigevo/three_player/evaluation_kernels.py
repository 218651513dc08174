"""The compiled loops that evaluate given strategies: their values, and one player's best response.

Nothing here shares code with the solver (`orbit_kernels.py` describes the arrays): turns are followed forwards, from a
turn total of 0 to their end, and the linear equations of an orbit are solved. The first part is for three players, who
may play three strategies; the second is for any number of players who play the same strategy. Where scores can fall,
orbits lead to earlier ones, so the whole game is iterated until nothing changes.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints
from pigevo.three_player.rules import PlainDie, Throws
from pigevo.three_player.strategy import StrategyTables


@kernel()
def roll_chance(tables: StrategyTables, s: int, k: int) -> float:
    """The probability that a strategy rolls."""
    decisions, codes, chances = tables
    byte = decisions[s, k]
    if byte < 2:
        return float(byte)
    return float(chances[np.searchsorted(codes, s * decisions.shape[1] + k)])


@kernel()
def _states(needs: Ints, side: int, states: Ints, afters: Ints) -> None:
    """Write the numbers of an orbit's states, and of the states after each turn, still without the mover's need."""
    n = needs.shape[0]
    for i in range(n):
        s = 0
        for j in range(1, n):
            s = s * side + needs[(i + j) % n]
        afters[i] = s * side
        states[i] = needs[i] * side ** (n - 1) + s


@kernel()
def _respond(
    x: float, holds: Floats, a: int, throws: Throws, exits: float, bust: float, worth: Floats, busts: Floats
) -> None:
    """The best turn for a bust value of `x`: its value and its chance to bust from each turn total."""
    for k in range(a - 1, -1, -1):
        roll, risk = exits + bust * x, bust
        for g in range(throws[0].shape[0]):
            to = k + throws[0][g]
            roll += throws[1][g] * (holds[a] if to >= a else worth[to])
            risk += throws[1][g] * (0.0 if to >= a else busts[to])
        if k > 0 and holds[k] > roll:
            roll, risk = holds[k], 0.0
        worth[k], busts[k] = roll, risk


@kernel()
def _own_turn(
    x: float, holds: Floats, tables: StrategyTables, s: int, a: int, throws: Throws, exits: float, bust: float,
    worth: Floats,
) -> None:  # fmt: skip
    """The value of the strategy's turn from each turn total, for a bust value of `x`."""
    for k in range(a - 1, -1, -1):
        roll = exits + bust * x
        for g in range(throws[0].shape[0]):
            to = k + throws[0][g]
            roll += throws[1][g] * (holds[a] if to >= a else worth[to])
        chance = roll_chance(tables, s, k)
        worth[k] = chance * roll + (1.0 - chance) * holds[k]


@kernel()
def _fill(values: Floats, after: int, a: int, T: int, throws: Throws, holds: Floats) -> float:
    """Write the mover's value after each hold; returns the value of throws that end the turn with another score."""
    n = values.shape[0]
    for k in range(a + 1):
        holds[k] = values[n - 1, after + a - k]
    exits = throws[5] * values[n - 1, after + T] if a < T else 0.0
    for g in range(throws[2].shape[0]):
        exits += throws[3][g] * holds[min(throws[2][g], a)]
    return float(exits)


@kernel()
def _follow_three(tables: StrategyTables, s: int, a: int, die: PlainDie, hold: Floats) -> tuple[float, float]:
    """Follow a turn: the chance to win, and the chance to win or hold; `hold` gets the chances to hold at each total.

    A turn ends with a bust, a hold or a win; the chances of the latter two are added up.
    """
    gains, probabilities = die
    hold[:a] = 0.0  # above `k` it has the chance to reach each turn total
    hold[0] = 1.0
    win, leave = 0.0, 0.0
    for k in range(a):
        reach = hold[k]
        if reach == 0.0:
            continue
        rolling = roll_chance(tables, s, k)
        hold[k] = reach * (1.0 - rolling)
        leave += hold[k]
        if rolling > 0.0:
            for g in range(gains.shape[0]):
                come = reach * rolling * probabilities[g]
                if k + gains[g] < a:
                    hold[k + gains[g]] += come
                else:
                    win += come
    return win, leave + win


@kernel()
def _expects_three(values: Floats, p: int, after: int, a: int, win: float, hold: Floats) -> float:
    """The value of such a turn to the player who moves `p` turns after it."""
    total = win * values[p, after]
    for k in range(1, a):
        if hold[k] > 0.0:
            total += hold[k] * values[p, after + a - k]
    return float(total)


@kernel(is_long=True)
def evaluate_orbits(
    orbits: Ints, players: tuple[StrategyTables, StrategyTables, StrategyTables], die: PlainDie, values: Floats
) -> None:
    """The exact values of three strategies against each other, in shares: `values[m, p, s]` if `m` is to move."""
    T = players[0][0].shape[1]
    hold, parts, stay = np.empty(T), np.empty((3, 3)), np.empty(3)
    states, afters = np.empty(3, np.int64), np.empty(3, np.int64)
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        _states(needs, T + 1, states, afters)
        for shift in range(3):  # each assignment of the players to the three states
            out, through = 0.0, 1.0
            for n in range(3):
                m = (n + shift) % 3
                win, leave = _follow_three(players[m], states[n], needs[n], die, hold)
                for p in range(3):
                    parts[n, p] = _expects_three(values[(m + 1) % 3], p, afters[n], needs[n], win, hold)
                stay[n] = 1.0 - leave
                out += through * leave
                through *= stay[n]
            for n in range(3):
                m, then, after = (n + shift) % 3, (n + 1) % 3, (n + 2) % 3
                for p in range(3):
                    total = parts[n, p] + stay[n] * (parts[then, p] + stay[then] * parts[after, p])
                    values[m, p, states[n]] = total / out


@kernel(is_long=True)
def respond_orbits(
    orbits: Ints, tables: StrategyTables, throws: Throws, best: Floats, own: Floats
) -> tuple[float, int, int]:
    """The largest gain of a player by deviating from a strategy that all three play, and its state and turn total.

    In an orbit the responder's bust value follows from the value of its own turn through the turns of the others; its
    turn is improved until no improvement is possible (Howard 1960). The gain is infinite if a number is not finite.
    """
    T, die, bust = tables[0].shape[1], (throws[0], throws[1]), throws[4]
    hold, holds, worth, busts, stays = np.empty(T), np.zeros(T + 1), np.empty(T), np.empty(T), np.empty(T)
    states, afters = np.empty(3, np.int64), np.empty(3, np.int64)
    top, state, total = -1.0, 0, 0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        _states(needs, T + 1, states, afters)
        for n in range(1 if needs[0] == needs[1] == needs[2] else 3):
            then, last, a = (n + 1) % 3, (n + 2) % 3, needs[n]
            win, leave = _follow_three(tables, states[then], needs[then], die, hold)
            from_then, stay_then = _expects_three(best, 1, afters[then], needs[then], win, hold), 1.0 - leave
            win, leave = _follow_three(tables, states[last], needs[last], die, hold)
            from_last, stay_last = _expects_three(best, 0, afters[last], needs[last], win, hold), 1.0 - leave
            exits = _fill(best, afters[n], a, T, throws, holds)
            p = 0.0
            while True:
                x = from_then + stay_then * (from_last + stay_last * p)
                _respond(x, holds, a, throws, exits, bust, worth, busts)
                sure = worth[0] - busts[0] * x
                better = sure + busts[0] * (from_then + stay_then * from_last)
                better /= 1.0 - busts[0] * stay_then * stay_last
                if better <= p:
                    break
                p = better
            best[0, states[n]], best[1, states[last]], best[2, states[then]] = p, from_last + stay_last * p, x
            exits = _fill(own, afters[n], a, T, throws, holds)
            _own_turn(own[2, states[then]], holds, tables, states[n], a, throws, exits, bust, stays)
            widest, at = -np.inf, 0
            for k in range(a):
                if not np.isfinite(worth[k] - stays[k]):
                    return np.inf, states[n], k
                if worth[k] - stays[k] > widest:
                    widest, at = worth[k] - stays[k], k
            waiting = best[1, states[last]] - own[1, states[last]], best[2, states[then]] - own[2, states[then]]
            gained = max(widest, max(waiting[0], waiting[1]))
            if not np.isfinite(gained):
                return np.inf, states[n], 0
            if gained > top:
                top, state, total = gained, states[n], at
    return top, state, total


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
        _states(needs, T + 1, states, afters)
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
        _states(needs, T + 1, states, afters)
        for i in range(n):
            stay[i], thrown = _follow(tables, states[i], needs[i], throws, ends[i])
            falls[i] = thrown * throws[5]
        for q in range(n):  # the responder
            a, bust = needs[q], throws[4] + (throws[5] if needs[q] == T else 0.0)
            exits = _fill(best, afters[q], a, T, throws, holds)
            p = 0.0
            while True:
                x, through, fixed = 0.0, 1.0, 0.0
                for j in range(1, n):  # after the turns of the others
                    i = (q + j) % n
                    fixed += through * _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T)
                    through *= stay[i]
                x = fixed + through * p
                _respond(x, holds, a, throws, exits, bust, worth, busts)
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
            exits = _fill(own, afters[q], a, T, throws, holds)
            x = own[n - 1, states[(q + 1) % n]]
            _own_turn(x, holds, tables, states[q], a, throws, exits, bust, stays)
            for k in range(a):
                if not worth[k] - stays[k] <= top:
                    top, where, at = worth[k] - stays[k], states[q], k
    return change, top, where, at
