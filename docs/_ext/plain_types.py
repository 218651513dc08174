"""Types as readers know them: a number with a range is a number."""

from __future__ import annotations

import re
from typing import Any


def simplify(app: Any, *_: Any) -> None:
    """Leave the ranges out of the types that autodoc has found; the docstrings tell them in words."""
    for found in app.env.current_document.autodoc_annotations.values():
        for name, hint in found.items():
            found[name] = re.sub(r"(?:~?typing\.|~)?Annotated\[([~\w.]+), [^\]]*\]", r"\1", hint)


def setup(app: Any) -> dict[str, bool]:
    """Come before autodoc puts the types into the fields."""
    app.connect("object-description-transform", simplify, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
