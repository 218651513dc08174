"""`pigevo describe WORD`: what a choice, a column, a setting or a word means; and `pigevo strategies`.

The texts come from docstrings, from conf/, or from the glossary.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace

import click

from pigevo.cli import glossary
from pigevo.cli.choice_descriptions import arguments, sentences, settings_of
from pigevo.cli.commands import command_names, load_command, studies_with_commands
from pigevo.cli.options import game_options, json_option, picked, purpose, show
from pigevo.cli.output import wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.registry import Entry, Registry
from pigevo.core.text import sentence, short_repr
from pigevo.errors import InputError, did_you_mean
from pigevo.games import Game
from pigevo.settings.schema import CUSTOM, GROUPS, choices, comments, conf_folder, registry_of
from pigevo.strategies import STRATEGIES

LAUNCHER = "hydra/launcher"

_EPILOG = """\
WORD is a choice of any group (lexicase, waves, or selection=lexicase where several groups have it), a group, a
setting, a named strategy, an experiment, a command, a column of a table of runs, sweeps, tournaments or benchmarks, a
figure of result.json, or a word of the output.
"""


@purpose("Studies and help")
@click.command(epilog=_EPILOG)
@click.argument("word", nargs=-1, required=True)
@json_option
def command(word: tuple[str, ...], as_json: bool) -> None:
    """Explain a choice, a column, a setting or a word in the output."""
    text = " ".join(word)
    senses = meanings(text)
    show({"word": text, "meanings": [asdict(sense) for sense in senses]}, "\n\n".join(map(describe, senses)), as_json)


def describe(meaning: Meaning) -> str:
    """A meaning as text."""
    lines = [*wrapped(f"{meaning.word}: {meaning.kind}", "", "  "), *wrapped(meaning.text)]
    if meaning.source:
        lines += wrapped(f"source: {meaning.source}", "  ", "    ")
    if meaning.settings:
        lines.append("  settings:")
    for name, takes, about in meaning.settings:
        description = "; ".join(part for part in (takes, about.rstrip(".")) if part)
        lines += wrapped(f"{name}  {description}", "    ", "        ")
    if meaning.example:
        lines.append(f"  {meaning.example}")
    return "\n".join(lines)


@dataclass(frozen=True)
class Meaning:
    """The meaning of a word: its kind, the text, and, if there are any, its publication and how to type it.

    `settings` has each setting with its default, its possible values, and its meaning.
    """

    word: str
    kind: str
    text: str
    source: str = ""
    settings: tuple[tuple[str, str, str], ...] = ()
    example: str = ""


def meanings(text: str) -> list[Meaning]:
    """All meanings of a word."""
    key = _key(text)
    everything = _merged(all_meanings())
    is_full = "=" in text or "." in text
    matching = [
        sense for sense in everything if key == _key(sense.word) or (not is_full and key == _key(_last(sense.word)))
    ]
    if matching:
        return matching
    known = {_key(part) for sense in everything for part in (sense.word, _last(sense.word))}
    hint = did_you_mean(key, known) or "`pigevo describe --help` says what has a meaning."
    raise InputError(f"{short_repr(text)} has no meaning here; {hint}")


def all_meanings() -> Iterator[Meaning]:
    """The meanings of all names."""
    registries = list(_registries())
    names = {"strategy": registries[0][1], "launcher": choices(LAUNCHER)}
    for group, text in glossary.GROUPS.items():
        listed_names = ", ".join(names.get(group) or choices(group))
        yield Meaning(group, "a group of choices", f"{text} There are: {listed_names}.")
    for group in GROUPS:
        for name in choices(group):
            yield _choice(group, name)
            if name in registry_of(group):
                yield from _options(group, registry_of(group)[name])
    for group, kind in (("experiment", "an experiment"), ("sweep", "a ready sweep")):
        for name in choices(group):
            example = f"python -m pigevo {group}={name}"
            yield Meaning(f"{group}={name}", kind, " ".join(comments(group, name)), example=example)
    for kind, registry, example in registries:
        for name, entry in registry.items():
            yield Meaning(name, kind, sentences(entry), entry.source, _rows(entry), example.format(name))
    yield from map(_launcher, choices(LAUNCHER))
    for name in command_names():
        text = load_command(name).get_short_help_str(200)
        yield Meaning(name, "a command", text, example=f"pigevo {name} --help")
    for kind, table in (
        ("a column of metrics.csv", glossary.METRICS), ("a figure of result.json", glossary.RESULTS),
        ("a column of a sweep's tables", glossary.TABLES), ("a setting", glossary.SETTINGS),
        ("a word", glossary.WORDS),
    ):  # fmt: skip
        yield from (Meaning(name, kind, text) for name, text in table.items())
    for kind, record in records():
        for name, text in arguments(record).items():
            about = f"`{name}` {text}" if text.startswith(("of ", "that ")) else sentence(text)
            yield Meaning(name, kind, f"{about.rstrip('.')}.")


def _registries() -> Iterator[tuple[str, Registry, str]]:
    """Choices without a file in conf/: their kind, their names, and how to type them."""
    from pigevo.evolution.game_allocation import ALLOCATION_RULES

    importlib.import_module("pigevo.exact")  # registers `optimal`
    spend = "python -m pigevo fitness=archive_games fitness.by=mean fitness.spend={}"
    yield "a strategy", STRATEGIES, "pigevo show {}"
    yield "a way to spend games", ALLOCATION_RULES, spend


def _merged(separate: Iterable[Meaning]) -> list[Meaning]:
    """Meanings, with equal ones of the same word merged."""
    kinds: dict[tuple[str, str], list[Meaning]] = {}
    for meaning in separate:
        kinds.setdefault((meaning.word, meaning.text), []).append(meaning)
    return [replace(several[0], kind="; ".join(sense.kind for sense in several)) for several in kinds.values()]


def _choice(group: str, name: str) -> Meaning:
    """A choice of a group; a file of conf/ without a function of its name is a variant of another choice."""
    example = f"python -m pigevo {group}={name}"
    if name == CUSTOM:
        return Meaning(f"{group}={name}", f"a choice of {group}", glossary.WORDS[CUSTOM], example=example)
    about = glossary.GROUPS[group].rstrip(".")
    kind = f"a choice of {group}: {about[:1].lower()}{about[1:]}"
    if name not in registry_of(group):
        values = _written(group, name)
        base = values["name"]
        difference = "with other numbers" if len(values) > 1 else "by another name"
        text = f"{' '.join(comments(group, name))} It is {group}={base} {difference}.".strip()
        rows = tuple((f"{group}.{key}={value}", "", "") for key, value in values.items() if key != "name")
        return Meaning(f"{group}={name}", kind, text, registry_of(group)[base].source, rows, example)
    entry = registry_of(group)[name]
    return Meaning(f"{group}={name}", kind, sentences(entry), entry.source, _rows(entry, f"{group}."), example)


def _launcher(name: str) -> Meaning:
    from pigevo.sweeps.launchers import LAUNCHERS

    values = _written(LAUNCHER, name)
    entry = LAUNCHERS[values.pop("name")]
    rows = tuple(
        (f"hydra.launcher.{setting.name}={values.get(setting.name) or _yaml_value(setting.default)}",
         setting.takes, setting.about)
        for setting in settings_of(entry)
    )  # fmt: skip
    text = f"{sentences(entry)} {' '.join(comments(LAUNCHER, name))}"
    kind = "a launcher: where the runs of a sweep are done"
    return Meaning(f"{LAUNCHER}={name}", kind, text, settings=rows, example=f"python -m pigevo -m {LAUNCHER}={name}")


def _rows(entry: Entry, group: str = "") -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (f"{group}{setting.name}={_yaml_value(setting.default)}", setting.takes, setting.about)
        for setting in settings_of(entry)
    )


def _options(group: str, entry: Entry) -> Iterator[Meaning]:
    for setting in settings_of(entry):
        text = ". ".join(part for part in (sentence(setting.about.rstrip(".")), sentence(setting.takes)) if part)
        kind = f"a setting of {group}={entry.name}, usually {_yaml_value(setting.default)}"
        yield Meaning(f"{group}.{setting.name}", kind, f"{text or 'It has no description'}.")


def _written(group: str, name: str) -> dict[str, str]:
    """The values in a choice's file as written; of a pair of quick and full values, the full one."""
    lines = (conf_folder() / group / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("#")[0].strip().partition(": ") for line in lines if re.match(r"\w+: ", line))
    return {key: re.sub(r"^\$\{pigevo\.quick:[^,]*,(.*)\}$", r"\1", value.strip()) for key, _, value in pairs}


