"""The page to play on, written beside the site by the command that makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.util import logging

from pigevo.cli import main
from pigevo.cli.commands import command_names

LINK = """\
**<a href="play/index.html">The page to play on</a>** lies beside this site, as on `pigevo page`. Browsers run it where
a web server hands it out, also one on your own machine (`python -m http.server --directory docs/_build/html --bind
127.0.0.1`), and not where it is opened as a file. It asks no other host for anything.
"""

LOG = logging.getLogger(__name__)


def link() -> str:
    """Where the page is, in Markdown; nothing where this pigevo has none."""
    return LINK if "page" in command_names() else ""


def write_page(app: Any, failed: Exception | None) -> None:
    """Write the page to `play/` in the site."""
    if failed is not None or app.builder.name != "html":
        return
    if "page" not in command_names():
        LOG.info("there is no command `pigevo page` yet: the site has no page to play on")
        return
    if main(["page", "--to", str(Path(app.outdir) / "play")]) != 0:
        LOG.warning("the page to play on could not be written")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("build-finished", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
