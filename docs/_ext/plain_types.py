"""Types as readers know them: a number with a range is a number, an array has a type of its numbers."""

from __future__ import annotations

import re
from typing import Any


def simplify(app: Any, *_: Any) -> None:
    """Leave ranges and shapes out of the types that autodoc has found; the docstrings tell them in words."""
    for found in app.env.current_document.autodoc_annotations.values():
        for name, hint in found.items():
            numbers = re.sub(r"(?:~?typing\.|~)?Annotated\[([~\w.]+), [^\]]*\]", r"\1", hint)
            found[name] = re.sub(r"(~?[\w.]*ndarray)\[.*?dtype\[~?[\w.]*?(\w+)\]\]", r"\1[\2]", numbers)


def setup(app: Any) -> dict[str, bool]:
    """Come before autodoc puts the types into the fields."""
    app.connect("object-description-transform", simplify, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
