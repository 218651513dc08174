"""Mutation of the roll/hold boundary: in a patch of score pairs, holding begins later or earlier.

Play holds at the first turn total at which its strategy does, and passes it by at most a
roll; states far from there are hardly ever reached.  Both are known without an oracle, as is
how often play comes to a score pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bytes, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.mutation.expected_flips import Flips, expected_flips
from pigevo.evolution.operators import Context, Mutation, State
from pigevo.evolution.registries import MUTATORS
from pigevo.evolution.score_rectangles import Patch, Visited, log_uniform, patch_at, remember_model, widest_of
from pigevo.games import Game
from pigevo.games.game import OPPONENT, OWN
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
        """The expected visits of the model (`pigevo.evolution.score_rectangles`)."""
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
        sizes = log_uniform(numbers[:, 1 : d + 2], (*widest_of(grid.game, self.widest), self.farthest)).tolist()
        for n in np.flatnonzero(moved):
            *edges, length = sizes[n]
            by = length if numbers[n, d + 2] < 0.5 else -length
            move_in_patch(grid, changed[n], patch_at(grid, centres[n], edges, numbers[n, d + 3 :]), by)
        return changed


def move_in_patch(
    grid: CubeGrid, genome: Bytes, patch: Patch, by: int, level: Ints | None = None, slant: bool = False
) -> None:
    """Let holding begin `by` points later (earlier if negative), at least a cuboid, in a patch, in place.

    Where decisions depend on the number of rolls too, each number of rolls has a boundary, and all of them move.

    Args:
        grid: where the genome lives.
        genome: whose boundary moves, shape (genes,).
        patch: where.
        by: points, counted from where each pair of scores held before.
        level: a pair of scores from whose boundary all of them shall be counted instead; then `by` may be 0.
        slant: whether that boundary is a lead rather than a turn total: a point more for the opponent, or a point less
            of lead, is a point more to roll for.
    """
    from pigevo.evolution.hold_boundary_kernels import first_hold, move_boundary

    d = len(grid.game.between)
    edge = grid.edges[d]
    reach = -(-max(points for points, _ in grid.game.die) // edge)
    slices = max(0 if level is not None else 1, abs(by) // edge) * (1 if by > 0 else -1)
    rows = genome.reshape(-1, grid.row_genes)
    for numbers in np.moveaxis(grid.row_numbers.reshape(*grid.row_numbers.shape[:d], -1), -1, 0):
        by_score, start = np.ascontiguousarray(numbers).reshape(-1, numbers.shape[-1]), -1
        if level is not None:
            *place, lane = (int(score) // grid.edges[axis] for axis, score in enumerate(level))
            start = first_hold(rows, by_score, int(np.ravel_multi_index(tuple(place), numbers.shape[:-1])), lane)
        every = np.arange(len(by_score)).reshape(numbers.shape[:-1])[patch.rows]
        for run in every.reshape(-1, every.shape[-1]):
            if level is None or not slant:
                move_boundary(rows, by_score, run[0], run[-1] + 1, *patch.row_span, start, slices, reach)
                continue
            lacking = _to_the_lead(grid, patch, level)
            for row, n in np.ndindex(lacking.shape):
                lane, origin = patch.row_span[0] + n, max(0, start + int(lacking[row, n]))
                at = int(run[row])
                move_boundary(rows, by_score, at, at + 1, lane, lane + 1, origin, slices, reach)


def _to_the_lead(grid: CubeGrid, patch: Patch, place: Ints) -> Ints:
    """How many slices of the turn total each pair of scores lacks more than a place does, shape (rows, lanes)."""
    *_, before, last = grid.game.between
    *_, i, j = (
        (np.arange(*span) - int(at) // edge) * edge
        for span, at, edge in zip(patch.spans, place, grid.edges[: len(patch.spans)], strict=True)
    )
    own = i if before.name == OWN else 0 * i
    lacking: Ints = ((j if last.name == OPPONENT else -j) - own[:, None]) // grid.edges[len(patch.spans)]
    return lacking
