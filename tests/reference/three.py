"""Games of three, the slow and plain way: dense linear systems, every policy tried."""

import itertools

import numpy as np


def turn(needs, rolls, gains, bust):
    """Where a turn ends: a dict from points banked (0 for a bust, `needs` for a win) to its chance."""
    stand, ends = {0: 1.0}, {0: 0.0}
    while stand:
        k = min(stand)
        here = stand.pop(k)
        chance = 1.0 if k == 0 else rolls(k)
        if chance < 1:
            ends[k] = ends.get(k, 0.0) + here * (1 - chance)
        if chance > 0:
            ends[0] += here * chance * bust
            for points, p in gains:
                if k + points >= needs:
                    ends[needs] = ends.get(needs, 0.0) + here * chance * p
                else:
                    stand[k + points] = stand.get(k + points, 0.0) + here * chance * p
    return ends


def win_only(b, c):
    """What a win leaves to the winner, the next and the third player, who need b and c points."""
    return 1.0, 0.0, 0.0


def solve(target, gains, bust, chances, won=win_only):
    """What three strategies expect, each a function (a, b, c, k) -> chance to roll; `won` as `win_only`.

    Returns a dict from (m, a, b, c), player m to move, to the three players' win probabilities or rewards.
    """
    points = range(1, target + 1)
    states = [(m, *needs) for m in range(3) for needs in itertools.product(points, repeat=3)]
    number = {state: n for n, state in enumerate(states)}
    matrix, right = np.eye(len(states)), np.zeros((len(states), 3))
    for (m, a, b, c), row in number.items():
        for banked, p in turn(a, lambda k: chances[m](a, b, c, k), gains, bust).items():
            if banked == a:
                right[row] += p * np.roll(won(b, c), m)
            else:
                matrix[row, number[(m + 1) % 3, b, c, a - banked]] -= p
    return dict(zip(states, np.linalg.solve(matrix, right), strict=True))


def orbit_values(needs, policies, gains, bust, after, won=win_only):
    """Win probabilities [m, player] of one orbit whose players have pure turns (dicts from k to 0 or 1).

    `after(m, needs of mover, next, third)` gives the three players' win probabilities, player m to move.
    """
    matrix, right = np.eye(3), np.zeros((3, 3))
    for m in range(3):
        a, b, c = (needs[(m + n) % 3] for n in range(3))
        for banked, p in turn(a, lambda k: policies[m][k], gains, bust).items():
            if banked == a:
                right[m] += p * np.roll(won(b, c), m)
            elif banked == 0:
                matrix[m, (m + 1) % 3] -= p
            else:
                right[m] += p * after((m + 1) % 3, b, c, a - banked)
    return np.linalg.solve(matrix, right)


def pure_equilibria(needs, gains, bust, after, tie=1e-12, won=win_only):
    """Every pure equilibrium of an orbit: all profiles of all turns are tried; their values [m, player]."""
    turns = [
        [dict(zip(range(1, n), holds, strict=True)) for holds in itertools.product((0.0, 1.0), repeat=n - 1)]
        for n in needs
    ]
    shape = tuple(len(t) for t in turns)
    values = np.empty((*shape, 3, 3))
    for index in np.ndindex(shape):
        chosen = [t[i] for t, i in zip(turns, index, strict=True)]
        values[index] = orbit_values(needs, chosen, gains, bust, after, won)
    stable = np.ones(shape, bool)
    for m in range(3):
        own = values[..., m, m]
        stable &= own >= own.max(axis=m, keepdims=True) - tie
    return values[stable]


def two_player_values(target, gains, bust):
    """The win probability of the player to move in the game for two, by points needed: value iteration."""
    points = range(1, target + 1)
    values = {needs: 0.5 for needs in itertools.product(points, points)}

    def turn(a, b):
        def go(k):
            roll = bust * (1 - values[b, a]) + sum(p * (1.0 if k + g >= a else go(k + g)) for g, p in gains)
            return max(roll, 1 - values[b, a - k]) if k else roll

        return go(0)

    change = 1.0
    while change > 1e-15:
        new = {needs: turn(*needs) for needs in values}
        change = max(abs(new[needs] - values[needs]) for needs in values)
        values = new
    return values


def winnings(game, places, after_first_win):
    """What a win leaves to winner, next and third, as a function of the points that these two need."""
    if places == "points_needed":
        return lambda b, c: (b + c, -b, -c)
    if places == "scores":
        return lambda b, c: (2 * game.target - b - c, b - game.target, c - game.target)
    first, second, third = places
    if after_first_win == "play_on":
        two = two_player_values(game.target, game.die, game.bust)
        return lambda b, c: (first, third + (second - third) * two[b, c], second - (second - third) * two[b, c])
    half = (second + third) / 2
    return lambda b, c: (first, second, third) if b < c else (first, third, second) if c < b else (first, half, half)
