"""The roll/hold boundary of genomes, and rectangles of scores in which mutation moves it.

The boundary is the slice of the turn total at which holding begins.  If decisions also depend on the number of rolls,
each number of rolls has its own boundary.  A *plane* consists of the states that differ only in the turn total and in
the last score; one slice of the last score is a *lane* of the plane.  Each lane of a plane has one boundary.  In Pig a
plane is a slice of the own score.

Rectangles lie at scores that the population often visits.  A model of play estimates the number of visits to a state:
it is the number when the population's best member plays against itself.  Without an oracle, a mutator has no other
information on where decisions matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.machine import byte_lru_cache
from pigevo.core.portable_math import exp, log, power
from pigevo.evolution.operators import Context, Remembered
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Strategy
from pigevo.strategies.grid import IN_POINTS, packed_decisions, unpacked_decisions

MODEL = "model"  # name of the state: the decisions of the model
UNAIMED_SHARE = 0.25  # the share of patches whose place does not depend on visits


def remember_model(genomes: Bytes, context: Context, every: int) -> Remembered:
    """Remember the packed decisions of the population's best member by its own fitness, every `every` generations."""
    if MODEL in context.state and context.generation % every:
        return {}
    best = genomes[int(context.scores.argmax())]
    return {MODEL: packed_decisions(context.grid, best)}


def turns(game: Game, state: Remembered) -> Floats:
    """Expected number of turns of the model against itself, by the axes constant during a turn: in a race (T, T).

    In a race these axes are i and j.  Before anything is remembered, all values are 1.
    """
    if MODEL not in state:
        return np.ones([len(axis.values) for axis in game.between])
    return _turns(game, state[MODEL].tobytes())


@byte_lru_cache(lambda arguments, turns: len(arguments[1]) + turns.nbytes)
def _turns(game: Game, packed: bytes) -> Floats:
    from pigevo.exact import turn_starts

    decisions = unpacked_decisions(game, np.frombuffer(packed, np.uint8))
    player = Strategy(game, game.from_layout(decisions).astype(np.bool_), "model")
    return turn_starts(player, player)


def visited_pairs(game: Game, state: Remembered, exponent: float, uniforms: Floats) -> Ints:
    """A random score pair (the axes constant during a turn) for each number in [0, 1), shape (n, axes).

    Its probability grows with the number of turns that begin there when the model in `state` plays itself; with
    `exponent` 0 all are equally likely.  A share `UNAIMED_SHARE` of the choices is uniform, because changes at scores
    that are not visited can also be useful.
    """
    weights = power(turns(game, state), exponent)
    reached = np.cumsum(weights + UNAIMED_SHARE / (1 - UNAIMED_SHARE) * weights.mean())
    indices = np.searchsorted(reached, uniforms * reached[-1], side="right")
    return np.stack(np.unravel_index(np.minimum(indices, reached.size - 1), weights.shape), axis=1)


def log_uniform(uniforms: Floats, largest: Sequence[int] | int) -> Ints:
    """Random whole numbers from 1 to `largest` with a uniformly distributed logarithm, for uniform numbers."""
    return np.minimum(exp(uniforms * log(np.asarray(largest) + 1.0)), largest).astype(np.int64)


def widest_of(game: Game, points: int) -> tuple[int, ...]:
    """The longest edge of a patch along each axis that is constant during a turn.

    The axes for remaining turns and for who moves last are not in points: there a patch may have any length up to all.
    """
    return tuple(points if axis.name in IN_POINTS else len(axis.values) for axis in game.between)


def patches_at(grid: CubeGrid, centres: Ints, edges: Ints, uniforms: Floats) -> Ints:
    """Boxes of a grid's cubes, each around its centre; `uniforms` in [0, 1) place the centre within the box.

    The edges are in points; each box is at least one cube wide.  All three arrays have the shape (n, axes constant
    during a turn).  The result has the first cube of each box along each axis and the one after the last, shape
    (n, axes, 2).
    """
    d = len(grid.game.between)
    cubes = np.array(grid.edges[:d])
    widths = np.maximum(1, edges // cubes)
    begins = centres // cubes - (uniforms * widths).astype(np.int64)
    return np.stack([np.maximum(begins, 0), np.minimum(begins + widths, grid.slices[:d])], axis=-1)


def strides_of(grid: CubeGrid) -> Ints:
    """By how much the number of a plane (`planes_of`) grows with a slice of each axis that makes up a pair of scores.

    The axis of the last score, along which the lanes lie, is left out.  The last stride is the number of boundaries of
    a pair of scores: 1 in Pig.
    """
    d = len(grid.game.between)
    shape = grid.row_numbers.shape
    boundaries = math.prod(shape[d:])
    return np.array([boundaries * math.prod(shape[axis + 1 : d - 1]) for axis in range(d - 1)])


def planes_of(grid: CubeGrid) -> Ints:
    """The row of genes of each plane and slice of the turn total, -1 if no row exists, shape (planes, slices)."""
    d = len(grid.game.between)
    numbers = grid.row_numbers
    stacked = np.moveaxis(numbers.reshape(*numbers.shape[:d], -1), d - 1, -1)
    return np.ascontiguousarray(stacked.reshape(-1, numbers.shape[d - 1]))


def decided_slices(grid: CubeGrid) -> Ints:
    """The number of slices of the turn total up to the last one that a gene decides, shape (planes,)."""
    numbers = planes_of(grid)
    decided = np.where(numbers >= 0, np.arange(numbers.shape[1]) + 1, 0)
    return np.asarray(decided.max(axis=1))


def holds_of(grid: CubeGrid, genomes: Bytes) -> Ints:
    """The first slice of the turn total that holds, or the number of slices if none holds, shape (n, planes, lanes)."""
    from pigevo.evolution.gene_kernels import read_holds

    numbers = planes_of(grid)
    holds = np.zeros((len(genomes), len(numbers), grid.row_genes), np.int64)
    read_holds(grid.rows_of(read_only(np.ascontiguousarray(genomes))), numbers, holds)
    return holds


def genomes_of(grid: CubeGrid, holds: Ints) -> Bytes:
    """Genomes that roll before their boundary and hold from there on, shape (n, genes); the inverse of `holds_of`."""
    from pigevo.evolution.gene_kernels import write_holds

    genomes = np.zeros((len(holds), grid.genes), np.uint8)
    write_holds(np.ascontiguousarray(holds), planes_of(grid), grid.rows_of(genomes))
    return genomes
