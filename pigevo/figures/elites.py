"""A map of elites: the win probability of the best strategy in each cell of two behaviours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pigevo.core.arrays import Bools, Floats
from pigevo.errors import InputError
from pigevo.evolution.selection.map_elites import BEHAVIOURS, MapElites, behaviours_of
from pigevo.exact import optimal
from pigevo.figures import OUTCOME_PICTURES
from pigevo.figures.axes import COLORS, ODDS, WIDTH, add_caption, axes_or_new, color_bar, styled
from pigevo.games import Game
from pigevo.strategies import CubeGrid, EliteMap

LABELS = {
    "mean_hold": "mean hold value at level scores",
    "hold_ahead": "mean hold value when ahead",
    "hold_behind": "mean hold value when behind",
    "visited_hold": "mean hold value where the optimum plays",
    "visited_slope": "change per point of deficit where the optimum plays",
    "deficit_slope": "change of the hold value for each point of deficit",
}
"""The labels of axes, by behaviour."""

NEAR = 0.01  # a strategy is near the optimum if its win probability is lower by at most this


@dataclass(frozen=True, eq=False)
class ElitesData:
    """A map of elites in numbers.

    Args:
        axes: the labels of the two axes.
        edges: the beginnings of the cells along each axis, and the end of the last cell.
        wins: the win probability of the elite of each cell against the optimum; NaN in an empty cell.
        best: the cell of the best elite.
        optimum: the behaviours of the optimal strategy; NaN if one of them is a user's function.
        ceiling: the win probability of the optimum against itself.
    """

    axes: tuple[str, str]
    edges: tuple[Floats, Floats]
    wins: Floats
    best: tuple[int, int]
    optimum: Floats
    ceiling: float

    @property
    def near(self) -> Bools:
        """The cells whose elite wins at most `NEAR` less than the optimum."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.wins >= self.ceiling - NEAR)


def elites_data(elites: EliteMap) -> ElitesData:
    """The data of a run's map, `run.elite_map`."""
    edges = elites.edges(0), elites.edges(1)
    return _data(elites.grid.game, elites.behaviours, edges, elites.table)


def landscape_data(game: Game, chosen: MapElites, wins: Floats) -> ElitesData:
    """The data of a table of win probabilities by cells, for example of several runs together; NaN in empty cells."""
    x, y = (np.linspace(*span, count + 1) for span, count in zip(chosen.spans(game), chosen.cells, strict=True))
    return _data(game, [*map(str, chosen.behaviours)], (x, y), wins)


def _data(game: Game, behaviours: Sequence[str], edges: tuple[Floats, Floats], wins: Floats) -> ElitesData:
    if np.isnan(wins).all():
        raise InputError("there is nothing to draw: no cell of the map has a strategy.")
    best, single = optimal(game), CubeGrid(game, 1)
    cell = np.unravel_index(int(np.nanargmax(wins)), wins.shape)
    x, y = (LABELS.get(name, name.rpartition(":")[2]) for name in behaviours)
    known = all(name in BEHAVIOURS for name in behaviours)
    optimum = (
        behaviours_of(behaviours, single, single.from_strategies([best.strategy]))[0] if known else np.full(2, np.nan)
    )
    return ElitesData((x, y), edges, wins, (int(cell[0]), int(cell[1])), optimum, best.overall)


CAPTION = (
    f"The best strategy of each cell. Dots: within {NEAR:g} of the optimum. Star: the best of all. "
    "Ring: the place of the optimum itself, or the nearest on the map. White: no strategy was found."
)


@OUTCOME_PICTURES.register(name="elites")
def archive_picture(arrays: Mapping[str, np.ndarray]) -> Axes:
    """The picture of a run's map, from its arrays."""
    return plot_elites(elites_data(EliteMap.of(arrays)))


@styled
def plot_elites(data: ElitesData, ax: Axes | None = None) -> Axes:
    """Draw the map as colours; cells without an elite are white.

    Args:
        data: result of `elites_data`.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (0.8 * WIDTH, 0.58 * WIDTH))
    x, y = data.edges
    table = np.ma.masked_invalid(data.wins.T)
    image = axes.pcolormesh(x, y, table, cmap=ODDS, vmin=0, vmax=data.ceiling)
    middle = [(edge[1:] + edge[:-1]) / 2 for edge in data.edges]
    near = np.argwhere(data.near)
    axes.plot(middle[0][near[:, 0]], middle[1][near[:, 1]], ".", ms=4, color=COLORS[4], label=f"within {NEAR:g}")
    star = middle[0][data.best[0]], middle[1][data.best[1]]
    axes.plot(*star, "*", ms=15, mfc="w", mec=COLORS[4], mew=1.2, label="the best elite")
    inside = [np.clip(at, edge[0], edge[-1]) for at, edge in zip(data.optimum, data.edges, strict=True)]
    axes.plot(*inside, "o", ms=12, clip_on=False, mfc="none", mec=COLORS[2], mew=2.2, label="the optimum")
    axes.set(xlabel=data.axes[0], ylabel=data.axes[1], xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    color_bar(image, axes, "win probability against the optimum")
    if ax is None:
        add_caption(axes, CAPTION)
    return axes
