"""Everything that has a name, and what it means; texts are taken from where they are, or from the glossary."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pigevo.cli import glossary
from pigevo.cli.choice_descriptions import arguments, sentences, settings_of
from pigevo.cli.commands import command_names, load_command
from pigevo.core.registry import Entry
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.evolution.registries import SPENDINGS
from pigevo.settings.schema import CHOICES, CUSTOM, GROUPS, choices, conf_folder, registry_of
from pigevo.strategies import STRATEGIES


@dataclass(frozen=True)
class Meaning:
    """What a word means.

    Args:
        word: the word, as it is written.
        kind: what it is, in words.
        text: what it means, in sentences.
        source: the publication it is from; empty where none is.
        settings: each setting with its usual value, what it may be, and what it is.
        example: how it is typed; empty where it is not.
    """

    word: str
    kind: str
    text: str
    source: str = ""
    settings: tuple[tuple[str, str, str], ...] = ()
    example: str = ""


def meanings(text: str) -> list[Meaning]:
    """All that a word means.

    Args:
        text: the word, or several; `group=name` and `group.option` mean that one alone.

    Raises:
        InputError: it means nothing here.
    """
    asked = _key(text)
    everything = _merged(all_meanings())
    alone = "=" in text or "." in text
    found = [one for one in everything if asked == _key(one.word) or (not alone and asked == _key(_last(one.word)))]
    if found:
        return found
    known = sorted({_key(part) for one in everything for part in (one.word, _last(one.word))})
    near = difflib.get_close_matches(asked, known, n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "`pigevo describe --help` says what has a meaning."
    raise InputError(f"{short_repr(text)} has no meaning here; {hint}")


def all_meanings() -> Iterator[Meaning]:
    """Whatever has a name."""
    for group, text in glossary.GROUPS.items():
        yield Meaning(group, "a group of choices", f"{text} There are: {', '.join(_names(group))}.")
    for group in GROUPS:
        for name in choices(group):
            yield _choice(group, name)
            if name in registry_of(group):
                yield from _options(group, registry_of(group)[name])
    yield from _named_strategies()
    yield from _files()
    yield from _launchers()
    yield from _spendings()
    yield from _algorithms()
    yield from (
        Meaning(name, "a command", load_command(name).get_short_help_str(200), example=f"pigevo {name} --help")
        for name in command_names()
    )
    yield from _columns()


def _merged(found: Iterable[Meaning]) -> list[Meaning]:
    """Meanings, those of one word that say the same as one."""
    kinds: dict[tuple[str, str], list[Meaning]] = {}
    for one in found:
        kinds.setdefault((one.word, one.text), []).append(one)
    return [replace(several[0], kind="; ".join(one.kind for one in several)) for several in kinds.values()]


def _choice(group: str, name: str) -> Meaning:
    """A choice of a group; a file of conf/ without a function of its name is another choice with its own numbers."""
    comments, values = _conf(group, name)
    example = f"python -m pigevo {group}={name}"
    if name == CUSTOM:
        return Meaning(f"{group}={name}", f"a choice of {group}", glossary.WORDS[CUSTOM], example=example)
    kind = f"a choice of {group}: {_lower(glossary.GROUPS[group]).rstrip('.')}"
    if name not in registry_of(group):
        base = values["name"]
        other = "with other numbers" if len(values) > 1 else "by another name"
        text = f"{comments} It is {group}={base} {other}.".strip()
        shown = tuple((f"{group}.{key}={value}", "", "") for key, value in values.items() if key != "name")
        return Meaning(f"{group}={name}", kind, text, registry_of(group)[base].source, shown, example)
    entry = registry_of(group)[name]
    return Meaning(f"{group}={name}", kind, sentences(entry), entry.source, _settings(group, entry), example)


def _settings(group: str, entry: Entry) -> tuple[tuple[str, str, str], ...]:
    return tuple((f"{group}.{one.name}={_yaml_value(one.default)}", one.takes, one.about) for one in settings_of(entry))


def _options(group: str, entry: Entry) -> Iterator[Meaning]:
    for one in settings_of(entry):
        text = ". ".join(part for part in (_upper(one.about.rstrip(".")), _upper(one.takes)) if part)
        yield Meaning(f"{group}.{one.name}", f"a setting of {group}={entry.name}, usually {_yaml_value(one.default)}",
                      f"{text or 'A value of its own'}.")  # fmt: skip


def _named_strategies() -> Iterator[Meaning]:
    importlib.import_module("pigevo.exact")  # adds `optimal` to the names
    for name, entry in STRATEGIES.items():
        rows = tuple((f"{one.name}={_yaml_value(one.default)}", one.takes, one.about) for one in settings_of(entry))
        yield Meaning(name, "a strategy", sentences(entry), entry.source, rows, f"pigevo show {name}")


def _files() -> Iterator[Meaning]:
    for group in CHOICES:
        if group not in GROUPS:
            for name in choices(group):
                text, _ = _conf(group, name)
                kind = {"experiment": "an experiment", "sweep": "a ready sweep"}[group]
                yield Meaning(f"{group}={name}", kind, text, example=f"python -m pigevo {group}={name}")


def _algorithms() -> Iterator[Meaning]:
    from pigevo.benchmark.algorithms import ALGORITHMS

    for name, entry in ALGORITHMS.items():
        text = sentences(entry)
        yield Meaning(name, "an algorithm of the benchmark", text, entry.source, example=f"pigevo benchmark {name}")


def _launchers() -> Iterator[Meaning]:
    from pigevo.sweeps.launchers import LAUNCHERS

    for name, entry in LAUNCHERS.items():
        rows = tuple((f"{one.name}={_yaml_value(one.default)}", one.takes, one.about) for one in settings_of(entry))
        yield Meaning(name, "a launcher: where the runs of a sweep are done", sentences(entry), entry.source, rows)


def _spendings() -> Iterator[Meaning]:
    for name, entry in SPENDINGS.items():
        rows = tuple((f"{one.name}={_yaml_value(one.default)}", one.takes, one.about) for one in settings_of(entry))
        kind, example = (
            "a way to spend games",
            f"python -m pigevo fitness=archive_games fitness.by=mean fitness.spend={name}",
        )
        yield Meaning(name, kind, sentences(entry), entry.source, rows, example)


def _columns() -> Iterator[Meaning]:
    for kind, table in (
        ("a column of metrics.csv", glossary.METRICS), ("a figure of result.json", glossary.RESULTS),
        ("a column of a sweep's tables", glossary.TABLES), ("a setting", glossary.SETTINGS),
        ("a word", glossary.WORDS),
    ):  # fmt: skip
        yield from (Meaning(name, kind, text) for name, text in table.items())
    for kind, record in records():
        for name, text in arguments(record).items():
            said = f"`{name}` {text}" if text.startswith(("of ", "that ")) else _upper(text)
            yield Meaning(name, kind, f"{said.rstrip('.')}.")


def records() -> tuple[tuple[str, type], ...]:
    """The records that commands print and write, whose docstrings describe their figures: what each is, and where."""
    from pigevo.benchmark import results
    from pigevo.evolution.rank_among_random import Placement
    from pigevo.people.habits import Behind, Course, Following, HoldValue
    from pigevo.sweeps import statistics
    from pigevo.tournaments import result
    from pigevo.tournaments.fair import FairTest

    people = "a figure of `pigevo people`"
    return (
        ("a column of report/ranking.csv", statistics.Ranked),
        ("a figure of `pigevo compare`", statistics.Compared),
        ("a figure of a run among random ones", Placement),
        ("a column of `pigevo tournament`", result.Ranked),
        ("a figure of `pigevo fair-test`", FairTest),
        ("a column of `pigevo benchmark`: ranks, by area", results.Standing),
        ("a column of `pigevo benchmark`: how champions end", results.Ending),
        ("a column of `pigevo benchmark`: running times", results.Time),
        (f"{people}, of scores by turn", Course),
        (f"{people}, of hold values", HoldValue),
        (f"{people}, of taking more risk when behind", Behind),
        (f"{people}, of following the opponent", Following),
    )


def _conf(group: str, name: str) -> tuple[str, dict[str, str]]:
    """The sentences in the comments of a choice's file, and its values as they are written."""
    lines = (conf_folder() / group / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    said = [text for text in comments if text and not text.startswith(("@package", "python -m"))]
    pairs = (line.split("#")[0].strip().partition(": ") for line in lines if re.match(r"\w+: ", line))
    values = {key: re.sub(r"^\$\{quick:[^,]*,(.*)\}$", r"\1", value.strip()) for key, _, value in pairs}
    return " ".join(said), values


def _names(group: str) -> list[str]:
    if group == "strategy":
        return list(STRATEGIES)
    if group == "launcher":
        from pigevo.sweeps.launchers import LAUNCHERS

        return list(LAUNCHERS)
    return choices(group)


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())


def _yaml_value(value: object) -> str:
    """A usual value, as YAML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(list(value)) if isinstance(value, tuple) else str(value)


def _last(word: str) -> str:
    """The word without its group."""
    return re.split(r"[=.]", word)[-1]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
