"""Games of two, the slow and plain way: a second Pig, written from the publications alone.

Nothing here imports pigevo. A game is anything with `target`, `gains` (pairs of points and probability), `bust` and
`allow_pass`; a strategy is an array `roll[i, j, k]`. A state is `(player, i, j, k, passed)`: the player to move (0 is
a, 1 is b), the banked score of that player, the banked score of the other one, the turn total, and whether the turn
just before was a pass. Where each state leads to, and with which probability, is in equations 2.32 and 2.33 of Exeter
2016. Two passes in a row are a stalemate (Exeter 2017, section 3.2), which is a loss for both. An end of the game is
`"a"`, `"b"` or `"stalemate"`.
"""

from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

State = namedtuple("State", "player i j k passed")
Toy = namedtuple("Toy", "target gains bust allow_pass")
"""A game that this reference understands; its probabilities may be fractions."""


def gains_of(game):
    """The pairs of points and probability of a game's die."""
    return tuple(game.gains.items()) if hasattr(game.gains, "items") else tuple(game.gains)


def start(player):
    """The first state of a game that `player` begins."""
    return State(player, 0, 0, 0, False)


def states(game):
    """Every state with a decision, forced ones included."""
    t = game.target
    for player in (0, 1):
        for i in range(t):
            for j in range(t):
                for k in range(t - i):
                    yield State(player, i, j, k, False)
                if game.allow_pass:
                    yield State(player, i, j, 0, True)


def rolled(game, s):
    """What a roll leads to: pairs of probability and next state or end."""
    yield game.bust, State(1 - s.player, s.j, s.i, 0, False)
    for points, probability in gains_of(game):
        k = s.k + points
        if s.i + k >= game.target:
            yield probability, "ab"[s.player]
        else:
            yield probability, State(s.player, s.i, s.j, k, False)


def held(game, s):
    """What a hold leads to."""
    if s.k > 0:
        return State(1 - s.player, s.j, s.i + s.k, 0, False)
    if not game.allow_pass:
        raise ValueError(f"a pass in a game without passing, at {s}")
    if s.passed:
        return "stalemate"
    return State(1 - s.player, s.j, s.i, 0, True)


def played(game, rolls, s):
    """What the player to move at `s` makes of it, if player p follows the array `rolls[p]`."""
    if rolls[s.player][s.i, s.j, s.k]:
        return list(rolled(game, s))
    return [(1, held(game, s))]


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


def piglet(target, heads, allow_pass=False):
    """Piglet with a coin whose probability is a fraction."""
    return Toy(target, ((1, Fraction(heads)),), 1 - Fraction(heads), allow_pass)


def solve_in_fractions(game, a, b):
    """The pair (a wins, b wins) from each state, as a dict of state to two fractions.

    Each state is one equation: x = sum of coefficient * other x + constant. The states are
    eliminated one by one, those with most points first, and then put back in.
    """
    order = sorted(states(game), key=lambda s: (s.i + s.j, s.k, s.i, s.player, s.passed), reverse=True)
    place = {s: n for n, s in enumerate(order)}
    solved = []
    for n, s in enumerate(order):
        row, constant = {}, [Fraction(0), Fraction(0)]
        for probability, after in played(game, (a, b), s):
            if after in ("a", "b"):
                constant["ab".index(after)] += probability
            elif after != "stalemate":
                row[place[after]] = row.get(place[after], Fraction(0)) + probability
        while row and min(row) < n:  # put in the equations of the states eliminated before
            m = min(row)
            factor = row.pop(m)
            for column, coefficient in solved[m][0].items():
                row[column] = row.get(column, Fraction(0)) + factor * coefficient
            constant = [c + factor * d for c, d in zip(constant, solved[m][1], strict=True)]
        scale = 1 - row.pop(n, Fraction(0))  # x = own * x + ...
        solved.append(({m: c / scale for m, c in row.items()}, [c / scale for c in constant]))
    values = [None] * len(order)
    for n in reversed(range(len(order))):
        row, constant = solved[n]
        values[n] = tuple(constant[p] + sum((c * values[m][p] for m, c in row.items()), Fraction(0)) for p in (0, 1))
    return {s: values[n] for s, n in place.items()}


