"""Win probabilities at any target by another route: whole turns, and two equations per pair of scores.

The states of one turn are followed forward to find how many points it banks; then each pair
of banked scores has two unknowns, a's chance to move at (i, j) and at (j, i) after b's bust.
Games without passing only.
"""

import numpy as np

from tests.reference.rules import gains_of


def banked(game, roll):
    """Probability bank[i, j, g] that a turn begun at (i, j) banks g points, g <= target; g = 0 is a bust.

    All wins lie at `i + g >= target`.
    """
    t = game.target
    most = max(points for points, _ in gains_of(game))
    bank = np.zeros((t, t, t + most))
    for i in range(t):
        here = np.zeros((t, t + most))  # by opponent's score and turn total
        here[:, 0] = 1
        for k in range(t - i):
            rolls = roll[i, :, k].astype(bool)
            bank[i, ~rolls, k] += here[~rolls, k]
            moving = np.where(rolls, here[:, k], 0)
            bank[i, :, 0] += game.bust * moving
            for points, probability in gains_of(game):
                here[:, k + points] += probability * moving
        bank[i, :, t - i :] += here[:, t - i :]
    return bank


def win(game, a, b):
    """(first, second): a's win probability when a, or b, moves first."""
    t = game.target
    turn_a, turn_b = banked(game, a), banked(game, b)
    p = np.ones((t, t))  # a to move with i, b has j: a wins
    q = np.ones((t, t))  # b to move with j, a has i: b wins; q[j, i]
    for level in range(2 * t - 2, -1, -1):
        for i in range(max(0, level - t + 1), min(t, level + 1)):
            j = level - i
            # after a banks g > 0: 1 if it won, else 1 - q[j, i + g]
            known_a = turn_a[i, j, t - i :].sum() + turn_a[i, j, 1 : t - i] @ (1 - q[j, i + 1 : t])
            known_b = turn_b[j, i, t - j :].sum() + turn_b[j, i, 1 : t - j] @ (1 - p[i, j + 1 : t])
            bust_a, bust_b = turn_a[i, j, 0], turn_b[j, i, 0]
            # x = known_a + bust_a (1 - y),  y = known_b + bust_b (1 - x)
            matrix = np.array([[1, bust_a], [bust_b, 1]])
            p[i, j], q[j, i] = np.linalg.solve(matrix, [known_a + bust_a, known_b + bust_b])
    return p[0, 0], 1 - q[0, 0]
