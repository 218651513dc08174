"""How records look in a notebook: one function for each, found by the name of the record's class.

A face is HTML with the figures that `repr` has no room for, and a picture where one says more.  All names in it are
escaped.  Nothing here needs a display, and what would take long is left out with a word.
"""

from __future__ import annotations

import importlib
from typing import Any

from pigevo.errors import InputError

FACES = {
    "Strategy": ("strategies", "strategy_face"),
    "Solution": ("strategies", "solution_face"),
    "WinProbability": ("results", "chances_face"),
    "Match": ("results", "match_face"),
    "Tournament": ("results", "tournament_face"),
    "ThreeSolution": ("results", "three_face"),
    "Run": ("evolved", "run_face"),
    "Sweep": ("evolved", "sweep_face"),
}
"""The module here and the function of each class."""


def face(record: Any) -> dict[str, str]:
    """A record's face by the kind of its content.

    Args:
        record: of one of the classes that have a face, or that inherit from one.

    Returns:
        `text/html`, and `image/png` in base 64 where there is a picture.
    """
    from pigevo.web.notebook.parts import card, paragraph

    home, function = next(FACES[kind.__name__] for kind in type(record).__mro__ if kind.__name__ in FACES)
    try:
        made: dict[str, str] = getattr(importlib.import_module(f"pigevo.web.notebook.{home}"), function)(record)
    except InputError as error:  # a folder that was changed, say; a notebook would show all of its traceback
        return card(repr(record), paragraph(str(error)))
    return made
