"""What the pages of the reference take from the code when the site is built.

A line `<!-- generated: NAME -->` of a page becomes the Markdown that the function of that name in `TEXTS` returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import reference_commands
import reference_names
import reference_python

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
    "matrix games": reference_python.matrix_games,
    "building blocks": reference_python.building_blocks,
}


def fill(app: Any, _page: str, source: list[str]) -> None:
    """Put the texts into a page that is being read; it is read anew each time, as the code may have changed."""
    if "<!-- generated: " in source[0]:
        app.env.note_reread()
    source[0] = re.sub(r"^<!-- generated: (.+?) -->$", lambda found: TEXTS[found[1]](), source[0], flags=re.M)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
