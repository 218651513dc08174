"""What faces are made of: tables, sentences and a picture, with every text escaped."""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pigevo.core.text import visible
from pigevo.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 72
"""Dots per inch of a picture: enough beside a table."""

MOST_ROWS = 20
"""Rows of a table; of more only their number is told."""

NARROW, WIDE = "26em", "36em"
"""How wide a picture is shown, where there is room."""

_BESIDE = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
_REST = "flex:1 1 24em;min-width:0;overflow-x:auto"


def card(title: str, *parts: str, picture: Figure | None = None, width: str = NARROW) -> dict[str, str]:
    """A face: a picture beside a title and what follows it.

    Args:
        title: the first line, as plain text.
        parts: HTML of `paragraph` and `table`.
        picture: what is drawn.
        width: of the picture, as CSS.

    Returns:
        What `pigevo.web.notebook.face` does.
    """
    said = f"<strong>{text(title)}</strong>{''.join(parts)}"
    image = None if picture is None else _png(picture)
    if image is None:
        return {"text/html": f'<div class="pigevo">{said}</div>'}
    source = f"data:image/png;base64,{image}"
    shown = f'<img alt="{text(title)}" src="{source}" style="width:{width};max-width:100%;height:auto">'
    beside = f'<div style="{_REST}">{said}</div>'
    return {"text/html": f'<div class="pigevo" style="{_BESIDE}">{shown}{beside}</div>', "image/png": image}


def paragraph(*sentences: str) -> str:
    """Sentences of plain text; empty ones are left out, and nothing of nothing."""
    said = " ".join(sentence for sentence in sentences if sentence)
    return f"<p>{text(said).replace(' %', '&nbsp;%')}</p>" if said else ""


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], rest: str = "") -> str:
    """A table with its first column as the names of the rows.

    Args:
        head: the names of the columns.
        rows: the cells, as plain text, row by row; of more than `MOST_ROWS` the first.
        rest: where all rows are found, for the line that tells how many are not shown.
    """
    made = list(rows)
    lines = [_row("th", head)] if any(head) else []
    lines += [_row("td", row) for row in made[:MOST_ROWS]]
    left = len(made) - MOST_ROWS
    more = paragraph(f"and {left:,} more{f': {rest}' if rest else ''}") if left > 0 else ""
    return f'<table style="white-space:nowrap">{"".join(lines)}</table>{more}'


def text(said: Any) -> str:
    """Anything as text of HTML, in quotes too; what cannot be seen is written out."""
    return html.escape(visible(str(said)))


def _row(kind: str, cells: Sequence[Any]) -> str:
    first, *others = cells
    made = [f'<th style="text-align:left">{text(first)}</th>', *(f"<{kind}>{text(cell)}</{kind}>" for cell in others)]
    return f"<tr>{''.join(made)}</tr>"


def _png(figure: Figure) -> str | None:
    """A figure as PNG in base 64; None where the user's own settings of matplotlib let nothing be drawn."""
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of letters that the font lacks
        try:
            figure.savefig(content, format="png", dpi=DPI)
        except RuntimeError:  # as with `text.usetex` in a `matplotlibrc`, and no LaTeX
            return None
    return base64.b64encode(content.getvalue()).decode()


def drawn(draw: Any, *arguments: Any) -> tuple[Figure | None, str]:
    """What a function draws; or None, and why no picture of this tells the truth."""
    try:
        return draw(*arguments), ""
    except InputError as error:
        return None, f"No picture: {error}"
