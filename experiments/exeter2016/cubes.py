"""Pictures of a strategy as the cubes that its genes decide, like figure 2 of Exeter 2016."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.errors import InputError
from pigevo.figures.axes import COLORS, WIDTH, Given, Panels, add_caption, grid_of, panels_or_new, styled
from pigevo.figures.decisions import AXES, VIEWS
from pigevo.games.game import OPPONENT, OWN, TOTAL
from pigevo.strategies import CubeGrid, Strategy


@dataclass(frozen=True, eq=False)
class Cubes:
    """The cubes of a grid in which a strategy rolls.

    Args:
        size: the size of a cube, as text.
        genes: number of genes of the grid.
        rolls: whether the gene of a cube is to roll, by slices of own score, opponent's score and turn total.
        edges: the beginnings and ends of the slices along each of the three axes, in points.
    """

    size: str
    genes: int
    rolls: Bools
    edges: tuple[Ints, Ints, Ints]


def cubes_data(strategy: Strategy, size: int | Sequence[int]) -> Cubes:
    """The cubes of the genome that is nearest to a strategy on a grid; if the strategy is from that grid, its genome.

    Args:
        strategy: a strategy for a race.
        size: edge of a cube, or three edges along own score, opponent's score and turn total.
    """
    game, grid = strategy.game, CubeGrid(strategy.game, size)
    if {axis.name for axis in game.axes} != {OWN, OPPONENT, TOTAL}:
        raise InputError(f"cubes are drawn for games with three dimensions, but a strategy for {game} has others.")
    genes = grid.from_strategies([strategy])[0].reshape(-1, grid.row_genes).astype(np.bool_)
    number = grid.row_numbers
    rolls = np.where(number[:, :, None] >= 0, genes[number], False).transpose(0, 2, 1)
    ends = zip(game.shape, grid.edges, grid.slices, strict=True)
    i, j, k = (np.minimum(np.arange(count + 1) * edge, length) for length, edge, count in ends)
    return Cubes(grid.label, grid.genes, np.asarray(rolls), (i, j, k))


@styled
def plot_cubes(grids: Sequence[Cubes], ax: Given = None) -> Panels:
    """Draw the cubes of each grid in which a strategy rolls; the cube of the first gene is orange.

    Args:
        grids: results of `cubes_data`, the largest cubes first.
        ax: a panel with three dimensions for each; by default in a new figure.
    """
    columns = min(3, len(grids))
    new = grid_of(len(grids), columns, (WIDTH / columns, 3.9), subplot_kw={"projection": "3d"})
    panels = panels_or_new(ax, len(grids), new, in_3d=range(len(grids)))
    for axes, data in zip(panels, grids, strict=True):
        _draw(axes, data)
    if ax is None:
        add_caption(panels[0], "Blue: roll. Empty: hold, or win. Orange: the cube of the first gene.")
    return panels


LIGHT = (0.72, 0.88, 1.0)
"""The brightness of the faces towards a higher own score, towards a lower opponent's score, and on top."""


def _draw(axes: Any, data: Cubes) -> None:
    faces, colors = [], []
    filled = data.rolls.copy()
    filled[0, 0, 0] = True
    for axis, light in enumerate(LIGHT):  # the three visible sides
        begin = axis == 1
        beside = np.roll(filled, 1 if begin else -1, axis)
        beside[(slice(None),) * axis + (0 if begin else -1,)] = False
        place = np.argwhere(filled & ~beside)
        faces.append(_squares(data.edges, place, axis, begin))
        shades = [light * np.array(to_rgb(color)) for color in (COLORS[0], COLORS[1])]
        colors.append(np.where((place == 0).all(axis=1, keepdims=True), shades[1], shades[0]))
    width = 0.7 if len(data.rolls) <= 10 else 0.3
    axes.add_collection3d(
        Poly3DCollection(np.concatenate(faces), facecolors=np.concatenate(colors), edgecolors="w", lw=width)
    )
    axes.set_title(f"cubes of {data.size}: {data.genes:,} genes", y=1.0)
    axes.view_init(*VIEWS[0])
    for name, ends in zip("xyz", data.edges, strict=True):
        end = int(ends[-1])  # three zeros would overlap other numbers
        axes.set(**{f"{name}ticks": [0, end // 2, end][name != "x" :]})
    axes.set(xlabel=AXES[OWN], ylabel=AXES[OPPONENT], zlabel="turn total")
    axes.set(xlim=data.edges[0][[0, -1]], ylim=data.edges[1][[0, -1]], zlim=data.edges[2][[0, -1]])
    axes.yaxis.labelpad = 11
    axes.set_box_aspect((1, 1, 1), zoom=0.8)


def _squares(edges: tuple[Ints, Ints, Ints], place: Ints, axis: int, begin: bool) -> Floats:
    """The corners of one side of each cube, shape (cubes, 4, 3)."""
    across, up = (other for other in range(3) if other != axis)
    steps = np.zeros((4, 3), np.int64)
    steps[:, across], steps[:, up], steps[:, axis] = (0, 1, 1, 0), (0, 0, 1, 1), not begin
    corners = place[:, None, :] + steps
    return np.stack([edges[n][corners[:, :, n]] for n in range(3)], axis=2).astype(np.float64)
