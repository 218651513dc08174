"""Tables in Markdown, and how figures are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table.

    Args:
        head: of its columns.
        rows: a cell for each column.
    """
    return "\n".join([_line(head), "|---" * len(head) + "|", *map(_line, rows), ""])


def interval(middle: float, low: float | None, high: float | None, form: str = ".4f") -> str:
    """A figure with its interval or band, if it has one."""
    return f"{middle:{form}}" + ("" if low is None else f" ({low:{form}} to {high:{form}})")


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
