"""The compiled loops of given strategies: their values, one player's best response, and simulated games.

Nothing here shares code with the solver (`orbit_kernels.py` describes the arrays): turns are followed forwards, from a
turn total of 0 to their end, and the linear equations of an orbit are solved.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import wide_product
from pigevo.core.arrays import Floats, Ints, Words
from pigevo.simulation.lane_kernels import Block, philox_block
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
def orbit_states(needs: Ints, side: int, states: Ints, afters: Ints) -> None:
    """Write the numbers of an orbit's states, and of the states after each turn, still without the mover's need."""
    n = needs.shape[0]
    for i in range(n):
        s = 0
        for j in range(1, n):
            s = s * side + needs[(i + j) % n]
        afters[i] = s * side
        states[i] = needs[i] * side ** (n - 1) + s


@kernel()
def respond_turn(
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
def own_turn(
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
def fill_holds(values: Floats, after: int, a: int, T: int, throws: Throws, holds: Floats) -> float:
    """Write the mover's value after each hold; returns the value of throws that end the turn with another score."""
    n = values.shape[0]
    for k in range(a + 1):
        holds[k] = values[n - 1, after + a - k]
    exits = throws[5] * values[n - 1, after + T] if a < T else 0.0
    for g in range(throws[2].shape[0]):
        exits += throws[3][g] * holds[min(throws[2][g], a)]
    return float(exits)


@kernel()
def _follow(tables: StrategyTables, s: int, a: int, die: PlainDie, hold: Floats) -> tuple[float, float]:
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
def _expects(values: Floats, p: int, after: int, a: int, win: float, hold: Floats) -> float:
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
        orbit_states(needs, T + 1, states, afters)
        for shift in range(3):  # each assignment of the players to the three states
            # `out` is the chance that one of the three leaves the scores in a round; otherwise the round is repeated,
            # so the value of one round is divided by it.
            out, through = 0.0, 1.0
            for n in range(3):
                m = (n + shift) % 3
                win, leave = _follow(players[m], states[n], needs[n], die, hold)
                for p in range(3):
                    parts[n, p] = _expects(values[(m + 1) % 3], p, afters[n], needs[n], win, hold)
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
        orbit_states(needs, T + 1, states, afters)
        for n in range(1 if needs[0] == needs[1] == needs[2] else 3):
            then, last, a = (n + 1) % 3, (n + 2) % 3, needs[n]
            win, leave = _follow(tables, states[then], needs[then], die, hold)
            from_then, stay_then = _expects(best, 1, afters[then], needs[then], win, hold), 1.0 - leave
            win, leave = _follow(tables, states[last], needs[last], die, hold)
            from_last, stay_last = _expects(best, 0, afters[last], needs[last], win, hold), 1.0 - leave
            exits = fill_holds(best, afters[n], a, T, throws, holds)
            # From p = 0 upwards: each round takes the best turn for the present p, until no turn is better. `sure` is
            # the part of its value that does not depend on x.
            p = 0.0
            while True:
                x = from_then + stay_then * (from_last + stay_last * p)
                respond_turn(x, holds, a, throws, exits, bust, worth, busts)
                sure = worth[0] - busts[0] * x
                better = sure + busts[0] * (from_then + stay_then * from_last)
                better /= 1.0 - busts[0] * stay_then * stay_last
                if better <= p:
                    break
                p = better
            best[0, states[n]], best[1, states[last]], best[2, states[then]] = p, from_last + stay_last * p, x
            exits = fill_holds(own, afters[n], a, T, throws, holds)
            own_turn(own[2, states[then]], holds, tables, states[n], a, throws, exits, bust, stays)
            widest, at = -np.inf, 0
            # The largest gain: at each turn total, by another decision there, and while the others move.
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


UNFINISHED = 3


@kernel()
def _word(words: Block, n: int) -> np.uint64:
    if n == 0:
        return words[0]
    if n == 1:
        return words[1]
    return words[2] if n == 2 else words[3]


@kernel()
def play_three(
    players: tuple[StrategyTables, StrategyTables, StrategyTables],
    die: tuple[Ints, Ints, Words],
    start: int,
    stop: int,
    most_turns: int,
    seed: np.uint64,
    stream: np.uint64,
) -> Ints:
    """Play the games `start .. stop - 1`; the first player begins: games won by each, and unfinished, shape (4,).

    Each roll is read from a word as in `pigevo.dice.Die`; a mixed decision uses the next word: the player rolls if the
    word's upper 53 bits, as a fraction, are below the chance.
    """
    own, alias, cut = die
    counts = np.zeros(4, np.int64)
    target, slots = players[0][0].shape[1], np.uint64(len(own))
    zero, needs = np.uint64(0), np.empty(3, np.int64)
    for game in range(start, stop):
        words = philox_block(np.uint64(1), np.uint64(game), zero, zero, seed, stream)
        drawn, winner = 0, UNFINISHED
        needs[:] = target
        for turn in range(most_turns):
            m = turn % 3
            a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
            total = 0
            while True:
                if drawn > 0 and drawn % 4 == 0:
                    words = philox_block(np.uint64(drawn // 4 + 1), np.uint64(game), zero, zero, seed, stream)
                slot, fraction = wide_product(_word(words, drawn % 4), slots)
                drawn += 1
                gain = own[slot] if fraction >> np.uint64(32) < cut[slot] else alias[slot]
                if gain == 0:
                    total = 0
                    break
                total += gain
                if total >= a:
                    winner = m
                    break
                rolling = roll_chance(players[m], (a * (target + 1) + b) * (target + 1) + c, total)
                if 0.0 < rolling < 1.0:
                    if drawn % 4 == 0:
                        words = philox_block(np.uint64(drawn // 4 + 1), np.uint64(game), zero, zero, seed, stream)
                    word = _word(words, drawn % 4)
                    drawn += 1
                    rolling = 1.0 if float(word >> np.uint64(11)) * 2.0**-53 < rolling else 0.0
                if rolling == 0.0:
                    break
            if winner < UNFINISHED:
                break
            needs[m] -= total
        counts[winner] += 1
    return counts
