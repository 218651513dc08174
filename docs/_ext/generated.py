"""What the pages of the reference take from the code when the site is built.

A line of a page that ends with `<!-- generated: NAME -->` becomes the Markdown that the function of that name in
`TEXTS` returns; its words are for readers of the source.  Commands describe themselves; choices, settings, strategies,
columns and words are as `describe` tells them; each public name of the interface in Python has a page with its own
docstring.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import click
from markdown import code, fence, prose, table

import pigevo
import pigevo.experiments.benchmark
import pigevo.figures
import pigevo.three_player
from pigevo import _HOMES
from pigevo.cli import glossary as words
from pigevo.cli.choice_descriptions import arguments
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.commands.describe import Meaning, all_meanings, records
from pigevo.cli.options import game_options
from pigevo.core.registry import Entry
from pigevo.settings.schema import GROUPS, registry_of
from pigevo.strategies import STRATEGIES

OPTION = ("option", "what it does")


def commands() -> str:
    """Each command: how it is typed, what it does, and its options."""
    return "\n".join(_one(name) for name in command_names())


def shared_options() -> str:
    """The options of the games."""
    command = click.command("any")(game_options(lambda: None))
    return table(OPTION, _records(command.params, click.Context(command)))


def _one(name: str) -> str:
    command = load_command(name)
    context = click.Context(command, info_name=f"pigevo {name}")
    shared = {one.name for one in click.command("any")(game_options(lambda: None)).params}
    takes_game = shared <= {one.name for one in command.params}
    own = [one for one in command.params if not (takes_game and one.name in shared)]
    usage = " ".join([f"pigevo {name}", *command.collect_usage_pieces(context)])
    parts = [f"(command-{name})=", f"## pigevo {name}", "", _paragraphs(command.help or ""), "", fence(usage)]
    parts.append(table(OPTION, _records(own, context)))
    if takes_game:
        parts.append("It also takes the [options of the games](#options-of-the-games).\n")
    parts.append(_paragraphs(command.epilog or ""))
    return "\n".join(parts) + "\n"


def _records(params: list[click.Parameter], context: click.Context) -> list[tuple[str, str]]:
    found = (one.get_help_record(context) for one in params if isinstance(one, click.Option))
    return [(code(one[0]), prose(one[1])) for one in found if one]


def _paragraphs(text: str) -> str:
    """Paragraphs; one that click leaves as it is stays so."""
    return "\n\n".join(
        fence(part.lstrip("\b\n")) if part.startswith("\b") else prose(part)
        for part in re.split(r"\n\s*\n", text.strip())
    )


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


TITLES = {
    "pigevo.errors": "Errors",
    "pigevo.games": "Games",
    "pigevo.strategies": "Strategies",
    "pigevo.exact": "The referee",
    "pigevo.simulation": "Matches",
    "pigevo.evolution.evaluation": "What a fitness returns",
    "pigevo.evolution.operators": "Kinds of operators",
    "pigevo.evolution.plan": "Stop rules",
    "pigevo.api": "Runs and sweeps",
    "pigevo.settings.settings": "Settings",
    "pigevo.runs.load": "A run that was done",
    "pigevo.sweeps.load": "A sweep that was done",
    "pigevo.tournaments": "Tournaments",
}
"""Of the modules with public names; any other has its own name."""


def interface() -> str:
    """The names of the package, by what they are about."""
    titles = {home: TITLES.get(home, home.rpartition(".")[2].replace("_", " ").capitalize()) for home in _HOMES}
    return "\n".join(f"## {titles[home]}\n\n{_described('pigevo', names)}" for home, names in _HOMES.items())


def figures() -> str:
    """All functions that give figures' numbers or draw them, and what these numbers are."""
    parts = []
    for module in pkgutil.iter_modules(pigevo.figures.__path__):
        home = f"pigevo.figures.{module.name}"
        there = vars(importlib.import_module(home))
        named = [n for n, one in there.items() if n.startswith("plot_") or n.endswith("_data") or is_dataclass(one)]
        own = [n for n in named if there[n].__module__ == home]
        if own:
            parts.append(f"## {module.name}\n\n{_described(home, own)}")
    return "\n".join(parts)


def benchmark() -> str:
    """The names of `pigevo.experiments.benchmark`, types that say what an algorithm is made of aside."""
    home = pigevo.experiments.benchmark
    there = {name: getattr(home, name) for name in home.__all__}
    described = [name for name, value in there.items() if inspect.isroutine(value) or inspect.isclass(value)]
    return _described(home.__name__, described)


def three_players() -> str:
    """The names of `pigevo.three_player`."""
    there = ((name, getattr(pigevo.three_player, name)) for name in pigevo.three_player.__all__)
    names = [n for n, one in there if inspect.isroutine(one) or (inspect.isclass(one) and one is not pigevo.Piglet)]
    return _described("pigevo.three_player", names)


def dominance() -> str:
    """Dominated strategies in a matrix."""
    return _described("pigevo.tournaments", ["Dominated", "Elimination", "dominated", "eliminate"])


def building_blocks() -> str:
    """What operators draw from, and what games of one's own are made of."""
    return _described("pigevo.dice", ["Draw"]) + "\n" + _described("pigevo.games", ["Game", "Throw"])


PAGES = "reference/api"
"""The folder of the pages that describe a name each; they are written anew for each build."""


def _described(home: str, names: Iterable[str]) -> str:
    """A table of names, each with its page and the first sentence of its docstring."""
    names = list(names)
    pages = "\n".join(f"api/{home}.{name}" for name in names)
    rows = "\n".join(f"| [`{name}`](api/{home}.{name}.rst) | {_sentence(home, name)} |" for name in names)
    return f"| name | meaning |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def _sentence(home: str, name: str) -> str:
    """The first sentence of a docstring, as a cell of a table."""
    text = " ".join((inspect.getdoc(getattr(importlib.import_module(home), name)) or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", text)[0].replace("|", r"\|")


def write_pages(app: Any) -> None:
    """Write a page for each public name; pages of names that are gone are removed."""
    folder = Path(app.srcdir, PAGES)
    folder.mkdir(exist_ok=True)
    texts = {}
    for described in TABLES:
        for home, name in re.findall(r"^api/(\S+)\.(\w+)$", described(), flags=re.M):
            kind = "class" if inspect.isclass(getattr(importlib.import_module(home), name)) else "function"
            members = "   :members:\n" if kind == "class" else ""
            title = f"{home}.{name}\n{'=' * len(f'{home}.{name}')}"
            texts[folder / f"{home}.{name}.rst"] = f"{title}\n\n.. auto{kind}:: {home}.{name}\n{members}"
    for path in set(folder.glob("*.rst")) - set(texts):
        path.unlink()
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


TABLES = (interface, figures, benchmark, three_players, dominance, building_blocks)


TEXTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "game options": shared_options,
    "choices": choices,
    "experiments": experiments,
    "settings": settings,
    "strategies": strategies,
    "launchers": launchers,
    "metrics": metrics,
    "results": results,
    "tables": tables,
    "printed": printed,
    "glossary": glossary,
    "python": interface,
    "figures": figures,
    "benchmark": benchmark,
    "three players": three_players,
    "dominance": dominance,
    "building blocks": building_blocks,
}


def fill(app: Any, _: str, source: list[str]) -> None:
    """Put the texts into a page that is being read; it is read anew each time, as the code may have changed."""
    if "<!-- generated: " in source[0]:
        app.env.note_reread()
    source[0] = re.sub(r"^.*<!-- generated: (.+?) -->$", lambda found: TEXTS[found[1]](), source[0], flags=re.M)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
