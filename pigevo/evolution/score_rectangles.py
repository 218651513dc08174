"""Rectangles of scores that mutation changes, placed where the population plays.

Where that is its own model of play says: how often its best member, met by itself, visits a state.  It is all that a
mutation can know of where decisions matter without an oracle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.byte_lru_cache import byte_lru_cache
from pigevo.core.portable_math import exp, log, power
from pigevo.evolution.operators import Context, State
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Strategy
from pigevo.strategies.grid import IN_POINTS

MODEL = "model"
UNAIMED_SHARE = 0.25


def remember_model(genomes: Bytes, context: Context, every: int) -> State:
    """The decisions, packed to bits, of the population's best member by its own fitness, renewed every so often."""
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


@byte_lru_cache(lambda given, found: len(given[1]) + found.nbytes)
def _turns(game: Game, packed: bytes) -> Floats:
    from pigevo.exact import turn_starts

    laid = [game.shape[axis] for axis in game.layout]
    tables = np.unpackbits(np.frombuffer(packed, np.uint8), count=math.prod(laid)).reshape(laid)
    player = Strategy(game, tables.transpose(np.argsort(game.layout)).astype(np.bool_), "model")
    begun: Floats = turn_starts(player, player)
    return begun


class Visited:
    """A law on score pairs: the more often a turn begins there, the more likely.

    Args:
        game: the game.
        state: of the operator that remembers the model.
        exponent: of the visits; 0 makes all pairs alike.

    A share `UNAIMED_SHARE` of the choices is drawn uniformly: what nobody visits can still be worth a visit.
    """

    def __init__(self, game: Game, state: State, exponent: float) -> None:
        weights = power(turns(game, state), exponent)
        self._shape = weights.shape
        self._reached = np.cumsum(weights + UNAIMED_SHARE / (1 - UNAIMED_SHARE) * weights.mean())

    def pairs(self, uniforms: Floats) -> Ints:
        """A score pair, or what else stands still during a turn, for each number in [0, 1), shape (n, axes)."""
        places = np.searchsorted(self._reached, uniforms * self._reached[-1], side="right")
        return np.stack(np.unravel_index(np.minimum(places, self._reached.size - 1), self._shape), axis=1)


@dataclass(frozen=True)
class Patch:
    """A box of cuboids: along each axis that stands still during a turn, the first slice and the one after the last."""

    spans: tuple[tuple[int, int], ...]

    @property
    def row_span(self) -> tuple[int, int]:
        """The span along the last score."""
        return self.spans[-1]

    @property
    def rows(self) -> tuple[slice, ...]:
        """Those along all other axes."""
        return tuple(slice(*span) for span in self.spans[:-1])


def log_uniform(uniforms: Floats, largest: Sequence[int] | int) -> Ints:
    """Whole numbers, every order of magnitude alike."""
    return np.minimum(exp(uniforms * log(np.asarray(largest) + 1.0)), largest).astype(np.int64)


def widest_of(game: Game, points: int) -> tuple[int, ...]:
    """The longest edge of a patch along each axis that stands still during a turn: so many points, or the whole axis.

    Turns that are left and who moves last are not counted in points: a patch may hold one of them, or all.
    """
    return tuple(points if axis.name in IN_POINTS else len(axis.values) for axis in game.between)


def patch_at(grid: CubeGrid, centre: Ints, edges: Sequence[int], uniforms: Floats) -> Patch:
    """A patch that holds a place.

    Args:
        grid: whose cuboids it is made of.
        centre: the place on each axis that it shall hold: own and opponent's score in a race.
        edges: of the patch along each, in points; at least a cuboid is taken.
        uniforms: a number in [0, 1) for each: where in the patch the place lies.
    """
    spans = []
    for axis, score in enumerate(centre.tolist()):
        edge, slices = grid.edges[axis], grid.slices[axis]
        width = max(1, edges[axis] // edge)
        start = score // edge - int(uniforms[axis] * width)
        spans.append((max(0, start), min(slices, start + width)))
    return Patch(tuple(spans))
