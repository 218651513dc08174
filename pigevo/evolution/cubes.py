"""Cube systems: the division of the array into genes during a run, for example in waves of smaller and smaller cubes.

The waves are those of Exeter 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import CubeGrid

CUBES = Registry("cubes", 2)


Generations = Annotated[int, Within(1, 10**9)]


@dataclass(frozen=True)
class Wave:
    """A stretch of generations on one cube grid."""

    grid: CubeGrid
    generations: int


@CUBES.register(name="none", uses=("generations",))
def single_cells(game: Game, total: int | None) -> tuple[Wave, ...]:
    """One wave in which every decision state is a gene; the setting `generations` is its number of generations."""
    return (Wave(CubeGrid(game, 1), total or 0),)


def _settled(options: dict[str, Any]) -> dict[str, Any]:
    """Each size and each number of generations in its shortest form."""
    sizes, lengths = options["sizes"], options["generations"]
    cubes = tuple(size[0] if not isinstance(size, int) and len(set(size)) == 1 else size for size in sizes)
    alike = not isinstance(lengths, int) and len(lengths) == len(sizes) and len(set(lengths)) == 1
    return {**options, "sizes": cubes, "generations": lengths[0] if alike else lengths}


@CUBES.register(source="Exeter 2016, section 3.4.4", complete=_settled)
def waves(
    game: Game,
    total: int | None,
    sizes: Sequence[int | Sequence[int]] = (20, 10, 5),
    generations: Generations | Sequence[Generations] = 100,
) -> tuple[Wave, ...]:
    """One wave for each size of the cubes; between waves each gene is copied into the smaller cubes inside its own.

    A few large cubes soon find a rough strategy, and smaller ones refine it.

    Args:
        sizes: edges of the cubes in points for each wave: a number, or three numbers for i, j and k.
        generations: the number of generations of each wave, or one number for all waves.
    """
    lengths = [generations] * len(sizes) if isinstance(generations, int) else list(generations)
    if not sizes or len(lengths) != len(sizes):
        raise InputError(
            f"cubes.sizes has {len(sizes)} sizes, but cubes.generations has {len(lengths)} numbers: give one for each "
            "size."
        )
    return tuple(Wave(CubeGrid(game, size), n) for size, n in zip(sizes, lengths, strict=True))
