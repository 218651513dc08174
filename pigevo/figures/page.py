"""A4 pages to print, in millimetres from the upper left corner: a card of hold values, and a form for games by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import text_to_path

from pigevo.core.arrays import Bools, Ints
from pigevo.exact import optimal, win_probability
from pigevo.figures.axes import Look, NotebookFigure, figure_of, styled
from pigevo.figures.decisions import LEADS, decisions_data, drawn_axes
from pigevo.figures.portrait import refuse_undrawable
from pigevo.games.game import DIFFERENCE, Axis
from pigevo.people.record_files import CHOICES, LINE, SIDES, TURNS, TrackerForm
from pigevo.strategies import Strategy
from pigevo.strategies.strategy import of_rule

A4 = (210.0, 297.0)  # width and height of the page in millimetres
MARGIN = 13.0  # the empty margin on each side of the page in millimetres
INNER_WIDTH = A4[0] - 2 * MARGIN  # the width between the margins in millimetres
POINT = 25.4 / 72  # a typographic point in millimetres


def new_page() -> Axes:
    """An empty page: axes in millimetres that fill a figure."""
    page = NotebookFigure(figsize=(A4[0] / 25.4, A4[1] / 25.4), facecolor="w").add_axes((0, 0, 1, 1))
    page.set(xlim=(0, A4[0]), ylim=(A4[1], 0))
    page.set_axis_off()
    return page


def write(
    page: Axes | None, left: float, top: float, width: float, paragraphs: Iterable[str], size: float, **look: str
) -> float:
    """Write paragraphs from a point on, in lines of a width in millimetres; returns the height at which they end."""
    font = FontProperties(size=size, **look)  # type: ignore[arg-type]
    for text in (text for paragraph in paragraphs for text in wrapped(paragraph, width, font)):
        if page is not None:
            page.text(left, top, text, va="top", fontproperties=font)
        top += 1.28 * size * POINT
    return top


def wrapped(text: str, width: float, font: FontProperties) -> list[str]:
    """A text in lines of at most `width` millimetres; a wider word has a line to itself."""

    def width_of(line: str) -> float:
        points = text_to_path.get_text_width_height_descent(line, font, ismath=False)[0]
        return 1.04 * float(points) * POINT  # letters are drawn a little wider than measured

    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@dataclass(frozen=True, eq=False)
class HoldTable:
    """The turn totals at which a strategy holds, for as many scores as a page has room for.

    Args:
        axes: the names of rows and columns: `own score` and `opponent's score` in a race.
        rows, columns: the scores that have a row or a column.
        holds: the turn total at which the strategy first holds or wins, shape (rows, columns).
        to_the_end: where the strategy does not hold before the game is won, or before the largest turn total.
        race: whether there is a target, so that rolling to the end wins.
        played: the exact win probability against the optimum of a player who uses the table at the nearest printed
            scores; None in a game whose turns depend on more than two scores.
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
        strategy: the strategy.
        most: the largest number of rows and of columns. With more scores, only every second, fifth, tenth, ... score
            is taken.

    Raises:
        InputError: The strategy's decisions do not depend on two scores and the turn total alone.

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
    rows, columns = (_printed_values(axis, min(round(0.3 * game.size), LEADS), most) for axis in (x, y))
    left, _, low, _ = data.extent
    holds = data.first_hold[np.ix_(np.array(rows) - left, np.array(columns) - low)]
    race = bool(game.target)
    end = game.target if game.must_hold else game.size
    short = np.maximum(end - np.array(rows) * race, 1)[:, None]
    table = HoldTable(data.axes, rows, columns, holds, holds >= short, race, None)
    plain = race and not game.reply and len(game.axes) == 3
    return replace(table, played=_played(table, strategy)) if plain else table


def _printed_values(axis: Axis, lead: int, most: int) -> tuple[int, ...]:
    values = [value for value in axis.values if axis.name != DIFFERENCE or abs(value) <= lead]
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    every = ([value for value in values if value % step == 0] for step in steps)
    return tuple(next(multiples for multiples in every if len(multiples) <= most))


def _played(table: HoldTable, strategy: Strategy) -> float:
    """The win probability of play by the table against the optimum; of two equally near scores the higher is used."""
    until = np.where(table.to_the_end, strategy.game.size, table.holds)
    middles = [(np.array(scores[1:]) + scores[:-1]) / 2 for scores in (table.rows, table.columns)]

    def rolls(i: Ints, j: Ints, k: Ints) -> Bools:
        own, opponent = (
            np.searchsorted(between, score, "right") for between, score in zip(middles, (i, j), strict=True)
        )
        decisions: Bools = (k < until[own, opponent]) & (i + k < strategy.game.target)
        return decisions

    by_table = of_rule(strategy.game, rolls)
    return float(win_probability(by_table, optimal(strategy.game).strategy).overall)


