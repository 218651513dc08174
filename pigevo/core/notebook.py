"""Records that display themselves in a notebook, with tables and pictures.

Notebooks ask a value for `_repr_mimebundle_` or `_repr_html_`; its `repr` stays as it is.  What a record looks like
is written in `pigevo.web.notebook`, far above the records: the package names it here, and it is imported only then.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from typing import Any

VIEWS: list[str] = []
"""The module whose function `face` makes the views; `pigevo/__init__.py` sets it."""


def figure_png(figure: Any) -> bytes | None:
    """A figure of matplotlib as a notebook shows it; None where it cannot be drawn."""
    png: bytes | None = import_module(VIEWS[-1]).png(figure)
    return png


class NotebookDisplay:
    """A record with a notebook view, which is chosen by the name of its class."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The view by MIME type: HTML, and the picture alone for viewers without HTML."""
        views: dict[str, str] = import_module(VIEWS[-1]).face(self)
        return views

    def _repr_html_(self) -> str:
        """The view as HTML."""
        return self._repr_mimebundle_()["text/html"]
