"""The compiled loops that judge given strategies of three players, or play games between them.

Nothing here shares code with the solver: turns are followed forward, from a turn total of 0
to where they end, and the linear equations of an orbit are solved.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import wide_product
from pigevo.core.arrays import Floats, Ints, Words
from pigevo.simulation.dice_kernels import Block, philox_block
from pigevo.three_player.rules import PlainDie
from pigevo.three_player.strategy import StrategyTables


@kernel()
def roll_chance(tables: StrategyTables, a: int, b: int, c: int, k: int) -> float:
    """The chance that a strategy rolls."""
    decisions, codes, chances = tables
    byte = decisions[a, b, c, k]
    if byte < 2:
        return float(byte)
    side = decisions.shape[0]
    code = ((a * side + b) * side + c) * decisions.shape[3] + k
    return float(chances[np.searchsorted(codes, code)])


@kernel()
def follow_turn(tables: StrategyTables, a: int, b: int, c: int, die: PlainDie, hold: Floats) -> tuple[float, float]:
    """Follow a turn forward: the chance to win at once, and the chance to win or to hold."""
    gains, probabilities = die
    hold[:a] = 0.0  # above `k` it holds the chance to come to each turn total
    hold[0] = 1.0
    win, leave = 0.0, 0.0
    for k in range(a):
        reach = hold[k]
        if reach == 0.0:
            continue
        rolling = roll_chance(tables, a, b, c, k)
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


@kernel(is_long=True)
def evaluate_orbits(
    orbits: Ints, players: tuple[StrategyTables, StrategyTables, StrategyTables], die: PlainDie, values: Floats
) -> None:
    """What three strategies that play each other expect, in shares, exactly."""
    hold, parts, stay = np.empty(values.shape[2] - 1), np.empty((3, 3)), np.empty(3)
    for o in range(orbits.shape[0]):
        for shift in range(3):  # each way to seat the players at the three states
            out, through = 0.0, 1.0
            for n in range(3):
                m = (n + shift) % 3
                a, b, c = orbits[o, n], orbits[o, (n + 1) % 3], orbits[o, (n + 2) % 3]
                win, leave = follow_turn(players[m], a, b, c, die, hold)
                for p in range(3):
                    parts[n, p] = win * values[(m + 1) % 3, p, b, c, 0]
                    for k in range(1, a):
                        if hold[k] > 0.0:
                            parts[n, p] += hold[k] * values[(m + 1) % 3, p, b, c, a - k]
                stay[n] = 1.0 - leave
                out += through * leave
                through *= stay[n]
            for n in range(3):
                m, then, after = (n + shift) % 3, (n + 1) % 3, (n + 2) % 3
                for p in range(3):
                    total = parts[n, p] + stay[n] * (parts[then, p] + stay[then] * parts[after, p])
                    values[m, p, orbits[o, n], orbits[o, then], orbits[o, after]] = total / out


@kernel()
def _best_turn(x: float, holds: Floats, a: int, die: PlainDie, bust: float, worth: Floats, busts: Floats) -> None:
    """The best turn if a bust is worth `x` and a win `holds[a]`: its worth and chance to bust from each total on."""
    gains, probabilities = die
    for k in range(a - 1, -1, -1):
        roll, risk = bust * x, bust
        for g in range(gains.shape[0]):
            n = k + gains[g]
            if n >= a:
                roll += probabilities[g] * holds[a]
            else:
                roll += probabilities[g] * worth[n]
                risk += probabilities[g] * busts[n]
        if k > 0 and holds[k] > roll:
            roll, risk = holds[k], 0.0
        worth[k] = roll
        busts[k] = risk


@kernel()
def _own_turn(
    x: float,
    holds: Floats,
    tables: StrategyTables,
    needs: tuple[int, int, int],
    die: PlainDie,
    bust: float,
    worth: Floats,
) -> None:
    """What the strategy's turn is worth from each turn total on when a bust is worth `x`."""
    gains, probabilities = die
    a, b, c = needs
    for k in range(a - 1, -1, -1):
        roll = bust * x
        for g in range(gains.shape[0]):
            n = k + gains[g]
            roll += probabilities[g] * (holds[a] if n >= a else worth[n])
        rolling = roll_chance(tables, a, b, c, k)
        worth[k] = rolling * roll + (1.0 - rolling) * holds[k]