TINTS = ("#ffffff", "#fff8ea", "#fff1d6", "#ffeac1", "#ffe3ad", "#ffdc98")
"""Backgrounds of numbers, from small to large; pale, so that numbers are readable in a black-and-white copy."""

GREY = "#c4c4c4"
"""Background of numbers that mean to roll to the end."""


@dataclass(frozen=True)
class CardRule:
    """A rule as a row of the card: the number of integers to remember, its sentence, formula, and share of wins."""

    numbers: str
    sentence: str
    formula: str
    wins: str


@dataclass(frozen=True)
class CardText:
    """All texts of the page: above the table, above the rules, and the rules, with the column heads as first rule."""

    title: str
    reading: tuple[str, ...]
    heading: str
    how: tuple[str, ...]
    rules: tuple[CardRule, ...]
    foot: str


def tints(table: HoldTable) -> Ints:
    """The number of each cell's colour in `TINTS`, or -1 for `GREY`."""
    numbers = table.holds[~table.to_the_end]
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    level = (table.holds - low) * len(TINTS) // (high - low + 1)
    return np.where(table.to_the_end, -1, np.clip(level, 0, len(TINTS) - 1))


def cell_text(table: HoldTable, row: int, column: int) -> str:
    """The text of a cell: a turn total, or a dash if a player of a game without target rolls on to the end."""
    return "\u2013" if table.to_the_end[row, column] and not table.race else str(table.holds[row, column])


@styled
def card_page(table: HoldTable, text: CardText) -> Figure:
    """An A4 page: how to read the table, the table, and rules to remember with their formulas.

    Args:
        table: result of `hold_table_data`.
        text: the texts around the table.
    """
    page = new_page()
    top = write(page, MARGIN, MARGIN, INNER_WIDTH, [text.title], 17, weight="bold") + 1
    top = write(page, MARGIN, top, INNER_WIDTH, text.reading, 9.5) + 2
    foot = A4[1] - MARGIN
    page.text(MARGIN, foot, text.foot, size=7.5, color="0.35")
    bottom = foot - 5 - (_rules(None, text, 0) if text.rules else 0)
    _table(page, table, top, bottom - top)
    if text.rules:
        _rules(page, text, bottom)
    return figure_of(page)


def _table(page: Axes, table: HoldTable, top: float, height: float) -> None:
    beside = 14.0
    left, step = MARGIN + beside, min((INNER_WIDTH - beside) / len(table.columns), 24)
    row_height = min((height - 8) / (len(table.rows) + 1), 9.0)
    size = min(11.0, 0.62 * row_height / POINT, 0.42 * step / POINT)
    look: Look = {"ha": "center", "va": "center_baseline", "size": size}
    across, down = (CARD_AXES.get(name, name) for name in table.axes[::-1])
    page.text(left + step * len(table.columns) / 2, top + 1.5, across, ha="center", va="center", size=9.5)
    begin = top + 4 + row_height
    page.text(
        MARGIN + 1.5, begin + row_height * len(table.rows) / 2, down, ha="center", va="center", size=9.5, rotation=90
    )
    for column, score in enumerate(table.columns):
        page.text(left + (column + 0.5) * step, begin - row_height / 2, str(score), weight="bold", **look)
    colors = tints(table)
    for row, score in enumerate(table.rows):
        middle = begin + (row + 0.5) * row_height
        page.text(left - 4, middle, str(score), weight="bold", **look)
        for column in range(len(table.columns)):
            level = int(colors[row, column])
            fill = GREY if level < 0 else TINTS[level]
            corner = left + column * step, begin + row * row_height
            page.add_patch(Rectangle(corner, step, row_height, facecolor=fill, edgecolor="0.6", lw=0.4))
            page.text(left + (column + 0.5) * step, middle, cell_text(table, row, column), **look)


CARD_AXES = {"own score": "your score", "opponent's score": "the other player's score", "lead": "your lead"}
"""The names of the axes on the page."""

COLUMNS = (("numbers", 19.0, 8.5), ("sentence", 92.0, 8.5), ("formula", 51.0, 7.5), ("wins", 16.0, 8.5))
"""The columns of the rules on the card: field, width in millimetres, and size of the text in points."""


