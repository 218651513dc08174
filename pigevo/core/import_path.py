"""The search path for modules, with the working folder last.

A file `queue.py` in the working folder must not replace Python's own module.  This file
imports only modules that Python has loaded at its start.  Plugins, which packages announce by
folders beside their code, are never searched for in the working folder.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from collections.abc import Callable


def working_folder_last(*others: str) -> None:
    """Move the working folder to the end of the search path, after all installed packages."""
    last = [place for place in dict.fromkeys((*others, working_folder())) if place]
    sys.path[:] = [place for place in sys.path if place and place not in last] + last


def without_working_folder(load: Callable[[], object]) -> None:
    """Call `load`, which searches for a library's plugins, with the working folder off the search path."""
    before, here = sys.path[:], working_folder()
    sys.path[:] = [place for place in before if place and place != here]
    try:
        load()
    finally:
        sys.path[:] = before


def working_folder() -> str:
    """The path of the working folder; empty if it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
