"""The certificate of any number of players: what all expect who play one strategy, and one player's best response.

Nothing here shares code with the solver (`n_player_kernels.py` says what the arrays are): turns are followed forward,
and the linear equations of an orbit are solved. Where scores can fall, orbits lead to earlier ones, so that the whole
game is gone through until nothing changes.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints

Played = tuple[Bytes, Ints, Floats]
"""Decisions by state and turn total, 2 where mixed; the numbers of the mixed ones, and their chances to roll."""

Chances = tuple[Ints, Floats, Ints, Floats, float, float]
"""Gains, their chances; points of throws that end a turn with some, their chances; those of a bust and a fall."""


@kernel()
def _chance(played: Played, s: int, k: int) -> float:
    """The chance to roll."""
    byte = played[0][s, k]
    if byte < 2:
        return float(byte)
    return float(played[2][np.searchsorted(played[1], s * played[0].shape[1] + k)])


@kernel()
def _follow(played: Played, s: int, a: int, chances: Chances, ends: Floats) -> tuple[float, float]:
    """Follow a turn: the chance to bust, the number of throws, and in `ends` the chance to gain so many points."""
    T = played[0].shape[1]
    ends[: a + 1] = 0.0  # above `k` it has the chance to come to each turn total
    ends[0] = 1.0
    thrown = 0.0
    for k in range(a):
        rolls = ends[k] * _chance(played, s, k)
        ends[k] -= rolls
        thrown += rolls
        if rolls > 0.0:
            for g in range(chances[0].shape[0]):
                ends[min(k + chances[0][g], a)] += rolls * chances[1][g]
    for g in range(chances[2].shape[0]):
        ends[min(chances[2][g], a)] += thrown * chances[3][g]
    return thrown * (chances[4] + (chances[5] if a == T else 0.0)), thrown


@kernel()
def _expects(values: Floats, p: int, after: int, a: int, ends: Floats, falls: float, T: int) -> float:
    """What a turn brings to the player who is `p` turns ahead after it, where it does not end in a bust."""
    total = falls * values[after + T, p] if a < T else 0.0
    for k in range(1, a + 1):
        if ends[k] > 0.0:
            total += ends[k] * values[after + a - k, p]
    return total


@kernel()
def _states(needs: Ints, side: int, states: Ints, afters: Ints) -> None:
    """Write the numbers of an orbit's states, and of those after each turn less what the mover then needs."""
    n = needs.shape[0]
    for i in range(n):
        s = 0
        for j in range(1, n):
            s = s * side + needs[(i + j) % n]
        afters[i] = s * side
        states[i] = needs[i] * side ** (n - 1) + s


@kernel(is_long=True)
def evaluate_all(orbits: Ints, played: Played, chances: Chances, values: Floats) -> float:
    """Go once through the game and write what all expect who play one strategy; the largest change."""
    n, T = orbits.shape[1], played[0].shape[1]
    ends, stay, parts = np.empty(T + 1), np.empty(n), np.empty((n, n))
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change = 0.0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        _states(needs, T + 1, states, afters)
        back = 1.0
        for i in range(n):
            stay[i], thrown = _follow(played, states[i], needs[i], chances, ends)
            back *= stay[i]
            for p in range(n):  # the player who is `p` turns ahead at `i`
                parts[i, p] = _expects(values, (p - 1) % n, afters[i], needs[i], ends, thrown * chances[5], T)
        for i in range(n):
            for p in range(n):
                total, through = 0.0, 1.0
                for j in range(n):
                    total += through * parts[(i + j) % n, (p - j) % n]
                    through *= stay[(i + j) % n]
                total /= 1.0 - back
                change = max(change, abs(total - values[states[i], p]))
                values[states[i], p] = total
    return change


