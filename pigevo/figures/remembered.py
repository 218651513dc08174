"""What a person can play by: rules to remember, what a number more in them buys, and the table of a strategy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.exact import optimal, win_probability
from pigevo.figures.axes import WIDTH, Given, Panels, add_legend, grid_of, line, panels_or_new, styled
from pigevo.figures.decisions import LEADS, decisions_data, drawn_axes
from pigevo.figures.portrait import refuse_undrawable
from pigevo.games.game import DIFFERENCE, Axis
from pigevo.strategies import Strategy

PUBLISHED = "published"
"""The front of one rule, which is drawn as a star."""

STAR = "keep pace and end race (2010)"

OBJECTIVES = {"difference": "difference to the optimum", "exploitability": "exploitability"}
"""What is to be small: the record's attribute, and what it is."""

MARKERS = "osD^vP"

TICKS = [digit * 10.0**power for power in (-4, -3, -2, -1) for digit in (1, 2, 3, 5)]


class Rated(Protocol):
    """A rule with its figures, such as `pigevo.studies.remembered.Remembered`."""

    @property
    def integers(self) -> int:
        """How many numbers one must remember."""

    @property
    def difference(self) -> float:
        """How much more often the optimum wins, moving first."""

    @property
    def exploitability(self) -> float:
        """What the best response wins, less a half."""


@dataclass(frozen=True, eq=False)
class Front:
    """Rules of a front, in the order of their numbers.

    Args:
        integers: numbers to remember, shape (n,).
        difference, exploitability: of each rule, shape (n,).
    """

    integers: Ints
    difference: Floats
    exploitability: Floats


def fronts_data(fronts: Mapping[str, Iterable[Rated]]) -> dict[str, Front]:
    """The numbers of fronts.

    Args:
        fronts: rules with their figures, by the name of their front.
    """
    ordered = {name: sorted(rules, key=lambda one: one.integers) for name, rules in fronts.items()}
    return {
        name: Front(*(np.array([getattr(one, column) for one in rules]) for column in ("integers", *OBJECTIVES)))
        for name, rules in ordered.items()
    }


@styled
def plot_fronts(fronts: Mapping[str, Front], ax: Given = None) -> Panels:
    """Draw fronts by the numbers to remember, on a logarithmic scale, a panel for each objective.

    Args:
        fronts: result of `fronts_data`; the one of the published rule is a star.
        ax: two panels; by default in a new figure.
    """
    panels = panels_or_new(ax, len(OBJECTIVES), grid_of(len(OBJECTIVES), 2, (WIDTH / 2, 4.6)))
    lines = [name for name in fronts if name != PUBLISHED]
    for axes, objective in zip(panels, OBJECTIVES, strict=True):
        is_first = axes is panels[0]
        for number, name in enumerate(lines):
            look = {**line(number), "marker": MARKERS[number % len(MARKERS)], "ms": 7}
            axes.plot(fronts[name].integers, getattr(fronts[name], objective), **look, label=name if is_first else None)
        if (data := fronts.get(PUBLISHED)) is not None:
            axes.plot(data.integers, getattr(data, objective), "k*", ms=15, label=STAR if is_first else None)
        _frame(axes, OBJECTIVES[objective])
    add_legend(panels[0], ax is None, loc="outside lower center", ncols=3, frameon=False)
    return panels


def _frame(axes: Axes, up: str) -> None:
    axes.set(yscale="log", xlabel="numbers to remember", ylabel=up)
    axes.xaxis.set_major_locator(FixedLocator(range(10)))
    axes.yaxis.set_major_locator(FixedLocator(TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(color="0.9")


@dataclass(frozen=True, eq=False)
class HoldTable:
    """Where a strategy holds, at as many scores as a page has room for.

    Args:
        axes: what rows and columns are: `own score` and `opponent's score` in a race.
        rows, columns: the scores that have a row and a column.
        holds: the turn total at which it first holds, or wins, shape (rows, columns).
        to_the_end: where it holds at no turn total before the game is won, or before the largest that there is.
        race: whether there is a target, so that rolling to the end wins.
        played: what a player wins against the optimum, exactly, who takes the nearest printed scores and rolls as the
            table says; None in a game whose turns depend on more than two scores.
    """

    axes: tuple[str, str]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    holds: Ints
    to_the_end: Bools
    race: bool
    played: float | None


def hold_table_data(strategy: Strategy, most: int = 25) -> HoldTable:
    """The hold table of a strategy.

    Args:
        strategy: whose.
        most: rows and columns, at most. With more scores than that each second, fifth, tenth, ... is taken.

    Raises:
        InputError: a strategy whose decisions two scores and the turn total do not tell.

    Example:
        >>> import pigevo
        >>> table = hold_table_data(pigevo.hold_at(pigevo.Pig(target=30), 20), most=4)
        >>> table.rows
        (0, 10, 20)
        >>> table.holds[:, 0].tolist()
        [20, 20, 10]
    """
    refuse_undrawable(strategy)
    game, data = strategy.game, decisions_data(strategy)
    x, y = (game.between[number] for number in drawn_axes(game))
    rows, columns = (_printed(axis, min(round(0.3 * game.size), LEADS), most) for axis in (x, y))
    left, _, low, _ = data.extent
    holds = data.first_hold[np.ix_(np.array(rows) - left, np.array(columns) - low)]
    race = bool(game.target)
    short = np.maximum(game.size - np.array(rows) * race, 1)[:, None]
    table = HoldTable(data.axes, rows, columns, holds, holds >= short, race, None)
    plain = race and not game.reply and len(game.axes) == 3
    return replace(table, played=_played(table, strategy)) if plain else table


def _printed(axis: Axis, lead: int, most: int) -> tuple[int, ...]:
    """The places on an axis that are printed."""
    values = [value for value in axis.values if axis.name != DIFFERENCE or abs(value) <= lead]
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    every = ([value for value in values if value % step == 0] for step in steps)
    return tuple(next(some for some in every if len(some) <= most))


def _played(table: HoldTable, strategy: Strategy) -> float:
    """What playing by the table wins against the optimum; of two scores that are as near the higher one is taken."""
    until = np.where(table.to_the_end, strategy.game.size, table.holds)
    middles = [(np.array(places[1:]) + places[:-1]) / 2 for places in (table.rows, table.columns)]

    def rolls(i: Ints, j: Ints, k: Ints) -> Bools:
        own, opponent = (
            np.searchsorted(between, score, "right") for between, score in zip(middles, (i, j), strict=True)
        )
        decisions: Bools = k < until[own, opponent]
        return decisions

    made = Strategy.from_function(strategy.game, rolls)
    return float(win_probability(made, optimal(strategy.game).strategy).overall)
