"""The process in which one function of a Python file becomes a strategy; its order is JSON (`pigevo/workers/entry.py`).

It calls the function for every state, writes down the array that comes of it, and ends.  What the file prints
goes nowhere, and where its time is up, or it breaks down, the process notes where it stands and ends.
"""

from __future__ import annotations

import faulthandler
import json
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from pigevo.errors import InputError
from pigevo.games import game_from_record
from pigevo.strategies.parse import own_strategy
from pigevo.user_code.loading import load, place_of

ANSWER, MADE, STACK = "answer.json", "made.npz", "stack.txt"
"""The files that it leaves: what was wrong, the strategy, and where it stood when it ended."""

MOST_MEMORY = 2**34


def main() -> None:
    """Do what standard input says: a JSON object of `reference`, `game`, `seconds`, `patience` and `folder`."""
    told = json.loads(sys.stdin.readline())
    folder, game = Path(told["folder"]), game_from_record(told["game"])
    stack = (folder / STACK).open("w")
    faulthandler.enable(stack, all_threads=False)
    faulthandler.dump_traceback_later(told["patience"], exit=True, file=stack)
    limit_processor_time(told["seconds"], stack)
    limit_memory()
    try:
        own_strategy(told["reference"], game).save(folder / MADE)
        wrong = ""
    except InputError as refused:
        wrong = with_place(str(refused), told["reference"])
    (folder / ANSWER).write_text(json.dumps(wrong), encoding="utf-8")
    faulthandler.cancel_dump_traceback_later()


def limit_processor_time(seconds: float, stack: TextIO) -> None:
    """End, noting where it stands, when this process has worked for so long; without such a limit, as on Windows, not.

    Args:
        seconds: processor time from now on.
        stack: where it notes it.
    """
    if hasattr(signal, "setitimer"):
        faulthandler.register(signal.SIGPROF, file=stack, all_threads=False, chain=True)  # which then ends the process
        signal.setitimer(signal.ITIMER_PROF, seconds)


def limit_memory() -> None:
    """Take no more memory than a strategy can need, where the system knows such a limit: then Python tells the line."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def with_place(error: str, reference: str) -> str:
    """What is wrong with a function, with the line where it stands unless a line is named already."""
    if re.search(r"\bline [0-9]", error):
        return error
    with suppress(InputError):
        return f"{error.rstrip('.')} ({place_of(load(reference).function)})."
    return error
