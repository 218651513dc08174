"""The page to play on, written beside the site by the command that makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.util import logging

from pigevo.cli import main


def write_page(app: Any, failed: Exception | None) -> None:
    """Write the page to `play/` in the site."""
    if failed is None and app.builder.name == "html" and main(["page", "--to", str(Path(app.outdir) / "play")]) != 0:
        logging.getLogger(__name__).warning("the page to play on could not be written")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("build-finished", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
