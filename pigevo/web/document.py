"""A whole page in one file, which asks no host for anything."""

from __future__ import annotations

import base64
import hashlib

from pigevo.web.html import Html, Part, join, tag


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
