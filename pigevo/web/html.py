"""HTML for the page, for reports and for notebooks: everything that is not of type `Html` is text, and is escaped.

Also the policies of pages: to load only their own files, or nothing at all, and nothing from other hosts.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from pigevo.core.text import visible, without_folders

VOID = ("br", "hr", "img", "input", "meta", "wbr")  # elements without content


COLUMNS = 4  # the number of columns that fit on a narrow screen
LONGEST_WHOLE = 26  # the number of letters of the longest part of a setting's name that stays in one line


class Html(str):
    """Text that is HTML, made only here and never by users."""

    __slots__ = ()


Part = str | Html | Iterable["Part"]
"""The content of an element: texts, elements, and sequences of them; `Html` is a text that is not escaped."""


def join(parts: Part) -> Html:
    """Concatenate parts; texts are escaped, and invisible characters are written out."""
    if isinstance(parts, Html):
        return parts
    if isinstance(parts, str):
        return Html(escape(visible(parts)))
    return Html("".join(join(part) for part in parts))


def tag(name: str, /, *parts: Part, **attributes: str | int | bool | None) -> Html:
    """An element.

    In names of attributes `class_` and `for_` lose their last `_`, and any other `_` becomes `-`; True means an
    attribute without a value, False no attribute.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(parts)}</{name}>")


def table(heads: Sequence[Part], rows: Iterable[Sequence[Part]], caption: Part = "", words: int = 1) -> Html:
    """A table; the first columns contain words, the others numbers.

    On a narrow screen the cells of a table with many columns are stacked, each with its heading.
    """
    is_stacked = len(heads) > COLUMNS
    labels = [head if is_stacked and isinstance(head, str) and not isinstance(head, Html) else None for head in heads]

    def cells(row: Sequence[Part]) -> list[Html]:
        return [
            tag("td", cell, class_="n" if n >= words else None, data_head=head)
            for n, (cell, head) in enumerate(zip(row, labels or [None] * len(row), strict=True))
        ]

    head_cells = [tag("th", head, class_="n" if n >= words else None, scope="col") for n, head in enumerate(heads)]
    head = tag("thead", tag("tr", head_cells)) if heads else ""
    body = tag("tbody", [tag("tr", cells(row)) for row in rows])
    inside = tag("table", tag("caption", caption) if caption else "", head, body)
    return tag("div", inside, class_="wide many" if is_stacked else "wide", tabindex=0)


def setting_name(name: str) -> Html:
    """The name of a setting, with possible line breaks after commas, and inside a long part, but in no short one."""
    first, *further = (
        tag("span", part, class_="whole") if len(part) <= LONGEST_WHOLE else part for part in name.split(",")
    )
    return tag("code", first, [[",", tag("wbr"), part] for part in further])


def minus(text: str) -> str:
    """Numbers with typographic minus signs; not for what is to be copied."""
    return text.replace("-", "\N{MINUS SIGN}")


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{escape(visible(str(value)))}"'


def section(title: str, *parts: Part, name: str) -> Html:
    """A part of a page with its title."""
    return tag("section", tag("h2", title), *parts, id=name)


def paragraph(*parts: Part) -> Html:
    """A paragraph; text between backquotes is something to type."""
    return tag("p", map(prose, parts))


def note(*parts: Part) -> Html:
    """A remark below a table or a figure, as `paragraph`."""
    return tag("p", map(prose, parts), class_="note")


def prose(part: Part) -> Part:
    """A text in which parts between backquotes are code; a number and its percent sign stay in one line."""
    if not isinstance(part, str) or isinstance(part, Html):
        return part
    pieces = re.split(r"`([^`]*)`", part)
    return [tag("code", piece) if number % 2 else _whole_percents(piece) for number, piece in enumerate(pieces)]


def _whole_percents(text: str) -> Html:
    return Html(re.sub("(?<=[0-9]) %", "\N{NO-BREAK SPACE}%", join(text)))


def command(text: str) -> Html:
    """Something to type."""
    return tag("pre", tag("code", text), tabindex=0)


def details(title: str, *parts: Part) -> Html:
    """Content that is shown on request."""
    return tag("details", tag("summary", title), *parts)


def tiles(figures: Iterable[tuple[str, str, str]]) -> Html:
    """Key figures: name, figure and meaning of each."""
    entries = [
        tag("div", tag("dt", name), tag("dd", tag("strong", value), tag("span", meaning)))
        for name, value, meaning in figures
    ]
    return tag("dl", entries, class_="tiles")


def switch(name: str, question: str, choices: Mapping[str, Part], chosen: str) -> Html:
    """Buttons, at most the four in the style, and below them the content for the pressed one."""
    buttons: list[Html] = []
    for number, label in enumerate(choices):
        key = f"{name}-{number}"
        buttons += [
            tag("input", type="radio", name=name, id=key, class_=f"c{number}", checked=label == chosen),
            tag("label", label, for_=key),
        ]
    panes = [tag("div", inside, class_=f"pane p{number}") for number, inside in enumerate(choices.values())]
    return tag("fieldset", tag("legend", question), buttons, panes, class_="switch")


def share(value: float) -> str:
    """A win probability with four decimals, as everywhere."""
    return f"{value:.4f}"


def document(title: str, body: Part, style: str, script: str = "", mark: str = "pigevo") -> bytes:
    """A page that may load nothing: the browser accepts its style and script by their hashes.

    Elements have no style of their own, and the page must be complete without its script. The mark identifies its
    maker. Since a page may be published, it has the names of files that have absolute paths, and not their folders.
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
    parts = [tag("head", head), "\n", tag("body", Html(without_folders(join(body))), ends)]
    return f"<!doctype html>\n{tag('html', join(parts), lang='en')}\n".encode()


PRINTED = """
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
html { color-scheme: light; background: #fff; color: #000; }
html { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { margin: 0 auto; padding: 1rem; max-width: 210mm; font: 9.5pt/1.3 "DejaVu Sans", Verdana, Arial, sans-serif; }
h1 { margin: 0 0 1.5mm; font-size: 17pt; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 3mm 0 1mm; font-size: 12pt; }
p { margin: 0 0 1mm; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
footer { margin-top: 2mm; color: #555; font-size: 7.5pt; }
@media print {
  body { padding: 0; max-width: none; }
  .wide { overflow: visible; }
}
"""
"""The style of A4 pages to be printed by a browser."""


def data_uri(png: bytes) -> str:
    """A picture as a data address."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _raw(code: str, element: str) -> Html:
    """Our own code, unescaped; it must not end its own element."""
    if f"</{element}" in code:
        raise ValueError(f"code that holds </{element} ends its own element")
    return Html(code)


def _digest(code: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


POLICY = "; ".join(
    [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
    ]
)  # fmt: skip
"""The Content-Security-Policy in the document."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",  # directives that documents cannot contain
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The headers that pigevo's server sends with every answer."""
