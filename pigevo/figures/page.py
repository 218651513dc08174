"""A page of A4 to print: text on lines of a width, in millimetres from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from pigevo.figures.axes import NotebookFigure

A4 = (210.0, 297.0)
"""Width and height of the page in millimetres."""

EDGE = 13.0
"""Millimetres of the page that stay empty on each side."""

POINT = 25.4 / 72
"""Millimetres."""


def new_page() -> Axes:
    """An empty page: axes in millimetres that fill a figure."""
    page = NotebookFigure(figsize=(A4[0] / 25.4, A4[1] / 25.4), facecolor="w").add_axes((0, 0, 1, 1))
    page.set(xlim=(0, A4[0]), ylim=(A4[1], 0))
    page.set_axis_off()
    return page


def write(
    page: Axes | None, left: float, top: float, wide: float, said: Iterable[str], size: float, **look: str
) -> float:
    """Write paragraphs from a point on, on lines of a width in millimetres; returns where they end."""
    font = FontProperties(size=size, **look)  # type: ignore[arg-type]
    for text in (text for paragraph in said for text in wrapped(paragraph, wide, font)):
        if page is not None:
            page.text(left, top, text, va="top", fontproperties=font)
        top += 1.28 * size * POINT
    return top


def wrapped(text: str, wide: float, font: FontProperties) -> list[str]:
    """A text on lines of at most so many millimetres; a word that is wider has a line of its own."""

    def width(line: str) -> float:
        found = text_to_path.get_text_width_height_descent(line, font, ismath=False)[0]
        return 1.04 * float(found) * POINT  # letters are drawn a little wider than measured

    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}") <= wide:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
