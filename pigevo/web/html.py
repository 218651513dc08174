"""HTML that cannot be wrong: whatever is not `Html` already is a text, and is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pigevo.telling import visible

VOID = ("br", "hr", "img", "input", "meta")
"""Elements without content."""


class Html(str):
    """Text that is HTML: made here, and never by a user."""

    __slots__ = ()


Part = str | Html | Iterable["Part"]
"""What an element holds: texts, elements, and several of them; `Html` is a text that stays as it is."""


def join(parts: Part) -> Html:
    """Parts one after the other; a text is escaped, and what cannot be seen in it is written out."""
    if isinstance(parts, Html):
        return parts
    if isinstance(parts, str):
        return Html(escape(visible(parts)))
    return Html("".join(join(part) for part in parts))


def tag(name: str, /, *parts: Part, **attributes: str | int | bool | None) -> Html:
    """An element.

    Args:
        name: the element's.
        *parts: what it holds.
        **attributes: by name; `class_` and `for_` without the line, `_` for `-`. True is an attribute without a
            value, False and None are none.
    """
    shown = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Html(f"<{name}{shown}>")
    return Html(f"<{name}{shown}>{join(parts)}</{name}>")


def table(heads: Sequence[Part], rows: Iterable[Sequence[Part]], caption: Part = "", words: int = 1) -> Html:
    """A table that can be moved sideways where it is wider than the screen.

    Args:
        heads: of the columns.
        rows: the cells.
        caption: above the table.
        words: the first columns that hold words; the others hold numbers.
    """

    def cells(kind: str, row: Sequence[Part]) -> list[Html]:
        scope = "col" if kind == "th" else None
        return [tag(kind, cell, class_="n" if n >= words else None, scope=scope) for n, cell in enumerate(row)]

    head = tag("thead", tag("tr", cells("th", heads))) if heads else ""
    body = tag("tbody", [tag("tr", cells("td", row)) for row in rows])
    return tag("div", tag("table", tag("caption", caption) if caption else "", head, body), class_="wide", tabindex=0)


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{escape(visible(str(value)))}"'
