"""Mutation of the roll/hold boundary: in a patch of score pairs, holding begins later or earlier.

Play holds at the first turn total at which its strategy does, and passes it by at most a
roll; cells far from there are hardly ever asked.  Both are known without an oracle, as is
how often play comes to a score pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pigevo.arrays import Bytes, Ints
from pigevo.checked import Within
from pigevo.errors import InputError
from pigevo.evolution.model import Visited, remember_model
from pigevo.evolution.mutation.expected_flips import Flips, expected_flips
from pigevo.evolution.operators import Context, Mutation, State
from pigevo.evolution.patches import Patch, log_uniform, patch_at
from pigevo.evolution.registries import MUTATORS
from pigevo.games import Game
from pigevo.strategies import CubeGrid

Share = Annotated[float, Within(0, 1)]
Edge = Annotated[int, Within(1, 10**6)]


OF_PATCHES = {"widest": 40, "farthest": 12, "exponent": 0.5, "every": 50, "least_share": 0.3, "decay": 0.98}
"""The usual values of options that only moves of the boundary in patches need."""


def settled(options: dict[str, Any]) -> dict[str, Any]:
    """The options; of those that cannot change anything beside the others the usual value."""
    kinds = options.get("kinds", ("flips", "shift"))
    if options.get("share") == 0 or set(kinds) == {"flips"}:  # no patches
        options = {**options, **{name: value for name, value in OF_PATCHES.items() if name in options}}
    if options.get("share") == 1 or "flips" not in kinds:
        options = {**options, "flips": 1.0}
    return options if options["exponent"] else {**options, "every": 50}


@MUTATORS.register(name="boundary", source="pigevo; the boundary: Neller & Presser 2004", complete=settled)
@dataclass(frozen=True)
class Boundary(Mutation):
    """Each genome has its boundary moved in one random patch, or else some genes flipped.

    Args:
        share: the chance that the boundary moves; the other genomes have genes flipped by `expected_flips`.
        flips: how many of them are expected.
        widest: longest edge of a patch, in points; edges are log-uniform.
        farthest: longest move, in points; its length is log-uniform, up and down alike, and at least a cuboid.
        exponent: of the visits by which patches are chosen; 0 chooses all alike.
        every: generations after which the visits are those of a new best member.
    """

    share: Share = 0.8
    flips: Flips = 1.0
    widest: Edge = 40
    farthest: Edge = 12
    exponent: Annotated[float, Within(0, 10)] = 0.5
    every: Annotated[int, Within(1, 10**9)] = 50

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The expected visits of the model (`pigevo.evolution.model`)."""
        return 20 * game.cells

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Remember whose visits count."""
        return remember_model(genomes, context, self.every) if self.exponent else {}

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Genomes changed."""
        grid, draw = context.grid, context.draw
        moved = draw.at(part=2).uniforms(len(genomes)) < self.share
        changed = genomes.copy()
        changed[~moved] = expected_flips(genomes[~moved], context, self.flips)
        d = len(grid.game.between)
        numbers = draw.at(part=3).uniforms((2 * d + 4) * len(genomes)).reshape(-1, 2 * d + 4)
        centres = Visited(grid.game, context.state, self.exponent).pairs(numbers[:, 0])
        sizes = log_uniform(numbers[:, 1 : d + 2], (*[self.widest] * d, self.farthest)).tolist()
        for n in np.flatnonzero(moved):
            *edges, length = sizes[n]
            by = length if numbers[n, d + 2] < 0.5 else -length
            move_in_patch(grid, changed[n], patch_at(grid, centres[n], edges, numbers[n, d + 3 :]), by)
        return changed


def move_in_patch(grid: CubeGrid, genome: Bytes, patch: Patch, by: int, level: Ints | None = None) -> None:
    """Let holding begin `by` points later (earlier if negative), at least a cuboid, in a patch, in place.

    Args:
        grid: where the genome lives.
        genome: whose boundary moves, shape (genes,).
        patch: where.
        by: points, counted from where each pair of scores held before.
        level: a pair of scores from whose boundary all of them shall be counted instead; then `by` may be 0.

    Raises:
        InputError: a game whose decisions depend on more than the turn total during a turn.
    """
    from pigevo.evolution.boundary_kernels import first_hold, move_boundary

    if len(grid.game.within) > 1:
        raise InputError("a boundary along the turn total alone is moved: choose mutator=expected_flips for this game.")
    edge = grid.edges[-1]
    reach = -(-max(points for points, _ in grid.game.die) // edge)
    slices = max(0 if level is not None else 1, abs(by) // edge) * (1 if by > 0 else -1)
    rows, numbers = genome.reshape(-1, grid.lanes), grid.row_numbers
    by_score = numbers.reshape(-1, numbers.shape[-1])
    start = -1
    if level is not None:
        *place, lane = (int(score) // grid.edges[axis] for axis, score in enumerate(level))
        start = first_hold(rows, by_score, int(np.ravel_multi_index(tuple(place), numbers.shape[:-1])), lane)
    every = np.arange(len(by_score)).reshape(numbers.shape[:-1])[patch.rows]
    for run in every.reshape(-1, every.shape[-1]):
        move_boundary(rows, by_score, run[0], run[-1] + 1, *patch.lanes, start, slices, reach)
