"""Records that display themselves in a notebook, with tables and pictures.

Notebooks call `_repr_mimebundle_` or `_repr_html_` of a value; its `repr` is not affected.  The views themselves are in
`pigevo.web.notebook`, in a room above the records: the package sets its name here, and it is imported on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from typing import Any

VIEWS: list[str] = []
"""The module whose function `face` makes the views; `pigevo/__init__.py` sets it."""


def figure_png(figure: Any) -> bytes | None:
    """A matplotlib figure as PNG for a notebook; None if it cannot be drawn."""
    png: bytes | None = import_module(VIEWS[-1]).png(figure)
    return png


class NotebookDisplay:
    """A record with a notebook view, chosen by the name of its class."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The view by MIME type: HTML, and the picture alone for viewers without HTML."""
        views: dict[str, str] = import_module(VIEWS[-1]).face(self)
        return views

    def _repr_html_(self) -> str:
        """The view as HTML."""
        return self._repr_mimebundle_()["text/html"]
