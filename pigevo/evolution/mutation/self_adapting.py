"""Mutation that learns which of its moves help: adaptive operator selection by probability matching.

Each child is made by one move: some flips, or the roll/hold boundary shifted in a patch of
one of several widths by one of several lengths, or made level there, at or near its place
in one pair of scores.  Level moves carry what was learned to scores that play has never
come to; without them a strategy that leaps over some scores stays with it, for where it
would land instead nothing has been selected.  A move earns what its children score above
the best of those who stayed, or of the generation before where nobody stays, and is chosen
the more often the more it earned of late.  So the moves grow finer by themselves as the
boundary comes to its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pigevo.arrays import Bytes, Floats
from pigevo.dice import Draw
from pigevo.evolution.model import Aim, remember_model
from pigevo.evolution.mutation.boundary import move_in_patch
from pigevo.evolution.mutation.expected_flips import Flips, expected_flips
from pigevo.evolution.offers import Look, Memory
from pigevo.evolution.patches import patch_at
from pigevo.evolution.registries import MUTATORS
from pigevo.registry import Filled, Within
from pigevo.strategies import CubeGrid

Kind = Literal["flips", "shift", "level"]
MOVES: tuple[tuple[Kind, int, int], ...] = (
    ("flips", 0, 0),
    *(("shift", width, length) for width in (1, 3, 6, 12, 24, 48) for length in (1, 2, 5, 12, 30)),
    *(("level", width, length) for width in (6, 12, 24, 48) for length in (0, 2, 8)),
)
"""Kinds with typical widths and lengths in points; what is drawn lies within a factor of 1.5."""


@MUTATORS.register(name="self_adapting", source="probability matching: Goldberg 1990; Thierens 2005")
@dataclass(frozen=True)
class SelfAdapting:
    """Each genome is changed by one of `MOVES`, chosen by what they earned.

    Args:
        flips: how many genes are expected to flip where the move is flips.
        least: the share of all choices that goes to the moves alike, whatever they earned.
        keeping: the weight of the past, from one generation to the next, in what a move earned.
        aim: power of the visits by which patches are chosen; 0 chooses all alike.
        every: generations after which the visits are those of a new best member.
        kinds: of moves that are made.
    """

    flips: Flips = 1.0
    least: Annotated[float, Within(0, 1, above=True)] = 0.3
    keeping: Annotated[float, Within(0, 1)] = 0.98
    aim: Annotated[float, Within(0, 10)] = 0.5
    every: Annotated[int, Within(1, 10**9)] = 50
    kinds: Annotated[Sequence[Kind], Filled("[flips,shift]")] = ("flips", "shift", "level")

    def remember(self, memory: Memory, look: Look) -> Mapping[str, NDArray[Any]]:
        """Credit the moves of the generation that was just judged."""
        kept = len(look.scores) - look.fresh
        nothing = np.zeros(len(MOVES))
        earned: Floats = memory.get("earned", nothing) * self.keeping
        tried: Floats = memory.get("tried", nothing) * self.keeping
        bar = look.scores[:kept].max() if kept else memory.get("best")  # of those who stayed, or else of the parents
        if "moves" in memory and bar is not None:
            moves = memory["moves"][: look.fresh]
            gains: Floats = np.maximum(look.scores[kept:] - bar, 0)
            earned += np.bincount(moves, weights=gains, minlength=len(MOVES))
            tried += np.bincount(moves, minlength=len(MOVES))
        places = _golden(look.generation * len(look.scores), len(look.scores))
        moves = np.searchsorted(np.cumsum(self.chances(earned, tried)), places, side="right").astype(np.int64)
        model = remember_model(memory, look, self.every) if self.aim else {}
        best = {} if kept else {"best": look.scores.max(keepdims=True)}
        return {"earned": earned, "tried": tried, "moves": np.minimum(moves, len(MOVES) - 1), **best, **model}

    def chances(self, earned: Floats, tried: Floats) -> Floats:
        """How often each move is made: by its mean gain, as if tried once more for nothing, and a share alike."""
        made = np.array([kind in self.kinds for kind, _, _ in MOVES])
        means: Floats = np.where(made, earned / (tried + 1), 0)
        alike: Floats = made / made.sum()
        if not means.any():
            return alike
        mixed: Floats = self.least * alike + (1 - self.least) * means / means.sum()
        return mixed

    def __call__(self, genomes: Bytes, rate: float, draw: Draw, grid: CubeGrid, memory: Memory) -> Bytes:
        """Genomes changed, each by the move that is remembered for it; `rate` is not used."""
        n = len(genomes)
        moves = memory["moves"][:n] if "moves" in memory else np.zeros(n, np.int64)
        changed = genomes.copy()
        changed[moves == 0] = expected_flips(genomes[moves == 0], rate, draw, self.flips)
        numbers = draw.at(part=3).uniforms(8 * n).reshape(n, 8)
        centres = Aim(grid.game, memory, self.aim).pairs(numbers[:, 0])
        for child in np.flatnonzero(moves):
            kind, width, length = MOVES[moves[child]]
            i, j, by = (_about(v, u) for v, u in zip((width, width, length), numbers[child, 1:4], strict=True))
            patch = patch_at(grid, centres[child], (i, j), numbers[child, 5:])
            level = centres[child] if kind == "level" else None
            move_in_patch(grid, changed[child], patch, by if numbers[child, 4] < 0.5 else -by, level)
        return changed


def _about(value: int, uniform: float) -> int:
    return max(min(value, 1), round(value * float(1.5 ** (2 * uniform - 1))))


def _golden(start: int, count: int) -> Floats:
    """A stretch of the golden-ratio sequence, which fills [0, 1) evenly wherever one stops (Weyl 1916)."""
    places: Floats = np.asarray((start + np.arange(count)) * ((5**0.5 - 1) / 2) % 1.0, dtype=np.float64)
    return places
