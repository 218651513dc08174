"""What the site has beyond Sphinx and its theme: formulas, plain types, accessibility, and the page to play on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

from pigevo.cli import main


def inline_formula(translator: Any, node: nodes.math) -> None:
    """A formula in a line, as MathML, which browsers draw without a script and without a network."""
    translator.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def block_formula(translator: Any, node: nodes.math_block) -> None:
    """A formula of its own line."""
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def simplify_types(app: Any, *_: Any) -> None:
    """Leave ranges and shapes out of the types that autodoc has found; the docstrings tell them in words.

    A number with a range is a number, an array has a type of its numbers.
    """
    for found in app.env.current_document.autodoc_annotations.values():
        for name, hint in found.items():
            numbers = re.sub(r"(?:~?typing\.|~)?Annotated\[([~\w.]+), [^\]]*\]", r"\1", hint)
            found[name] = re.sub(r"(~?[\w.]*ndarray)\[.*?dtype\[~?[\w.]*?(\w+)\]\]", r"\1[\2]", numbers)


ACCESSIBLE = {
    ' role="heading">': ' role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="all pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="this page">',
}
"""What the theme leaves out for readers with a keyboard or a screen reader.

Captions of the menu have a level, code can be scrolled by keys, and each landmark has a name of its own.
"""


def make_accessible(app: Any, failed: Exception | None) -> None:
    """Write it into every page that Sphinx has written; the page to play on is beside them."""
    if failed is None and app.builder.format == "html":
        for name in app.env.found_docs | {"search", "genindex"}:
            page = Path(app.builder.get_outfilename(name))
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            for lacking, whole in ACCESSIBLE.items():
                text = text.replace(lacking, whole)
            if text:
                page.write_text(text, encoding="utf-8")


def write_page_to_play_on(app: Any, failed: Exception | None) -> None:
    """Write the page to `play/` in the site, by the command that makes it."""
    if failed is None and app.builder.name == "html" and main(["page", "--to", str(Path(app.outdir) / "play")]) != 0:
        logging.getLogger(__name__).warning("the page to play on could not be written")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it; types are simplified before autodoc puts them into the fields."""
    app.add_html_math_renderer("mathml", (inline_formula, None), (block_formula, None))
    app.connect("object-description-transform", simplify_types, priority=400)
    app.connect("build-finished", make_accessible)
    app.connect("build-finished", write_page_to_play_on)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
