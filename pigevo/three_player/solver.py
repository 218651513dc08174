"""An equilibrium of a game for three players, solved orbit by orbit, with its properties.

Bonnet, Neller & Viennot (2018) found that every iteration they tried cycles from a target of
62 on.  Scores never fall, so when orbits are solved in the order of the points still needed, the
only unknowns of an orbit are the values after its busts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.imports import NotebookDisplay
from pigevo.core.machine import Progress, available_cores
from pigevo.games import Race
from pigevo.three_player.equilibria import OpenOrbit, best_turns, solve_open
from pigevo.three_player.evaluation import Certificate, certify
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.rules import Needs, check_three, map_orbits, orbits_by_total, shape, throws_of, won_values
from pigevo.three_player.strategy import MIXED, Strategy, StrategyTables


@dataclass(frozen=True, eq=False)
class ThreeSolution(NotebookDisplay):
    """An equilibrium of a game for three.

    Args:
        strategy: the strategy of each player.
        values: win probabilities of mover, next and third player, shape (T + 1, T + 1, T + 1, 3), by the points that
            mover, next and third player still need.
        open_orbits: the orbits where elimination leaves more than one turn to a player; all others have one
            equilibrium, and it is pure.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> round(sum(map(float, solution.value)), 12)
        1.0
    """

    strategy: Strategy
    values: Floats
    open_orbits: tuple[OpenOrbit, ...]

    @property
    def game(self) -> Race:
        """The game."""
        return self.strategy.game

    @property
    def value(self) -> tuple[float, float, float]:
        """Win probabilities of first, second and third seat at the start of the game."""
        first, second, third = self.values[(self.game.target,) * 3].tolist()
        return first, second, third

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The states (a, b, c, k) (points needed, turn total) with a mixed choice, each with its chance to roll."""
        return self.strategy.mixed

    @property
    def without_pure(self) -> tuple[OpenOrbit, ...]:
        """The orbits without a pure equilibrium."""
        return tuple(o for o in self.open_orbits if not o.has_pure)

    @property
    def several(self) -> tuple[OpenOrbit, ...]:
        """The orbits with equilibria of different win probabilities, given the chosen one at all later states."""
        return tuple(o for o in self.open_orbits if o.outcomes > 1)

    @property
    def several_equilibria(self) -> tuple[OpenOrbit, ...]:
        """The orbits with more than one equilibrium, even if their win probabilities are equal."""
        return tuple(o for o in self.open_orbits if len(o.equilibria) > 1)

    @cached_property
    def certificate(self) -> Certificate:
        """The result of an independent best-response computation over the whole game."""
        return certify(self.strategy, self.values)

    def exploitability(self) -> float:
        """The largest gain of any player at any state by another strategy, while the two others keep theirs."""
        return self.certificate.gain

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        without = f"orbits without a pure equilibrium: {len(self.without_pure)}"
        return f"ThreeSolution({self.game}, value=({seats}), {without})"


def solve(game: Race, workers: int | None = None, progress: Progress | None = None) -> ThreeSolution:
    """An equilibrium of a game for three, and all equilibria at the orbits that have several.

    If an orbit has several, the one with the fewest mixing players is chosen, and among these the
    one with the smallest chance that all three bust one after the other.

    Args:
        game: Pig, Piglet or any race without passing.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of orbits solved since the last call.

    Raises:
        InputError: the game allows passing, or its target is too large for three players.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=10))
        >>> [round(float(one), 4) for one in solution.value], len(solution.without_pure)
        ([0.634, 0.2597, 0.1064], 0)
    """
    return OrbitSolver(game, won_values(game.target)).solve(workers, progress)


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


class OrbitSolver(SolverTables):
    """Solves a game for three, orbit by orbit.

    Args:
        game: the game.
        won: values from 0 to 1 where a player has won, as `won_values` gives them; the solver writes the others.
    """

    def __init__(self, game: Race, won: Floats) -> None:
        check_three(game)
        super().__init__(won)
        self.game, self.throws = game, throws_of(game)

    def solve(
        self,
        workers: int | None = None,
        progress: Progress | None = None,
        choose: Callable[[OpenOrbit], int] = lambda _: 0,
    ) -> ThreeSolution:
        """The solution, with the equilibrium that `choose` gives the number of at every open orbit."""
        opened: list[OpenOrbit] = []
        for orbits in orbits_by_total(self.target):
            for needs in self._solve_closed(orbits, workers or available_cores()):
                opened.append(self._solve_open(needs, choose))
            if progress is not None:
                progress(len(orbits))
        decisions, codes, chances = self.played
        values = np.ascontiguousarray(np.moveaxis(self.values, 0, -1))
        values.setflags(write=False)
        strategy = Strategy(self.game, decisions.reshape(shape(self.game)), codes, chances, "equilibrium")
        return ThreeSolution(strategy, values, tuple(opened))

    def _solve_closed(self, orbits: Ints, workers: int) -> list[Needs]:
        """Solve those orbits of one total that elimination solves; return the others."""

        def run(stretch: Ints) -> Bytes:
            return solve_orbits(stretch, self.by_state, self.decisions, self.throws, True)[0]

        is_open = np.concatenate(map_orbits(run, orbits, workers))
        return [(a, b, c) for a, b, c in orbits[is_open > 0].tolist()]

    def _solve_open(self, needs: Needs, choose: Callable[[OpenOrbit], int]) -> OpenOrbit:
        turns = best_turns(needs, self.values, self.throws)
        orbit = solve_open(turns)
        played = orbit.equilibria[choose(orbit)]
        rolls = [turns.rolls(m, played.bust[m], played.turns[m], played.weights[m]) for m in range(3)]
        self.write(needs, played.values, rolls)
        return orbit