@kernel(is_long=True)
def respond_orbits(
    orbits: Ints, tables: StrategyTables, die: PlainDie, bust: float, best: Floats, own: Floats
) -> tuple[float, int, int, int, int]:
    """The most that a player gains by leaving a strategy that all three play, and the state (a, b, c, k) where that is.

    In an orbit the responder's bust value follows from the worth of the own turn by the turns of the others; that turn
    is improved until it cannot be (Howard 1960). The gain is infinite where something is not a finite number.
    """
    T = best.shape[1] - 1
    hold, holds, worth, busts, kept = np.empty(T), np.zeros(T + 1), np.empty(T), np.empty(T), np.empty(T)
    top = -1.0
    where = (0, 0, 0, 0)
    for o in range(orbits.shape[0]):
        for n in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            a, b, c = orbits[o, n], orbits[o, (n + 1) % 3], orbits[o, (n + 2) % 3]
            win_b, leave_b = follow_turn(tables, b, c, a, die, hold)
            from_b = win_b * best[1, c, a, 0]
            for k in range(1, b):
                from_b += hold[k] * best[1, c, a, b - k]
            win_c, leave_c = follow_turn(tables, c, a, b, die, hold)
            from_c = win_c * best[0, a, b, 0]
            for k in range(1, c):
                from_c += hold[k] * best[0, a, b, c - k]
            for k in range(1, a + 1):
                holds[k] = best[2, b, c, a - k]
            stay_b, stay_c = 1.0 - leave_b, 1.0 - leave_c
            p = 0.0
            while True:
                x = from_b + stay_b * (from_c + stay_c * p)
                _best_turn(x, holds, a, die, bust, worth, busts)
                sure = worth[0] - busts[0] * x
                better = (sure + busts[0] * (from_b + stay_b * from_c)) / (1.0 - busts[0] * stay_b * stay_c)
                if better <= p:
                    break
                p = better
            best[0, a, b, c] = p
            best[1, c, a, b] = from_c + stay_c * p
            best[2, b, c, a] = x
            for k in range(1, a + 1):
                holds[k] = own[2, b, c, a - k]
            _own_turn(own[2, b, c, a], holds, tables, (a, b, c), die, bust, kept)
            widest, at = -np.inf, 0
            for k in range(a):
                if not np.isfinite(worth[k] - kept[k]):
                    return np.inf, a, b, c, k
                if worth[k] - kept[k] > widest:
                    widest, at = worth[k] - kept[k], k
            gained = max(widest, max(best[1, c, a, b] - own[1, c, a, b], best[2, b, c, a] - own[2, b, c, a]))
            if not np.isfinite(gained):
                return np.inf, a, b, c, 0
            if gained > top:
                top = gained
                where = (a, b, c, at)
    return top, where[0], where[1], where[2], where[3]


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
    """Play the games `start .. stop - 1`, the first player first: games won by each, and unfinished, shape (4,).

    A word is a roll, read as in `pigevo.dice.Die`; where a decision is mixed the next word decides it: the player rolls
    if the word's upper 53 bits, as a fraction, are below the chance.
    """
    own, other, cut = die
    counts = np.zeros(4, np.int64)
    target, slots = players[0][0].shape[3], np.uint64(len(own))
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
                gain = own[slot] if fraction >> np.uint64(32) < cut[slot] else other[slot]
                if gain == 0:
                    total = 0
                    break
                total += gain
                if total >= a:
                    winner = m
                    break
                rolling = roll_chance(players[m], a, b, c, total)
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
