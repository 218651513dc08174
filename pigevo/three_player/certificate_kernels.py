"""The compiled loop of the certificate: one player's best response to two others, over the whole game."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.compiled import kernel
from pigevo.three_player.evaluation_kernels import Tables, follow_turn, roll_chance


@kernel()
def _respond(
    x: float, holds: Floats, a: int, gains: Ints, probabilities: Floats, bust: float, worth: Floats, busts: Floats
) -> None:
    """The best turn when a bust is worth `x`: its worth and its chance to bust from each turn total on."""
    for k in range(a - 1, -1, -1):
        roll, risk = bust * x, bust
        for g in range(gains.shape[0]):
            n = k + gains[g]
            if n >= a:
                roll += probabilities[g]
            else:
                roll += probabilities[g] * worth[n]
                risk += probabilities[g] * busts[n]
        if k > 0 and holds[k] > roll:
            roll, risk = holds[k], 0.0
        worth[k] = roll
        busts[k] = risk


@kernel()
def _play_on(
    x: float,
    holds: Floats,
    mine: Tables,
    needs: tuple[int, int, int],
    gains: Ints,
    probabilities: Floats,
    bust: float,
    worth: Floats,
) -> None:
    """What the strategy's own turn is worth from each turn total on when a bust is worth `x`."""
    a, b, c = needs
    for k in range(a - 1, -1, -1):
        roll = bust * x
        for g in range(gains.shape[0]):
            n = k + gains[g]
            roll += probabilities[g] * (1.0 if n >= a else worth[n])
        rolling = roll_chance(mine, a, b, c, k)
        worth[k] = rolling * roll + (1.0 - rolling) * holds[k]


@kernel()
def respond_orbits(
    orbits: Ints,
    following: Tables,
    third: Tables,
    gains: Ints,
    probabilities: Floats,
    bust: float,
    best: Floats,
    own: Floats,
    mine: Tables,
    gained: Floats,
) -> tuple[float, int, int, int, int]:
    """The best response of one player to two others, and what it gains at each state.

    In an orbit the responder's bust value follows from his own worth by the turns of the
    others; his best turn is improved until it cannot be (Howard 1960).

    Args:
        orbits: the orbits in an order in which they can be solved, shape (n, 3).
        following, third: the strategies of those who move after the responder.
        gains, probabilities, bust: the die.
        best: his best win probabilities when he is mover, next and third, shape (3, T + 1, T + 1, T + 1) by
            his seat and the points needed by mover, next, third; written at the orbits, and
            known where somebody has won.
        own: the same for his own strategy `mine`, known everywhere.
        mine: his own strategy.
        gained: becomes the largest gain at the states where he moves, over turn totals, shape (T + 1,) * 3.

    Returns:
        The largest gain at any state and turn total, and the state (a, b, c, k) where it is; infinity where
        something is no number.
    """
    T = best.shape[1] - 1
    reach, hold, holds = np.empty(T), np.empty(T), np.zeros(T)
    worth, busts, kept = np.empty(T), np.empty(T), np.empty(T)
    top = -1.0
    where = (0, 0, 0, 0)
    for o in range(orbits.shape[0]):
        for n in range(1 if orbits[o, 0] == orbits[o, 1] == orbits[o, 2] else 3):
            a, b, c = orbits[o, n], orbits[o, (n + 1) % 3], orbits[o, (n + 2) % 3]
            _, leave_b = follow_turn(following, b, c, a, gains, probabilities, reach, hold)
            from_b = 0.0
            for k in range(1, b):
                from_b += hold[k] * best[1, c, a, b - k]
            _, leave_c = follow_turn(third, c, a, b, gains, probabilities, reach, hold)
            from_c = 0.0
            for k in range(1, c):
                from_c += hold[k] * best[0, a, b, c - k]
            for k in range(1, a):
                holds[k] = best[2, b, c, a - k]
            stay_b, stay_c = 1.0 - leave_b, 1.0 - leave_c
            p = 0.0
            while True:
                x = from_b + stay_b * (from_c + stay_c * p)
                _respond(x, holds, a, gains, probabilities, bust, worth, busts)
                sure = worth[0] - busts[0] * x
                better = (sure + busts[0] * (from_b + stay_b * from_c)) / (1.0 - busts[0] * stay_b * stay_c)
                if better <= p:
                    break
                p = better
            best[0, a, b, c] = p
            best[1, c, a, b] = from_c + stay_c * p
            best[2, b, c, a] = x
            for k in range(1, a):
                holds[k] = own[2, b, c, a - k]
            _play_on(own[2, b, c, a], holds, mine, (a, b, c), gains, probabilities, bust, kept)
            gained[a, b, c] = max(
                (worth[:a] - kept[:a]).max(), best[1, c, a, b] - own[1, c, a, b], best[2, b, c, a] - own[2, b, c, a]
            )
            if not np.isfinite(gained[a, b, c]):
                return np.inf, a, b, c, 0
            if gained[a, b, c] > top:
                top = gained[a, b, c]
                where = (a, b, c, int((worth[:a] - kept[:a]).argmax()))
    return top, where[0], where[1], where[2], where[3]
