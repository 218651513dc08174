"""HTML that cannot be wrong: whatever is not `Html` already is a text, and is escaped.

A whole page in one file, which asks no host for anything.

What the page may do in a browser: load its own files, and nothing else from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

from pigevo.core.text import visible

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


def document(title: str, body: Part, style: str, script: str = "", mark: str = "pigevo") -> bytes:
    """A page that may load nothing: its style and script are known to the browser by their hashes.

    Args:
        title: of the window.
        body: what it shows.
        style: CSS; no element has one of its own.
        script: what it can do beside; the page must say everything without it.
        mark: who made it, as `generator`.
    """
    allowed = ["default-src 'none'", "img-src data:", f"style-src '{_digest(style)}'"]
    allowed += [f"script-src '{_digest(script)}'"] if script else []
    allowed += ["base-uri 'none'", "form-action 'none'"]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="generator", content=mark),
        tag("meta", http_equiv="Content-Security-Policy", content="; ".join(allowed)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", _raw(style, "style")),
    ]
    ends = [tag("script", _raw(script, "script"))] if script else []
    parts = [tag("head", head), "\n", tag("body", body, ends)]
    return f"<!doctype html>\n{tag('html', join(parts), lang='en')}\n".encode()


def data_uri(content: bytes, kind: str = "image/png") -> str:
    """A file as an address that holds it."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _raw(code: str, element: str) -> Html:
    """Code of ours, as it is; it must not end its own element."""
    assert f"</{element}" not in code
    return Html(code)


def _digest(code: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


POLICY = "; ".join(
    [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
    ]
)  # fmt: skip
"""The Content-Security-Policy, as it stands in the document."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",  # which documents cannot say of themselves
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""What a server of pigevo's says with every answer."""
