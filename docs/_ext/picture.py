"""`{picture}`: code that makes a figure, shown with the figure that it makes.

The code of a page's pictures shares its names, as a session does, and leaves what it has drawn, a figure of
matplotlib or axes, in `drawn`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sphinx.util.docutils import SphinxDirective


def figure_of(drawn: Figure | Axes | Sequence[Axes]) -> Figure:
    """The figure that was drawn, or in which axes lie."""
    if isinstance(drawn, Figure):
        return drawn
    first = drawn if isinstance(drawn, Axes) else np.ravel(drawn)[0]
    figure = first.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


class Picture(SphinxDirective):
    """Code and its picture; with `hidden` the picture alone."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"alt": directives.unchanged_required, "hidden": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Run the code, save its figure, and put both into the page."""
        code = "\n".join(self.content)
        names = self.env.temp_data.setdefault("pigevo pictures", {})
        try:
            exec(compile(code, f"{self.env.docname}, line {self.lineno}", "exec"), names)
            figure = figure_of(names["drawn"])
        except Exception as error:  # the site is built to its end, and says where code is wrong
            raise self.error(f"this picture cannot be drawn: {type(error).__name__}: {error}") from error
        folder = Path(self.env.app.outdir) / "_pictures"
        folder.mkdir(parents=True, exist_ok=True)
        key = hashlib.sha256(f"{self.env.docname} {self.lineno} {code}".encode()).hexdigest()[:12]
        place = folder / f"{self.env.docname.replace('/', '-')}-{key}.png"
        figure.savefig(place, dpi=110, bbox_inches="tight")
        source = Path(self.env.doc2path(self.env.docname)).parent
        image = nodes.image(uri=Path(os.path.relpath(place, source)).as_posix(), alt=self.options["alt"])
        self.set_source_info(image)
        if "hidden" in self.options:
            return [image]
        shown = nodes.literal_block(code, code, language="python")
        self.set_source_info(shown)
        return [shown, image]


class Thumbnails(SphinxDirective):
    """A small picture of each section of the page, which leads to the section."""

    def run(self) -> list[nodes.Node]:
        """Leave a place, which is filled when the whole page is read."""
        return [nodes.container(classes=["thumbnails"])]


def fill_thumbnails(app: Any, page: nodes.document) -> None:
    """Fill the place of the thumbnails with the first picture of each section."""
    for place in page.findall(lambda node: "thumbnails" in getattr(node, "attributes", {}).get("classes", ())):
        for section in page.findall(nodes.section):
            picture = next((child for child in section.children if isinstance(child, nodes.image)), None)
            if picture is None:
                continue
            title = section.next_node(nodes.title).astext()
            link = nodes.reference("", "", refid=section["ids"][0], internal=True)
            link += nodes.image(uri=picture["uri"], candidates=picture.get("candidates"), alt="")
            link += nodes.inline(text=title)
            place += nodes.paragraph("", "", link)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.add_directive("picture", Picture)
    app.add_directive("thumbnails", Thumbnails)
    app.connect("doctree-read", fill_thumbnails)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
