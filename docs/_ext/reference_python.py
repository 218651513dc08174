"""The reference of the interface in Python: every public name, described by its own docstring."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from dataclasses import is_dataclass

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


def _described(home: str, names: Iterable[str]) -> str:
    module = importlib.import_module(home)
    lines = ["```{eval-rst}", f".. currentmodule:: {home}", ""]
    for name in names:
        kind = "class" if inspect.isclass(getattr(module, name)) else "function"
        lines += [f".. auto{kind}:: {name}", *(["   :members:"] if kind == "class" else []), ""]
    return "\n".join([*lines, "```", ""])
