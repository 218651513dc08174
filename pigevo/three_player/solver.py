"""An equilibrium of a game for three players, solved orbit by orbit, with its properties, and its file.

Bonnet, Neller & Viennot (2018) found that every iteration they tried cycles from a target of
62 on.  Scores never fall, so when orbits are solved in the order of the points still needed, the
only unknowns of an orbit are the values after its busts.  The file has everything that the certificate needs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import NotRequired, TypedDict

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, ReadOnlyCopies
from pigevo.core.checked_values import JsonObject
from pigevo.core.imports import NotebookDisplay
from pigevo.core.machine import Progress, available_cores
from pigevo.errors import InputError
from pigevo.games import GameRecord, Race, game_from_record, game_to_record
from pigevo.storage.records import ArrayArchive, Damaged, archive, write_arrays
from pigevo.three_player.equilibria import Equilibrium, OpenOrbit, best_turns, solve_open
from pigevo.three_player.evaluation import Certificate, certify
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.rules import (
    Needs,
    check_three,
    decision_states,
    map_orbits,
    orbits_by_total,
    shape,
    throws_of,
    won_values,
)
from pigevo.three_player.strategy import MIXED, Strategy, StrategyTables


@dataclass(frozen=True, eq=False)
class ThreeSolution(NotebookDisplay, ReadOnlyCopies):
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
        >>> [round(float(p), 4) for p in solution.value], len(solution.without_pure)
        ([0.634, 0.2597, 0.1064], 0)
    """
    check_three(game)
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
        """The solution; at every open orbit `choose` gives the number of the equilibrium to use."""
        opened: list[OpenOrbit] = []
        # Leaving the scores leads to a smaller total, so the orbits of one total do not depend on each other.
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
        """Solve the orbits where elimination leaves one turn each; return the others."""

        def run(part: Ints) -> Bytes:
            return solve_orbits(part, self.by_state, self.decisions, self.throws, True)[0]

        is_open = np.concatenate(map_orbits(run, orbits, workers))
        return [(a, b, c) for a, b, c in orbits[is_open > 0].tolist()]

    def _solve_open(self, needs: Needs, choose: Callable[[OpenOrbit], int]) -> OpenOrbit:
        turns = best_turns(needs, self.values, self.throws)
        orbit = solve_open(turns)
        played = orbit.equilibria[choose(orbit)]
        rolls = [turns.rolls(m, played.bust[m], played.turns[m], played.weights[m]) for m in range(3)]
        self.write(needs, played.values, rolls)
        return orbit


FORMAT = 2
RECORD = "pigevo_three_player"

WIN_ONLY = {"places": [1.0, 0.0, 0.0]}
STUDY = "pigevo bonnet2018 --rewards"


class EquilibriumRecord(TypedDict):
    """An `Equilibrium` as plain values."""

    turns: list[int]
    weights: list[float]
    lines: list[list[float]]
    bust: list[float]
    values: list[list[float]]


class OrbitRecord(TypedDict):
    """An `OpenOrbit` as plain values."""

    needs: list[int]
    turns: list[int]
    equilibria: list[EquilibriumRecord]


class ThreePlayerRecord(TypedDict):
    """The record in the file, beside the arrays."""

    game: GameRecord
    name: str
    open_orbits: list[OrbitRecord]
    rewards: NotRequired[JsonObject]  # written while the package solved games with other rewards


def save(solution: ThreeSolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution atomically; at target 100 the file has about 30 MB.

    Args:
        solution: the solution.
        path: the file, an `.npz`.

    Returns:
        The file.

    Raises:
        InputError: the path cannot be written to.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tp.save(solution, folder + '/five.npz').name
        'five.npz'
    """
    strategy = solution.strategy
    record = {
        "format": FORMAT,
        "game": game_to_record(strategy.game),
        "name": strategy.name,
        "open_orbits": [_orbit_to_record(o) for o in solution.open_orbits],
    }
    arrays = {
        RECORD: np.array(json.dumps(record)),
        "bits": np.packbits(strategy.decisions[decision_states(strategy.game)] == 1),
        "codes": strategy.codes,
        "chances": strategy.chances,
        "values": solution.values[1:, 1:, 1:],
    }
    return write_arrays(path, arrays)


def load(path: str | os.PathLike[str]) -> ThreeSolution:
    """Read a solution written by `save`; its certificate checks whether the values are right.

    Args:
        path: the file.

    Raises:
        InputError: the file is missing or damaged, is not a solution for a win alone, or was written by a later pigevo.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = tp.load(tp.save(solution, folder + '/five.npz'))
        >>> bool((again.values == solution.values).all())
        True
    """
    with archive(path, "three-player solution") as file:
        record: ThreePlayerRecord = file.record(RECORD, ThreePlayerRecord, FORMAT)
        if record.get("rewards", WIN_ONLY)["places"] == WIN_ONLY["places"]:
            return _solution_from_file(file, record)
    raise InputError(f"{path} was solved for other rewards than a win: `{STUDY}` solves that again.")


def _solution_from_file(file: ArrayArchive, record: ThreePlayerRecord) -> ThreeSolution:
    game = game_from_record(record["game"])
    if not isinstance(game, Race):
        raise InputError(f"three players cannot play {game}")
    check_three(game)
    target, cells = game.target, decision_states(game)
    decisions = np.zeros(shape(game), np.uint8)
    decisions[cells] = file.bits("bits", int(cells.sum()))
    codes, chances = file.array("codes", np.int64, [None]), file.array("chances", np.float64, [None])
    decisions.reshape(-1)[codes] = MIXED
    strategy = Strategy(game, decisions, codes, chances, record["name"])
    values = np.moveaxis(won_values(target), 0, -1).copy()
    values[1:, 1:, 1:] = file.array("values", np.float64, [target, target, target, 3])
    if not np.isfinite(values).all():
        raise Damaged("a value is not a number")
    opened = tuple(_orbit_from_record(orbit) for orbit in record["open_orbits"])
    return ThreeSolution(strategy, values, opened)


def _orbit_to_record(orbit: OpenOrbit) -> JsonObject:
    equilibria = [
        asdict(equilibrium) | {"lines": equilibrium.lines.tolist(), "values": equilibrium.values.tolist()}
        for equilibrium in orbit.equilibria
    ]
    return {"needs": orbit.needs, "turns": orbit.turns, "equilibria": equilibria}


def _orbit_from_record(record: OrbitRecord) -> OpenOrbit:
    equilibria = tuple(
        Equilibrium(tuple(equilibrium["turns"]), tuple(equilibrium["weights"]), _table(equilibrium["lines"], 4),
                    tuple(equilibrium["bust"]), _table(equilibrium["values"], 3))
        for equilibrium in record["equilibria"]
    )  # fmt: skip
    if not equilibria:
        raise Damaged("an orbit has no equilibrium")
    a, b, c = record["needs"]
    return OpenOrbit((a, b, c), tuple(record["turns"]), equilibria)


def _table(rows: list[list[float]], width: int) -> Floats:
    return np.array(rows, dtype=np.float64).reshape(3, width)