def records() -> tuple[tuple[str, type], ...]:
    """The places where figures are printed or written, each with the class whose docstring describes them."""
    from pigevo.core.intervals import Placement
    from pigevo.people.habits import Behind, Following, HoldValue, ScoreGrowth
    from pigevo.people.pairings import Comparison, Seats
    from pigevo.sweeps import statistics
    from pigevo.tournaments import Dominated, result
    from pigevo.tournaments.fair import FairTest

    studies = [importlib.import_module(f"pigevo.experiments.{name}.command") for name in studies_with_commands()]
    people = "a figure of `pigevo people`"
    return (
        ("a column of report/ranking.csv", statistics.RankedSetting),
        ("a figure of `pigevo compare`", statistics.Compared),
        ("a figure of a run among random ones", Placement),
        ("a column of `pigevo tournament`", result.RankedStrategy),
        ("a figure of `pigevo tournament --dominated`", Dominated),
        ("a figure of `pigevo fair-test`", FairTest),
        (f"{people}, of scores by turn", ScoreGrowth),
        (f"{people}, of hold values", HoldValue),
        (f"{people}, of taking more risk when behind", Behind),
        (f"{people}, of following the opponent", Following),
        (f"{people}, of moving first", Seats),
        (f"{people}, of mirrored games", Comparison),
        *(record for study in studies if hasattr(study, "records") for record in study.records()),
    )


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())


