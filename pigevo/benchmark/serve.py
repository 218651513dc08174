"""A worker process of the benchmark: it is sent tasks, and answers with what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from pigevo.benchmark.answer_lines import answer_lines
from pigevo.benchmark.entrants import Entrant
from pigevo.benchmark.instances import instance
from pigevo.benchmark.trial import Trial, try_out
from pigevo.errors import InputError


def main() -> NoReturn:
    """Do tasks as long as somebody can send them."""
    answer_lines(_answer)


def _answer(task: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return as_plain(do(Entrant(*task["entrant"]), task))
    except InputError as error:
        return {"error": str(error)}


def do(one: Entrant, task: Mapping[str, Any]) -> Trial:
    """A trial of an algorithm.

    Args:
        one: the algorithm.
        task: `instance`, `seed`, `budget`, `key` and `seconds` of the trial.
    """
    place, limits = instance(task["instance"]), {"key": task["key"], "seconds": task["seconds"]}
    return try_out(one.make, place, task["seed"], task["budget"], name=one.name, **limits)


def as_plain(trial: Trial) -> dict[str, Any]:
    """A trial as values of JSON."""
    names = ("spent", "loss", "exploitability", "champion")
    return {name: getattr(trial, name).tolist() for name in names}
