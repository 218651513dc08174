"""What a person can play by: rules to remember, what a number more in them buys, and a page to print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.exact import optimal, win_probability
from pigevo.figures.axes import WIDTH, Given, Panels, add_legend, figure_of, grid_of, line, panels_or_new, styled
from pigevo.figures.decisions import LEADS, decisions_data, drawn_axes
from pigevo.figures.page import A4, EDGE, POINT, new_page, write
from pigevo.figures.portrait import refuse_undrawable
from pigevo.games.game import DIFFERENCE, Axis
from pigevo.strategies import Strategy

PUBLISHED = "published"
"""The front of one rule, which is drawn as a star."""

STAR = "keep pace and end race (2010)"

OBJECTIVES = {
    "difference": "difference to the optimum",
    "exploitability": "exploitability",
}
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
    return {name: _front(sorted(rules, key=lambda one: one.integers)) for name, rules in fronts.items()}


@styled
def plot_fronts(fronts: Mapping[str, Front], ax: Given = None) -> Panels:
    """Draw fronts by the numbers to remember, on a logarithmic scale, a panel for each objective.

    Args:
        fronts: of `fronts_data`; the one of the published rule is a star.
        ax: two panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, len(OBJECTIVES), grid_of(len(OBJECTIVES), 2, (WIDTH / 2, 4.6)))
    lines = [name for name in fronts if name != PUBLISHED]
    for axes, objective in zip(panels, OBJECTIVES, strict=True):
        named = axes is panels[0]
        for number, name in enumerate(lines):
            look = {**line(number), "marker": MARKERS[number % len(MARKERS)], "ms": 7}
            axes.plot(fronts[name].integers, getattr(fronts[name], objective), **look, label=name if named else None)
        if (data := fronts.get(PUBLISHED)) is not None:
            axes.plot(data.integers, getattr(data, objective), "k*", ms=15, label=STAR if named else None)
        _frame(axes, OBJECTIVES[objective])
    add_legend(panels[0], ax is None, loc="outside lower center", ncols=3, frameon=False)
    return panels


def _front(rules: Sequence[Rated]) -> Front:
    integers = np.array([one.integers for one in rules])
    return Front(integers, *(np.array([getattr(one, objective) for one in rules]) for objective in OBJECTIVES))


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
        found: Bools = k < until[own, opponent]
        return found

    made = Strategy.from_function(strategy.game, rolls)
    return float(win_probability(made, optimal(strategy.game).strategy).overall)


TINTS = ("#ffffff", "#fff8ea", "#fff1d6", "#ffeac1", "#ffe3ad", "#ffdc98")
"""Behind numbers, from small to large; pale, so that a copier in black and white leaves the numbers readable."""

GREY = "#c4c4c4"
"""Behind numbers that say to roll to the end."""


@dataclass(frozen=True)
class CardRule:
    """A rule as a row of the card: how many numbers there are to remember, its sentence, formula, and games won."""

    numbers: str
    sentence: str
    formula: str
    wins: str


@dataclass(frozen=True)
class CardText:
    """All words of the page: above the table, above the rules, and the rules, the heads of their columns first."""

    title: str
    reading: tuple[str, ...]
    heading: str
    how: tuple[str, ...]
    rules: tuple[CardRule, ...]
    foot: str


def tints(table: HoldTable) -> Ints:
    """The number of each cell's colour in `TINTS`, or -1 for `GREY`."""
    some = table.holds[~table.to_the_end]
    low, high = (int(some.min()), int(some.max())) if some.size else (0, 0)
    level = (table.holds - low) * len(TINTS) // (high - low + 1)
    return np.where(table.to_the_end, -1, np.clip(level, 0, len(TINTS) - 1))


def cell_text(table: HoldTable, row: int, column: int) -> str:
    """What stands in a cell: a turn total, or a dash where a game without target is rolled on in."""
    return "\u2013" if table.to_the_end[row, column] and not table.race else str(table.holds[row, column])


@styled
def card_page(table: HoldTable, text: CardText) -> Figure:
    """A page of A4: how to read the table, the table, and rules to remember with their formulas.

    Args:
        table: of `hold_table_data`.
        text: the words around it.
    """
    page, wide = new_page(), A4[0] - 2 * EDGE
    top = write(page, EDGE, EDGE, wide, [text.title], 17, weight="bold") + 1
    top = write(page, EDGE, top, wide, text.reading, 9.5) + 2
    foot = A4[1] - EDGE
    page.text(EDGE, foot, text.foot, size=7.5, color="0.35")
    bottom = foot - 5 - (_rules(None, text, 0) if text.rules else 0)
    _table(page, table, top, bottom - top)
    if text.rules:
        _rules(page, text, bottom)
    return figure_of(page)


def _table(page: Axes, table: HoldTable, top: float, high: float) -> None:
    """Draw the table with its numbers, from a height on the page on, no higher than there is room."""
    beside = 14.0
    left, step = EDGE + beside, min((A4[0] - 2 * EDGE - beside) / len(table.columns), 24)
    high_row = min((high - 8) / (len(table.rows) + 1), 9.0)
    size = min(11.0, 0.62 * high_row / POINT, 0.42 * step / POINT)
    look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "size": size}
    across, down = (CARD_AXES.get(name, name) for name in table.axes[::-1])
    page.text(left + step * len(table.columns) / 2, top + 1.5, across, ha="center", va="center", size=9.5)
    begin = top + 4 + high_row
    page.text(EDGE + 1.5, begin + high_row * len(table.rows) / 2, down, ha="center", va="center", size=9.5, rotation=90)
    for column, score in enumerate(table.columns):
        page.text(left + (column + 0.5) * step, begin - high_row / 2, str(score), weight="bold", **look)
    colors = tints(table)
    for row, score in enumerate(table.rows):
        middle = begin + (row + 0.5) * high_row
        page.text(left - 4, middle, str(score), weight="bold", **look)
        for column in range(len(table.columns)):
            level = int(colors[row, column])
            fill = GREY if level < 0 else TINTS[level]
            corner = left + column * step, begin + row * high_row
            page.add_patch(Rectangle(corner, step, high_row, facecolor=fill, edgecolor="0.6", lw=0.4))
            page.text(left + (column + 0.5) * step, middle, cell_text(table, row, column), **look)


CARD_AXES = {"own score": "your score", "opponent's score": "the other player's score", "lead": "your lead"}
"""What the page calls the axes."""

COLUMNS = (("numbers", 19.0, 8.5), ("sentence", 92.0, 8.5), ("formula", 51.0, 7.5), ("wins", 16.0, 8.5))
"""Of the rules on the card: the field, millimetres, and points."""


def _rules(page: Axes | None, text: CardText, top: float) -> float:
    """Write the rules from a height on the page on, or only find out where they end; returns that."""
    wide, begin = A4[0] - 2 * EDGE, top
    top = write(page, EDGE, top, wide, [text.heading], 12, weight="bold") + 0.5
    top = write(page, EDGE, top, wide, text.how, 8.5) + 2
    for number, rule in enumerate(text.rules):
        ends, left = [], EDGE
        for name, width, size in COLUMNS:
            look = {"family": "monospace"} if name == "formula" and number else {}
            weight = {} if number else {"weight": "bold"}
            ends.append(write(page, left, top, width - 2.5, [getattr(rule, name)], size, **look, **weight))
            left += width
        top = max(ends) + 1.6
        if page is not None:
            page.plot([EDGE, EDGE + wide], [top - 1.1] * 2, color="0.7", lw=0.5)
    return top - begin if page is None else top
