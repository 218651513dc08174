"""Who takes part: reference algorithms by name, and a user's own by `mine.py:MyAlgorithm`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pigevo import __version__
from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.entrant_process import Apart, look
from pigevo.benchmark.protocol import Make
from pigevo.errors import InputError, unknown
from pigevo.user_code.identity import identify


@dataclass(frozen=True)
class Entrant:
    """An algorithm that takes part.

    Args:
        name: in tables and pictures.
        word: as it was typed: another process loads it by that.
        identity: hexadecimal digits that change with its code: of a user's own one with the file and what that imports
            from its folder, of a reference algorithm with its class and the version of pigevo.
        source: the publication that a reference algorithm is from.
    """

    name: str
    word: str
    identity: str
    source: str = ""

    @property
    def make(self) -> Make:
        """Makes it of a problem: a reference algorithm here, a user's own in a process of its own."""
        if ":" in self.word:
            return partial(Apart, word=self.word, name=self.name, identity=self.identity)
        return ALGORITHMS[self.word].function

    @property
    def folder(self) -> str:
        """Its name as that of a folder."""
        return re.sub(r"[^A-Za-z0-9._-]", "_", self.name).lstrip(".") or "_"


def entrant(word: str) -> Entrant:
    """The algorithm of a name or a reference to a user's own."""
    if not isinstance(word, str):
        raise InputError(f"{word!r} names no algorithm: write its name, or mine.py:MyAlgorithm, as text.")
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


def entrants(words: Sequence[str]) -> tuple[Entrant, ...]:
    """Those of many words, each once; two must not have the same name."""
    found: dict[str, Entrant] = {}
    for word in words:
        one = entrant(word)
        known = found.setdefault(one.folder, one)
        if known.word != one.word and known.identity != one.identity:
            raise InputError(f"{known.word} and {one.word} would have the same name: give one another.")
    return tuple(found.values())
