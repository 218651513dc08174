"""The roll/hold boundary of genomes, and rectangles of scores in which mutation moves it.

The boundary is the slice of the turn total at which holding begins; where decisions depend on the number of rolls too,
each number of rolls has one of its own.  Rectangles are placed where the population plays.

Where that is its own model of play says: how often its best member, met by itself, visits a state.  It is all that a
mutation can know of where decisions matter without an oracle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.byte_lru_cache import byte_lru_cache
from pigevo.core.portable_math import exp, log, power
from pigevo.evolution.operators import Context, State
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Strategy
from pigevo.strategies.grid import IN_POINTS

MODEL = "model"
UNAIMED_SHARE = 0.25


def remember_model(genomes: Bytes, context: Context, every: int) -> State:
    """The packed decisions of the population's best member by its own fitness, renewed at intervals."""
    if MODEL in context.state and context.generation % every:
        return {}
    best = genomes[int(context.scores.argmax())]
    return {MODEL: np.packbits(context.grid.to_tables(best[None])[0])}


def turns(game: Game, state: State) -> Floats:
    """Expected turns of the model against itself, by what stands still during one: (T, T), by i and j, in a race.

    Where nothing is remembered yet, every place counts 1.
    """
    if MODEL not in state:
        return np.ones([len(axis.values) for axis in game.between])
    return _turns(game, state[MODEL].tobytes())


@byte_lru_cache(lambda arguments, turns: len(arguments[1]) + turns.nbytes)
def _turns(game: Game, packed: bytes) -> Floats:
    from pigevo.exact import turn_starts

    laid = [game.shape[axis] for axis in game.layout]
    tables = np.unpackbits(np.frombuffer(packed, np.uint8), count=math.prod(laid)).reshape(laid)
    player = Strategy(game, tables.transpose(np.argsort(game.layout)).astype(np.bool_), "model")
    begun: Floats = turn_starts(player, player)
    return begun


def visited_pairs(game: Game, state: State, exponent: float, uniforms: Floats) -> Ints:
    """A random score pair (the axes constant during a turn) for each number in [0, 1), shape (n, axes).

    The more often a turn of the model that `state` remembers begins there, the more likely; with an `exponent` of 0
    all are alike.  A share `UNAIMED_SHARE` of the choices is drawn uniformly: what nobody visits can still be worth it.
    """
    weights = power(turns(game, state), exponent)
    reached = np.cumsum(weights + UNAIMED_SHARE / (1 - UNAIMED_SHARE) * weights.mean())
    places = np.searchsorted(reached, uniforms * reached[-1], side="right")
    return np.stack(np.unravel_index(np.minimum(places, reached.size - 1), weights.shape), axis=1)


Patch = tuple[slice, ...]
"""A box of cuboids: a slice along each axis that is constant during a turn, that of the last score at the end."""


def log_uniform(uniforms: Floats, largest: Sequence[int] | int) -> Ints:
    """Random whole numbers with a uniformly distributed logarithm."""
    return np.minimum(exp(uniforms * log(np.asarray(largest) + 1.0)), largest).astype(np.int64)


def widest_of(game: Game, points: int) -> tuple[int, ...]:
    """The longest edge of a patch along each axis that is constant during a turn.

    Turns that are left and who moves last are not counted in points: a patch may hold one of them, or all.
    """
    return tuple(points if axis.name in IN_POINTS else len(axis.values) for axis in game.between)


def patch_at(grid: CubeGrid, centre: Ints, edges: Sequence[int], uniforms: Floats) -> Patch:
    """A patch of a grid's cuboids that holds the place `centre`; `uniforms` in [0, 1) say where in it that lies.

    `edges` of the patch are in points; at least a cuboid is taken.
    """
    spans = []
    for axis, score in enumerate(centre.tolist()):
        edge, slices = grid.edges[axis], grid.slices[axis]
        width = max(1, edges[axis] // edge)
        start = score // edge - int(uniforms[axis] * width)
        spans.append(slice(max(0, start), min(slices, start + width)))
    return tuple(spans)


def places_of(grid: CubeGrid) -> Ints:
    """The row of genes of each place and slice of the turn total, -1 if there is none, shape (places, slices).

    A place is all but the turn total and the last score.
    """
    d = len(grid.game.between)
    numbers = grid.row_numbers
    stacked = np.moveaxis(numbers.reshape(*numbers.shape[:d], -1), d - 1, -1)
    return np.ascontiguousarray(stacked.reshape(-1, numbers.shape[d - 1]))


def most_of(grid: CubeGrid) -> Ints:
    """The slice of the turn total after the last one that a gene decides, shape (places,)."""
    numbers = places_of(grid)
    decided = np.where(numbers >= 0, np.arange(numbers.shape[1]) + 1, 0)
    return np.asarray(decided.max(axis=1))


def holds_of(grid: CubeGrid, genomes: Bytes) -> Ints:
    """Where holding begins, shape (n, places, lanes): the first slice of the turn total that holds, or their number."""
    from pigevo.evolution.hold_boundary_kernels import read_holds

    numbers = places_of(grid)
    holds = np.zeros((len(genomes), len(numbers), grid.row_genes), np.int64)
    read_holds(read_only(np.ascontiguousarray(genomes)).reshape(len(genomes), -1, grid.row_genes), numbers, holds)
    return holds


def genomes_of(grid: CubeGrid, holds: Ints) -> Bytes:
    """Genomes that roll before their boundary and hold from there on, shape (n, genes): what `holds_of` reads."""
    from pigevo.evolution.hold_boundary_kernels import write_holds

    genomes = np.zeros((len(holds), grid.genes), np.uint8)
    write_holds(np.ascontiguousarray(holds), places_of(grid), genomes.reshape(len(holds), -1, grid.row_genes))
    return genomes
