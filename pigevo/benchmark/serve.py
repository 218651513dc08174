"""A worker process of the benchmark: it reads tasks from standard input, and answers with what came of them.

Lines of JSON go both ways.  What an algorithm prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from pigevo.benchmark.entrants import Entrant, entrant
from pigevo.benchmark.instances import instance
from pigevo.benchmark.trial import Trial, try_out
from pigevo.errors import InputError


def main() -> None:
    """Do tasks until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    known: dict[str, Entrant] = {}
    for line in sys.stdin:
        task = json.loads(line)
        try:
            if task["word"] not in known:
                known[task["word"]] = entrant(task["word"])
            said = as_plain(do(known[task["word"]], task))
        except InputError as error:
            said = {"error": str(error)}
        print(json.dumps(said), file=answers, flush=True)


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
