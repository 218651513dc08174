"""The choice of settings: twelve of each contestant, all with the same games, on a game that is not reported."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.core.text import with_interval

from ..coevolution.kept import Key, Rows, kept
from ..common.tables import table
from .contestants import ANOTHER, EVERYONE, EVOLUTIONS, Options, options_of
from .trials import trial

SEEDS = (1, 2)
LEAST = 1e-7
"""The smallest loss that counts as one, since zero has no logarithm."""

Chosen = Mapping[str, Options]
"""The setting of each contestant."""


def tried(path: Path, workers: int, missing: bool) -> Rows:
    """The figures of all settings by contestant, number of the setting and seed.

    Args:
        path: a CSV file.
        workers: processes.
        missing: whether what the file lacks is computed; else what it has is all.
    """
    names = ("contestant", "setting", "seed")
    keys: list[Key] = [(name, n, seed) for name in EVERYONE for n in range(len(options_of(name))) for seed in SEEDS]
    return kept(path, names, keys if missing else keys_in(path, len(names)), figures, workers)


def keys_in(path: Path, parts: int) -> list[Key]:
    """The keys of the rows of a file, which have so many parts."""
    with path.open(newline="", encoding="utf-8") as file:
        return [tuple(row[:parts]) for row in list(csv.reader(file))[1:]]


def figures(key: Key) -> Mapping[str, float]:
    """The figures of a setting with a seed."""
    name, number, seed = str(key[0]), int(key[1]), int(key[2])
    return trial(name, ANOTHER, options_of(name)[number], seed, ANOTHER.decades[-1])


def digits(loss: float) -> float:
    """The digits of a win probability that are right: the decimal logarithm of the loss, turned."""
    return float(-np.log10(max(loss, LEAST)))


def scores(rows: Rows, decades: range = ANOTHER.decades) -> dict[str, list[float]]:
    """The mean digits of each setting of each contestant, over seeds and powers of ten."""
    found: dict[str, dict[int, list[float]]] = {}
    for (name, number, _), row in rows.items():
        of_row = [digits(row[f"loss {decade}"]) for decade in decades]
        found.setdefault(name, {}).setdefault(int(number), []).extend(of_row)
    return {name: [float(np.mean(by_number[n])) for n in sorted(by_number)] for name, by_number in found.items()}


def chosen(rows: Rows) -> Chosen:
    """The setting of each contestant with the most digits."""
    return {name: options_of(name)[int(np.argmax(of_settings))] for name, of_settings in scores(rows).items()}


def better_evolution(rows: Rows, decade: int) -> str:
    """The way to evolve that has more digits at a power of ten; beyond those tried, at the nearest one."""
    at = min(max(decade, ANOTHER.decades[0]), ANOTHER.decades[-1])
    best = {name: int(np.argmax(scores(rows)[name])) for name in EVOLUTIONS}
    return max(EVOLUTIONS, key=lambda name: scores(rows, range(at, at + 1))[name][best[name]])


def as_markdown(rows: Rows) -> str:
    """The chosen setting of each contestant, and how far the twelve are apart."""
    lines = []
    for name, of_settings in scores(rows).items():
        options = ", ".join(f"{key} {value}" for key, value in chosen(rows)[name].items())
        lines.append((name, len(of_settings), options, with_interval(max(of_settings), None, None, ".2f"),
                      f"{np.median(of_settings):.2f}", f"{min(of_settings):.2f}"))  # fmt: skip
    better = [(f"10^{decade}", better_evolution(rows, decade)) for decade in ANOTHER.decades]
    head = ["contestant", "settings", "chosen", "digits of the best", "of the median", "of the worst"]
    return table(head, lines) + "\n" + table(["games", "the better evolution"], better)
