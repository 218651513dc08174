"""A user's algorithm in a process of its own, which has only its `Problem`, its questions and their answers.

The instance, the trial's dice, the referee and the other trials are in another process.  Each trial has a new process.
The algorithm is refused if it loads modules that compute or play games (`ENGINES`): this is the only rule of entry that
can be checked.  It is not a sandbox: code can read the files or the memory of other processes.
"""

from __future__ import annotations

import sys
import weakref
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.errors import InputError
from pigevo.user_code.loading import UserCode, failure, load, refuse_unidentified
from pigevo.workers.pool import Worker, WorkerDied

from .protocol import Algorithm, Problem, Question, checked_champion, checked_question

ENGINES = ("pigevo.exact", "pigevo.simulation")
"""The modules that compute win probabilities or play games."""

T = TypeVar("T")


class Failed(Exception):
    """An algorithm has raised an error; the message contains it and its line."""


class Refused(InputError):
    """An algorithm has returned something other than a question or champion, or has broken a rule of entry."""


def look(word: str) -> tuple[str, str]:
    """The name and the identity of a user's algorithm, found without loading it in this process."""
    with Worker() as worker:
        try:
            name, identity = _answer(worker, "look", word)
        except Failed as error:
            raise InputError(f"{word} cannot be loaded: {error}.") from None
    return name, identity


class EntrantProcess:
    """The algorithm `mine.py:MyAlgorithm` for the benchmark; its errors are `Failed` or `Refused`.

    A call that takes longer than the time limit of a trial ends the process.
    """

    def __init__(self, problem: Problem, *, word: str, name: str, identity: str, seconds: float | None = None) -> None:
        self._worker, self._seconds = Worker(), seconds
        self.end = weakref.finalize(self, self._worker.end)
        self._genes = problem.genes
        self._answer("make", {"word": word, "name": name, "identity": identity, "problem": asdict(problem)})

    def ask(self) -> Question:
        """The algorithm's question."""
        genomes, pairs = self._answer("ask")
        return Question(_unpacked(genomes).reshape(-1, self._genes), np.array(pairs, np.int64))

    def tell(self, wins: Floats) -> None:
        """Pass the answer to the algorithm."""
        self._answer("tell", np.asarray(wins).tolist())

    @property
    def champion(self) -> Bytes:
        """The algorithm's present champion."""
        return _unpacked(self._answer("champion"))

    def _answer(self, do: str, task: Any = None) -> Any:
        return _answer(self._worker, do, task, self._seconds)


def _answer(worker: Worker, do: str, task: Any, seconds: float | None = None) -> Any:
    """The process's answer; `Failed` if the algorithm raised an error or ended it, `Refused` if it broke a rule."""
    try:
        reply = worker.call("pigevo.experiments.benchmark.entrant_process:inside", [do, task], seconds=seconds)
    except WorkerDied as died:
        if died.late:
            raise Failed(f"it has taken longer than {seconds:g} s, the time limit of a trial") from None
        raise Failed(f"it has ended the process that it works in, with exit status {died.status}") from None
    except InputError as error:
        raise Refused(str(error)) from None
    if "failed" in reply:
        raise Failed(reply["failed"])
    return reply["answer"]


def _packed(genomes: Bytes) -> str:
    return b64encode(genomes.tobytes()).decode()


def _unpacked(text: str) -> Bytes:
    return np.frombuffer(b64decode(text), np.uint8).copy()


class _Inside:
    """The algorithm in its own process."""

    _name: str
    _path: Path | None
    _problem: Problem
    _algorithm: Algorithm

    def look(self, word: str) -> tuple[str, str]:
        """Its name and identity."""
        code, place = self._loaded(word, word), Path(word.rpartition(":")[0])
        name = f"{place.name}:{code.name}" if place.suffix == ".py" else word
        refuse_unidentified(f"the algorithm {name}", code)
        return name, code.identity

    def make(self, task: Mapping[str, Any]) -> None:
        """Create the algorithm from its problem."""
        self._name, self._problem = task["name"], Problem(**task["problem"])
        code = self._loaded(task["word"], self._name)
        self._path = code.path
        if code.identity != task["identity"]:
            raise InputError(
                f"{self._name} is no longer what it was when the benchmark began: its file has changed, and the same "
                "command does its trials again."
            )
        self._algorithm = self._called(lambda: code.function(self._problem))

    def ask(self, _: None) -> tuple[str, list[Any]]:
        """Its question, checked."""
        question = checked_question(self._called(lambda: self._algorithm.ask()), self._problem, self._name)
        return _packed(question.genomes), question.pairs.tolist()

    def tell(self, wins: list[float]) -> None:
        """The answer."""
        self._called(lambda: self._algorithm.tell(np.array(wins, np.float64)))

    def champion(self, _: None) -> str:
        """Its champion, checked."""
        champion = self._called(lambda: self._algorithm.champion)
        return _packed(checked_champion(champion, self._problem, self._name))

    def _loaded(self, word: str, name: str) -> UserCode:
        try:
            code = load(word)
        except (KeyboardInterrupt, GeneratorExit) as error:
            raise Failed(failure(error, None)) from error
        _refuse_engines(name)
        return code

    def _called(self, call: Callable[[], T]) -> T:
        try:
            result = call()
        except BaseException as error:  # a user's Ctrl-C reaches the process that asks, never this one
            raise Failed(failure(error, self._path)) from error
        _refuse_engines(self._name)
        return result


def _refuse_engines(name: str) -> None:
    for engine in ENGINES:
        if engine in sys.modules:
            raise InputError(
                f"{name} loads {engine}, which {'computes who wins' if engine == ENGINES[0] else 'plays games'}: by "
                "the rules of entry (docs/how_to/benchmark.md) it knows only the answers that it has paid for."
            )


_INSIDE = _Inside()
"""The algorithm of this process, if it is that of an entrant."""


def inside(request: tuple[str, Any], _: Callable[[Any], object]) -> dict[str, Any]:
    """Execute a request in the algorithm's process."""
    do, value = request
    try:
        return {"answer": getattr(_INSIDE, do)(value)}
    except Failed as error:
        return {"failed": str(error)}
