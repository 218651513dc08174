"""MAP-Elites: the best strategy of each behaviour survives, so that a run maps how good each way of playing can be.

The plane of two behaviours is divided into cells, and the best member of each cell, its elite, survives.  With
replacement=survivors_and_offspring the elites stay in the population, which thus holds the whole archive: the run's
checkpoint, its population file and its champion hold or come from it, and there is nothing else to keep.  Parents are
drawn from all elites alike, and a child that is better than the elite of its cell takes its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.core.checked_values import Filled, FunctionName, Within, number
from pigevo.core.memory import pieces
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.evolution.hold_boundary import holds_of
from pigevo.evolution.operators import Context, Outcome, Selection, State
from pigevo.evolution.selection import SELECTIONS
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, OPPONENT, OWN
from pigevo.strategies import CubeGrid, EliteMap
from pigevo.user_code.identity import name_of
from pigevo.user_code.loading import failure

CELLS = "cells"
"""What is remembered: the cell of each member."""


def hold_values(grid: CubeGrid, genomes: Bytes) -> Ints:
    """The smallest turn total at which each strategy holds, or wins, by what stands still during a turn.

    In a race the shape is (n, own score, opponent's score); where decisions depend on the number of rolls too, it is
    the mean over these, rounded down.
    """
    game, d = grid.game, len(grid.game.between)
    slices = holds_of(grid, genomes).reshape(len(genomes), *grid.slices[: d - 1], -1, grid.row_genes)
    held = np.moveaxis(slices, -1, -2) * grid.edges[d]
    at: Any = np.ix_(*(np.arange(len(axis.values)) // grid.edges[n] for n, axis in enumerate(game.between)))
    most = game.size - game.mesh[OWN].reshape(-1, 1, 1) if game.target else game.size
    reached = np.clip(held[(slice(None), *at)], 0 if game.allow_pass else 1, most)
    holds = reached[..., 0] if reached.shape[-1] == 1 else reached.sum(axis=-1) // reached.shape[-1]
    return np.asarray(holds)


def _deficit(game: Game) -> Ints:
    """The opponent's score less the own one, to broadcast against hold values."""
    values = {axis.name: np.array(axis.values) for axis in game.between}
    return -values[DIFFERENCE] if DIFFERENCE in values else values[OPPONENT] - values[OWN][:, None]


def _mean_where(holds: Ints, places: Bools) -> float:
    there = holds[np.broadcast_to(places, holds.shape)]
    return int(there.sum()) / len(there) if len(there) else 0.0  # whole numbers, so that no order of adding matters


def mean_hold(holds: Ints, game: Game) -> float:
    """The mean hold value at level scores, over all of them alike."""
    return _mean_where(holds, _deficit(game) == 0)


def hold_ahead(holds: Ints, game: Game) -> float:
    """The mean hold value where the player to move is ahead, over all such scores alike."""
    return _mean_where(holds, _deficit(game) < 0)


def hold_behind(holds: Ints, game: Game) -> float:
    """The mean hold value where the player to move is behind, over all such scores alike."""
    return _mean_where(holds, _deficit(game) > 0)


def deficit_slope(holds: Ints, game: Game) -> float:
    """By how much the hold value grows for each point that the opponent has more, at the same own score.

    Least squares over all score pairs alike, with an intercept of its own for each own score: who does not look at the
    opponent has 0.
    """
    sign = -1 if game.between[-1].name == DIFFERENCE else 1
    n = holds.shape[-1]
    x = sign * (2 * np.arange(n) - (n - 1))  # twice the distance from the middle, a whole number
    rows = holds.reshape(-1, n)
    return 2 * int((rows * x).sum()) / (len(rows) * int((x * x).sum())) if n > 1 else 0.0


def visited_hold(holds: Ints, game: Game) -> float:
    """The mean hold value where good play comes: each score pair as often as a turn of the optimum begins there.

    The optimum meets itself.
    """
    places, weights, _ = _visits(game)
    return math.fsum((weights * holds.ravel()[places]).tolist())


def visited_slope(holds: Ints, game: Game) -> float:
    """`deficit_slope` where good play comes, each score pair as often as a turn of the optimum begins there."""
    places, _, leverage = _visits(game)
    return math.fsum((leverage * holds.ravel()[places]).tolist())


@lru_cache(maxsize=8)
def _visits(game: Game) -> tuple[Ints, Floats, Floats]:
    """The places where turns of the optimum begin, their shares of all turns, and their factors in the slope.

    Sums are exact (`math.fsum`), so that no order of adding matters.
    """
    from pigevo.exact import optimal, turn_starts

    best = optimal(game).strategy
    begun = turn_starts(best, best)
    rows = begun.reshape(-1, begun.shape[-1])
    x = (-1.0 if game.between[-1].name == DIFFERENCE else 1.0) * np.arange(begun.shape[-1])
    means = [math.fsum((row * x).tolist()) / total if (total := math.fsum(row.tolist())) else 0.0 for row in rows]
    apart = x - np.array(means)[:, None]
    spread = math.fsum((rows * np.square(apart)).ravel().tolist())
    places = np.flatnonzero(rows.ravel())
    shares = rows.ravel()[places] / math.fsum(rows.ravel().tolist())
    leverage = (rows * apart).ravel()[places] / spread if spread else np.zeros(len(places))
    return places, shares, leverage


Measure = Callable[[Ints, Game], float]
"""A function of hold values and the game that says how a strategy plays, and not how well."""


@dataclass(frozen=True)
class Behaviour:
    """What an axis of a map can be: a measure, and its range in a game, which is divided into cells."""

    function: Measure
    span: Callable[[Game], tuple[float, float]]


def _points(game: Game) -> tuple[float, float]:
    """From nothing to the mean hold value, at level scores, of who always rolls to win."""
    return (0.0, game.size - (game.target - 1) / 2) if game.target else (0.0, float(game.size))


BEHAVIOURS: Mapping[str, Behaviour] = {
    "mean_hold": Behaviour(mean_hold, _points),
    "hold_ahead": Behaviour(hold_ahead, _points),
    "hold_behind": Behaviour(hold_behind, _points),
    "deficit_slope": Behaviour(deficit_slope, lambda game: (-0.75, 0.75)),
    "visited_hold": Behaviour(visited_hold, lambda game: (0.0, 0.75 * game.size)),
    "visited_slope": Behaviour(visited_slope, lambda game: (-1.5, 1.5)),
}
"""What a map can be drawn over, by name."""


def measured(behaviours: Sequence[str | Measure], grid: CubeGrid, genomes: Bytes) -> Floats:
    """The behaviours of genomes, shape (n, behaviours)."""
    size = 8 * math.prod(len(axis.values) for axis in grid.game.between)
    rows = [
        [_measure(one, holds, grid.game) for one in behaviours]
        for part in pieces(len(genomes), size)
        for holds in hold_values(grid, genomes[part])
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, len(behaviours))


def _measure(behaviour: str | Measure, holds: Ints, game: Game) -> float:
    if isinstance(behaviour, str):
        return BEHAVIOURS[behaviour].function(holds, game)
    try:
        value: Any = behaviour(holds.copy(), game)
    except (Exception, SystemExit) as error:
        raise InputError(f"the behaviour {name_of(behaviour)} failed: {failure(error, None)}.") from error
    if not number(value) or not math.isfinite(value):
        raise InputError(f"the behaviour {name_of(behaviour)} returned {short_repr(value)}; it must return a number.")
    return float(value)


Range = Annotated[Sequence[float], Filled("[[0,40],[-0.5,0.5]]")]
Behaving = Annotated[Sequence[Annotated[str, FunctionName()]], Filled("[mean_hold,deficit_slope]")]


@SELECTIONS.register(name="map_elites", source="Mouret & Clune 2015, arXiv:1504.04909")
@dataclass(frozen=True)
class MapElites(Selection):
    """The best of each cell of a map over two behaviours survives; of equal ones the one that was there first.

    Use it with replacement=survivors_and_offspring and a population larger than the map has cells: the population then
    holds the archive of elites, and children fill the rest.  What lies outside a range belongs to the cell at its edge.

    Args:
        behaviours: the two axes: mean_hold, deficit_slope, hold_ahead, hold_behind, visited_hold or visited_slope; or
            FILE.py:NAME, a function of the hold values (an array by own and opponent's score) and the game.
        cells: into how many parts the range of each is divided.
        ranges: the least and the largest value of each, where they shall be others than the behaviour's own; those of
            a function of the user's must be given.
        share: of the population that survives at most; where more cells are filled, the best of their elites.
    """

    behaviours: Behaving = ("mean_hold", "deficit_slope")
    cells: Annotated[Sequence[Annotated[int, Within(1, 1000)]], Filled("[20,21]")] = (20, 21)
    ranges: Sequence[Range] | None = None
    share: Annotated[float, Within(0, 0.9, above=True)] = 0.75

    def __post_init__(self) -> None:
        for name, values in (("behaviours", self.behaviours), ("cells", self.cells), ("ranges", self.ranges or (0, 0))):
            if len(values) != 2:
                raise InputError(f"selection.{name} has {len(values)} values: a map has two axes, so give two.")
        for low, *high in self.ranges or ():
            if len(high) != 1 or not low < high[0]:
                raise InputError(
                    f"selection.ranges: {[low, *high]} must be the least and the largest value, as [0,40]."
                )
        chosen: Sequence[Any] = self.behaviours  # a word of a function of the user's is that function by now
        for one in chosen:
            if isinstance(one, str) and one not in BEHAVIOURS:
                raise unknown("behaviour", one, BEHAVIOURS)
            if not isinstance(one, str) and not self.ranges:
                raise InputError(
                    f"selection.ranges is missing: write the ranges of {name_of(one)} and of the other behaviour, as "
                    "in selection.ranges=[[0,40],[-0.5,0.5]]."
                )

    def spans(self, game: Game) -> tuple[tuple[float, float], ...]:
        """The least and the largest value of each behaviour."""
        if self.ranges:
            return tuple((float(low), float(high)) for low, high in self.ranges)
        return tuple(BEHAVIOURS[str(name)].span(game) for name in self.behaviours)

    def places(self, game: Game, measures: Floats) -> Ints:
        """The cell of each pair of behaviours, by its number along both axes, shape (n, 2)."""
        low, high = np.array(self.spans(game)).T
        parts = np.array(self.cells)
        cells: Ints = np.clip(np.floor((measures - low) / (high - low) * parts), 0, parts - 1).astype(np.int64)
        return cells

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Remember the cell of each member."""
        places = self.places(context.game, measured(self.behaviours, context.grid, genomes))
        return {CELLS: places[:, 0] * self.cells[1] + places[:, 1]}

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The elites."""
        cells = context.state.get(CELLS, np.zeros(len(scores), np.int64))
        elites = elites_of(cells, scores)
        most = max(1, int(self.share * len(scores)))
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
        """The map of a population; arguments as of `outcome`."""
        grid = context.grid
        measures = measured(self.behaviours, grid, genomes)
        places = self.places(grid.game, measures)
        elites = elites_of(places[:, 0] * self.cells[1] + places[:, 1], context.scores)
        elites = elites[np.lexsort(places[elites].T[::-1])]
        chosen: Sequence[Any] = self.behaviours
        first, second = (one if isinstance(one, str) else name_of(one) for one in chosen)
        columns, rows = self.cells
        return EliteMap(
            grid, (first, second), (columns, rows), self.spans(grid.game),
            genomes[elites], places[elites], measures[elites], wins(elites),
        )  # fmt: skip


def elites_of(cells: Ints, scores: Floats) -> Ints:
    """The index of the best member of each cell that is filled, ascending; of equal ones the first."""
    best_first = np.argsort(-scores, kind="stable")
    _, first = np.unique(cells[best_first], return_index=True)
    return np.sort(best_first[first])
