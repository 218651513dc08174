"""Where Python looks for modules: in the working folder last of all.

A file `queue.py` that happens to lie there must not take the place of Python's own.  This
file imports only what Python has loaded when it begins.
"""

import os
import sys


def working_folder_last(*others: str) -> None:
    """Let everything that is installed go before the working folder, and before other folders."""
    last = [place for place in dict.fromkeys((*others, working_folder())) if place]
    sys.path[:] = [place for place in sys.path if place and place not in last] + last


def working_folder() -> str:
    """Its path; empty where it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
