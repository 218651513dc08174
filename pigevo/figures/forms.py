"""The form on which games are written down by hand, as a page of A4."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.figures.axes import figure_of, styled
from pigevo.figures.page import A4, EDGE, new_page, write
from pigevo.people.forms import CHOICES, LINE, SIDES, TURNS, TrackerForm

WIDE = A4[0] - 2 * EDGE
BETWEEN = 6.0
"""Millimetres between the two players."""

BESIDE = 27.0
"""Millimetres from a name to what is written beside it."""

HALF = (WIDE - BETWEEN) / 2
LINE_WIDTHS = dict(zip(LINE, (9.0, 40.0, 11.0, 14.0, 15.0), strict=True))
EXAMPLE_WIDTHS = (12.0, 17.0, 10.0, 23.0, 23.0, 23.0, 11.0, 22.0, 12.0, 17.0, 14.0)
"""Millimetres of the columns."""

INK, PALE = "0.45", "0.92"


@styled
def form_page(form: TrackerForm) -> Figure:
    """A page of A4: what to do, a line that is filled in, and lines for both players.

    Args:
        form: of `pigevo.people.tracker_form`.
    """
    page = new_page()
    top = write(page, EDGE, EDGE, WIDE, [form.title], 15, weight="bold") + 1
    top = write(page, EDGE, top, WIDE, form.how, 8.5) + 1
    _row(page, EDGE, top, 5, EXAMPLE_WIDTHS, list(form.example), 8.5, PALE)
    _row(page, EDGE, top + 5, 6, EXAMPLE_WIDTHS, list(form.example.values()), 9.5)
    top = write(page, EDGE, top + 12.5, WIDE, [form.questions], 8.5) + 3
    page.text(EDGE, top + 4, "game", size=10, weight="bold", va="baseline")
    page.plot([EDGE + BESIDE, EDGE + HALF], [top + 4.5] * 2, color=INK, lw=0.8)
    for side in range(len(SIDES)):
        _player(page, EDGE + side * (HALF + BETWEEN), top + 7.5, side)
    page.text(EDGE, A4[1] - EDGE, form.foot, size=7.5, color="0.35")
    return figure_of(page)


def _player(page: Axes, left: float, top: float, side: int) -> None:
    """The name, the seat, the answers and the lines of a player."""
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
    _row(page, left, top, 5, widths, LINE, 8.5, PALE)
    high = (A4[1] - EDGE - 4 - top - 5) / TURNS
    for turn in range(TURNS):
        _row(page, left, top + 5 + turn * high, high, widths, [str(turn + 1)] + [""] * (len(LINE) - 1), 9)


def _row(
    page: Axes, left: float, top: float, high: float, widths: Sequence[float], cells: Sequence[str], size: float,
    fill: str = "w",
) -> None:  # fmt: skip
    """A row of a table: boxes with text in their middle, bold where they are filled."""
    weight = "normal" if fill == "w" else "bold"
    for width, cell in zip(widths, cells, strict=True):
        corners = [left, left + width, left + width, left], [top, top, top + high, top + high]
        page.fill(*corners, facecolor=fill, edgecolor=INK, lw=0.6)
        page.text(left + width / 2, top + high / 2, cell, size=size, ha="center", va="center_baseline", weight=weight)
        left += width
