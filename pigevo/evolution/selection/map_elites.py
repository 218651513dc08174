"""MAP-Elites: the best strategy of each behaviour survives, so that a run maps how good each way of playing can be.

The plane of two behaviours is divided into cells, and the best member of each cell, its elite, survives.  With
replacement=survivors_and_offspring the elites stay in the population, which thus contains the whole archive: it is
saved in the run's checkpoint and population file, and the champion comes from it.  All elites are equally likely to be
parents, and a child that is better than the elite of its cell replaces it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.core.checked_values import Filled, FunctionName, Within, is_real
from pigevo.core.machine import pieces
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.evolution.hold_boundary import holds_of
from pigevo.evolution.operators import Context, Outcome, Remembered, Selection
from pigevo.evolution.selection import SELECTIONS
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, OPPONENT, OWN
from pigevo.strategies import CubeGrid, EliteMap
from pigevo.user_code.identity import name_of
from pigevo.user_code.loading import failure

CELLS = "cells"  # name of the state: the cell of each member


def hold_values(grid: CubeGrid, genomes: Bytes) -> Ints:
    """The smallest turn total at which each strategy holds or wins, by the axes that are constant during a turn.

    In a race the shape is (n, own score, opponent's score).  If decisions also depend on the number of rolls, the value
    is the mean over the numbers of rolls, rounded down.
    """
    game, d = grid.game, len(grid.game.between)
    slices = holds_of(grid, genomes).reshape(len(genomes), *grid.slices[: d - 1], -1, grid.row_genes)
    held = np.moveaxis(slices, -1, -2) * grid.edges[d]
    cubes = (np.arange(len(axis.values)) // grid.edges[n] for n, axis in enumerate(game.between))
    most = game.size - game.mesh[OWN].reshape(-1, 1, 1) if game.target else game.size
    reached = np.clip(held[np.ix_(np.arange(len(held)), *cubes)], 0 if game.allow_pass else 1, most)
    holds = reached[..., 0] if reached.shape[-1] == 1 else reached.sum(axis=-1) // reached.shape[-1]
    return np.asarray(holds)


def _deficit(game: Game) -> Ints:
    """The opponent's score minus the own score, in a shape that broadcasts with hold values."""
    values = {axis.name: np.array(axis.values) for axis in game.between}
    return -values[DIFFERENCE] if DIFFERENCE in values else values[OPPONENT] - values[OWN][:, None]


def _mean_where(holds: Ints, mask: Bools) -> float:
    chosen = holds[np.broadcast_to(mask, holds.shape)]
    return int(chosen.sum()) / len(chosen) if len(chosen) else 0.0  # whole numbers: the order of adding does not matter


def mean_hold(holds: Ints, game: Game) -> float:
    """The mean hold value over all level scores, equally weighted."""
    return _mean_where(holds, _deficit(game) == 0)


def hold_ahead(holds: Ints, game: Game) -> float:
    """The mean hold value over all scores at which the player to move is ahead, equally weighted."""
    return _mean_where(holds, _deficit(game) < 0)


def hold_behind(holds: Ints, game: Game) -> float:
    """The mean hold value over all scores at which the player to move is behind, equally weighted."""
    return _mean_where(holds, _deficit(game) > 0)


def deficit_slope(holds: Ints, game: Game) -> float:
    """The increase of the hold value for each further point of the opponent, at the same own score.

    It is the slope of a least-squares fit over all score pairs, equally weighted, with one intercept for each own
    score.  A strategy that ignores the opponent's score has 0.
    """
    sign = -1 if game.between[-1].name == DIFFERENCE else 1
    n = holds.shape[-1]
    x = sign * (2 * np.arange(n) - (n - 1))  # twice the distance from the middle, a whole number
    rows = holds.reshape(-1, n)
    return 2 * int((rows * x).sum()) / (len(rows) * int((x * x).sum())) if n > 1 else 0.0


def visited_hold(holds: Ints, game: Game) -> float:
    """The mean hold value at scores that good play visits.

    Each score pair is weighted by how often a turn begins there when the optimum plays against itself.
    """
    pairs, weights, _ = _visits(game)
    return math.fsum((weights * holds.ravel()[pairs]).tolist())


def visited_slope(holds: Ints, game: Game) -> float:
    """`deficit_slope` with each score pair weighted by how often a turn of the optimum begins there."""
    pairs, _, leverage = _visits(game)
    return math.fsum((leverage * holds.ravel()[pairs]).tolist())


@lru_cache(maxsize=8)
def _visits(game: Game) -> tuple[Ints, Floats, Floats]:
    """The score pairs at which turns of the optimum begin, their shares of all turns, and their factors in the slope.

    Sums are exact (`math.fsum`), so the order of adding does not matter.
    """
    from pigevo.exact import optimal, turn_starts

    best = optimal(game).strategy
    begun = turn_starts(best, best)
    rows = begun.reshape(-1, begun.shape[-1])
    x = (-1.0 if game.between[-1].name == DIFFERENCE else 1.0) * np.arange(begun.shape[-1])
    means = [math.fsum((row * x).tolist()) / total if (total := math.fsum(row.tolist())) else 0.0 for row in rows]
    apart = x - np.array(means)[:, None]
    spread = math.fsum((rows * np.square(apart)).ravel().tolist())
    pairs = np.flatnonzero(rows.ravel())
    shares = rows.ravel()[pairs] / math.fsum(rows.ravel().tolist())
    leverage = (rows * apart).ravel()[pairs] / spread if spread else np.zeros(len(pairs))
    return pairs, shares, leverage


BehaviourMeasure = Callable[[Ints, Game], float]
"""A function of hold values and the game that measures how a strategy plays, not how well."""


@dataclass(frozen=True)
class Behaviour:
    """A possible axis of a map: a measure, and its range in a game, which is divided into cells."""

    function: BehaviourMeasure
    span: Callable[[Game], tuple[float, float]]


def _points(game: Game) -> tuple[float, float]:
    """The range from 0 to the mean hold value, at level scores, of a player who always rolls to win."""
    return (0.0, game.size - (game.target - 1) / 2) if game.target else (0.0, float(game.size))


BEHAVIOURS: Mapping[str, Behaviour] = {
    "mean_hold": Behaviour(mean_hold, _points),
    "hold_ahead": Behaviour(hold_ahead, _points),
    "hold_behind": Behaviour(hold_behind, _points),
    "deficit_slope": Behaviour(deficit_slope, lambda game: (-0.75, 0.75)),
    "visited_hold": Behaviour(visited_hold, lambda game: (0.0, 0.75 * game.size)),
    "visited_slope": Behaviour(visited_slope, lambda game: (-1.5, 1.5)),
}
"""The behaviours that can be axes of a map, by name."""


def behaviours_of(behaviours: Sequence[str | BehaviourMeasure], grid: CubeGrid, genomes: Bytes) -> Floats:
    """The behaviours of genomes, shape (n, behaviours)."""
    size = 8 * math.prod(len(axis.values) for axis in grid.game.between)
    rows = [
        [_measure(behaviour, holds, grid.game) for behaviour in behaviours]
        for part in pieces(len(genomes), size)
        for holds in hold_values(grid, genomes[part])
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, len(behaviours))


def _measure(behaviour: str | BehaviourMeasure, holds: Ints, game: Game) -> float:
    if isinstance(behaviour, str):
        return BEHAVIOURS[behaviour].function(holds, game)
    try:
        value = behaviour(holds.copy(), game)
    except (Exception, SystemExit) as error:
        raise InputError(f"the behaviour {name_of(behaviour)} failed: {failure(error, None)}.") from error
    if not is_real(value) or not math.isfinite(value):
        raise InputError(f"the behaviour {name_of(behaviour)} returned {short_repr(value)}; it must return a number.")
    return float(value)


BehaviourRange = Annotated[Sequence[float], Filled("[[0,40],[-0.5,0.5]]")]
BehaviourNames = Annotated[Sequence[Annotated[str, FunctionName()]], Filled("[mean_hold,deficit_slope]")]


@SELECTIONS.register(name="map_elites", source="Mouret & Clune 2015, arXiv:1504.04909")
@dataclass(frozen=True)
class MapElites(Selection):
    """The best member of each cell of a map over two behaviours survives; of equal members the first in the population.

    Use it with replacement=survivors_and_offspring and a population that is larger than the number of cells: the
    population then contains the archive of elites, and children fill the rest.  A value outside a range belongs to the
    cell at the edge of the range.

    Args:
        behaviours: the two axes: mean_hold, deficit_slope, hold_ahead, hold_behind, visited_hold or visited_slope; or
            FILE.py:NAME, a function of the hold values (an array by own and opponent's score) and the game.
        cells: the number of cells along each axis.
        ranges: the least and the largest value of each behaviour, if other than its usual range; required if a
            behaviour is a function of the user.
        share: the largest share of the population that survives; if more cells are filled, the best elites survive.
    """

    behaviours: BehaviourNames = ("mean_hold", "deficit_slope")
    cells: Annotated[Sequence[Annotated[int, Within(1, 1000)]], Filled("[20,21]")] = (20, 21)
    ranges: Sequence[BehaviourRange] | None = None
    share: Annotated[float, Within(0, 0.9, above=True)] = 0.75

    def __post_init__(self) -> None:
        axes = {"behaviours": self.behaviours, "cells": self.cells} | ({"ranges": self.ranges} if self.ranges else {})
        for name, values in axes.items():
            if len(values) != 2:
                raise InputError(f"selection.{name} has {len(values)} values: a map has two axes, so it needs two.")
        for span in self.ranges or ():
            if len(span) != 2 or not 0 < span[1] - span[0] < math.inf:
                raise InputError(
                    f"selection.ranges: {[*span]} must be the least and the largest value, for example [0,40]."
                )
        behaviours: Sequence[str | BehaviourMeasure] = self.behaviours  # functions have replaced words FILE.py:NAME
        for behaviour in behaviours:
            if isinstance(behaviour, str) and behaviour not in BEHAVIOURS:
                raise unknown("behaviour", behaviour, BEHAVIOURS)
            if not isinstance(behaviour, str) and not self.ranges:
                raise InputError(
                    f"selection.ranges is missing: write the ranges of {name_of(behaviour)} and of the other "
                    "behaviour, for example selection.ranges=[[0,40],[-0.5,0.5]]."
                )

    def spans(self, game: Game) -> tuple[tuple[float, float], ...]:
        """The least and the largest value of each behaviour."""
        if self.ranges:
            return tuple((float(low), float(high)) for low, high in self.ranges)
        return tuple(BEHAVIOURS[str(name)].span(game) for name in self.behaviours)

    def cells_of(self, game: Game, measures: Floats) -> Ints:
        """The cell of each pair of behaviours, as its numbers along the two axes, shape (n, 2)."""
        low, high = np.array(self.spans(game)).T
        parts = np.array(self.cells)
        cells: Ints = np.clip(np.floor((measures - low) / (high - low) * parts), 0, parts - 1).astype(np.int64)
        return cells

    def _numbers(self, cells: Ints) -> Ints:
        """The number of each cell, given its numbers along the two axes."""
        return np.asarray(cells[:, 0] * self.cells[1] + cells[:, 1])

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Remember the cell of each member."""
        cells = self.cells_of(context.game, behaviours_of(self.behaviours, context.grid, genomes))
        return {CELLS: self._numbers(cells)}

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The indices of the elites."""
        cells = context.state.get(CELLS, np.zeros(len(scores), np.int64))
        elites = elites_of(cells, scores)
        most = max(1, int(round(self.share * len(scores), 9)))  # 0.29 * 100 is 28.999999999999996
        if len(elites) > most:
            elites = np.sort(elites[np.argsort(-scores[elites], kind="stable")[:most]])
        return elites

    outcome_name = "elites"
    outcome_columns = ("coverage", "qd_score")

    def outcome(self, genomes: Bytes, context: Context, wins: Callable[[Ints], Floats]) -> Outcome:
        """The map of the population's elites, with their exact win probabilities."""
        elites = self.map(genomes, context, wins)
        columns = {"coverage": elites.coverage, "qd_score": elites.qd_score}
        counts = {"filled": len(elites.wins), "cells": math.prod(elites.shape)}
        return Outcome(columns, {**counts, **columns}, elites.arrays)

    def map(self, genomes: Bytes, context: Context, wins: Callable[[Ints], Floats]) -> EliteMap:
        """The map of a population; the arguments are those of `outcome`."""
        grid = context.grid
        measures = behaviours_of(self.behaviours, grid, genomes)
        cells = self.cells_of(grid.game, measures)
        elites = elites_of(self._numbers(cells), context.scores)
        elites = elites[np.lexsort(cells[elites].T[::-1])]
        behaviours: Sequence[str | BehaviourMeasure] = self.behaviours
        first, second = (behaviour if isinstance(behaviour, str) else name_of(behaviour) for behaviour in behaviours)
        columns, rows = self.cells
        return EliteMap(
            grid, (first, second), (columns, rows), self.spans(grid.game),
            genomes[elites], cells[elites], measures[elites], wins(elites),
        )  # fmt: skip


def elites_of(cells: Ints, scores: Floats) -> Ints:
    """The indices of the best members of all filled cells, ascending; of equal members the first counts."""
    best_first = np.argsort(-scores, kind="stable")
    _, first = np.unique(cells[best_first], return_index=True)
    return np.sort(best_first[first])
