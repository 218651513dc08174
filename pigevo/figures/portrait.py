"""A strategy beside another: maps, slices, landscapes, and where in play they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, SymLogNorm
from matplotlib.figure import Figure

from pigevo.arrays import Bools, Floats, Ints
from pigevo.errors import InputError
from pigevo.figures.character import decisions_in_play
from pigevo.figures.decisions import Decisions, decisions_data, drawn_axes, seen
from pigevo.games.game import DIFFERENCE
from pigevo.strategies import Strategy, same_game
from pigevo.telling import clipped, percent, visible

View = Literal["all", "map", "slices", "surface", "difference"]
VIEWS: tuple[View, ...] = ("all", "map", "slices", "surface", "difference")

SLICES = {False: (0.0, 0.4, 0.8), True: (0.45, 0.5, 0.55)}
"""Where along the second axis slices are taken, as shares; by whether it is a lead."""

RARE = 1e-5
"""Decisions a game below which a difference is white."""

POLYGONS = 100
"""Along each edge of a landscape, at most."""

STYLE: Any = {"text.parse_math": False, "font.size": 12.0, "axes.titlesize": 13.0, "figure.titlesize": 15.0}
SKY, INK, WON = "#9bd0f2", "#000000", "#d9d9d9"
CELLS: Any = {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}


@dataclass(frozen=True, eq=False)
class Portrait:
    """One strategy, or two of one game, ready to be drawn.

    Args:
        shown: where each first holds.
        rolls: where each rolls, by the two axes that are drawn and the turn total.
        slices: the places along the second axis at which slices are taken.
        won: the cells in which the game is won at once, by the first axis and the turn total.
        differ: by the two axes, how many decisions a game the two make otherwise: above 0 the first rolls where the
            second holds, below 0 the other way round, whichever is more; None of one strategy.
    """

    shown: tuple[Decisions, ...]
    rolls: tuple[Bools, ...]
    slices: tuple[int, ...]
    won: Bools
    differ: Floats | None


def portrait_data(strategies: Sequence[Strategy]) -> Portrait:
    """What the pictures of one strategy, or of two, show.

    Raises:
        InputError: strategies whose decisions two axes and the turn total do not tell.
    """
    for strategy in strategies:
        refuse_undrawable(strategy)
    first, game = strategies[0], strategies[0].game
    _, (_, y) = seen(first)
    count = len(y.values)
    slices = sorted({min(round(share * count), count - 1) for share in SLICES[y.name == DIFFERENCE]})
    differ = None
    if len(strategies) > 1:
        same_game(first, strategies[1])
        asked = decisions_in_play(first, strategies[1])
        others = tuple(axis for axis in range(len(game.axes)) if axis not in drawn_axes(game))
        more = np.where(first.roll & ~strategies[1].roll, asked, 0.0).sum(axis=others)
        less = np.where(~first.roll & strategies[1].roll, asked, 0.0).sum(axis=others)
        differ = np.where(more >= less, more + less, -more - less)
    rolls = tuple(seen(strategy)[0] for strategy in strategies)
    across = np.arange(rolls[0].shape[0])[:, None] + np.arange(rolls[0].shape[2])
    won = across >= game.size if game.target else np.zeros(across.shape, np.bool_)
    return Portrait(tuple(decisions_data(s) for s in strategies), rolls, tuple(slices), won, differ)


def refuse_undrawable(strategy: Strategy) -> None:
    """Refuse a strategy of which no picture over two axes tells the truth.

    Raises:
        InputError: it leaves decisions to chance, or its decisions depend on more, or there is nothing to draw.
    """
    game = strategy.game
    if strategy.is_mixed:
        raise InputError(f"{strategy.name} leaves decisions to chance: a picture shows where a strategy always holds.")
    if game.remembers:
        said = " and ".join(name.replace("_", " ") for name in game.remembers)
        raise InputError(f"decisions in {game} depend on the {said} too, which a picture over two axes cannot show.")
    if min(len(game.between[axis].values) for axis in drawn_axes(game)) < 2:
        raise InputError(f"{game} has a single score or turn: there is nothing to draw.")


def plot_portrait(data: Portrait, view: View = "all", title: str = "") -> Figure:
    """Draw one or two strategies.

    Args:
        data: of `portrait_data`.
        view: what of it.
        title: above all.

    Raises:
        InputError: where they differ is asked of one strategy.
    """
    if view == "difference" and data.differ is None:
        raise InputError("a map of where strategies differ needs two: name another one.")
    with mpl.rc_context(STYLE):
        figure = _VIEWS[view](data)
        if title:
            figure.suptitle(_plain(title))
    return figure


def plot_map(data: Decisions, ax: Axes, top: int) -> Axes:
    """Draw the turn totals at which a strategy first holds; `top` is the largest of the colour scale."""
    ax.imshow(data.first_hold.T, cmap="viridis", vmin=0, vmax=top, extent=data.extent, **CELLS)
    ax.set(xlabel=data.axes[0], ylabel=data.axes[1])
    ax.set_title(f"{_plain(data.name)} first holds at{_misleading(data)}")
    return ax


def plot_difference(data: Portrait, ax: Axes) -> Axes:
    """Draw where two strategies decide otherwise, the darker the more often play comes there."""
    assert data.differ is not None
    first = data.shown[0]
    norm = SymLogNorm(RARE, vmin=-0.1, vmax=0.1)
    ax.imshow(data.differ.T, cmap="PuOr", norm=norm, extent=first.extent, **CELLS)
    ax.set(xlabel=first.axes[0], ylabel=first.axes[1], title="where they differ")
    return ax


def plot_slice(data: Portrait, at: int, ax: Axes) -> Axes:
    """Draw one slice: tinted where the first strategy rolls, with the other's border as a line.

    Args:
        data: of `portrait_data`.
        at: the number of the place along the second axis.
        ax: where to draw.
    """
    first = data.shown[0]
    low, high, begin, _ = first.extent
    extent = low, high, 0, data.rolls[0].shape[2]
    shade = np.where(data.won, 2, data.rolls[0][:, at])
    ax.imshow(shade.T, cmap=ListedColormap(["#ffffff", SKY, WON]), vmin=0, vmax=2, extent=extent, **CELLS)
    if len(data.rolls) > 1:
        _border(ax, data.rolls[1][:, at], extent)
    highest = [shown.first_hold[:, place].max() for shown in data.shown for place in data.slices]
    top = data.won.shape[1] if data.won.any() else max(2, 1.2 * int(max(highest)))
    ax.set(title=f"{first.axes[1]} {begin + at}", xlabel=first.axes[0], ylabel="turn total", ylim=(0, top))
    return ax


def plot_landscape(data: Decisions, ax: Any, top: int, view: tuple[float, float] = (28.0, -60.0)) -> Any:
    """Draw a strategy as a landscape over its two axes.

    Args:
        data: of `decisions_data`.
        ax: axes of three dimensions.
        top: the largest turn total of the vertical axis and of its colours.
        view: elevation and azimuth, in degrees.
    """
    low, high, begin, end = data.extent
    x, y = np.meshgrid(np.arange(low, high), np.arange(begin, end), indexing="ij")
    count = [min(POLYGONS, size) for size in x.shape]
    ax.plot_surface(x, y, data.first_hold, cmap="viridis", lw=0, rcount=count[0], ccount=count[1], vmin=0, vmax=top)
    ax.view_init(*view)
    ax.set(xlabel=data.axes[0], ylabel=data.axes[1], zlabel="first holds at", zlim=(0, top))
    ax.set_box_aspect(None, zoom=0.82)  # room for the labels
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.labelpad = 8
    ax.set_title(_plain(data.name))
    return ax


def _all(data: Portrait) -> Figure:
    wide = len(data.shown) > 1
    figure = Figure(figsize=(21 if wide else 16, 9), layout="constrained")
    columns = 4 if wide else 3
    grid = figure.add_gridspec(2, columns, width_ratios=(1, 1, 1, 1.25)[-columns:])
    _maps(figure, data, [figure.add_subplot(grid[0, n]) for n in range(len(data.shown))])
    if wide:
        _difference(figure, data, figure.add_subplot(grid[0, 2]))
    for n, at in enumerate(data.slices):
        ax = plot_slice(data, at, figure.add_subplot(grid[1, n]))
        if not n:
            _name_colours(ax, data)
    places = [grid[0, 3], grid[1, 3]] if wide else [grid[0, 1:]]
    for shown, place in zip(data.shown, places, strict=True):
        plot_landscape(shown, figure.add_subplot(place, projection="3d"), _highest(data))
    return figure


def _only_maps(data: Portrait) -> Figure:
    figure = Figure(figsize=(1.2 + 5.6 * len(data.shown), 5.4), layout="constrained")
    _maps(figure, data, list(figure.subplots(1, len(data.shown), squeeze=False)[0]))
    return figure


def _only_slices(data: Portrait) -> Figure:
    figure = Figure(figsize=(15, 5), layout="constrained")
    panels = figure.subplots(1, len(data.slices), squeeze=False)[0]
    for at, ax in zip(data.slices, panels, strict=True):
        plot_slice(data, at, ax)
    _name_colours(panels[0], data)
    return figure


def _only_surfaces(data: Portrait) -> Figure:
    figure = Figure(figsize=(7.2 * len(data.shown), 6.4), layout="constrained")
    for n, shown in enumerate(data.shown, start=1):
        plot_landscape(shown, figure.add_subplot(1, len(data.shown), n, projection="3d"), _highest(data))
    return figure


def _only_difference(data: Portrait) -> Figure:
    figure = Figure(figsize=(8, 6.2), layout="constrained")
    _difference(figure, data, figure.add_subplot())
    return figure


_VIEWS = {
    "all": _all, "map": _only_maps, "slices": _only_slices, "surface": _only_surfaces, "difference": _only_difference,
}  # fmt: skip


def _maps(figure: Figure, data: Portrait, panels: list[Axes]) -> None:
    top = min(_highest(data), max(40, data.shown[0].target // 2))
    for shown, ax in zip(data.shown, panels, strict=True):
        plot_map(shown, ax, top)
    figure.colorbar(panels[-1].images[0], ax=panels, label="turn total", extend="max", shrink=0.9)


def _highest(data: Portrait) -> int:
    return max(1, *(int(shown.first_hold.max()) for shown in data.shown))


def _difference(figure: Figure, data: Portrait, ax: Axes) -> None:
    image = plot_difference(data, ax).images[0]
    first, second = (_plain(shown.name, 30) for shown in data.shown)
    bar = figure.colorbar(image, ax=ax, shrink=0.9, ticks=[-0.1, -1e-3, -RARE, RARE, 1e-3, 0.1], extend="both")
    bar.ax.set_yticklabels(["1 in 10", "1 in 1,000", "1 in 100,000", "1 in 100,000", "1 in 1,000", "1 in 10"])
    said = f"decisions a game\nupper half: only {first} rolls\nlower half: only {second} rolls"
    bar.ax.set_ylabel(said, fontsize="small")


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


def _name_colours(ax: Axes, data: Portrait) -> None:
    first = _plain(data.shown[0].name, 30)
    ax.fill_between([], [], color=SKY, label=f"{first} rolls")
    if len(data.shown) > 1:
        ax.plot([], [], color=INK, lw=1.8, label=f"border of where {_plain(data.shown[1].name, 30)} rolls")
    if data.won.any():
        ax.fill_between([], [], color=WON, label="the game is won")
    ax.legend(loc="upper right", fontsize="small")


def _misleading(data: Decisions) -> str:
    """A second line of the title where the first hold does not say all."""
    return "" if data.agrees == 1 else f"\n(at {percent(1 - data.agrees)} of the scores rolls again above)"


def _plain(text: str, most: int = 60) -> str:
    return clipped(visible(text), most)