def win_in_fractions(game, a, b):
    """The fractions (first, second, stalemate_first, stalemate_second) of a against b."""
    values = solve_in_fractions(game, a, b)
    first, second = values[start(0)], values[start(1)]
    return first[0], second[0], 1 - sum(first), 1 - sum(second)


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


def win_by_turns(game, a, b):
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


def decision_cells(game):
    """The cells (i, j, k) in which a player has a choice."""
    t = game.target
    lowest = 0 if game.allow_pass else 1
    return [(i, j, k) for i in range(t) for j in range(t) for k in range(lowest, t - i)]


def forced(game):
    """The array that never holds before the target, where every strategy starts from."""
    i, _, k = np.ogrid[: game.target, : game.target, : game.target]
    return np.broadcast_to(i + k < game.target, (game.target,) * 3).copy()


def all_strategies(game):
    """Every strategy there is: two to the number of asked cells."""
    cells = decision_cells(game)
    for choice in product((False, True), repeat=len(cells)):
        roll = forced(game)
        for cell, rolls in zip(cells, choice, strict=True):
            roll[cell] = rolls
        yield roll


def best_response_by_enumeration(game, b):
    """The best that any strategy does against b: (first, second, values[i, j]), each maximised alone."""
    first = second = -1.0
    values = np.full((game.target,) * 2, -1.0)
    for roll in all_strategies(game):
        d = solve(game, roll, b)
        first, second = max(first, d.first), max(second, d.second)
        values = np.maximum(values, d.values[:, :, 0])
    return first, second, values


def optimum_by_enumeration(game):
    """The largest overall win probability that a strategy is sure of, and that strategy."""
    strategies = list(all_strategies(game))
    best, best_roll = -1.0, None
    for roll in strategies:
        worst = 1.0
        for other in strategies:
            d = solve(game, roll, other)
            worst = min(worst, (d.first + d.second) / 2)
        if worst > best:
            best, best_roll = worst, roll
    return best, best_roll


def optimum_by_value_iteration(game, sweeps=100_000):
    """P[i, j, k] of equation 2.31 for a game without passing, iterated until it moves by less than 1e-15."""
    t = game.target
    p = np.ones((t, t, 2 * t + max(points for points, _ in gains_of(game))))
    inside = np.add.outer(np.arange(t), np.arange(t)) < t
    for i, k in np.argwhere(inside):
        p[i, :, k] = 0.5
    for _ in range(sweeps):
        before = p.copy()
        for i, k in np.argwhere(inside):
            by_roll = game.bust * (1 - p[:, i, 0]) + sum(q * p[i, :, k + g] for g, q in gains_of(game))
            p[i, :, k] = np.maximum(by_roll, 1 - p[:, i + k, 0]) if k > 0 else by_roll
        if np.abs(p - before).max() < 1e-15:
            break
    return np.where(inside[:, None, :], p[:, :, :t], np.nan)


def play(game, a, b, starter, rng):
    """One game; who won: 0 for a, 1 for b, None for a stalemate."""
    points = np.array([0, *(g for g, _ in gains_of(game))])
    chances = np.array([game.bust, *(p for _, p in gains_of(game))], dtype=float)
    steps = np.cumsum(chances)
    scores, rolls, player, passes = [0, 0], (a, b), starter, 0
    while True:
        own, other, total, acted = scores[player], scores[1 - player], 0, False
        while own + total < game.target and rolls[player][own, other, total]:
            acted = True
            gain = points[min(np.searchsorted(steps, rng.random(), side="right"), len(points) - 1)]
            if gain == 0:
                total = 0
                break
            total += int(gain)
        scores[player] = own + total
        if scores[player] >= game.target:
            return player
        passes = 0 if acted else passes + 1
        if passes == 2:
            return None
        player = 1 - player


def play_many(game, a, b, games, seed, starter=0):
    """(wins of a, wins of b, stalemates) of `games` games that `starter` begins."""
    rng = np.random.default_rng(seed)
    results = [play(game, a, b, starter, rng) for _ in range(games)]
    return results.count(0), results.count(1), results.count(None)
