"""The reference of all that has a name: choices, settings, strategies, columns and words, as `describe` tells them."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Iterable

from markdown import code, fence, prose, table

from pigevo.cli import glossary as words
from pigevo.cli.choice_descriptions import arguments
from pigevo.cli.commands.describe import Meaning, all_meanings, records
from pigevo.core.registry import Entry
from pigevo.settings.schema import GROUPS, registry_of
from pigevo.strategies import STRATEGIES

SETTING = ("setting and usual value", "may be", "what it is")


@functools.cache
def _meanings() -> tuple[Meaning, ...]:
    return tuple(all_meanings())


def choices() -> str:
    """Each group with its choices."""
    return "\n".join(_group(group) for group in GROUPS)


def _group(group: str) -> str:
    parts = [f"(group-{group})=", f"## {group}", "", prose(words.GROUPS[group]), ""]
    for one in _meanings():
        chosen, sign, name = one.word.partition("=")
        if sign and chosen == group:
            parts.append(_choice(one, registry_of(group).get(name) if name in registry_of(group) else None))
    return "\n".join(parts)


def _choice(one: Meaning, entry: Entry | None) -> str:
    parts = [f"### {one.word}", "", prose(one.text), ""]
    if entry is not None:
        parts.append(fence(signature(entry), "python"))
    if one.source:
        parts.append(f"Source: {prose(one.source)}.\n")
    parts.append(_settings(one))
    return "\n".join(parts)


def _settings(one: Meaning) -> str:
    return table(SETTING, ((code(name), prose(takes), prose(about)) for name, takes, about in one.settings))


def signature(entry: Entry) -> str:
    """Where the function of a choice is, and what it takes."""
    function = entry.function
    while isinstance(function, functools.partial):
        function = function.func
    named = function if inspect.isclass(function) or inspect.isroutine(function) else type(function)
    given = [str(one.replace(annotation=one.empty)) for one in inspect.signature(function).parameters.values()]
    inside = ", ".join(_hinted(one, entry) for one in given)
    return f"{named.__module__}.{named.__qualname__}({inside})"


def _hinted(parameter: str, entry: Entry) -> str:
    """A parameter, with the plain type of an option."""
    name, sign, default = parameter.partition("=")
    hint = entry.hints.get(name)
    if hint is None:
        return parameter
    kind = typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint
    said = kind.__name__ if inspect.isclass(kind) and not typing.get_args(kind) else str(kind)
    return f"{name}: {said.replace('typing.', '').replace('collections.abc.', '')}{f' = {default}' if sign else ''}"


def experiments() -> str:
    """The experiments and the ready sweeps."""
    found = [one for one in _meanings() if one.word.startswith(("experiment=", "sweep="))]
    return table(("name", "what it does"), ((code(one.word), prose(one.text)) for one in found))


def settings() -> str:
    """The settings that belong to no group."""
    both = {name: words.RESULTS | words.TABLES for name in ("generations", "seed")}
    found = {name: both[name][name] for name in both} | words.SETTINGS
    return _words(found, "setting")


def strategies() -> str:
    """The strategies that have names."""
    parts = []
    for one in _meanings():
        if one.kind == "a strategy":
            parts += [f"## {one.word}", "", prose(one.text), "", fence(signature(STRATEGIES[one.word]), "python")]
            parts += [f"Source: {prose(one.source)}.\n" if one.source else "", _settings(one)]
    return "\n".join(parts)


def launchers() -> str:
    """Where the runs of a sweep can be done."""
    parts = []
    for one in _meanings():
        if one.kind.startswith("a launcher"):
            parts += [f"### {code(one.word)}", "", prose(one.text), "", _settings(one)]
    return "\n".join(parts)


def metrics() -> str:
    """The columns of `metrics.csv`."""
    return _words(words.METRICS, "column")


def results() -> str:
    """The figures of `result.json`."""
    return _words(words.RESULTS, "figure")


def tables() -> str:
    """The columns of a sweep's tables, beside those."""
    return _words(words.TABLES, "column")


def printed() -> str:
    """The figures of what commands print and write, kind by kind."""
    return "\n".join(f"## {kind.partition(' of ')[2]}\n\n{_fields(record)}" for kind, record in records())


def glossary() -> str:
    """All words of the output and of the documentation."""
    lines = ["```{glossary}"]
    for word, text in sorted(words.WORDS.items()):
        lines += [word.replace("_", " "), f"  {prose(text)}", ""]
    return "\n".join([*lines, "```"])


def _fields(record: type) -> str:
    return table(("column", "what it is"), ((code(name), prose(text)) for name, text in arguments(record).items()))


def _words(found: dict[str, str], head: str) -> str:
    rows: Iterable[tuple[str, str]] = ((code(name), prose(text)) for name, text in found.items())
    return table((head, "what it means"), rows)
