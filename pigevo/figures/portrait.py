"""A strategy beside another: maps, slices, landscapes, and where in play they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, SymLogNorm
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.text import percent
from pigevo.errors import InputError
from pigevo.figures.axes import (
    AMOUNTS,
    COLORS,
    SHORT,
    WIDTH,
    Given,
    Panels,
    axes_or_new,
    color_bar,
    figure_of,
    grid_of,
    new_figure,
    panels_or_new,
    plain,
    styled,
)
from pigevo.figures.character import decisions_in_play
from pigevo.figures.decisions import Decisions, decisions_data, drawn_axes, highest, landscape, seen
from pigevo.games.game import DIFFERENCE
from pigevo.strategies import Strategy, same_game

View = Literal["all", "map", "slices", "surface", "difference"]
VIEWS: tuple[View, ...] = ("all", "map", "slices", "surface", "difference")

SLICES = {False: (0.0, 0.4, 0.8), True: (0.45, 0.5, 0.55)}
"""Where along the second axis slices are taken, as shares; by whether it is a lead."""

RARE = 1e-5
"""Decisions a game below which a difference is white."""

POLYGONS = 100
"""Along each edge of a landscape, at most."""


FINE = 300
"""Points along an edge, about, by which a part of a map is hatched."""

ACROSS = {"map": 5.6, "difference": 8.0, "slices": 3.4, "surface": 5.6}
"""Inches of a panel of each kind, where there is room."""


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
    """Refuse a strategy of which no picture over two axes tells the truth."""
    game = strategy.game
    if strategy.is_mixed:
        raise InputError(f"{strategy.name} leaves decisions to chance: a picture shows where a strategy always holds.")
    if game.remembers:
        said = " and ".join(name.replace("_", " ") for name in game.remembers)
        raise InputError(f"decisions in {game} depend on the {said} too, which a picture over two axes cannot show.")
    if min(len(game.between[axis].values) for axis in drawn_axes(game)) < 2:
        raise InputError(f"{game} has a single score or turn: there is nothing to draw.")


@styled
def plot_portrait(data: Portrait, view: View = "all", title: str = "", ax: Given = None) -> Panels:
    """Draw one or two strategies.

    Args:
        data: of `portrait_data`.
        view: what of it: maps, where they differ, slices and landscapes, in this order, or one of these.
        title: above a figure of its own.
        ax: the panels of the view, of which landscapes have three dimensions; by default in a figure of its own.

    Raises:
        InputError: where they differ is asked of one strategy, or there are other panels.
    """
    if view == "difference" and data.differ is None:
        raise InputError("a map of where strategies differ needs two: name another one.")
    parts = _parts(data, view)
    solid = [number for number, part in enumerate(parts) if part == "surface"]
    panels = panels_or_new(ax, len(parts), lambda: _new(parts), solid)
    of = {kind: [panel for panel, part in zip(panels, parts, strict=True) if part == kind] for kind in parts}
    _draw(data, of, ax is None)
    if title and ax is None:
        figure_of(panels).suptitle(plain(title))
    return panels


def _parts(data: Portrait, view: View) -> list[str]:
    """What each panel of a view shows."""
    count = {"map": len(data.shown), "difference": data.differ is not None, "slices": len(data.slices)}
    count["surface"] = len(data.shown)
    return [kind for kind, number in count.items() for _ in range(number) if view in ("all", kind)]


def _new(parts: Sequence[str]) -> Iterable[Axes]:
    """A figure with a row for each kind of panel."""
    kinds = list(dict.fromkeys(parts))
    width, height = max(ACROSS[kind] * parts.count(kind) for kind in kinds), 4.4 * len(kinds) + 0.4
    if len(parts) == 1:
        width, height = 1.45 * width, 5.8  # as large as a projector shows it
    figure = new_figure((min(WIDTH, width), height))
    for kind, row in zip(kinds, np.ravel(figure.subfigures(len(kinds), 1, squeeze=False)).tolist(), strict=True):
        solid = {"projection": "3d"} if kind == "surface" else {}
        yield from row.subplots(1, parts.count(kind), squeeze=False, subplot_kw=solid)[0]


def _draw(data: Portrait, panels: Mapping[str, Sequence[Axes]], alone: bool) -> None:
    """Draw all panels of each kind; `alone` says whether the figure was made for them."""
    top = min(_highest(data), highest(data.shown[0].target))
    for shown, ax in zip(data.shown, panels.get("map", ()), strict=False):
        plot_map(shown, top, ax)
    for ax in panels.get("difference", ()):
        plot_difference(data, ax)
    for number, (at, ax) in enumerate(zip(data.slices, panels.get("slices", ()), strict=False)):
        plot_slice(data, at, ax, named=number == 0 and not alone)
        if number == 0 and alone:
            look: Any = {"loc": "outside lower center", "ncols": 3, "frameon": False}
            ax.get_figure(root=False).legend(handles=names_of(data), **look)  # type: ignore[union-attr]
    for shown, ax in zip(data.shown, panels.get("surface", ()), strict=False):
        plot_landscape(shown, _highest(data), ax)


def _highest(data: Portrait) -> int:
    """The largest turn total at which any of the strategies first holds, but 1 at least."""
    return max(1, *(int(shown.first_hold.max()) for shown in data.shown))


@styled
def plot_map(data: Decisions, top: int, ax: Axes | None = None) -> Axes:
    """Draw the turn totals at which a strategy first holds.

    Args:
        data: of `decisions_data`.
        top: the largest of the colour scale.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (7.5, 5.4))
    image = axes.imshow(data.first_hold.T, cmap=AMOUNTS, vmin=0, vmax=top, extent=data.extent, **CELLS)
    axes.set(xlabel=data.axes[0], ylabel=data.axes[1])
    axes.set_title(f"{plain(data.name)} first holds at{_misleading(data)}")
    color_bar(image, axes, "turn total", extend="max")
    return axes


