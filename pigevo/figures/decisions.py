"""Pictures of a strategy: the turn total at which it first holds for every pair of scores, as a map or a landscape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.text import percent
from pigevo.figures import FIRST_IN_ROUND
from pigevo.figures.axes import (
    AMOUNTS,
    SHORT,
    WIDTH,
    Given,
    Look,
    Panels,
    add_caption,
    color_bar,
    grid_of,
    panels_or_new,
    refuse_empty,
    shown,
    styled,
    whole,
    write_title,
)
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN, SECOND, Axis
from pigevo.strategies import Strategy

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d import Axes3D

LEADS = 60
"""The largest lead, positive or negative, that is drawn; in ten rounds of Pig nine in ten turns begin within it."""

AXES = {OWN: "own score", OPPONENT: "opponent's score", LEFT: "turns left", DIFFERENCE: "lead"}
"""The names of the axes in pictures."""

CELLS: Look = {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}
"""Options for `imshow` to show numbers by cell."""


@dataclass(frozen=True, eq=False)
class DrawnDecisions:
    """The data of a picture of a strategy.

    Args:
        name: the name of the strategy.
        target: points of the game.
        first_hold: the smallest turn total at which the strategy holds or wins, by the two axes that are drawn; in a
            race by own and opponent's score, shape (T, T).
        agrees: the share of the pairs of scores at which the strategy also holds at every larger turn total, so that
            `first_hold` describes it completely.
        axes: the names of the two axes.
        extent: the first and the last value plus one of each of the two axes.
        first_in_round: whether these are the decisions of the player who moves first in each round, and the other
            player's may differ.
    """

    name: str
    target: int
    first_hold: Ints
    agrees: float
    axes: tuple[str, str] = ("own score", "opponent's score")
    extent: tuple[int, int, int, int] = (0, 0, 0, 0)
    first_in_round: bool = False


def decisions_data(strategy: Strategy) -> DrawnDecisions:
    """The turn totals at which a strategy first holds, by both scores, or by the turns left and the lead.

    Other axes have their value at the beginning of the game. If decisions depend on the number of rolls, a strategy
    counts as rolling at a turn total if it rolls there after any number of rolls.
    """
    game = strategy.game
    roll, (x, y) = drawn_rolls(strategy)
    first = np.where(roll.all(axis=2), game.size, roll.argmin(axis=2))
    if game.target:
        first = np.minimum(first, game.size - np.arange(game.target)[:, None])
    simple = ~(roll & (np.arange(game.size) > first[:, :, None])).any(axis=2)
    labels = AXES.get(x.name, x.name), AXES.get(y.name, y.name)
    extent = x.values[0], x.values[-1] + 1, y.values[0], y.values[-1] + 1
    rounds = SECOND in (axis.name for axis in game.between)
    return DrawnDecisions(strategy.name, game.size, first, float(simple.mean()), labels, extent, rounds)


def drawn_axes(game: Game) -> tuple[int, int]:
    """The indices of the two axes over which a strategy is drawn."""
    names = [axis.name for axis in game.between]
    return (names.index(LEFT), names.index(DIFFERENCE)) if DIFFERENCE in names else (len(names) - 2, len(names) - 1)


def drawn_rolls(strategy: Strategy) -> tuple[Bools, tuple[Axis, Axis]]:
    """Where a strategy rolls, by the two axes that are drawn and the turn total, and these two axes."""
    game, drawn = strategy.game, drawn_axes(strategy.game)
    roll = np.asarray(strategy.roll[drawn_index(game)] > 0)
    roll = np.asarray(roll.any(axis=3)) if roll.ndim > 3 else roll
    x, y = (game.between[axis] for axis in drawn)
    return roll, (x, replace(y, values=y.values[drawn_part(game)]))


def drawn_part(game: Game) -> slice:
    """The part of the second axis that is drawn: all scores, but only leads from `-LEADS` to `LEADS`."""
    axis = game.between[drawn_axes(game)[1]]
    if axis.name != DIFFERENCE:
        return slice(None)
    inside = [index for index, lead in enumerate(axis.values) if abs(lead) <= LEADS]
    return slice(inside[0], inside[-1] + 1)


def seen_turns(game: Game, visits: Floats) -> Floats:
    """The expected number of turns that begin at each place, from the visits to each cell, by the two drawn axes."""
    turns: Floats = visits[game.beginning][drawn_index(game)].copy()
    return turns


def drawn_index(game: Game) -> tuple[int | slice, ...]:
    """The index of the drawn part: slices of the two drawn axes, and 0 for other axes that are constant in a turn."""
    x, y = drawn_axes(game)
    drawn = {x: slice(None), y: drawn_part(game)}
    return tuple(drawn.get(axis, 0) for axis in range(len(game.between)))


RARE = 1e-5  # decisions per game below which a place is pale, and a difference white
RARE_OPACITY = 0.2  # the opacity of places with hardly any decisions
HARDLY = f"hardly ever decides there (fewer than 1 decision in {1 / RARE:,.0f} games)"


def show_first_hold(axes: Axes, data: DrawnDecisions, top: int, rare: Bools | None = None) -> AxesImage:
    """Show where a strategy first holds as colours up to a turn total, in a square with labelled axes.

    The colours are pale where `rare` is True.
    """
    axes.set(xlabel=data.axes[0], ylabel=data.axes[1], box_aspect=1)
    set_whole(axes)
    opacity = None if rare is None else np.where(rare.T, RARE_OPACITY, 1.0)
    return axes.imshow(data.first_hold.T, alpha=opacity, cmap=AMOUNTS, vmin=0, vmax=top, extent=data.extent, **CELLS)


def set_whole(axes: Axes) -> None:
    """Mark whole numbers only along both axes: there are no others in scores."""
    axes.xaxis.set_major_locator(whole())
    axes.yaxis.set_major_locator(whole())


def draw_border(
    axes: Axes, inside: Bools, extent: tuple[int, int, int, int], width: float = 1.8
) -> LineCollection | None:
    """Draw the border of some cells along their edges, except on the left and the lower axis."""
    if inside.all() or not inside.any():
        return None
    x, y = np.arange(extent[0], extent[1] + 1), np.arange(extent[2], extent[3] + 1)
    columns, flat = _changes(inside)
    rows, upright = _changes(inside.T)
    inner = upright < len(inside)
    rows, upright = rows[inner], upright[inner]
    lines = np.concatenate([
        np.stack([x[columns], y[flat], x[columns + 1], y[flat]], axis=1),
        np.stack([x[upright], y[rows], x[upright], y[rows + 1]], axis=1),
    ])  # fmt: skip
    border = LineCollection(list(lines.reshape(-1, 2, 2)), colors="k", linewidths=width)
    axes.add_collection(border, autolim=False)
    return border


def _changes(rows: Bools) -> tuple[Ints, Ints]:
    """The row and the position of each change in rows of booleans; beyond the last position all are False."""
    numbers, ends = np.nonzero(np.diff(rows.astype(np.int8), axis=1, append=0))
    return numbers, ends + 1


def highest(target: int) -> int:
    """The turn total with the last colour, in a game to a target."""
    return max(40, target // 2)


def last_color(strategies: Sequence[DrawnDecisions]) -> int:
    """The turn total with the last colour, for maps that share a colour scale."""
    return max(1, min(highest(strategies[0].target), max(int(data.first_hold.max()) for data in strategies)))


FIRST_HOLD = "turn total at which it first holds, or wins"  # the meaning of the colours of maps


@styled
def plot_decisions(strategies: Sequence[DrawnDecisions], ax: Given = None, rare: Bools | None = None) -> Panels:
    """Draw strategies side by side on one colour scale.

    Args:
        strategies: results of `decisions_data`.
        ax: a panel for each; by default in a new figure, with a caption on what the maps do not show.
        rare: where the first strategy hardly ever decides, so that colours are pale there; by default they are nowhere.
    """
    refuse_empty(strategies, "strategy")
    panels = panels_or_new(ax, len(strategies), grid_of(len(strategies), 2, (5 if len(strategies) > 1 else 7, 5)))
    show_maps(panels, strategies, rare=rare)
    if ax is None:
        add_caption(panels[0], maps_caption(strategies, rare is not None))
    return panels


def show_maps(
    panels: Sequence[Axes], strategies: Sequence[DrawnDecisions], top: int | None = None, rare: Bools | None = None
) -> None:
    """Draw a map of each strategy in its panel, with one colour bar up to a turn total, by default the largest.

    The maps are pale where `rare` is True.
    """
    top = last_color(strategies) if top is None else top
    for axes, data in zip(panels, strategies, strict=True):
        image = show_first_hold(axes, data, top, rare)
        write_title(axes, shown(data.name))
    colors = ScalarMappable(image.norm, image.cmap)  # the image's own opacity is that of places, not of colours
    color_bar(colors, panels, FIRST_HOLD, extend="max", ticks=whole())


def maps_caption(strategies: Sequence[DrawnDecisions], pale: bool = False) -> str:
    """Sentences on what maps of first holds do not show, and what is pale if anything is."""
    sentences = [FIRST_IN_ROUND] if strategies[0].first_in_round else []
    scores = "places" if strategies[0].axes[1] == "lead" else "pairs of scores"
    again = [
        (shown(strategy.name, SHORT), percent(1 - strategy.agrees)) for strategy in strategies if strategy.agrees < 1
    ]
    for (name, share), *further in [again] if again else []:
        rest = "".join(f", {strategy} at {its}" for strategy, its in further)
        sentences.append(f"Above its first hold, {name} rolls again at {share} of the {scores}{rest}.")
    sentences += leads_caption(strategies[0])
    if pale:
        sentences.append(f"Pale: {shown(strategies[0].name, SHORT)} {HARDLY}.")
    return " ".join(sentences)


def leads_caption(decisions: DrawnDecisions) -> list[str]:
    """A sentence on the leads that are not drawn, if there are any."""
    return [f"Leads beyond {LEADS} are not drawn."] if decisions.extent[3] == LEADS + 1 else []


VIEWS = ((28.0, -60.0), (22.0, 40.0))
"""Elevation and azimuth in degrees of two views: from behind the own score, and from behind the opponent's score."""


