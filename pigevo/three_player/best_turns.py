"""The best turns at one orbit, the turns that elimination leaves, and the tables that solvers fill orbit by orbit.

Two solvers use them.  They differ in how they find an equilibrium where elimination leaves several turns.  For three
players `solver.py` computes every equilibrium (`equilibria.py`), with closed formulas for two and three mixing players,
uses the chosen one, and supports rewards.  For any number of players, and where scores can fall, `n_players.py` finds
one equilibrium by Newton's method (`n_player_orbits.py`), not necessarily all.  Their sums over the turns of an orbit
also run in opposite directions (`start_value`), which keeps the published figures of both identical to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.three_player.orbit_kernels import best_turn, prepare_orbit
from pigevo.three_player.rules import PlainDie, Throws
from pigevo.three_player.strategy import MIXED, StrategyTables

TIE = 1e-14
"""Gains smaller than this are treated as zero."""


@dataclass(frozen=True, eq=False)
class BestTurns:
    """The best turns of an orbit, where n players need `needs` points; made by `best_turns`.

    `held`, shape (n, room, n), has all players' values after a hold at each turn total and after a win; `exits`, shape
    (n, n + 1), the lines of throws that end the turn with another score; `lines`, shape (n, room, n + 1), those of the
    best turns in the order of the bust value; `starts` the bust value from which each turn is best, and 1 after the
    last. Elimination leaves each player the turns from `first` to before `last`.
    """

    needs: tuple[int, ...]
    throws: Throws
    held: Floats
    exits: Floats
    lines: Floats
    starts: Floats
    first: Ints
    last: Ints

    @property
    def die(self) -> PlainDie:
        """The gains and their probabilities."""
        return self.throws[:2]

    @property
    def left(self) -> list[Floats]:
        """For each player, the lines of the turns that elimination leaves, shape (turns, n + 1)."""
        return [self.lines[m, self.first[m] : self.last[m]] for m in range(len(self.needs))]

    def rolls(self, m: int, x: float, low: int, weight: float) -> Floats:
        """The chance to roll at each turn total if player `m` mixes turn `low` of `left` with the next one.

        `weight` is that of the next one. Mixing two whole turns is equivalent to mixing the decisions at which they
        differ, in proportion to the chances that each turn reaches them (Kuhn 1953). At totals that neither reaches,
        the decision is the best one for a bust value of `x`.
        """
        chance, come = self._turn(m, x).astype(np.float64), np.zeros((2, self.needs[m]))
        for number, share in ((self.first[m] + low, 1 - weight), (self.first[m] + low + 1, weight)):
            if share > 0:
                rolls = self._turn(m, (self.starts[m, number] + self.starts[m, number + 1]) / 2)
                come += share * self._reach(rolls) * np.stack([1 - rolls, rolls])
        reached = come.sum(axis=0)
        np.divide(come[1], reached, out=chance, where=reached > 0)
        return chance

    def _turn(self, m: int, x: float) -> Bytes:
        """The turn totals at which the best turn for a bust value of `x` rolls."""
        a, rolls = self.needs[m], np.empty(self.needs[m], np.uint8)
        own, leave = np.empty((2, a))
        best_turn(x, self.held[m], self.exits[m], a, self.throws, own, leave, rolls)
        return rolls

    def _reach(self, rolls: Bytes) -> Floats:
        """The chance to reach each turn total."""
        gains, chances = self.die
        reach = np.zeros(len(rolls) + gains.max())
        reach[0] = 1
        for k in np.flatnonzero(rolls):
            reach[k + gains] += reach[k] * chances
        return reach[: len(rolls)]


def best_turns(needs: Sequence[int], values: Floats, throws: Throws) -> BestTurns:
    """The best turns at an orbit, from values by player and points needed, shape (n, T + 1, ..., T + 1)."""
    by_state = np.ascontiguousarray(values).reshape(len(needs), -1)
    return BestTurns(tuple(needs), throws, *prepare_orbit(np.array(needs), by_state, throws, values.shape[1] - 1))


def mixed_lines(left: Sequence[Floats], low: Sequence[int], weights: Sequence[float] | Floats) -> Floats:
    """The line of each player that mixes a turn with the next one, given the next one's weight, shape (n, n + 1)."""
    return np.array([
        turns[i] if w == 0 else (1 - w) * turns[i] + w * turns[i + 1]
        for turns, i, w in zip(left, low, weights, strict=True)
    ])  # fmt: skip


def largest_gain(left: Sequence[Floats], played: Floats, bust: Sequence[float]) -> float:
    """The largest gain of a player by another turn, at its own move, while the others do not change theirs."""
    gains = []
    for turns, line, x in zip(left, played, bust, strict=True):
        worth = turns[:, 0] + (1 - turns[:, -1]) * x
        gains.append(worth.max() - (line[0] + (1 - line[-1]) * x))
    return float(max(gains))


def no_equilibrium(turns: BestTurns) -> InputError:
    """The error for an orbit without a computed equilibrium."""
    return InputError(f"no equilibrium was found at {turns.needs}: take a die of less extreme probabilities.")


class SolverTables:
    """The results of a solver so far: values by player and points needed, decisions, and chances of mixed decisions.

    Args:
        values: array of shape (n, T + 1, ..., T + 1) with the values of finished games; the solver writes the others.
    """

    def __init__(self, values: Floats) -> None:
        self.players, self.target = len(values), values.shape[1] - 1
        self.values, self.by_state = values, values.reshape(self.players, -1)
        self.decisions = np.zeros((self.by_state.shape[1], self.target), np.uint8)
        self.mixed: dict[int, float] = {}

    def states(self, needs: Sequence[int]) -> list[int]:
        """The numbers of an orbit's states, by the player to move."""
        sides = (self.target + 1,) * self.players
        return [int(np.ravel_multi_index(np.roll(needs, -m), sides)) for m in range(self.players)]

    def write(self, needs: Sequence[int], values: Floats, rolls: Sequence[Floats]) -> float:
        """Write players' values at an orbit, shape (n, n), and their chances to roll; returns the largest change."""
        change = 0.0
        for s, worth, chances in zip(self.states(needs), values, rolls, strict=True):
            change = max(change, float(np.abs(self.by_state[:, s] - worth).max()))
            self.by_state[:, s] = worth
            decisions = np.where((chances > 0) & (chances < 1), MIXED, chances)
            self.decisions[s, : len(chances)] = decisions
            for k in np.flatnonzero(decisions == MIXED).tolist():
                self.mixed[s * self.target + k] = float(chances[k])
        return change

    @property
    def played(self) -> StrategyTables:
        """Decisions, shape (states, T), flat indices of the mixed ones, ascending, and their chances."""
        codes = np.array(sorted(self.mixed), dtype=np.int64)
        return self.decisions, codes, np.array([self.mixed[code] for code in codes.tolist()], dtype=np.float64)
