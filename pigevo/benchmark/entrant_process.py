"""An algorithm of a user's own in a process of its own, which has its `Problem`, its questions and their answers.

The instance, the trial's dice, the referee and the other trials are in another process.  There is a new one for each
trial.  It is refused when it loads what computes or plays games (`ENGINES`): that is the rule of entry which can be
checked.  This is no sandbox: code that reads the files or the memory of other processes can do so.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import weakref
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np

from pigevo.benchmark.answer_lines import answer_lines
from pigevo.benchmark.checks import checked_champion, checked_question
from pigevo.benchmark.protocol import Algorithm, Problem, Question
from pigevo.core.arrays import Bytes, Floats
from pigevo.errors import InputError
from pigevo.user_code.loading import Own, failure, load, refuse_unknown
from pigevo.workers.entry import words_of

ENGINES = ("pigevo.exact", "pigevo.simulation")
"""What computes who wins, and what plays games."""

DEATH_SECONDS = 5.0
"""Seconds that a process which no longer answers has for ending by itself."""

T = TypeVar("T")


class Failed(Exception):
    """An algorithm has raised; the message says what, and in which line of its file."""


class Refused(InputError):
    """An algorithm has handed over what is no question or champion, or has broken a rule of entry."""


def look(word: str) -> tuple[str, str]:
    """The name and the identity of a user's algorithm, found without loading it in this process.

    Args:
        word: `mine.py:MyAlgorithm`.

    Raises:
        InputError: there is none, or it breaks a rule of entry.
    """
    process = _begun()
    try:
        said = _heard(process, {"do": "look", "word": word})
    except Failed as error:
        raise InputError(f"{word} cannot be loaded: {error}.") from None
    finally:
        _end(process)
    return said["name"], said["identity"]


class Apart:
    """The algorithm, as the benchmark calls it; what it raises, comes out as `Failed` or `Refused`.

    Args:
        problem: what it is told.
        word: `mine.py:MyAlgorithm`.
        name: in messages.
        identity: of the code that is expected.
    """

    def __init__(self, problem: Problem, *, word: str, name: str, identity: str) -> None:
        self._process = _begun()
        self.end = weakref.finalize(self, _end, self._process)
        self._genes = problem.genes
        told = {"word": word, "name": name, "identity": identity, "problem": asdict(problem)}
        self._answer("make", **told)

    def ask(self) -> Question:
        """What it asks."""
        said = self._answer("ask")
        return Question(_unpacked(said["genomes"]).reshape(-1, self._genes), np.array(said["pairs"], np.int64))

    def tell(self, wins: Floats) -> None:
        """Hand on the answer."""
        self._answer("tell", wins=np.asarray(wins).tolist())

    @property
    def champion(self) -> Bytes:
        """What it would hand over now."""
        return _unpacked(self._answer("champion")["genome"])

    def _answer(self, do: str, **more: Any) -> dict[str, Any]:
        return _heard(self._process, {"do": do, **more})


def _begun() -> subprocess.Popen[str]:
    pipe, words = subprocess.PIPE, words_of("pigevo.benchmark.entrant_process")
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", start_new_session=True)


def _heard(process: subprocess.Popen[str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the process answers.

    Raises:
        Failed: the algorithm has raised, or ended the process.
        Refused: it has handed over what is not allowed.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        print(json.dumps(asked), file=process.stdin, flush=True)
        said: dict[str, Any] = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        raise Failed(f"it has ended the process that it works in, with exit status {_status(process)}") from None
    if "failed" in said:
        raise Failed(said["failed"])
    if "refused" in said:
        raise Refused(said["refused"])
    return said


def _status(process: subprocess.Popen[str]) -> int:
    try:
        return process.wait(DEATH_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # a line that was never read
            pipe and pipe.close()


def _packed(genomes: Bytes) -> str:
    return b64encode(genomes.tobytes()).decode()


def _unpacked(text: str) -> Bytes:
    return np.frombuffer(b64decode(text), np.uint8).copy()


class _Inside:
    """The other end: the algorithm in its process."""

    _name: str
    _path: Path | None
    _problem: Problem
    _algorithm: Algorithm

    def answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what is asked; whatever goes wrong is said."""
        try:
            said: Mapping[str, Any] = getattr(self, asked["do"])(asked)
        except Failed as error:
            return {"failed": str(error)}
        except InputError as error:
            return {"refused": str(error)}
        return said

    def look(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Its name and identity."""
        own, place = self._loaded(asked["word"], asked["word"]), Path(asked["word"].rpartition(":")[0])
        name = f"{place.name}:{own.name}" if place.suffix == ".py" else asked["word"]
        refuse_unknown(f"the algorithm {name}", own)
        return {"name": name, "identity": own.identity}

    def make(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Make it of its problem."""
        self._name, self._problem = asked["name"], Problem(**asked["problem"])
        own = self._loaded(asked["word"], self._name)
        self._path = own.path
        if own.identity != asked["identity"]:
            raise InputError(
                f"{self._name} is no longer what it was when the benchmark began: its file has changed, and the same "
                "command does its trials again."
            )
        self._algorithm = self._called(lambda: own.function(self._problem))
        return {}

    def ask(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Its question, checked."""
        question = checked_question(self._called(lambda: self._algorithm.ask()), self._problem, self._name)
        return {"genomes": _packed(question.genomes), "pairs": question.pairs.tolist()}

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer."""
        self._called(lambda: self._algorithm.tell(np.array(asked["wins"], np.float64)))
        return {}

    def champion(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Its champion, checked."""
        found = self._called(lambda: self._algorithm.champion)
        return {"genome": _packed(checked_champion(found, self._problem, self._name))}

    def _loaded(self, word: str, name: str) -> Own:
        try:
            own = load(word)
        except (KeyboardInterrupt, GeneratorExit) as error:
            raise Failed(failure(error, None)) from error
        _refuse_engines(name)
        return own

    def _called(self, call: Callable[[], T]) -> T:
        try:
            found = call()
        except BaseException as error:  # a user's Ctrl-C reaches the process that asks, never this one
            raise Failed(failure(error, self._path)) from error
        _refuse_engines(self._name)
        return found


def _refuse_engines(name: str) -> None:
    for engine in ENGINES:
        if engine in sys.modules:
            raise InputError(
                f"{name} loads {engine}, which {'computes who wins' if engine == ENGINES[0] else 'plays games'}: by "
                "the rules of entry (docs/how_to/benchmark.md) it knows only the answers that it has paid for."
            )


def main() -> NoReturn:
    """Be the process of an algorithm."""
    answer_lines(_Inside().answer)