@kernel()
def _respond(
    x: float, holds: Floats, a: int, chances: Chances, exits: float, bust: float, worth: Floats, busts: Floats
) -> None:
    """The best turn if a bust is worth `x`: its worth and chance to bust from each turn total on."""
    for k in range(a - 1, -1, -1):
        roll, risk = exits + bust * x, bust
        for g in range(chances[0].shape[0]):
            to = k + chances[0][g]
            roll += chances[1][g] * (holds[a] if to >= a else worth[to])
            risk += chances[1][g] * (0.0 if to >= a else busts[to])
        if k > 0 and holds[k] > roll:
            roll, risk = holds[k], 0.0
        worth[k], busts[k] = roll, risk


@kernel()
def _own_turn(
    x: float, holds: Floats, played: Played, s: int, a: int, chances: Chances, exits: float, bust: float, worth: Floats
) -> None:
    """What the strategy's turn is worth from each turn total on if a bust is worth `x`."""
    for k in range(a - 1, -1, -1):
        roll = exits + bust * x
        for g in range(chances[0].shape[0]):
            to = k + chances[0][g]
            roll += chances[1][g] * (holds[a] if to >= a else worth[to])
        chance = _chance(played, s, k)
        worth[k] = chance * roll + (1.0 - chance) * holds[k]


@kernel()
def _fill(values: Floats, after: int, a: int, T: int, chances: Chances, holds: Floats) -> float:
    """Write what the mover expects after each hold; what the throws bring that end the turn with another score."""
    n = values.shape[1]
    for k in range(a + 1):
        holds[k] = values[after + a - k, n - 1]
    exits = chances[5] * values[after + T, n - 1] if a < T else 0.0
    for g in range(chances[2].shape[0]):
        exits += chances[3][g] * holds[min(chances[2][g], a)]
    return exits


@kernel(is_long=True)
def respond_all(
    orbits: Ints, played: Played, chances: Chances, best: Floats, own: Floats
) -> tuple[float, float, int, int]:
    """Go once through the game and write what the best response to a strategy that all others play expects.

    Returns:
        The largest change, the largest gain over `own` at any state and turn total, and that state and total.
    """
    n, T = orbits.shape[1], played[0].shape[1]
    ends, stay, falls = np.empty((n, T + 1)), np.empty(n), np.empty(n)
    holds, worth, busts, kept = np.empty(T + 1), np.empty(T), np.empty(T), np.empty(T)
    states, afters = np.empty(n, np.int64), np.empty(n, np.int64)
    change, top, where, at = 0.0, -np.inf, 0, 0
    for o in range(orbits.shape[0]):
        needs = orbits[o]
        _states(needs, T + 1, states, afters)
        for i in range(n):
            stay[i], thrown = _follow(played, states[i], needs[i], chances, ends[i])
            falls[i] = thrown * chances[5]
        for q in range(n):  # the responder
            a, bust = needs[q], chances[4] + (chances[5] if needs[q] == T else 0.0)
            exits = _fill(best, afters[q], a, T, chances, holds)
            p = 0.0
            while True:
                x, through, fixed = 0.0, 1.0, 0.0
                for j in range(1, n):  # after the turns of the others
                    i = (q + j) % n
                    fixed += through * _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T)
                    through *= stay[i]
                x = fixed + through * p
                _respond(x, holds, a, chances, exits, bust, worth, busts)
                better = (worth[0] - busts[0] * x + busts[0] * fixed) / (1.0 - busts[0] * through)
                if not better > p:
                    break
                p = better
            value = p
            for j in range(n, 0, -1):
                i = (q + j) % n
                if j < n:
                    value = _expects(best, n - j - 1, afters[i], needs[i], ends[i], falls[i], T) + stay[i] * value
                change = max(change, abs(value - best[states[i], (n - j) % n]))
                best[states[i], (n - j) % n] = value
                if not value - own[states[i], (n - j) % n] <= top:
                    top, where, at = value - own[states[i], (n - j) % n], states[i], 0
            exits = _fill(own, afters[q], a, T, chances, holds)
            x = own[states[(q + 1) % n], n - 1]
            _own_turn(x, holds, played, states[q], a, chances, exits, bust, kept)
            for k in range(a):
                if not worth[k] - kept[k] <= top:
                    top, where, at = worth[k] - kept[k], states[q], k
    return change, top, where, at
