"""Pictures of one or two strategies: maps, slices, landscapes, and where two strategies differ in play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Colormap, ListedColormap, LogNorm, Normalize, SymLogNorm
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pigevo.core.arrays import Bools, Floats
from pigevo.errors import InputError
from pigevo.exact import decision_costs
from pigevo.figures import FIRST_IN_ROUND
from pigevo.figures.axes import (
    BALANCE,
    COLORS,
    COSTS,
    LEAST,
    SHORT,
    SKY,
    WIDTH,
    Given,
    Look,
    Panels,
    add_caption,
    axes_or_new,
    color_bar,
    figure_of,
    grid_of,
    new_figure,
    panels_or_new,
    plain,
    set_plain,
    shown,
    styled,
    write_title,
)
from pigevo.figures.character import decisions_in_play
from pigevo.figures.decisions import (
    CELLS,
    RARE,
    DrawnDecisions,
    decisions_data,
    draw_border,
    drawn_axes,
    drawn_index,
    drawn_part,
    drawn_rolls,
    landscape,
    landscape_caption,
    leads_caption,
    maps_caption,
    name_landscape,
    set_whole,
    show_maps,
)
from pigevo.games.game import DIFFERENCE, Game
from pigevo.strategies import Strategy, same_game

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d import Axes3D

View = Literal["all", "map", "slices", "surface", "difference", "costs"]
VIEWS: tuple[View, ...] = ("all", "map", "slices", "surface", "difference", "costs")

SLICES = {False: (0.0, 0.4, 0.8), True: (1 / 3, 1 / 2, 2 / 3)}
"""Positions of the slices along the second axis, as shares; the key is whether that axis is a lead."""

POLYGONS = 100  # the largest number of polygons along each edge of a landscape


FINE = 300  # approximate number of points along an edge with which a part of a map is hatched

PANEL_WIDTH = {"map": 5.6, "difference": 8.0, "costs": 8.0, "slices": 3.4, "surface": 5.6}
"""Width in inches of a panel of each kind, if there is room."""

ROW_HEIGHT = {"map": 5.0, "difference": 4.4, "slices": 4.2, "surface": 4.4}
"""Height in inches of a row of panels of each kind; costs are in the same row as differences."""

ALONE = {"map": (6.4, 5.8), "difference": (7.4, 5.8), "costs": (7.2, 5.8), "slices": (7.5, 5.8), "surface": (8.1, 5.8)}
"""Size in inches of a figure with a single panel, for a projector, and no wider than a square map with its bar."""

OUTSIDE = 16  # the distance in points of a text from the end of a colour bar, whose tip is between
BAR = 17  # characters in a line beside a colour bar
ABOVE_MAP = 24  # characters in a line of a title above a map, which would otherwise reach the colour bar
ROUNDING = 1e-9  # costs in percentage points below which they are rounding errors
DECADES = 4  # number of powers of ten in the colour scale of costs, down from the largest cost


@dataclass(frozen=True, eq=False)
class Portrait:
    """The data of the pictures of one strategy, or of two strategies for the same game.

    Args:
        decisions: where each strategy first holds.
        rolls: where each strategy rolls, by the two axes that are drawn and the turn total.
        slices: the indices along the second axis at which slices are taken.
        won: the cells in which the game is won at once, by the first axis and the turn total.
        differ: the number of decisions per game in which the two strategies differ, by the two axes. It is above 0 if
            the first mostly rolls where the second holds, below 0 if it is mostly the other way round. None for one
            strategy.
        reached: the number of decisions per game of the first strategy, by the two axes; None for one strategy.
        costs: the percentage points of win probability that the first strategy's decisions cost it in a game against
            the optimum, by the two axes. None for one strategy, if it loses nothing, or if there are too many states.
        lost: the percentage points that all its decisions cost it together, also those at leads that are not drawn.
        rare: where the first of two strategies hardly ever decides, in the seat whose decisions are drawn.
    """

    decisions: tuple[DrawnDecisions, ...]
    rolls: tuple[Bools, ...]
    slices: tuple[int, ...]
    won: Bools
    differ: Floats | None
    reached: Floats | None
    costs: Floats | None
    lost: float = 0.0
    rare: Bools | None = None


def portrait_data(strategies: Sequence[Strategy], costs: Floats | None = None) -> Portrait:
    """The data for the pictures of one or two strategies.

    Args:
        strategies: one or two strategies.
        costs: the `decision_costs` of the first, if they are known.

    Raises:
        InputError: The decisions of a strategy do not depend on two axes and the turn total alone.
    """
    for strategy in strategies:
        refuse_undrawable(strategy)
    first, game = strategies[0], strategies[0].game
    _, (_, y) = drawn_rolls(first)
    count = len(y.values)
    slices = sorted({int(share * count) for share in SLICES[y.name == DIFFERENCE]})
    differ = reached = drawn = rare = None
    lost = 0.0
    if len(strategies) > 1:
        same_game(first, strategies[1])
        visits = decisions_in_play(first, strategies[1])
        more = _on_map(game, np.where(first.roll & ~strategies[1].roll, visits, 0.0))
        less = _on_map(game, np.where(~first.roll & strategies[1].roll, visits, 0.0))
        differ = np.where(more >= less, more + less, -more - less)
        reached, rare = _on_map(game, visits), _rare(game, visits)
        drawn, lost = _drawn_costs(first, costs)
    rolls = tuple(drawn_rolls(strategy)[0] for strategy in strategies)
    across = np.arange(rolls[0].shape[0])[:, None] + np.arange(rolls[0].shape[2])
    won = across >= game.size if game.target else np.zeros(across.shape, np.bool_)
    return Portrait(
        tuple(decisions_data(s) for s in strategies), rolls, tuple(slices), won, differ, reached, drawn, lost, rare
    )


def rarely_reached(strategy: Strategy, opponent: Strategy) -> Bools:
    """Where a strategy hardly ever decides against an opponent, by the two axes of a picture."""
    return _rare(strategy.game, decisions_in_play(strategy, opponent))


def _rare(game: Game, visits: Floats) -> Bools:
    drawn = visits[drawn_index(game)]
    return np.asarray(drawn.sum(axis=tuple(range(2, drawn.ndim))) < RARE)


def _on_map(game: Game, values: Floats) -> Floats:
    """The sums of values of all cells over the axes that a picture does not have, in its part of the others."""
    undrawn = tuple(axis for axis in range(len(game.axes)) if axis not in drawn_axes(game))
    return np.asarray(values.sum(axis=undrawn)[:, drawn_part(game)])


def _drawn_costs(strategy: Strategy, costs: Floats | None) -> tuple[Floats | None, float]:
    """The costs by the two axes, if there are any, and their sum over all cells."""
    try:
        known = decision_costs(strategy) if costs is None else costs
    except InputError:  # too many states
        return None, 0.0
    drawn: Floats = 100 * _on_map(strategy.game, known)
    return drawn if drawn.max() > ROUNDING else None, 100 * float(known.sum())


def refuse_undrawable(strategy: Strategy) -> None:
    """Refuse a strategy that a picture over two axes cannot show correctly."""
    game = strategy.game
    if strategy.is_mixed:
        raise InputError(f"{strategy.name} leaves decisions to chance: a picture shows where a strategy always holds.")
    if game.remembers:
        memory = " and ".join(name.replace("_", " ") for name in game.remembers)
        raise InputError(f"decisions in {game} also depend on the {memory}, which a picture over two axes cannot show.")
    if min(len(game.between[axis].values) for axis in drawn_axes(game)) < 2:
        raise InputError(f"{game} has a single score or turn: there is nothing to draw.")


@styled
def plot_portrait(data: Portrait, view: View = "all", title: str = "", ax: Given = None) -> Panels:
    """Draw one or two strategies.

    Args:
        data: result of `portrait_data`.
        view: what to draw: maps, the differences beside their costs, slices, and landscapes, in this order, or only one
            of these.
        title: title of a new figure.
        ax: the panels of the view; those of landscapes have three dimensions. By default in a new figure.

    Raises:
        InputError: The view needs a second strategy, or costs that do not exist, or `ax` has other panels.
    """
    if view == "difference" and data.differ is None:
        raise InputError("a map of differences needs two strategies: name another one.")
    if view == "costs" and data.costs is None:
        raise InputError("a map of costs needs two strategies, the first of which loses against the optimum.")
    parts = _parts(data, view)
    in_3d = [number for number, part in enumerate(parts) if part == "surface"]
    panels = panels_or_new(ax, len(parts), lambda: _new_panels(parts), in_3d)
    of = {kind: [panel for panel, part in zip(panels, parts, strict=True) if part == kind] for kind in parts}
    _draw(data, of, ax is None)
    if title and ax is None:
        figure_of(panels).suptitle(plain(title))
    return panels


def _parts(data: Portrait, view: View) -> list[str]:
    """The kind of each panel of a view."""
    count = {"map": len(data.decisions), "difference": data.differ is not None}
    count |= {"costs": data.costs is not None, "slices": len(data.slices), "surface": len(data.decisions)}
    return [kind for kind, number in count.items() for _ in range(number) if view in ("all", kind)]


BESIDE_MAP = 0.4  # room left and right of a map that is alone in its row, divided by the width of the map


def _new_panels(parts: Sequence[str]) -> Iterable[Axes]:
    of_row = ["difference" if part == "costs" else part for part in parts]
    kinds = list(dict.fromkeys(of_row))
    width, heights = max(PANEL_WIDTH[kind] * of_row.count(kind) for kind in kinds), [ROW_HEIGHT[kind] for kind in kinds]
    size = min(WIDTH, width), sum(heights)
    figure = new_figure(ALONE[parts[0]] if len(parts) == 1 else size)
    rows = figure.subfigures(len(kinds), 1, squeeze=False, height_ratios=heights)
    for kind, row in zip(kinds, np.ravel(rows).tolist(), strict=True):
        projection = {"projection": "3d"} if kind == "surface" else {}
        if kind == "map" and of_row.count(kind) == 1 and len(kinds) > 1:
            # The map and its colour bar are in the middle of the row.
            yield row.add_subplot(row.add_gridspec(1, 3, width_ratios=(BESIDE_MAP, 1, BESIDE_MAP))[1])
        else:
            yield from row.subplots(1, of_row.count(kind), squeeze=False, subplot_kw=projection)[0]


def _draw(data: Portrait, panels: Mapping[str, Sequence[Axes]], alone: bool) -> None:
    if maps := panels.get("map", ()):
        show_maps(maps, data.decisions, rare=data.rare)
        if alone:
            add_caption(maps[0], maps_caption(data.decisions, data.rare is not None))
    for ax in panels.get("difference", ()):
        plot_difference(data, ax)
    for ax in panels.get("costs", ()):
        plot_costs(data, ax)
    if (beside := [kind for kind in CAPTIONS if kind in panels]) and alone:
        add_caption(panels[beside[0]][0], caption_of(data, *beside))
    for number, (at, ax) in enumerate(zip(data.slices, panels.get("slices", ()), strict=False)):
        plot_slice(data, at, ax, named=number == 0 and not alone)
        if number == 0 and alone:
            look: Look = {"loc": "outside lower center", "ncols": 2, "frameon": False}
            ax.get_figure(root=False).legend(handles=legend_entries(data), title=legend_title(data), **look)  # type: ignore[union-attr]
    for decisions, ax in zip(data.decisions, panels.get("surface", ()), strict=False):
        plot_landscape(decisions, highest_hold(data), ax)
    if (surfaces := panels.get("surface", ())) and alone:
        add_caption(surfaces[0], landscape_caption(data.decisions))


def highest_hold(data: Portrait) -> int:
    """The largest turn total at which a strategy first holds, at least 1."""
    return max(1, *(int(decision.first_hold.max()) for decision in data.decisions))


@styled
def plot_map(data: DrawnDecisions, top: int, ax: Axes | None = None) -> Axes:
    """Draw the turn totals at which a strategy first holds.

    Args:
        data: result of `decisions_data`.
        top: the largest turn total of the colour scale.
        ax: axes to draw on; by default in a new figure, with a caption.
    """
    axes = axes_or_new(ax, ALONE["map"])
    show_maps([axes], [data], top)
    if ax is None:
        add_caption(axes, maps_caption([data]))
    return axes


CAPTIONS = {
    "difference": "Decisions: the number per game that differ, in the colour of the more frequent kind; white: none.",
    "costs": "Loss: the cost of wrong decisions against the optimum; white: almost none.",
}
"""The meaning of the colours of each map."""

UNREACHED = f"Grey: hardly ever a decision there (fewer than 1 in {1 / RARE:,.0f} games)."


def caption_of(data: Portrait, *kinds: str) -> str:
    """The meaning of the colours of maps of some kinds, and what is not drawn."""
    seats = ["Both seats together."] if data.decisions[0].first_in_round else []
    return " ".join([*(CAPTIONS[kind] for kind in kinds), *seats, UNREACHED, *leads_caption(data.decisions[0])])


@styled
def plot_difference(data: Portrait, ax: Axes | None = None) -> Axes:
    """Draw the number of decisions per game in which two strategies differ, hatched where only the second one rolls.

    Places with hardly any decisions are grey.

    Args:
        data: result of `portrait_data` for two strategies.
        ax: axes to draw on; by default in a new figure, with a caption.
    """
    assert data.differ is not None
    assert data.reached is not None
    axes, first = axes_or_new(ax, ALONE["difference"]), data.decisions[0]
    unreached = (data.reached < RARE) & (abs(data.differ) < RARE)
    norm = SymLogNorm(RARE, vmin=-0.1, vmax=0.1)
    image = _show_amounts(axes, first, np.where(unreached, np.nan, data.differ), "decisions that differ", BALANCE, norm)
    _hatch(axes, data.differ < -RARE, first.extent)
    first_name, second_name = (shown(decisions.name, SHORT) for decisions in data.decisions)
    meanings = f"only {second_name} rolls, hatched", f"only {first_name} rolls"

    def name_ends(bar: Colorbar) -> None:
        bar.ax.set_yticklabels(["1 in 10", "1 in 1,000", "1 in 100,000", "1 in 100,000", "1 in 1,000", "1 in 10"])
        for end, meaning, side, distance in zip((0, 1), meanings, ("top", "bottom"), (-OUTSIDE, OUTSIDE), strict=True):
            look: Look = {"fontsize": LEAST, "va": side, "annotation_clip": False}
            bar.ax.annotate(
                fill(meaning, BAR), (0, end), (0, distance), xycoords="axes fraction", textcoords="offset points",
                **look,
            )  # fmt: skip

    scale = [-0.1, -1e-3, -RARE, RARE, 1e-3, 0.1]
    color_bar(image, axes, "", name_ends, ticks=scale, extend="both", shrink=0.7)
    if ax is None:
        add_caption(axes, caption_of(data, "difference"))
    return axes


@styled
def plot_costs(data: Portrait, ax: Axes | None = None) -> Axes:
    """Draw the cost of the first strategy's wrong decisions against the optimum, on a logarithmic scale.

    Places with hardly any decisions are grey, as in `plot_difference`. The costs of all places add up to the
    difference between the win probability of the strategy and that of the optimum in its place.

    Args:
        data: result of `portrait_data` for two strategies.
        ax: axes to draw on; by default in a new figure, with a caption.
    """
    assert data.costs is not None
    assert data.reached is not None
    axes, first = axes_or_new(ax, ALONE["costs"]), data.decisions[0]
    top = 10.0 ** np.ceil(np.log10(data.costs.max()))
    least = top / 10**DECADES
    costs = np.where((data.reached < RARE) & (data.costs < least), np.nan, np.maximum(data.costs, least / 10))
    colours = mpl.colormaps[COSTS].with_extremes(under="white")
    cell, title = axes.get_subplotspec(), f"loss of {shown(first.name, SHORT)}"
    if cell is not None and cell.get_gridspec().ncols > 1:
        title = fill(title, ABOVE_MAP)
    image = _show_amounts(axes, first, costs, title, colours, LogNorm(least, top))
    together = f"{data.lost:.2f}" if data.lost >= 0.005 else "less than 0.01"
    label = f"percentage points\n(all places together: {together})"
    color_bar(image, axes, label, lambda bar: set_plain(bar.ax.yaxis), extend="min")
    if ax is None:
        add_caption(axes, caption_of(data, "costs"))
    return axes


def _show_amounts(
    axes: Axes, first: DrawnDecisions, amounts: Floats, title: str, colours: str | Colormap, norm: Normalize | None
) -> AxesImage:
    """Show amounts over the two axes of the first strategy; NaN is grey."""
    axes.set(xlabel=first.axes[0], ylabel=first.axes[1], box_aspect=1, facecolor=GREY)
    write_title(axes, title)
    set_whole(axes)
    return axes.imshow(amounts.T, cmap=colours, norm=norm, extent=first.extent, **CELLS)


def _hatch(axes: Axes, cells: Bools, extent: tuple[int, int, int, int]) -> None:
    if not cells.any():
        return
    low, high, begin, end = extent
    finer = 1 + FINE // max(cells.shape)  # so that hatching ends at the border of the cells
    x, y = (np.linspace(start, stop, (stop - start) * finer) for start, stop in ((low, high), (begin, end)))
    with mpl.rc_context({"hatch.linewidth": 0.6, "hatch.color": "k"}):
        fine = cells.T.repeat(finer, axis=0).repeat(finer, axis=1)
        axes.contourf(x, y, fine, levels=[0.5, 1.5], colors="none", hatches=["////"])


@styled
def plot_landscape(
    data: DrawnDecisions, top: int, ax: Axes3D | None = None, view: tuple[float, float] = (28.0, -60.0)
) -> Axes3D:
    """Draw a strategy as a landscape over its two axes.

    Args:
        data: result of `decisions_data`.
        top: the largest turn total of the vertical axis and of its colours.
        ax: axes of three dimensions; by default in a new figure, with a caption.
        view: elevation and azimuth, in degrees.
    """
    (axes,) = panels_or_new(ax, 1, grid_of(1, 1, (7.2, 6.4), subplot_kw={"projection": "3d"}), in_3d=[0])
    landscape(axes, data, top, view, POLYGONS)
    name_landscape(axes, data)
    if ax is None:
        add_caption(axes, landscape_caption([data]))
    return axes


THIN = 0.7  # the width of the line around the cells in which the first strategy rolls, whose tint is pale
INK, WON, GREY = "#000000", "#8c8c8c", "#c4c4c4"


@styled
def plot_slice(data: Portrait, at: int, ax: Axes | None = None, named: bool = True) -> Axes:
    """Draw one slice: tinted where the first strategy rolls, with the border of the other strategy as a line.

    Args:
        data: result of `portrait_data`.
        at: the index along the second axis.
        ax: axes to draw on; by default in a new figure.
        named: whether to add a legend.
    """
    count = data.rolls[0].shape[1]
    if not 0 <= at < count:
        raise InputError(f"at = {at} is out of range: there are {count} slices, numbered from 0 on.")
    axes, first = axes_or_new(ax, (7.5, 5.4)), data.decisions[0]
    low, high, begin, _ = first.extent
    extent = low, high, 0, data.rolls[0].shape[2]
    shade = np.where(data.won, 2, data.rolls[0][:, at])
    axes.imshow(shade.T, cmap=ListedColormap(["#ffffff", SKY, WON]), vmin=0, vmax=2, extent=extent, **CELLS)
    if (border := draw_border(axes, data.rolls[0][:, at], extent, THIN)) is not None:
        border.set(color=COLORS[0])
    if len(data.rolls) > 1:
        draw_border(axes, data.rolls[1][:, at], extent)
    holds = [decision.first_hold[:, index].max() for decision in data.decisions for index in data.slices]
    top = data.won.shape[1] if data.won.any() else max(2, 1.2 * int(max(holds)))
    axes.set(title=f"{first.axes[1]} {begin + at}", xlabel=first.axes[0], ylabel="turn total", ylim=(0, top))
    set_whole(axes)
    if named:
        axes.legend(handles=legend_entries(data), title=legend_title(data), loc="upper right")
    return axes


def legend_title(data: Portrait) -> str:
    """Whose decisions a slice shows, if they depend on the seat."""
    return FIRST_IN_ROUND if data.decisions[0].first_in_round else ""


def legend_entries(data: Portrait) -> list[Artist]:
    """The legend entries of a slice."""
    name = shown(data.decisions[0].name, SHORT)
    handles: list[Artist] = [
        Patch(facecolor=color, edgecolor=COLORS[0], lw=THIN, label=f"{name} {does}")
        for color, does in ((SKY, "rolls"), ("w", "holds"))
    ]
    if len(data.decisions) > 1:
        label = f"border of where {shown(data.decisions[1].name, SHORT)} rolls"
        handles.append(Line2D([], [], color=INK, lw=1.8, label=label))
    if data.won.any():
        handles.append(Patch(color=WON, label="the game is won"))
    return handles
