"""An equilibrium of an orbit of n players at which elimination leaves more than one turn.

Each player plays one of the remaining turns, or mixes two neighbouring ones. A player who mixes is indifferent between
them, so its bust value is the break point between them. This gives one equation for each mixing player, linear in each
of the others' weights; Newton's method solves the system, from several starting points. With three or more mixing
players it need not find all solutions, unlike `pigevo/three_player/equilibria.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.three_player.equilibria import TIE, BestTurns, largest_gain, mixed_lines, no_equilibrium

STARTS = (0.5, 0.1, 0.9)
"""The starting weights of Newton's method, for each mixing player."""

STEPS = 30
CLOSE = 1e-15


@dataclass(frozen=True, eq=False)
class Played:
    """The play of an orbit's players in an equilibrium.

    `values`, shape (n, n), has the value to the player who moves `p` turns after player `m`, when `m` is to move;
    `rolls` has each player's chance to roll at each turn total; `mixing` is the number of players that mix.
    """

    values: Floats
    rolls: tuple[Floats, ...]
    mixing: int


def solve_orbit(turns: BestTurns, near: Floats | None = None) -> Played:
    """An equilibrium of an orbit in the turns that elimination leaves.

    It is the first one found; or, given `near`, shape (n, n), among those with the fewest mixing players the one whose
    values are nearest to `near`.
    """
    left = turns.left
    equilibria = (found for found in _candidates(left, _period(turns)) if _is_equilibrium(left, *found))
    listed = list(equilibria if near is not None else itertools.islice(equilibria, 1))
    if not listed:
        raise no_equilibrium(turns)
    low, weights = listed[0]
    if near is not None:
        fewest = [one for one in listed if np.count_nonzero(one[1]) == np.count_nonzero(weights)]
        low, weights = min(fewest, key=lambda one: float(np.abs(_values(mixed_lines(left, *one)) - near).max()))
    played = mixed_lines(left, low, weights)
    rolls = tuple(turns.rolls(m, x, low[m], weights[m]) for m, x in enumerate(_bust(played)))
    return Played(_values(played), rolls, int(np.count_nonzero(weights)))


def least_pure_gain(turns: BestTurns) -> float:
    """The largest gain of a player by another turn, once, at the pure choice of the remaining turns where it is least.

    Equal states play alike.
    """
    period = _period(turns)
    choices = (np.array(lines * (len(turns.left) // period)) for lines in itertools.product(*turns.left[:period]))
    return min(largest_gain(turns.left, played, _bust(played)) for played in choices)


def _period(turns: BestTurns) -> int:
    """After how many turns the states of an orbit come again."""
    needs = turns.needs
    return next(d for d in range(1, len(needs) + 1) if (np.roll(needs, d) == needs).all())


def _is_equilibrium(left: Sequence[Floats], low: Sequence[int], weights: Floats) -> bool:
    played = mixed_lines(left, low, weights)
    return largest_gain(left, played, _bust(played)) <= TIE


def _candidates(left: Sequence[Floats], period: int) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Candidates for turns and weights of an equilibrium, fewest mixing players first; equal states play alike."""
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
    """The excess of mixing player `m`'s bust value over the break point, if that point were the value of its bust."""
    here, there = left[m][low[m]], left[m][low[m] + 1]
    x = (here[0] - there[0]) / (here[-1] - there[-1])
    return _chain(mixed_lines(left, low, weights), m, here[0] + (1 - here[-1]) * x) - float(x)


def _chain(played: Floats, m: int, value: float) -> float:
    """The value of a bust to player `m`, given its `value` at its next turn."""
    n = len(played)
    for j in range(n - 1, 0, -1):
        line = played[(m + j) % n]
        value = line[n - j] + (1 - line[n]) * value
    return float(value)


def _values(played: Floats) -> Floats:
    """The value to the player who moves `p` turns after player `m`, when `m` is to move, shape (n, n)."""
    n = len(played)
    system = np.eye(n)
    for m in range(n):
        system[m, (m + 1) % n] -= 1 - played[m, n]
    parts = np.array([[played[m, (q - m) % n] for q in range(n)] for m in range(n)])
    solved = np.linalg.solve(system, parts)
    return np.array([np.roll(solved[m], -m) for m in range(n)])


def _bust(played: Floats) -> list[float]:
    """The value of a bust to each player."""
    values = _values(played)
    return [_chain(played, m, float(values[m, 0])) for m in range(len(played))]
