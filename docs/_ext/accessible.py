"""What the theme leaves out for readers with a keyboard or a screen reader, written into the pages of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

REPLACED = {
    ' role="heading">': ' role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="all pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="this page">',
}
"""Captions of the menu have a level, code can be scrolled by keys, and each landmark has a name of its own."""


def complete(app: Any, failed: Exception | None) -> None:
    """Write it into every page that Sphinx has written; the page to play on is beside them."""
    if failed is None and app.builder.format == "html":
        for name in app.env.found_docs | {"search", "genindex"}:
            page = Path(app.builder.get_outfilename(name))
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            for lacking, whole in REPLACED.items():
                text = text.replace(lacking, whole)
            if text:
                page.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("build-finished", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
