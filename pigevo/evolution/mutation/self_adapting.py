"""Mutation that learns which of its moves help: adaptive operator selection by probability matching.

Each child is made by one move: some flips, or the roll/hold boundary shifted in a patch of
one of several widths by one of several lengths, or made level there, at or near its place
in one pair of scores, or slanted: at the lead, turn total included, that it has in that pair.
Level moves carry what was learned to scores that play has never come to; without them a
strategy that leaps over some scores stays with it, for where it would land instead nothing
has been selected.  A move earns what its children score above
the best of those who stayed, or of the generation before where nobody stays, and is chosen
the more often the more it earned of late.  So the moves grow finer by themselves as the
boundary comes to its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import Filled, Within
from pigevo.core.portable_math import exp, log
from pigevo.evolution.mutation.boundary import move_in_patch, settled
from pigevo.evolution.mutation.expected_flips import Flips, expected_flips
from pigevo.evolution.operators import Context, Mutation, State
from pigevo.evolution.registries import MUTATORS
from pigevo.evolution.score_rectangles import Visited, log_uniform, patch_at, remember_model
from pigevo.games import Game
from pigevo.strategies.grid import IN_POINTS

Kind = Literal["flips", "shift", "level", "slant"]
MOVES: tuple[tuple[Kind, int, int], ...] = (
    ("flips", 0, 0),
    *(("shift", width, length) for width in (1, 3, 6, 12, 24, 48) for length in (1, 2, 5, 12, 30)),
    *(("level", width, length) for width in (6, 12, 24, 48) for length in (0, 2, 8)),
)
"""Kinds with typical widths and lengths in points; what is drawn lies within a factor of 1.5."""
SLANTS: tuple[tuple[Kind, int, int], ...] = tuple(
    ("slant", width, length) for kind, width, length in MOVES if kind == "level"
)
"""The same places and sizes as level moves; they are made only where `kinds` names them."""


def _settled(options: dict[str, Any]) -> dict[str, Any]:
    kinds = dict.fromkeys(kind for kind, _, _ in (*MOVES, *SLANTS) if kind in options["kinds"])
    return settled({**options, "kinds": tuple(kinds)})


@MUTATORS.register(name="self_adapting", source="probability matching: Goldberg 1990; Thierens 2005", complete=_settled)
@dataclass(frozen=True)
class SelfAdapting(Mutation):
    """Each genome is changed by one of `MOVES`, chosen by what they earned.

    Args:
        flips: how many genes are expected to flip where the move is flips.
        least_share: the share of all choices that goes to the moves alike, whatever they earned.
        decay: the weight of the past, from one generation to the next, in what a move earned.
        exponent: of the visits by which patches are chosen; 0 chooses all alike.
        every: generations after which the visits are those of a new best member.
        kinds: of moves that are made.
    """

    flips: Flips = 1.0
    least_share: Annotated[float, Within(0, 1, above=True)] = 0.3
    decay: Annotated[float, Within(0, 1)] = 0.98
    exponent: Annotated[float, Within(0, 10)] = 0.5
    every: Annotated[int, Within(1, 10**9)] = 50
    kinds: Annotated[Sequence[Kind], Filled("[flips,shift]")] = ("flips", "shift", "level")

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The expected visits of the model (`pigevo.evolution.score_rectangles`)."""
        return 20 * game.cells

    @property
    def moves(self) -> tuple[tuple[Kind, int, int], ...]:
        """Those that are known: what they earned is remembered in this order."""
        return (*MOVES, *SLANTS) if "slant" in self.kinds else MOVES

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Credit the moves of the generation that was just evaluated."""
        scores, state = context.scores, context.state
        kept = len(scores) - context.fresh
        nothing = np.zeros(len(self.moves))
        earned: Floats = state.get("earned", nothing) * self.decay
        tried: Floats = state.get("tried", nothing) * self.decay
        bar = scores[:kept].max() if kept else state.get("best")  # of those who stayed, or else of the parents
        if "moves" in state and bar is not None:
            moves = state["moves"][: context.fresh]
            gains: Floats = np.maximum(scores[kept:] - bar, 0)
            earned += np.bincount(moves, weights=gains, minlength=len(self.moves))
            tried += np.bincount(moves, minlength=len(self.moves))
        places = _golden(context.generation * len(scores), len(scores))
        moves = np.searchsorted(np.cumsum(self.chances(earned, tried)), places, side="right").astype(np.int64)
        model = remember_model(genomes, context, self.every) if self.exponent else {}
        best = {} if kept else {"best": scores.max(keepdims=True)}
        return {"earned": earned, "tried": tried, "moves": np.minimum(moves, len(self.moves) - 1), **best, **model}

    def chances(self, earned: Floats, tried: Floats) -> Floats:
        """How often each move is made: by its mean gain, as if tried once more for nothing, and a share alike."""
        made = np.array([kind in self.kinds for kind, _, _ in self.moves])
        means: Floats = np.where(made, earned / (tried + 1), 0)
        alike: Floats = made / made.sum()
        if not means.any():
            return alike
        mixed: Floats = self.least_share * alike + (1 - self.least_share) * means / means.sum()
        return mixed

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Genomes changed, each by the move that is remembered for it."""
        n, grid, state = len(genomes), context.grid, context.state
        moves = state["moves"][:n] if "moves" in state else np.zeros(n, np.int64)
        changed = genomes.copy()
        changed[moves == 0] = expected_flips(genomes[moves == 0], context, self.flips)
        d = len(grid.game.between)
        numbers = context.draw.at(part=3).uniforms((2 * d + 4) * n).reshape(n, 2 * d + 4)
        centres = Visited(grid.game, state, self.exponent).pairs(numbers[:, 0])
        sizes = self._sizes(grid.game, moves, numbers[:, 1 : d + 2]).tolist()
        for child in np.flatnonzero(moves):
            kind, (*edges, by) = self.moves[moves[child]][0], sizes[child]
            patch = patch_at(grid, centres[child], edges, numbers[child, d + 3 :])
            level = centres[child] if kind in ("level", "slant") else None
            by = by if numbers[child, d + 2] < 0.5 else -by
            move_in_patch(grid, changed[child], patch, by, level, slant=kind == "slant")
        return changed

    def _sizes(self, game: Game, moves: Ints, uniforms: Floats) -> Ints:
        """The edges of each child's patch and the length of its move, shape (n, axes between turns + 1)."""
        axes = game.between
        sizes = _about(np.array([(*[width] * len(axes), by) for _, width, by in self.moves])[moves], uniforms)
        for n, axis in enumerate(axes):
            if axis.name not in IN_POINTS:
                sizes[:, n] = log_uniform(uniforms[:, n], len(axis.values))
        return sizes


def _about(values: Ints, uniforms: Floats) -> Ints:
    """Whole numbers within a factor of 1.5 of others; of those above 0 they are at least 1."""
    near = np.rint(values * exp((2 * uniforms - 1) * log(1.5))).astype(np.int64)
    return np.maximum(np.minimum(values, 1), near)


def _golden(start: int, count: int) -> Floats:
    """A stretch of the golden-ratio sequence, which fills [0, 1) evenly wherever one stops (Weyl 1916)."""
    places: Floats = np.asarray((start + np.arange(count)) * ((math.sqrt(5) - 1) / 2) % 1.0, dtype=np.float64)
    return places
