"""Tables as text, in the width of a terminal or, elsewhere, as wide as their cells."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

GAP = "  "  # between two columns


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], align: str, width: int | None = None, keys: int = 1,
    indent: str = "  ",
) -> list[str]:  # fmt: skip
    """The lines of a table; `align` has `<` or `>` for each column, and `width` is that of the terminal, or None.

    In a table that is too wide, heads are broken first, and then the sentences of a last column that is aligned to the
    left. If that is not enough, the columns that do not fit follow below in a second table, which repeats the first
    `keys` columns. Other cells are not broken: they are numbers, and names to be copied.
    """
    room = None if width is None else width - len(indent)
    cells = [max(map(len, column)) for column in zip(*rows, strict=True)] or [0] * len(heads)
    widths = list(map(max, cells, map(len, heads)))
    _narrow(widths, list(map(max, cells, map(_longest_word, heads))), room)
    if align[-1] == "<":
        _narrow(widths, [*widths[:-1], max(_longest_word(row[-1]) for row in (heads, *rows))], room)
    fitting = len(heads)
    while fitting > keys + 1 and room is not None and _total(widths[:fitting]) > room:
        fitting -= 1
    lines = _row(list(map(_in_words, heads, widths))[:fitting], align, widths, indent, at_bottom=True)
    for row in rows:
        texts = [*([text] for text in row[:-1]), _in_words(row[-1], widths[-1])]
        lines += _row(texts[:fitting], align, widths, indent)
    if fitting == len(heads):
        return lines
    further = [[*row[:keys], *row[fitting:]] for row in (heads, *rows)]
    return [*lines, "", *table(further[0], further[1:], align[:keys] + align[fitting:], width, keys, indent)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _narrow(widths: list[int], least: Sequence[int], room: int | None) -> None:
    """Narrow the column with most spare width, again and again, until the table fits or no column has any."""
    while room is not None and _total(widths) > room:
        spare = [wide - needed for wide, needed in zip(widths, least, strict=True)]
        if max(spare) == 0:
            return
        widths[spare.index(max(spare))] -= 1


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=1)


def _in_words(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False) or [""]


def _row(
    texts: Sequence[Sequence[str]], align: str, widths: Sequence[int], indent: str, at_bottom: bool = False
) -> list[str]:
    """The lines of a row, with the lines of each of its cells at the top or at the bottom."""
    height = max(map(len, texts))
    columns = []
    for text, side, wide in zip(texts, align, widths, strict=False):
        empty = [""] * (height - len(text))
        columns.append([f"{line:{side}{wide}}" for line in ([*empty, *text] if at_bottom else [*text, *empty])])
    return [(indent + GAP.join(line)).rstrip() for line in zip(*columns, strict=True)]
