"""One sweep of the iterations that Bonnet, Neller & Viennot (2018) tried on three-player Pig.

`values[m, p, a, b, c]` is the win probability of the player `p` turns ahead when player `m`
is to move and mover, next and third player need `a`, `b` and `c` points.  With one policy
for all the first axis has one entry; with separate policies it has three.  A state's whole
turn is updated at once, backwards over the turn total, from the present values of all other
states.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.rules import PlainDie


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