def _yaml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(list(value)) if isinstance(value, tuple) else str(value)


def _last(word: str) -> str:
    return re.split(r"[=.]", word)[-1]


_STRATEGIES_EPILOG = """\
A strategy is written NAME or NAME:number,number, with its numbers in the order shown; the list shows their defaults.
`pigevo show NAME` shows how the strategy plays. Three words make strategies from others: noisy:0.05,A decides otherwise
than A with a chance of 0.05 at each decision, mix:0.5,A,B draws at each decision whether A or B decides, mirror:A
exchanges the scores.
"""


@purpose("Look at a strategy")
@click.command(epilog=_STRATEGIES_EPILOG)
@game_options
@json_option
def strategies_command(game: Game, as_json: bool) -> None:
    """List all named strategies, with what they win.

    The list has their parameters, sources, and win probabilities against the optimum.
    """
    record = listed(game)
    show(record, describe_strategies(record), as_json)


def listed(game: Game) -> JsonObject:
    """The named strategies of a game, the best first, with win probabilities, and reasons why others are missing."""
    importlib.import_module("pigevo.exact")  # registers `optimal`
    strategies, refused = [], []
    for name, entry in STRATEGIES.items():
        try:
            strategies.append(_with_wins(entry, game))
        except InputError as error:
            refused.append({"name": name, "about": sentences(entry), "why": str(error)})
    strategies.sort(key=lambda row: (-row["overall"], row["name"] != "optimal"))
    return {"game": str(game), "strategies": strategies, "others": refused}


def _with_wins(entry: Entry, game: Game) -> JsonObject:
    from pigevo import optimal, win_probability

    strategy = entry.function(game, **entry.completed({}))
    met = win_probability(strategy, optimal(game).strategy)
    return {
        "name": entry.name,
        "word": strategy.name,
        "about": sentences(entry),
        "source": entry.source,
        "numbers": [asdict(setting) for setting in settings_of(entry)],
        **picked(met, "first", "second", "overall"),
    }


def describe_strategies(record: JsonObject) -> str:
    """The strategies as text."""
    written = [_with_numbers(strategy) for strategy in record["strategies"]]
    width = max(map(len, written))
    lines = [f"strategies of {record['game']}, and what they win against the optimum, exactly"]
    lines += [*wrapped("Sources, and the usual numbers of a strategy, are about Pig to 100 with six sides.", ""), ""]
    lines.append(f"{'':{width + 11}}moving\n{'':{width}}  overall  first    second")
    for word, row in zip(written, record["strategies"], strict=True):
        lines.append(f"{word:{width}}  {row['overall']:.6f} {row['first']:.6f} {row['second']:.6f}")
        source = f" ({row['source']})" if row["source"] else ""
        lines += wrapped(f"{row['about']}{source}", "    ")
    for row in record["others"]:
        lines += ["", *wrapped(f"not here: {row['why']}", "", "  "), *wrapped(row["about"], "    ")]
    return "\n".join(lines)


def _with_numbers(strategy: JsonObject) -> str:
    """The word with the names of its numbers: `hold_at:20 (n)`."""
    numbers = ", ".join(setting["name"] for setting in strategy["numbers"])
    name, colon, _ = strategy["word"].partition(":")
    usual = ",".join(str(setting["default"]) for setting in strategy["numbers"])
    return f"{name}{':' if usual else colon}{usual} ({numbers})" if numbers else strategy["word"]