@styled
def plot_difference(data: Portrait, ax: Axes | None = None) -> Axes:
    """Draw where two strategies decide otherwise, the darker the more often play comes there.

    Places at which only the second one rolls are hatched.

    Args:
        data: of `portrait_data`, of two strategies.
        ax: where; by default in a figure of its own.
    """
    assert data.differ is not None
    axes, first = axes_or_new(ax, (8, 5.6)), data.shown[0]
    norm = SymLogNorm(RARE, vmin=-0.1, vmax=0.1)
    image = axes.imshow(data.differ.T, cmap="PuOr", norm=norm, extent=first.extent, **CELLS)
    axes.set(xlabel=first.axes[0], ylabel=first.axes[1], title="where they differ")
    below = (data.differ < -RARE).T
    if below.any():
        low, high, begin, end = first.extent
        finer = 1 + FINE // max(below.shape)  # the border of the hatched part is then that of the cells
        x, y = (np.linspace(one, two, (two - one) * finer) for one, two in ((low, high), (begin, end)))
        with mpl.rc_context({"hatch.linewidth": 0.6, "hatch.color": "k"}):
            fine = below.repeat(finer, axis=0).repeat(finer, axis=1)
            axes.contourf(x, y, fine, levels=[0.5, 1.5], colors="none", hatches=["////"])
    names = [plain(shown.name, SHORT) for shown in data.shown]
    said = f"decisions a game\nabove 0: only {names[0]} rolls\nbelow, hatched: only {names[1]} rolls"
    bar = color_bar(image, axes, said, ticks=[-0.1, -1e-3, -RARE, RARE, 1e-3, 0.1], extend="both")
    bar.ax.set_yticklabels(["1 in 10", "1 in 1,000", "1 in 100,000", "1 in 100,000", "1 in 1,000", "1 in 10"])
    return axes


@styled
def plot_landscape(data: Decisions, top: int, ax: Any = None, view: tuple[float, float] = (28.0, -60.0)) -> Any:
    """Draw a strategy as a landscape over its two axes.

    Args:
        data: of `decisions_data`.
        top: the largest turn total of the vertical axis and of its colours.
        ax: axes of three dimensions; by default in a figure of its own.
        view: elevation and azimuth, in degrees.
    """
    (axes,) = panels_or_new(ax, 1, grid_of(1, 1, (7.2, 6.4), subplot_kw={"projection": "3d"}), solid=[0])
    landscape(axes, data, top, view, POLYGONS)
    axes.set_title(plain(data.name))
    return axes


def _misleading(data: Decisions) -> str:
    """A second line of the title where the first hold does not say all."""
    return "" if data.agrees == 1 else f"\n(at {percent(1 - data.agrees)} of the scores\nrolls again above)"


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
