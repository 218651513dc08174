"""The plain references of the benchmarks: straightforward compiled loops over the cells."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit
def turn_parts(roll, i, j, bust, die, after):
    """Backwards over the turn total: the turn is worth `a + b z` if a bust is worth `z`."""
    target = roll.shape[0]
    left = target - i
    a = np.ones(left + die.shape[0])
    b = np.zeros(left + die.shape[0])
    for k in range(left - 1, -1, -1):
        if roll[i, j, k]:
            a[k] = 0.0
            b[k] = bust
            for points in range(1, die.shape[0]):
                a[k] += die[points] * a[k + points]
                b[k] += die[points] * b[k + points]
        else:
            a[k] = after[k]
            b[k] = 0.0
    return a[0], b[0]


@numba.njit
def win_probability(roll, other, bust, die):
    """Win probabilities of `roll` against `other`: first and second seat, cell by cell."""
    target = roll.shape[0]
    moving = np.zeros((target, target))
    waiting = np.zeros((target, target))
    after = np.zeros(target)
    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            for k in range(1, target - i):
                after[k] = waiting[i + k, j]
            a, b = turn_parts(roll, i, j, bust, die, after)
            for k in range(1, target - j):
                after[k] = 1.0 - moving[i, j + k]
            c, d = turn_parts(other, j, i, bust, die, after)
            # moving = a + b waiting, and 1 - waiting = c + d (1 - moving)
            moving[i, j] = (a + b * (1.0 - c - d)) / (1.0 - b * d)
            waiting[i, j] = 1.0 - c - d * (1.0 - moving[i, j])
    return moving[0, 0], waiting[0, 0]


@numba.njit
def optimal_value(target, bust, die, tolerance):
    """The optimum by value iteration, level by level (Neller & Presser 2004), cell by cell."""
    reach = die.shape[0]
    values = np.full((target, target, target + reach), 0.5)
    for i in range(target):
        values[i, :, target - i :] = 1.0
    for total in range(2 * target - 2, -1, -1):
        change = 1.0
        while change > tolerance:
            change = 0.0
            for i in range(max(0, total - target + 1), min(total, target - 1) + 1):
                j = total - i
                for k in range(target - i - 1, -1, -1):
                    roll = bust * (1.0 - values[j, i, 0])
                    for points in range(1, reach):
                        roll += die[points] * values[i, j, k + points]
                    best = roll if k == 0 else max(roll, 1.0 - values[j, i + k, 0])
                    change = max(change, abs(best - values[i, j, k]))
                    values[i, j, k] = best
    return values[0, 0, 0]


@numba.njit
def play(roll, other, sides, games, seed):
    """Wins of `roll` in games of Pig in which the first move alternates, roll by roll."""
    np.random.seed(seed)
    target, wins = roll.shape[0], 0
    for game in range(games):
        mine, theirs, total, moving = 0, 0, 0, game % 2 == 0
        while True:
            own, against = (mine, theirs) if moving else (theirs, mine)
            if own + total >= target:
                wins += moving
                break
            if roll[own, against, total] if moving else other[own, against, total]:
                side = np.random.randint(1, sides + 1)
                if side > 1:
                    total += side
                    continue
            elif moving:
                mine += total
            else:
                theirs += total
            total, moving = 0, not moving
    return wins
