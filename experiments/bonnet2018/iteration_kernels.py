"""One sweep of the iterations that Bonnet, Neller & Viennot (2018) tried on three-player Pig.

`values[m, p, a, b, c]` is the win probability of the player `p` turns ahead when player `m`
is to move and mover, next and third need `a`, `b` and `c` points.  With one policy for all
the first axis has one entry; with separate policies it has three.  A state's whole turn is
updated at once, backwards over the turn total, from the present values of all other states.
"""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.compiled import kernel


@kernel()
def _roll(k: int, busted: Floats, turn: Floats, gains: Ints, chances: Floats, here: Floats) -> None:
    """What a roll at turn total `k` is worth to all three, into `here`."""
    x, y, z = busted[0], busted[1], busted[2]
    for g in range(gains.shape[0]):
        chance, to = chances[g], k + gains[g]
        x += chance * turn[to, 0]
        y += chance * turn[to, 1]
        z += chance * turn[to, 2]
    here[0], here[1], here[2] = x, y, z


@kernel()
def sweep(
    order: Ints, values: Floats, decisions: Bytes, discount: float, gains: Ints, chances: Floats, bust: float,
    changes: Floats, flips: Bytes,
) -> None:  # fmt: skip
    """Update states in place, each decision the better one for the mover.

    Args:
        order: the states (m, a, b, c) in the order of their updates, shape (n, 4).
        values: as above, shape (M, 3, T + 1, T + 1, T + 1).
        decisions: 1 rolls, shape (M, T + 1, T + 1, T + 1, T).
        discount: what a value is multiplied with for each turn between it and now.
        gains, chances, bust: the die.
        changes: raised to the largest change of a value, by the total of points needed, shape (3 T + 1,).
        flips: becomes 1 for each state whose decisions change, shape (n,).
    """
    M, T = values.shape[0], decisions.shape[4]
    turn = np.empty((T + gains.max(), 3))
    here, busted = np.empty(3), np.empty(3)
    for o in range(order.shape[0]):
        m, a, b, c = order[o]
        n = (m + 1) % M
        flipped = False
        turn[a:] = 0.0
        turn[a:, 0] = 1.0
        for p in range(3):
            busted[p] = bust * discount * values[n, (p + 2) % 3, b, c, a]
        for k in range(a - 1, -1, -1):
            _roll(k, busted, turn, gains, chances, here)
            roll = 1
            if k > 0 and discount * values[n, 2, b, c, a - k] >= here[0]:
                roll = 0
                for p in range(3):
                    here[p] = discount * values[n, (p + 2) % 3, b, c, a - k]
            if decisions[m, a, b, c, k] != roll:
                decisions[m, a, b, c, k] = roll
                flipped = True
            for p in range(3):
                turn[k, p] = here[p]
        flips[o] = flipped
        for p in range(3):
            changes[a + b + c] = max(changes[a + b + c], abs(turn[0, p] - values[m, p, a, b, c]))
            values[m, p, a, b, c] = turn[0, p]


@kernel()
def sweep_with_regret(
    order: Ints, values: Floats, decisions: Bytes, regrets: Floats, gains: Ints, chances: Floats, bust: float,
    changes: Floats, flips: Bytes,
) -> None:  # fmt: skip
    """Update states in place, each decision mixed by regret matching (Hart & Mas-Colell 2000).

    A decision is taken in proportion to how much it would have won more so far; regrets
    that fall below zero are forgotten (Tammelin 2014).

    Args:
        order, values, gains, chances, bust, changes, flips: as `sweep`.
        decisions: 1 where rolling is preferred.
        regrets: of rolling and of holding, shape (M, T + 1, T + 1, T + 1, T, 2).
    """
    M, T = values.shape[0], decisions.shape[4]
    turn = np.empty((T + gains.max(), 3))
    here, busted = np.empty(3), np.empty(3)
    for o in range(order.shape[0]):
        m, a, b, c = order[o]
        n = (m + 1) % M
        flipped = False
        turn[a:] = 0.0
        turn[a:, 0] = 1.0
        for p in range(3):
            busted[p] = bust * values[n, (p + 2) % 3, b, c, a]
        for k in range(a - 1, -1, -1):
            _roll(k, busted, turn, gains, chances, here)
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
                flipped = True
            for p in range(3):
                turn[k, p] = here[p]
        flips[o] = flipped
        for p in range(3):
            changes[a + b + c] = max(changes[a + b + c], abs(turn[0, p] - values[m, p, a, b, c]))
            values[m, p, a, b, c] = turn[0, p]
