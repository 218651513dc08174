"""Mutation of the roll/hold boundary: in patches of score pairs, by moves chosen by reward, or everywhere by twins.

A player holds at the first turn total at which the strategy holds, and passes it by at most one
roll, so states far beyond the boundary are hardly ever reached.  The boundary, and how often
play visits each score pair, are known without an oracle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.core.checked_values import Filled, JsonObject, Within
from pigevo.core.portable_math import exp, log
from pigevo.evolution.hold_boundary import (
    decided_slices,
    genomes_of,
    holds_of,
    log_uniform,
    patches_at,
    planes_of,
    remember_model,
    strides_of,
    visited_pairs,
    widest_of,
)
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.flips import Flips, expected_flips, rate_at
from pigevo.evolution.operators import Context, Mutation, Remembered
from pigevo.games import Game
from pigevo.games.game import OPPONENT, OWN
from pigevo.strategies import CubeGrid
from pigevo.strategies.grid import IN_POINTS

Share = Annotated[float, Within(0, 1)]
Edge = Annotated[int, Within(1, 10**6)]


PATCH_DEFAULTS = {"widest": 40, "farthest": 12, "exponent": 0.5, "every": 50, "least_share": 0.3, "decay": 0.98}
"""Defaults of the options of moves in patches."""


def boundary_options(options: JsonObject) -> JsonObject:
    """The options, with default values for those that have no effect given the other options."""
    kinds = options.get("kinds", ("flips", "shift"))
    if options.get("share") == 0 or set(kinds) == {"flips"}:  # no patches
        options = {**options, **{name: value for name, value in PATCH_DEFAULTS.items() if name in options}}
    if options.get("share") == 1 or "flips" not in kinds:
        options = {**options, "flips": 1.0}
    return options if options["exponent"] else {**options, "every": 50}


@MUTATORS.register(name="boundary", source="pigevo; the boundary: Neller & Presser 2004", complete=boundary_options)
@dataclass(frozen=True)
class Boundary(Mutation):
    """Move the boundary of each genome in one random patch, or flip some of its genes.

    Args:
        share: the chance that the boundary moves; the other genomes have genes flipped by `expected_flips`.
        flips: the expected number of flipped genes.
        widest: longest edge of a patch, in points; edges are log-uniform.
        farthest: longest move, in points; lengths are log-uniform, at least a cube, and equally likely up and down.
        exponent: exponent of the visits in the chance of a patch; with 0 all patches are equally likely.
        every: number of generations after which the visits are computed from a new best member.
    """

    share: Share = 0.8
    flips: Flips = 1.0
    widest: Edge = 40
    farthest: Edge = 12
    exponent: Annotated[float, Within(0, 10)] = 0.5
    every: Annotated[int, Within(1, 10**9)] = 50

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The expected visits of the model (`pigevo.evolution.hold_boundary`)."""
        return 20 * game.cells

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Remember the best member, from which visits are computed."""
        return remember_model(genomes, context, self.every) if self.exponent else {}

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Return the changed genomes."""
        grid, draw = context.grid, context.draw
        moved = draw.at(part=2).uniforms(len(genomes)) < self.share
        changed = genomes if context.in_place and genomes.flags.carray else genomes.copy()
        changed[~moved] = expected_flips(genomes[~moved], context, self.flips)
        largest = (*widest_of(grid.game, self.widest), self.farthest)
        _, patches, by = _random_moves(
            context, len(genomes), self.exponent, lambda numbers: log_uniform(numbers, largest)
        )
        move_in_patches(grid, changed, np.flatnonzero(moved), patches, by)
        return changed


def _random_moves(
    context: Context, n: int, exponent: float, sizes_of: Callable[[Floats], Ints]
) -> tuple[Ints, Ints, Ints]:
    """For each of `n` genomes a random pair of scores, a patch around it, and the points by which the boundary moves.

    `sizes_of` returns the edges of the patches and the lengths of the moves, shape (n, axes between turns + 1), for
    uniform random numbers of this shape.
    """
    grid, d = context.grid, len(context.grid.game.between)
    numbers = context.draw.at(part=3).uniforms((2 * d + 4) * n).reshape(n, 2 * d + 4)
    centres = visited_pairs(grid.game, context.state, exponent, numbers[:, 0])
    sizes = sizes_of(numbers[:, 1 : d + 2])
    patches = patches_at(grid, centres, sizes[:, :d], numbers[:, d + 3 : 2 * d + 3])
    return centres, patches, np.where(numbers[:, d + 2] < 0.5, sizes[:, d], -sizes[:, d])


