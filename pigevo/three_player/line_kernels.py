"""Lines: what is known of a turn as long as the value of a bust is not.

A turn ends in a bust, which leaves the scores as they are, or it leaves them, by a hold or
by reaching the target.  Its line holds four numbers: the chances that the turn leaves the
scores and that the mover, the next, or the third player then wins the game, and the chance
that it leaves them.  If a bust is worth `x` to the mover, the turn is worth
`own + (1 - leave) x`.

The players of an orbit are numbered in the order of their turns: after player `m` come
`m + 1` and `m + 2` (modulo 3).
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats

OWN, NEXT, THIRD, LEAVE = 0, 1, 2, 3


@kernel()
def crossing(low: Floats, high: Floats) -> float:
    """The bust value at which two turns are worth the same to the mover.

    Args:
        low: a line, shape (4,).
        high: a line with a smaller chance to leave, shape (4,).
    """
    return float((low[OWN] - high[OWN]) / (low[LEAVE] - high[LEAVE]))


@kernel()
def bust_values(lines: Floats) -> tuple[float, float, float]:
    """What a bust is worth to each of three players.

    Args:
        lines: the turn of each player, shape (3, 4).
    """
    x = np.empty(3)
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        stay_n, stay_h = 1.0 - lines[n, LEAVE], 1.0 - lines[h, LEAVE]
        gain = lines[n, THIRD] + stay_n * (lines[h, NEXT] + stay_h * lines[m, OWN])
        # the divisor is 1 - stay_n stay_h stay_m, summed from its parts to lose no digits
        x[m] = gain / (lines[n, LEAVE] + stay_n * (lines[h, LEAVE] + stay_h * lines[m, LEAVE]))
    return x[0], x[1], x[2]


@kernel()
def start_values(lines: Floats, m: int) -> tuple[float, float, float]:
    """Win probabilities of mover, next and third player at the start of a turn.

    Args:
        lines: the turn of each player, shape (3, 4).
        m: who is to move.
    """
    n, h = (m + 1) % 3, (m + 2) % 3
    stay_m, stay_n = 1.0 - lines[m, LEAVE], 1.0 - lines[n, LEAVE]
    out = lines[m, LEAVE] + stay_m * (lines[n, LEAVE] + stay_n * lines[h, LEAVE])
    mover = (lines[m, OWN] + stay_m * (lines[n, THIRD] + stay_n * lines[h, NEXT])) / out
    following = (lines[m, NEXT] + stay_m * (lines[n, OWN] + stay_n * lines[h, THIRD])) / out
    third = (lines[m, THIRD] + stay_m * (lines[n, NEXT] + stay_n * lines[h, OWN])) / out
    return mover, following, third