def _rules(page: Axes | None, text: CardText, top: float) -> float:
    """Write the rules below a height on the page and return where they end; without a page only return their height."""
    begin = top
    top = write(page, MARGIN, top, INNER_WIDTH, [text.heading], 12, weight="bold") + 0.5
    top = write(page, MARGIN, top, INNER_WIDTH, text.how, 8.5) + 2
    for number, rule in enumerate(text.rules):
        ends, left = [], MARGIN
        for name, width, size in COLUMNS:
            look = {"family": "monospace"} if name == "formula" and number else {}
            weight = {} if number else {"weight": "bold"}
            ends.append(write(page, left, top, width - 2.5, [getattr(rule, name)], size, **look, **weight))
            left += width
        top = max(ends) + 1.6
        if page is not None:
            page.plot([MARGIN, MARGIN + INNER_WIDTH], [top - 1.1] * 2, color="0.7", lw=0.5)
    return top - begin if page is None else top


BETWEEN = 6.0  # distance between the parts of the two players in millimetres
BESIDE = 27.0  # distance in millimetres from the start of a label to the text beside it

HALF = (INNER_WIDTH - BETWEEN) / 2
LINE_WIDTHS = dict(zip(LINE, (9.0, 40.0, 11.0, 14.0, 15.0), strict=True))
EXAMPLE_WIDTHS = (12.0, 17.0, 10.0, 23.0, 23.0, 23.0, 11.0, 22.0, 12.0, 17.0, 14.0)
"""Widths of the columns in millimetres."""

INK, HEAD = "0.45", "0.92"
"""The greys of lines, and of the background of column heads."""


@styled
def form_page(form: TrackerForm) -> Figure:
    """An A4 page: instructions, an example of a completed line, and lines for both players.

    Args:
        form: result of `pigevo.people.tracker_form`.
    """
    page = new_page()
    top = write(page, MARGIN, MARGIN, INNER_WIDTH, [form.title], 15, weight="bold") + 1
    top = write(page, MARGIN, top, INNER_WIDTH, form.how, 8.5) + 1
    _row(page, MARGIN, top, 5, EXAMPLE_WIDTHS, list(form.example), 8.5, HEAD)
    _row(page, MARGIN, top + 5, 6, EXAMPLE_WIDTHS, list(form.example.values()), 9.5)
    top = write(page, MARGIN, top + 12.5, INNER_WIDTH, [form.questions], 8.5) + 3
    page.text(MARGIN, top + 4, "game", size=10, weight="bold", va="baseline")
    page.plot([MARGIN + BESIDE, MARGIN + HALF], [top + 4.5] * 2, color=INK, lw=0.8)
    for side in range(len(SIDES)):
        _player(page, MARGIN + side * (HALF + BETWEEN), top + 7.5, side)
    page.text(MARGIN, A4[1] - MARGIN, form.foot, size=7.5, color="0.35")
    return figure_of(page)


def _player(page: Axes, left: float, top: float, side: int) -> None:
    """Draw the fields for name, seat and answers and the lines of a player."""
    page.text(left, top + 4, "player", size=10, weight="bold", va="baseline")
    page.plot([left + BESIDE, left + HALF], [top + 4.5] * 2, color=INK, lw=0.8)
    top += 6.5
    for name, choices in {"seat": SIDES[side : side + 1], **CHOICES}.items():
        page.text(left, top + 4, name, size=9, weight="bold", va="baseline")
        for number, choice in enumerate(choices):
            page.text(left + BESIDE + 20 * number, top + 4, choice, size=9, va="baseline")
        top += 5.5
    top += 1.5
    widths = list(LINE_WIDTHS.values())
    _row(page, left, top, 5, widths, LINE, 8.5, HEAD)
    height = (A4[1] - MARGIN - 4 - top - 5) / TURNS
    for turn in range(TURNS):
        _row(page, left, top + 5 + turn * height, height, widths, [str(turn + 1)] + [""] * (len(LINE) - 1), 9)


def _row(
    page: Axes, left: float, top: float, height: float, widths: Sequence[float], cells: Sequence[str], size: float,
    fill: str = "w",
) -> None:  # fmt: skip
    """Draw a row of a table: boxes with centred text, which is bold in coloured boxes."""
    weight = "normal" if fill == "w" else "bold"
    for width, cell in zip(widths, cells, strict=True):
        corners = [left, left + width, left + width, left], [top, top, top + height, top + height]
        page.fill(*corners, facecolor=fill, edgecolor=INK, lw=0.6)
        page.text(left + width / 2, top + height / 2, cell, size=size, ha="center", va="center_baseline", weight=weight)
        left += width
