"""Slices of strategies: where they roll, by one score and the turn total, at one place of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pigevo.arrays import Bools, Ints
from pigevo.figures.axes import axes_or_new
from pigevo.figures.labels import SHORT, plain
from pigevo.figures.style import COLORS, styled

if TYPE_CHECKING:
    from pigevo.figures.portrait import Portrait

SKY, INK, WON = COLORS[5], "#000000", "#8c8c8c"
CELLS: Any = {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}


@styled
def plot_slice(data: Portrait, at: int, ax: Axes | None = None, named: bool = True) -> Axes:
    """Draw one slice: tinted where the first strategy rolls, with the other's border as a line.

    Args:
        data: of `portrait_data`.
        at: the number of the place along the second axis.
        ax: where to draw; by default in a figure of its own.
        named: whether to say what colours and line stand for.
    """
    axes, first = axes_or_new(ax, (7.5, 5.4)), data.shown[0]
    low, high, begin, _ = first.extent
    extent = low, high, 0, data.rolls[0].shape[2]
    shade = np.where(data.won, 2, data.rolls[0][:, at])
    axes.imshow(shade.T, cmap=ListedColormap(["#ffffff", SKY, WON]), vmin=0, vmax=2, extent=extent, **CELLS)
    if len(data.rolls) > 1:
        _border(axes, data.rolls[1][:, at], extent)
    holds = [shown.first_hold[:, place].max() for shown in data.shown for place in data.slices]
    top = data.won.shape[1] if data.won.any() else max(2, 1.2 * int(max(holds)))
    axes.set(title=f"{first.axes[1]} {begin + at}", xlabel=first.axes[0], ylabel="turn total", ylim=(0, top))
    if named:
        axes.legend(handles=names_of(data), loc="upper right")
    return axes


def _border(ax: Axes, rolls: Bools, extent: tuple[int, int, int, int]) -> None:
    """The border of where a strategy rolls, along the edges of the cells."""
    if rolls.all() or not rolls.any():
        return
    x, y = np.arange(extent[0], extent[1] + 1), np.arange(extent[2], extent[3] + 1)
    for across in range(rolls.shape[0]):
        edges = _edges(rolls[across])
        ax.hlines(y[edges], x[across], x[across + 1], color=INK, lw=1.8)
    for total in range(rolls.shape[1]):
        edges = _edges(rolls[:, total])
        edges = edges[(edges > 0) & (edges < rolls.shape[0])]
        ax.vlines(x[edges], y[total], y[total + 1], color=INK, lw=1.8)


def _edges(row: Bools) -> Ints:
    """Where a row of booleans changes; before its first and after its last nothing is true."""
    found: Ints = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]])))
    return found[found > 0]


def names_of(data: Portrait) -> list[Artist]:
    """What colours and line of a slice stand for, for its legend."""
    found: list[Artist] = [Patch(color=SKY, label=f"{plain(data.shown[0].name, SHORT)} rolls")]
    if len(data.shown) > 1:
        said = f"border of where {plain(data.shown[1].name, SHORT)} rolls"
        found.append(Line2D([], [], color=INK, lw=1.8, label=said))
    if data.won.any():
        found.append(Patch(color=WON, label="the game is won"))
    return found
