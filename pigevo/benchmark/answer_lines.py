"""A process that answers lines of JSON with lines of JSON: a worker of the benchmark, or an algorithm's own process.

What is printed in it goes to standard error, and it finds nothing to read.  When nobody is left to ask it, it ends,
whatever it is at.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TextIO


def answer_lines(answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> NoReturn:
    """Answer each line as long as somebody can send one.

    Args:
        answer: makes the answer of what was asked; both are values of JSON.
    """
    lines, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines, waiting), daemon=True).start()
    while True:
        said = answer(json.loads(waiting.get()))
        sys.stdout.flush()  # what was printed is there when the answer is
        print(json.dumps(said), file=answers, flush=True)


def _read(lines: TextIO, waiting: queue.SimpleQueue[str]) -> None:
    """Hand on the lines as they come in; at the end of them nobody hears an answer, and the process ends."""
    for line in lines:
        waiting.put(line)
    os._exit(0)
