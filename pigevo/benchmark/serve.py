"""A worker process of the benchmark: it reads tasks from standard input, and answers with what came of them.

Lines of JSON go both ways.  What an algorithm prints goes to standard error, and it finds nothing to read.  When nobody
is left to send tasks, the worker ends, whatever an algorithm is at.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any, NoReturn, TextIO

from pigevo.benchmark.entrants import Entrant, entrant
from pigevo.benchmark.instances import instance
from pigevo.benchmark.trial import Trial, try_out
from pigevo.errors import InputError


def main() -> NoReturn:
    """Do tasks as long as somebody can send them."""
    tasks, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(tasks, waiting), daemon=True).start()
    known: dict[str, Entrant] = {}
    while True:
        task = json.loads(waiting.get())
        try:
            if task["word"] not in known:
                known[task["word"]] = entrant(task["word"])
            said = as_plain(do(known[task["word"]], task))
        except InputError as error:
            said = {"error": str(error)}
        except KeyboardInterrupt:  # raised by an algorithm: a user's reaches the process that sends the tasks alone
            said = {"error": f"{task['word']} raises KeyboardInterrupt."}
        sys.stdout.flush()  # what was printed is there when the answer is
        print(json.dumps(said), file=answers, flush=True)


def _read(tasks: TextIO, waiting: queue.SimpleQueue[str]) -> None:
    """Hand on the tasks as they come in; at the end of them nobody hears an answer, and the process ends."""
    for line in tasks:
        waiting.put(line)
    os._exit(0)


def do(one: Entrant, task: Mapping[str, Any]) -> Trial:
    """A trial of an algorithm.

    Args:
        one: the algorithm.
        task: `instance`, `seed`, `budget` and `seconds` of the trial.
    """
    place = instance(task["instance"])
    limits = task["budget"], task["seconds"]
    return try_out(one.make, place, task["seed"], limits[0], seconds=limits[1], name=one.name, path=one.path)


def as_plain(trial: Trial) -> dict[str, Any]:
    """A trial as values of JSON."""
    names = ("spent", "loss", "exploitability", "champion")
    return {name: getattr(trial, name).tolist() for name in names}
