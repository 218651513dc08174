"""Descriptions of choices from their docstrings: sentences, source, and each setting with its range."""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pigevo.core.checked_values import Within
from pigevo.core.registry import Entry, unbound

SECTIONS = ("Args:", "Returns:", "Raises:", "Yields:", "Attributes:", "Example:")

_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}


@dataclass(frozen=True)
class Setting:
    """A setting of a choice: its default (None if it is required), its possible values, and its meaning."""

    name: str
    default: object
    takes: str
    about: str


def sentences(entry: Entry) -> str:
    """The text of a choice's docstring before its sections, on one line."""
    return prose(_documented(entry))


def prose(documented: object) -> str:
    """The text of a docstring before its sections, on one line."""
    text = " ".join(_before_sections(inspect.getdoc(documented) or "").split())
    return re.sub(r", (of )?shape \([^()]*\)", "", text)


def settings_of(entry: Entry) -> list[Setting]:
    """The settings of a choice, in the order of its signature."""
    meanings, hints, defaults = arguments(_documented(entry)), entry.hints, entry.defaults
    return [
        Setting(name, defaults.get(name), takes(hints.get(name)), meanings.get(entry.parameter(name), ""))
        for name in entry.options
    ]


@functools.lru_cache(maxsize=64)
def arguments(documented: object) -> Mapping[str, str]:
    """The descriptions of the arguments or fields in a docstring; for a class, including those of its base classes."""
    texts = [inspect.getdoc(owner) or "" for owner in reversed(getattr(documented, "__mro__", (documented,)))]
    meanings: dict[str, str] = {}
    last: list[str] = []
    for line in itertools.chain.from_iterable(map(_section, texts)):
        entry = re.match(r" {4}(\w+(?:, \w+)*): (.*)", line)
        if entry:
            last = entry[1].split(", ")
            meanings |= dict.fromkeys(last, entry[2])
        else:
            meanings |= {name: f"{meanings[name]} {line.strip()}".strip() for name in last}
    return meanings


def takes(hint: Any) -> str:
    """The possible values of an annotated type, in words."""
    if get_origin(hint) is Annotated:
        kind, *notes = get_args(hint)
        ranges = [f" {_range(note)}" for note in notes if isinstance(note, Within)]
        return takes(kind) + "".join(ranges)
    if get_origin(hint) is Literal:
        return " or ".join(str(value) for value in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        parts = [takes(part) for part in get_args(hint) if part is not type(None)]
        return " or ".join(dict.fromkeys(parts))
    if get_origin(hint) in (list, tuple) or str(get_origin(hint)).endswith("Sequence'>"):
        inner = [takes(part) for part in get_args(hint) if part is not ...]
        return f"a list, each {inner[0]}" if inner else "a list"
    return _KINDS.get(hint, "")


def _range(within: Within) -> str:
    if within.high == float("inf"):
        return f"{'above' if within.above else 'from'} {within.low}{'' if within.above else ' on'}"
    return f"{'above' if within.above else 'from'} {within.low}{' and up' if within.above else ''} to {within.high}"


def _documented(entry: Entry) -> object:
    function, _ = unbound(entry.function)
    return function if inspect.isclass(function) or inspect.isroutine(function) else type(function)


def _before_sections(text: str) -> str:
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() in SECTIONS:
            break
        lines.append(line)
    return "\n".join(lines)


def _section(text: str) -> Iterator[str]:
    """The lines of the sections about arguments."""
    inside = False
    for line in text.splitlines():
        if line.strip() in SECTIONS:
            inside = line.strip() in ("Args:", "Attributes:")
        elif inside and line.strip():
            yield line
