"""The entrants of a benchmark: reference algorithms by name, and users' own by `mine.py:MyAlgorithm` or as classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pigevo import __version__
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.user_code.identity import file_of, identify

from .algorithms import ALGORITHMS
from .entrant_process import Apart, look
from .protocol import Make


@dataclass(frozen=True)
class Entrant:
    """An algorithm that takes part in a benchmark.

    Args:
        name: its name in tables and pictures.
        word: the word as typed, by which other processes load it.
        identity: hexadecimal digits that change with its code: for a user's own, with the file and its imports from
            its folder; for a reference algorithm, with its class and the version of pigevo.
        source: the publication of a reference algorithm.
        function: a class or function passed directly; it works in the calling process.
        path: the file of the function, for messages.
    """

    name: str
    word: str
    identity: str
    source: str = ""
    function: Make | None = None
    path: Path | None = None

    @property
    def make(self) -> Make:
        """Create the algorithm from a problem; one from a file gets its own process."""
        if self.function:
            return self.function
        if ":" in self.word:
            return partial(Apart, word=self.word, name=self.name, identity=self.identity)
        return ALGORITHMS[self.word].function

    @property
    def folder(self) -> str:
        """Its name as a folder name."""
        return re.sub(r"[^A-Za-z0-9._-]", "_", self.name).lstrip(".") or "_"


def entrant(word: str | Make) -> Entrant:
    """The algorithm of a name, a reference to a user's own, or a class or function of a problem."""
    if not isinstance(word, str):
        return _handed_over(word)
    if word.endswith(".py"):
        raise InputError(f"{word} names no algorithm: write {word}:NAME, with the name of a class or function in it.")
    if ":" in word:
        name, identity = look(word)
        return Entrant(name, word, identity)
    if word not in ALGORITHMS:
        error = unknown("algorithm", word, ALGORITHMS)
        raise InputError(f"{error} One of your own is written mine.py:MyAlgorithm.")
    known = ALGORITHMS[word]
    return Entrant(word, word, identify((__version__, known.function)).hash, known.source)


def _handed_over(function: Make) -> Entrant:
    """An entrant from a class or function, identified by its code."""
    name = getattr(function, "__name__", "")
    if not callable(function) or inspect.isbuiltin(function) or not name:
        raise InputError(
            f"{short_repr(function)} names no algorithm: give its name or mine.py:MyAlgorithm as text, or a class or "
            "function of a problem."
        )
    known = identify((__version__, function))
    if known.unknown:
        raise InputError(
            f"the algorithm {name} cannot be told from another one, as trials on disk need: {known.unknown}, whose "
            "content cannot be compared."
        )
    return Entrant(name, name, known.hash, function=function, path=file_of(function))


def entrants(words: Sequence[str | Make]) -> tuple[Entrant, ...]:
    """The entrants of many words, each once; names must be unique."""
    entrants_by_folder: dict[str, Entrant] = {}
    for word in words:
        one = entrant(word)
        known = entrants_by_folder.setdefault(one.folder, one)
        if known.identity != one.identity:
            raise InputError(f"{known.word} and {one.word} would have the same name: give one another.")
    return tuple(entrants_by_folder.values())
