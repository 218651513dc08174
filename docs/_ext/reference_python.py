"""The reference of the interface in Python: every public name, described by its own docstring."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pigevo
import pigevo.experiments.benchmark
import pigevo.figures
import pigevo.three_player
from pigevo import _HOMES

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
    for table in TABLES:
        for home, name in re.findall(r"^api/(\S+)\.(\w+)$", table(), flags=re.M):
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
