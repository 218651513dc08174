"""Win probabilities of two fixed strategies: one linear system over every state of the game."""

from dataclasses import dataclass

import numpy as np

from tests.reference.rules import played, start, states


@dataclass
class Dense:
    """The solved game of a against b; `win[state]` is (a wins, b wins) from there."""

    target: int
    number: dict
    matrix: np.ndarray
    ends: np.ndarray

    def win(self, state):
        return self.ends[self.number[state]]

    @property
    def first(self):
        """The probability that a wins, moving first."""
        return self.win(start(0))[0]

    @property
    def second(self):
        """The probability that a wins, b moving first."""
        return self.win(start(1))[0]

    @property
    def stalemate_first(self):
        return 1 - self.win(start(0)).sum()

    @property
    def stalemate_second(self):
        return 1 - self.win(start(1)).sum()

    @property
    def values(self):
        """P[i, j, k], the probability that a, to move, wins; nan where a banks and wins at once."""
        p = np.full((self.target,) * 3, np.nan)
        for s, n in self.number.items():
            if s.player == 0 and not s.passed:
                p[s.i, s.j, s.k] = self.ends[n, 0]
        return p

    def reach(self, starter):
        """Expected visits of a to each (i, j, k) as the player to move, in a game that `starter` begins."""
        begin = np.zeros(len(self.number))
        begin[self.number[start(starter)]] = 1
        visits = np.linalg.solve(self.matrix.T, begin)
        total = np.zeros((self.target,) * 3)
        for s, n in self.number.items():
            if s.player == 0:
                total[s.i, s.j, s.k] += visits[n]
        return total


def solve(game, a, b):
    """Solve a against b, two arrays `roll[i, j, k]`.

    With x the unknown of each state, x[s] = sum of p * x[next] + the p that end the game in
    the win asked for: one matrix, and one right-hand side for each player's wins.
    """
    number = {s: n for n, s in enumerate(states(game))}
    matrix = np.eye(len(number))
    ends = np.zeros((len(number), 2))
    for s, n in number.items():
        for probability, after in played(game, (a, b), s):
            if after == "stalemate":
                continue
            if after in ("a", "b"):
                ends[n, "ab".index(after)] += probability
            else:
                matrix[n, number[after]] -= probability
    return Dense(game.target, number, matrix, np.linalg.solve(matrix, ends))
