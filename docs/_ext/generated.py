"""What the pages of the reference take from the code when the site is built.

A line of a page that ends with `<!-- generated: NAME -->` becomes the Markdown that the function of that name in
`TEXTS` returns; its words are for readers of the source.
In the pages of `paper/` a `{{ NAME }}` becomes a figure of a study's table (`study_figures.py`).  The paper with its
figures is also written to `paper/` of the site, as a journal takes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reference_commands
import reference_names
import reference_python
import study_figures

TEXTS: dict[str, Callable[[], str]] = {
    "commands": reference_commands.commands,
    "game options": reference_commands.shared_options,
    "choices": reference_names.choices,
    "experiments": reference_names.experiments,
    "settings": reference_names.settings,
    "strategies": reference_names.strategies,
    "launchers": reference_names.launchers,
    "metrics": reference_names.metrics,
    "results": reference_names.results,
    "tables": reference_names.tables,
    "printed": reference_names.printed,
    "glossary": reference_names.glossary,
    "python": reference_python.interface,
    "figures": reference_python.figures,
    "benchmark": reference_python.benchmark,
    "three players": reference_python.three_players,
    "dominance": reference_python.dominance,
    "building blocks": reference_python.building_blocks,
}


def fill(app: Any, page: str, source: list[str]) -> None:
    """Put the texts into a page that is being read; it is read anew each time, as the code may have changed."""
    if "<!-- generated: " in source[0]:
        app.env.note_reread()
    source[0] = re.sub(r"^.*<!-- generated: (.+?) -->$", lambda found: TEXTS[found[1]](), source[0], flags=re.M)
    if page.startswith("paper/"):
        app.env.note_reread()
        source[0] = study_figures.filled(source[0])
        if page == PAPER:
            source[0] = study_figures.as_page(source[0], _beside(app).with_suffix(".bib").read_text(encoding="utf-8"))


PAPER = "paper/paper"


def _beside(app: Any) -> Path:
    """The paper's source."""
    return Path(app.srcdir, f"{PAPER}.md")


def write_paper(app: Any, failed: Exception | None) -> None:
    """Write the paper as a journal takes it: its figures put in, with its bibliography."""
    source, made = _beside(app), Path(app.outdir, f"{PAPER}.md")
    if failed is None and source.exists() and made.parent.is_dir():
        made.write_text(study_figures.filled(source.read_text(encoding="utf-8")), encoding="utf-8")
        made.with_suffix(".bib").write_bytes(source.with_suffix(".bib").read_bytes())


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("builder-inited", reference_python.write_pages)
    app.connect("source-read", fill)
    app.connect("build-finished", write_paper)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