@styled
def plot_surfaces(
    strategies: Sequence[DrawnDecisions], views: Sequence[tuple[float, float]] = VIEWS, ax: Given = None
) -> Panels:
    """Draw landscapes: a row for each view and a column for each strategy; a single strategy has its views in a row.

    Args:
        strategies: results of `decisions_data`.
        views: elevation and azimuth of each view, in degrees.
        ax: panels with three dimensions, all strategies in the first view, then in the next view; by default in a new
            figure, with a caption on what the landscapes do not show.
    """
    refuse_empty(strategies, "strategy")
    refuse_empty(views, "view")
    surfaces = [(data, view, not row) for row, view in enumerate(views) for data in strategies]
    columns = len(strategies) if len(strategies) > 1 else len(views)
    new = grid_of(len(surfaces), columns, (min(7.0, WIDTH / columns), 4.3), subplot_kw={"projection": "3d"})
    panels = panels_or_new(ax, len(surfaces), new, in_3d=range(len(surfaces)))
    for axes, (data, view, is_first) in zip(panels, surfaces, strict=True):
        landscape(axes, data, data.target, view)
        if is_first:
            name_landscape(axes, data)
    if ax is None:
        add_caption(panels[0], landscape_caption(strategies))
    return panels


def landscape_caption(strategies: Sequence[DrawnDecisions]) -> str:
    """Sentences on what landscapes show, and what they do not show."""
    return f"Height: {FIRST_HOLD}. {maps_caption(strategies)}".strip()


def name_landscape(axes: Axes3D, data: DrawnDecisions) -> None:
    """Write the name of a strategy close above its landscape."""
    write_title(axes, shown(data.name), y=0.96)


def landscape(axes: Axes3D, data: DrawnDecisions, top: int, view: tuple[float, float], most: int | None = None) -> None:
    """Draw one landscape up to the turn total `top`, from a view, with at most `most` polygons along an edge."""
    low, high, begin, end = data.extent
    x, y = np.meshgrid(np.arange(low, high), np.arange(begin, end), indexing="ij")
    rows, columns = (min(most or size, size) for size in x.shape)
    axes.plot_surface(
        x, y, data.first_hold, cmap=AMOUNTS, lw=0, rcount=rows, ccount=columns, vmin=0, vmax=top, antialiased=False
    )
    axes.view_init(*view)
    axes.set(xlabel=data.axes[0], ylabel=data.axes[1], zlabel="first holds at", zlim=(0, top))
    axes.set_box_aspect(None, zoom=0.85)  # room for the labels
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.labelpad = 8
        axis.set_major_locator(MaxNLocator(5, integer=True))  # more labels would overlap
