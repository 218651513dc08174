"""The compiled loops of policy iteration: the optimum and best responses.

At one pair of scores all values after a hold are known from higher scores.  The only unknown is
the value after a bust (or a pass): the win probability `z` with the opponent to move at the same
scores.  For a given `z` the best turn is computed backwards over the turn total, and its value is
`a + (1 - s) z`, where `a` comes from holds and wins, and `s` is the chance not to bust.  The value
is convex and piecewise linear in `z`, so replacing a policy by the best one for the present `z`
(Howard 1960) ends after finitely many rounds, without a tolerance.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bools, Floats
from pigevo.exact.kernels import DieArrays, Outcomes, hold_worth, is_of_six, solve_pair


@kernel(borrows=True)
def _best_turn(
    z: float, held: Floats, left: int, die: DieArrays, passing: bool, won: Floats, lived: Floats
) -> tuple[float, float]:
    """The parts `a` and `s` of `a + (1 - s) z`, the value of the best turn if the value of a bust is `z`.

    `held` is the win probability after holding at turn total `k`, for `1 <= k < left`; the value of a pass is `z`.
    `won` and `lived` are work arrays of `left + max(gains)`, filled with 1 from `left` on.
    """
    gains, chances = die
    if is_of_six(gains):
        return _best_of_six(z, held, left, chances, passing, won, lived)
    # Downwards: rolling at k is worth what the turn totals above k are worth.
    for k in range(left - 1, -1, -1):
        a = 0.0
        s = 0.0
        for g in range(gains.shape[0]):
            a += chances[g] * won[k + gains[g]]
            s += chances[g] * lived[k + gains[g]]
        won[k], lived[k] = _better(k, a, s, z, held, passing)
    return won[0], lived[0]


@kernel(borrows=True)
def _best_of_six(
    z: float, held: Floats, left: int, chances: Floats, passing: bool, won: Floats, lived: Floats
) -> tuple[float, float]:
    """`_best_turn` for a die of six sides, with the last six values of `won` and `lived` in registers."""
    pa, pb, pc, pd, pe = chances[0], chances[1], chances[2], chances[3], chances[4]
    a = b = c = d = e = f = 1.0  # values of `won` 6, 5, ... and 1 points further
    u = v = w = x = y = t = 1.0  # values of `lived`
    for k in range(left - 1, -1, -1):
        won_rolling = pa * a + pb * b + pc * c + pd * d + pe * e
        lived_rolling = pa * u + pb * v + pc * w + pd * x + pe * y
        a, b, c, d, e = b, c, d, e, f
        u, v, w, x, y = v, w, x, y, t
        f, t = _better(k, won_rolling, lived_rolling, z, held, passing)
        won[k], lived[k] = f, t
    return f, t


@kernel(forceinline=True, borrows=True)
def _better(k: int, won: float, lived: float, z: float, held: Floats, passing: bool) -> tuple[float, float]:
    """The parts `a` and `s` of the better choice at turn total `k`, given those of a roll, `won` and `lived`."""
    roll = won + (1.0 - lived) * z
    # A hold banks for certain: s is 1. A pass returns to the same scores, as a bust does, so its a and s are both 0.
    if k > 0 and held[k] >= roll:
        return held[k], 1.0
    if k == 0 and passing and z > roll:
        return 0.0, 0.0
    return won, lived


@kernel(borrows=True)
def _write_rolls(
    z: float,
    held: Floats,
    left: int,
    tie: float,
    passing: bool,
    won: Floats,
    lived: Floats,
    die: DieArrays,
    decisions: Bools,
) -> None:
    """The decisions of the best turn: roll where rolling is better than holding by more than `tie`."""
    gains, chances = die
    for k in range(left):
        # Where the best turn holds, `won[k]` and `lived[k]` are those of the hold, so rolling is summed up again.
        a = 0.0
        s = 0.0
        for g in range(gains.shape[0]):
            a += chances[g] * won[k + gains[g]]
            s += chances[g] * lived[k + gains[g]]
        roll = a + (1.0 - s) * z
        if k > 0:
            decisions[k] = roll > held[k] + tie
        else:
            # A tie is a roll here: nobody passes without a gain.
            decisions[k] = not passing or roll >= z - tie


@kernel(borrows=True)
def _answer(
    c: float, u: float, held: Floats, left: int, die: DieArrays, passing: bool, won: Floats, lived: Floats
) -> tuple[float, float]:
    """The best win probability P of the mover, and z, that with the opponent to move, which is `c + (1 - u) P`.

    `won` and `lived` then have the parts of the best turn for this z.
    """
    p = -1.0
    # The first z is that of P = 0. Each round takes the turn that is best for z, so P grows until no turn is better.
    z = c
    while True:
        a, s = _best_turn(z, held, left, die, passing, won, lived)
        better = solve_pair(a, s, c, u)
        if better <= p:
            return p, z
        p = better
        z = c + (1.0 - u) * p


@kernel(is_long=True)
def best_response_tables(
    target: int, die: DieArrays, passing: bool, tie: float, turns: Outcomes
) -> tuple[Floats, Floats, Bools]:
    """The best response to an opponent, given by its `turn_outcomes`.

    The results are win probabilities P, Q with the responder and with the opponent to move, shape (T, T), by own and
    opponent's score, and decisions by own score, opponent's score and turn total.
    """
    start, low, hold, leave = turns
    T = target
    top = die[0][0]
    moving = np.zeros((T, T + LANES))  # a run of holds may reach past the end, with chance 0
    waiting = np.ones((T, T))
    rolls = np.zeros((T, T, T), np.bool_)
    won, lived, held = np.ones(T + top), np.ones(T + top), np.ones(T)
    # From the target downwards in both scores, as in `win_tables`: holds lead to values that are known.
    for i in range(T - 1, -1, -1):
        left = T - i
        won[left:] = 1.0
        lived[left:] = 1.0
        for j in range(T - 1, -1, -1):
            c = hold_worth(start, low, hold, j, i, moving, i * (T + LANES))
            for k in range(1, left):
                held[k] = waiting[i + k, j]
            p, z = _answer(c, leave[j, i], held, left, die, passing, won, lived)
            _write_rolls(z, held, left, tie, passing, won, lived, die, rolls[i, j])
            moving[i, j] = p
            waiting[i, j] = z
    return moving[:, :T].copy(), waiting, rolls


@kernel(is_long=True)
def optimal_tables(target: int, die: DieArrays, tie: float) -> tuple[Floats, Bools]:
    """The optimum of both players, values at the start of turns and decisions, by strategy iteration.

    The score pairs (i, j) and (j, i) are solved together. The second player's policy is fixed, the first player's best
    response is found, then the second player's policy is improved against it (Hoffman & Karp 1966), until no
    improvement is possible.
    """
    T = target
    top = die[0][0]
    values = np.zeros((T, T))
    rolls = np.zeros((T, T, T), np.bool_)
    won, lived = np.ones(T + top), np.ones(T + top)
    theirs_won, theirs_lived = np.ones(T + top), np.ones(T + top)
    held, theirs = np.ones(T), np.ones(T)
    # By the larger score, then by the smaller one, both downwards. A hold at (i, j) leads to (j, i + k), and one at
    # (j, i) to (i, j + k): each raises one of the two scores, so its value is known.
    for i in range(T - 1, -1, -1):
        won[T - i :] = 1.0
        lived[T - i :] = 1.0
        for j in range(i, -1, -1):
            for k in range(1, T - i):
                held[k] = 1.0 - values[j, i + k]
            for k in range(1, T - j):
                theirs[k] = 1.0 - values[i, j + k]
            theirs_won[T - j :] = 1.0
            theirs_lived[T - j :] = 1.0
            y = -1.0
            # The second player begins with the policy that is best for the value of a neighbouring pair.
            z = 1.0 - values[i, min(j + 1, T - 1)]
            x = 0.0
            while True:
                a, s = _best_turn(z, theirs, T - j, die, False, theirs_won, theirs_lived)
                # Against this policy, a bust is worth 1 - (a + (1 - s)(1 - P)) to the mover at (i, j).
                p, w = _answer(s - a, s, held, T - i, die, False, won, lived)
                # 1 - w is what the second player's policy is worth against the best answer: it must grow.
                if 1.0 - w <= y:
                    break
                x = p
                y = 1.0 - w
                z = 1.0 - x
            values[i, j] = x
            values[j, i] = y
            _best_turn(1.0 - y, held, T - i, die, False, won, lived)
            _write_rolls(1.0 - y, held, T - i, tie, False, won, lived, die, rolls[i, j])
            _best_turn(1.0 - x, theirs, T - j, die, False, theirs_won, theirs_lived)
            _write_rolls(1.0 - x, theirs, T - j, tie, False, theirs_won, theirs_lived, die, rolls[j, i])
    return values, rolls
