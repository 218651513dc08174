"""An equilibrium of an orbit of n players at which elimination leaves more than one turn.

Each player plays one of the turns that are left, or mixes two neighbouring ones; a player who mixes is indifferent
between them, so that the bust value is the break point between them. For n players that is one equation for each of
those who mix, linear in each other one's weight: Newton's method solves them, from several starts. Where three or
more mix these need not find all, unlike `equilibria.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.three_player.n_player_kernels import Throws, best_turn, prepare_orbit

TIE = 1e-14
"""Gains of less than this are none."""

STARTS = (0.5, 0.1, 0.9)
"""Weights from which Newton's method starts, for each mixing player."""

STEPS = 30
CLOSE = 1e-15


@dataclass(frozen=True, eq=False)
class FoundEquilibrium:
    """What players 0, 1, ... of an orbit play: turn `low` of each, mixed with the next one with `weights`, and values.

    `values` has what the player `p` turns ahead of player `m` expects where `m` is to move, shape (n, n), and
    `rolls` each player's chance to roll at each turn total.
    """

    low: tuple[int, ...]
    weights: Floats
    values: Floats
    rolls: tuple[Floats, ...]

    @property
    def mixing(self) -> int:
        """How many players mix."""
        return int(np.count_nonzero(self.weights))


def solve_orbit(
    needs: Ints, values: Floats, throws: Throws, target: int, near: Floats | None = None
) -> tuple[tuple[int, ...], FoundEquilibrium]:
    """How many turns elimination leaves to each player of an orbit, and an equilibrium in them.

    That is the first one, or of those with the fewest mixing players the one of values nearest to `near`, shape (n, n).
    """
    held, exits, lines, starts, first, last = prepare_orbit(needs, values, throws, target)
    left = [lines[m, first[m] : last[m]] for m in range(len(needs))]
    period = next(d for d in range(1, len(needs) + 1) if (np.roll(needs, d) == needs).all())
    there = ((low, w) for low, w in _candidates(left, period) if _largest_gain(left, _mixed(left, low, w)) <= TIE)
    found = list(there if near is not None else itertools.islice(there, 1))
    if not found:
        raise InputError(f"no equilibrium was found at {tuple(needs.tolist())}: take a die of less extreme chances.")
    low, weights = found[0]
    if near is not None:
        fewest = [one for one in found if np.count_nonzero(one[1]) == np.count_nonzero(weights)]
        low, weights = min(fewest, key=lambda one: float(np.abs(_values(_mixed(left, *one)) - near).max()))
    played = _mixed(left, low, weights)
    made = []
    for m, a in enumerate(needs.tolist()):
        turn = _Turn(held[m], exits[m], a, throws)
        x = _chain(played, m, float(_values(played)[m, 0]))
        numbers = [(first[m] + low[m], 1 - weights[m]), (first[m] + low[m] + 1, weights[m])]
        made.append(turn.behaviour(x, [((starts[m, i] + starts[m, i + 1]) / 2, w) for i, w in numbers if w > 0]))
    return tuple(len(turns) for turns in left), FoundEquilibrium(low, weights, _values(played), tuple(made))


def _candidates(left: Sequence[Floats], period: int) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Turns and weights that may be an equilibrium, fewest mixing players first; the same where states are the same."""
    n = len(left)
    for count in range(period + 1):
        for mixing in itertools.combinations(range(period), count):
            ranges = [range(len(left[m]) - (m in mixing)) for m in range(period)]
            for low in itertools.product(*ranges):
                lows = low * (n // period)
                who = [m for m in range(n) if m % period in mixing]
                for start in itertools.product(STARTS, repeat=count) if count else [()]:
                    weights = _indifferent(left, lows, who, np.array(start * (n // period)))
                    if weights is not None:
                        yield lows, weights


def _indifferent(left: Sequence[Floats], low: Sequence[int], who: Sequence[int], start: Floats) -> Floats | None:
    """Weights from 0 to 1 that make every mixing player indifferent, by Newton's method."""
    weights = np.zeros(len(left))
    if not who:
        return weights
    weights[list(who)] = start
    for _ in range(STEPS):
        gap = np.array([_gap(left, low, weights, m) for m in who])
        slopes = np.zeros((len(who), len(who)))
        for j, other in enumerate(who):  # each gap is linear in each weight
            ends = []
            for end in (0.0, 1.0):
                moved = weights.copy()
                moved[other] = end
                ends.append([_gap(left, low, moved, m) for m in who])
            slopes[:, j] = np.subtract(ends[1], ends[0])
        if not np.isfinite(slopes).all() or np.linalg.matrix_rank(slopes) < len(who):
            return None
        step = np.linalg.solve(slopes, gap)
        weights[list(who)] -= step
        if np.abs(weights).max() > 10:
            return None
        if np.abs(step).max() < CLOSE:
            break
    inside = ((weights[list(who)] > 0) & (weights[list(who)] < 1)).all()
    return weights if inside else None