def move_in_patches(
    grid: CubeGrid,
    genomes: Bytes,
    members: Ints,
    patches: Ints,
    by: Ints,
    levels: Ints | None = None,
    slanted: Bools | None = None,
) -> None:
    """Move the boundary of some genomes, each in its own patch, in place.

    If decisions also depend on the number of rolls, each number of rolls has its own boundary, and all of them move.

    Args:
        grid: the cubes of the genomes.
        genomes: all genomes, shape (n, genes).
        members: which of them change; the other arrays have a row for each genome, changed or not.
        patches: boxes of cubes by `patches_at`, shape (n, axes, 2).
        by: points by which the boundary moves (negative: earlier), at least a cube, shape (n,).
        levels: a pair of scores for each genome from whose boundary the points are counted, shape (n, axes); -1 where
            they are counted from the old boundary of each pair of scores.
        slanted: whether the boundary of `levels` is a lead rather than a turn total, shape (n,). The turn total of the
            new boundary then rises by a point for each further point of the opponent, or point less of lead.
    """
    from pigevo.evolution.gene_kernels import move_boundaries

    d = len(grid.game.between)
    edge = grid.edges[d]
    levels = np.full((len(genomes), d), -1) if levels is None else levels // grid.edges[:d]
    slices = np.maximum(levels[:, 0] < 0, abs(by) // edge) * np.where(by > 0, 1, -1)
    slopes = np.zeros((len(genomes), 2), np.int64) if slanted is None else slanted[:, None] * _slopes_of_leads(grid)
    reach = -(-max(points for points, _ in grid.game.die) // edge)
    rows, numbers, strides = grid.rows_of(genomes), planes_of(grid), strides_of(grid)
    patches, slices, levels, slopes = (array[members] for array in (patches, slices, levels, slopes))
    move_boundaries(rows, members, numbers, strides, patches, slices, levels, slopes, edge, reach)


def _slopes_of_leads(grid: CubeGrid) -> Ints:
    """By how many points the lead falls with a slice of the last score, and rises with a slice of the one before."""
    d = len(grid.game.between)
    *_, before, last = grid.game.between
    return np.array(
        [
            grid.edges[d - 1] if last.name == OPPONENT else -grid.edges[d - 1],
            grid.edges[d - 2] if before.name == OWN else 0,
        ]
    )


MoveKind = Literal["flips", "shift", "level", "slant"]
MOVES: tuple[tuple[MoveKind, int, int], ...] = (
    ("flips", 0, 0),
    *(("shift", width, length) for width in (1, 3, 6, 12, 24, 48) for length in (1, 2, 5, 12, 30)),
    *(("level", width, length) for width in (6, 12, 24, 48) for length in (0, 2, 8)),
)
"""Kinds of moves with typical widths and lengths in points; drawn values lie within a factor of 1.5."""
SLANTS: tuple[tuple[MoveKind, int, int], ...] = tuple(
    ("slant", width, length) for kind, width, length in MOVES if kind == "level"
)
"""Slanted moves, with the same sizes as level moves; only made if `kinds` contains them."""


def self_adapting_options(options: JsonObject) -> JsonObject:
    """The same as `boundary_options`, with each kind of moves once, in the order of `MOVES`."""
    kinds = dict.fromkeys(kind for kind, _, _ in (*MOVES, *SLANTS) if kind in options["kinds"])
    return boundary_options({**options, "kinds": tuple(kinds)})


@MUTATORS.register(
    name="self_adapting", source="probability matching: Goldberg 1990; Thierens 2005", complete=self_adapting_options
)
@dataclass(frozen=True)
class SelfAdapting(Mutation):
    """Change each genome by one of `MOVES`, chosen by their recent rewards: adaptive operator selection.

    There are four kinds of moves.  A `flips` move flips some genes.  A `shift` move shifts the roll/hold boundary in a
    patch; there are several widths of patches and several lengths of shifts.  A `level` move sets the boundary in a
    patch to one turn total, which is at or near the boundary of one pair of scores in the patch.  A `slant` move sets
    it to one lead, turn total included: the lead at the boundary of that pair of scores.

    Level moves extend what was learned to scores that play has never reached.  Without them a strategy that jumps over
    some scores keeps doing so, because its decisions at these scores have never been selected.

    The reward of a move is the amount by which its children's scores exceed the best score of the members that stayed,
    or of the previous generation if no member stays.  The higher the recent rewards of a move, the more often it is
    chosen.  So the moves become finer by themselves as the boundary approaches its best position.

    Args:
        flips: the expected number of flipped genes in a `flips` move.
        least_share: the share of choices that is divided equally among the moves, whatever their rewards.
        decay: factor by which the past rewards of a move are multiplied in each generation.
        exponent: exponent of the visits in the chance of a patch; with 0 all patches are equally likely.
        every: number of generations after which the visits are computed from a new best member.
        kinds: the kinds of moves that are made.
    """

    flips: Flips = 1.0
    least_share: Annotated[float, Within(0, 1, above=True)] = 0.3
    decay: Annotated[float, Within(0, 1)] = 0.98
    exponent: Annotated[float, Within(0, 10)] = 0.5
    every: Annotated[int, Within(1, 10**9)] = 50
    kinds: Annotated[Sequence[MoveKind], Filled("[flips,shift]")] = ("flips", "shift", "level")

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The expected visits of the model (`pigevo.evolution.hold_boundary`)."""
        return 20 * game.cells

    @property
    def moves(self) -> tuple[tuple[MoveKind, int, int], ...]:
        """The moves, in the order of their remembered rewards."""
        return (*MOVES, *SLANTS) if "slant" in self.kinds else MOVES

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Credit the moves of the generation that was just evaluated."""
        scores, state = context.scores, context.state
        stayed = len(scores) - context.fresh
        nothing = np.zeros(len(self.moves))
        earned: Floats = state.get("earned", nothing) * self.decay
        tried: Floats = state.get("tried", nothing) * self.decay
        bar = scores[:stayed].max() if stayed else state.get("best")  # of members that stayed, or of the parents
        if "moves" in state and bar is not None:
            children = context.fresh - context.arrived
            moves = state["moves"][:children]
            gains: Floats = np.maximum(scores[stayed : stayed + children] - bar, 0)
            earned += np.bincount(moves, weights=gains, minlength=len(self.moves))
            tried += np.bincount(moves, minlength=len(self.moves))
        fractions = _golden_ratio_sequence(context.generation * len(scores), len(scores))
        moves = np.searchsorted(np.cumsum(self.chances(earned, tried)), fractions, side="right").astype(np.int64)
        model = remember_model(genomes, context, self.every) if self.exponent else {}
        best = {} if stayed else {"best": scores.max(keepdims=True)}
        return {"earned": earned, "tried": tried, "moves": np.minimum(moves, len(self.moves) - 1), **best, **model}

    def chances(self, earned: Floats, tried: Floats) -> Floats:
        """The probability of each move: its mean gain, with one extra trial of gain 0, mixed with equal shares."""
        allowed = np.array([kind in self.kinds for kind, _, _ in self.moves])
        means: Floats = np.where(allowed, earned / (tried + 1), 0)
        equal: Floats = allowed / allowed.sum()
        if not means.any():
            return equal
        mixed: Floats = self.least_share * equal + (1 - self.least_share) * means / means.sum()
        return mixed

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Return the genomes, each changed by the move that is remembered for it."""
        n, grid, state = len(genomes), context.grid, context.state
        moves = state["moves"][:n] if "moves" in state else np.zeros(n, np.int64)
        changed = genomes if context.in_place and genomes.flags.carray else genomes.copy()
        changed[moves == 0] = expected_flips(genomes[moves == 0], context, self.flips)
        centres, patches, by = _random_moves(
            context, n, self.exponent, lambda numbers: self._sizes(grid.game, moves, numbers)
        )
        kinds = np.array([kind for kind, _, _ in self.moves])[moves]
        levels = np.where(np.isin(kinds, ("level", "slant"))[:, None], centres, -1)
        move_in_patches(grid, changed, np.flatnonzero(moves), patches, by, levels, kinds == "slant")
        return changed

    def _sizes(self, game: Game, moves: Ints, uniforms: Floats) -> Ints:
        """The edges of each child's patch and the length of its move, shape (n, axes between turns + 1)."""
        axes = game.between
        sizes = _near(np.array([(*[width] * len(axes), by) for _, width, by in self.moves])[moves], uniforms)
        for n, axis in enumerate(axes):
            if axis.name not in IN_POINTS:
                sizes[:, n] = log_uniform(uniforms[:, n], len(axis.values))
        return sizes


def _near(values: Ints, uniforms: Floats) -> Ints:
    """Random whole numbers within a factor of 1.5 of the given values, and at least 1 for values above 0."""
    near = np.rint(values * exp((2 * uniforms - 1) * log(1.5))).astype(np.int64)
    return np.maximum(np.minimum(values, 1), near)


def _golden_ratio_sequence(start: int, count: int) -> Floats:
    """A part of the golden-ratio sequence, which is uniformly distributed in [0, 1) (Weyl 1916)."""
    fractions: Floats = np.asarray((start + np.arange(count)) * ((math.sqrt(5) - 1) / 2) % 1.0, dtype=np.float64)
    return fractions


PositivePoints = Annotated[float, Within(0, 1000, above=True)]


@MUTATORS.register(source="mirrored sampling: Brockhoff, Auger, Hansen, Arnold & Hohm 2010, PPSN XI")
def mirrored(
    genomes: Bytes, context: Context, step: PositivePoints = 30.0, end: PositivePoints = 2.5,
    over: Annotated[int, Within(1, 10**9)] = 200, until: Annotated[int, Within(0, 10**9)] = 497,
    widest: Annotated[int, Within(1, 10**6)] = 1,
) -> Bytes:  # fmt: skip
    """Make twins: the boundary of one takes a random step in each cube, the boundary of the other the opposite step.

    Genomes 0, 2, 4, ... are changed; genome 1 becomes the twin of 0, genome 3 of 2, and so on.  Twins differ in nothing
    but the direction of the step, so which twin is better is evidence on every part of it.

    Steps are cut at both ends.  Where the boundary is nearer to 0 than a step is long, the lower twin's is cut alone:
    the mean of such twins lies above the boundary they come from, which therefore rises without any selection.  At the
    upper end both steps are cut, so a boundary beyond the last decision stays there.

    Args:
        step: the standard deviation of a step in each cube in generation 0, in points of the turn total; all lengths
            up to the longest, 1.73 times as long, are equally likely.
        end: the standard deviation from generation `over` on; between the two it changes by equal factors.
        over: number of generations until the standard deviation is `end`.
        until: the generation from which on no genome is changed, so that the result of a run can be what its last
            parents have in common.
        widest: the longest edge, in cubes, of patches that move as a whole; each pair of twins has patches of one
            size, log-uniform, which begin anywhere.
    """
    grid, n = context.grid, len(genomes)
    if not genomes.size or context.generation >= until:
        return genomes
    deviation = rate_at(min(1.0, context.generation / over), step, end, "exponential")
    slices = deviation / grid.edges[len(grid.game.between)]
    bases = holds_of(grid, genomes[::2])
    even = 2.0 * in_patches(context.draw.at(part=4).uniforms(bases.size).reshape(bases.shape), context, widest) - 1.0
    steps = np.rint(math.sqrt(3.0) * slices * even).astype(np.int64)
    # A step up beyond the last slice would be cut, and these twins would no longer be opposite. A step down below 0 is
    # cut: without that, boundaries at 0, where random strategies have most of theirs, would never move.
    room = decided_slices(grid)[:, None] - bases
    steps = np.clip(steps, -room, room)
    holds = np.stack([bases + steps, bases - steps], axis=1).reshape(-1, *bases.shape[1:])[:n]
    return genomes_of(grid, np.maximum(holds, 0))


def in_patches(uniforms: Floats, context: Context, widest: int) -> Floats:
    """The random numbers made equal within patches, shape (n, planes, lanes)."""
    n, planes, lanes = uniforms.shape
    if widest == 1:
        return uniforms
    sizes, *begins = context.draw.at(part=5).uniforms(3 * n).reshape(3, n)
    edges = log_uniform(sizes, widest)[:, None]
    plane, lane = (
        (np.arange(length) + (begin[:, None] * edges).astype(np.int64)) // edges
        for length, begin in zip((planes, lanes), begins, strict=True)
    )
    equal: Floats = uniforms[np.arange(n)[:, None, None], plane[:, :, None], lane[:, None, :]]
    return equal