def _gap(left: Sequence[Floats], low: Sequence[int], weights: Floats, m: int) -> float:
    """By how much mixing player `m`'s bust value would exceed the break point, if a bust were worth that point."""
    here, there = left[m][low[m]], left[m][low[m] + 1]
    x = (here[0] - there[0]) / (here[-1] - there[-1])
    return _chain(_mixed(left, low, weights), m, here[0] + (1 - here[-1]) * x) - float(x)


def _chain(played: Floats, m: int, value: float) -> float:
    """What a bust is worth to player `m` who will then expect `value`."""
    n = len(played)
    for j in range(n - 1, 0, -1):
        line = played[(m + j) % n]
        value = line[n - j] + (1 - line[n]) * value
    return float(value)


def _mixed(left: Sequence[Floats], low: Sequence[int], weights: Floats) -> Floats:
    """The line of each player, shape (n, n + 1)."""
    return np.array([
        turns[i] if w == 0 else (1 - w) * turns[i] + w * turns[i + 1]
        for turns, i, w in zip(left, low, weights.tolist(), strict=True)
    ])  # fmt: skip


def _values(played: Floats) -> Floats:
    """What the player `p` turns ahead of player `m` expects where `m` is to move, shape (n, n)."""
    n = len(played)
    system = np.eye(n)
    for m in range(n):
        system[m, (m + 1) % n] -= 1 - played[m, n]
    parts = np.array([[played[m, (q - m) % n] for q in range(n)] for m in range(n)])
    solved = np.linalg.solve(system, parts)
    return np.array([np.roll(solved[m], -m) for m in range(n)])


def _largest_gain(left: Sequence[Floats], played: Floats) -> float:
    """What a player gains at most by another turn, counted where that player is to move and the others stay."""
    values, gains = _values(played), []
    for m, turns in enumerate(left):
        x = _chain(played, m, float(values[m, 0]))
        gains.append((turns[:, 0] + (1 - turns[:, -1]) * x).max() - (played[m, 0] + (1 - played[m, -1]) * x))
    return float(max(gains))


@dataclass(frozen=True, eq=False)
class _Turn:
    held: Floats
    exits: Floats
    needs: int
    throws: Throws

    def best(self, x: float) -> Bytes:
        """Where the best turn rolls if a bust is worth `x`."""
        rolls = np.empty(self.needs, np.uint8)
        own, leave = np.empty(self.needs), np.empty(self.needs)
        best_turn(x, self.held, self.exits, self.needs, self.throws, own, leave, rolls)
        return rolls

    def behaviour(self, x: float, turns: Sequence[tuple[float, float]]) -> Floats:
        """The chance to roll at each turn total in a mixture of best turns, by bust value and weight (Kuhn 1953).

        Where none of them comes, the best decision for `x` is taken.
        """
        chance, come = self.best(x).astype(np.float64), np.zeros((2, self.needs))
        for value, weight in turns:
            rolls = self.best(value)
            come += weight * self._reach(rolls) * np.stack([1 - rolls, rolls])
        reached = come.sum(axis=0)
        np.divide(come[1], reached, out=chance, where=reached > 0)
        return chance

    def _reach(self, rolls: Bytes) -> Floats:
        gains, chances = self.throws[:2]
        reach = np.zeros(len(rolls) + gains.max())
        reach[0] = 1
        for k in np.flatnonzero(rolls):
            reach[k + gains] += reach[k] * chances
        return reach[: len(rolls)]
