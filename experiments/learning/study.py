"""The learning study: learners beside evolution at equal numbers of games, and how many games anybody needs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.figures.axes import figure_of, save_figure

from ..coevolution.kept import Key, Rows, kept
from ..common.tables import write_section
from . import report, tuning
from .bound import evidence
from .contestants import EVERYONE, TASKS
from .drawing import Points, plot_learning
from .trials import top, trial

HERE = Path(__file__).parent
FRESH, MOST_SEEDS = 71_000, 30
"""The first of the seeds, with which nothing was tried before, and how many there are at most."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study with the settings that were chosen, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: of each contestant on each game, `MOST_SEEDS` at most.
        workers: processes.
    """
    _compare(folder, seeds, workers, tuning.tried(HERE / "tuning.csv", workers, missing=False))


def run_full(folder: Path, seeds: int, workers: int) -> None:
    """Choose the settings, too."""
    _compare(folder, seeds, workers, tuning.tried(folder / "tuning.csv", workers, missing=True))


def _compare(folder: Path, seeds: int, workers: int, tried: Rows) -> None:
    keys: list[Key] = [(task, name, FRESH + number) for number in range(min(seeds, MOST_SEEDS))
                       for task in TASKS for name in EVERYONE]  # fmt: skip
    rows = kept(folder / "runs.csv", ("game", "contestant", "seed"), keys, Trials(tuning.chosen(tried)), workers)
    write_section(folder, "tuning", tuning.as_markdown(tried))
    write_section(folder, "loss", report.levels(rows, "loss"))
    write_section(folder, "exploitability", report.levels(rows, "exploitability"))
    write_section(folder, "evolution", report.against_evolution(rows, tried))
    write_section(folder, "speed", report.speed(rows))
    write_section(folder, "bound", report.bounds())
    bounds = {task: evidence(what.game) for task, what in TASKS.items()}
    games, up = "games", "loss to the optimum"
    save_figure(folder / "loss.png", figure_of(plot_learning(curves(rows, "loss", "games"), games, up, bounds)))
    exploited = plot_learning(curves(rows, "exploitability", "games"), games, "exploitability")
    save_figure(folder / "exploitability.png", figure_of(exploited))
    save_figure(folder / "seconds.png", figure_of(plot_learning(curves(rows, "loss", "seconds"), "seconds", up)))


class Trials:
    """The figures of a trial, by game, contestant and seed, in any process.

    Args:
        chosen: the settings of each contestant.
    """

    def __init__(self, chosen: tuning.Chosen) -> None:
        self.chosen = chosen

    def __call__(self, key: Key) -> Mapping[str, float]:
        """The figures of one key."""
        task, name, seed = TASKS[str(key[0])], str(key[1]), int(key[2])
        return trial(name, task, self.chosen[name], seed, top(task, seed - FRESH))


def curves(rows: Rows, figure: str, cost: str) -> dict[str, dict[str, Points]]:
    """The figures of all seeds by game and contestant, over the median cost."""
    found: dict[str, dict[str, Points]] = {}
    for task in TASKS:
        found[task] = {}
        for name in EVERYONE:
            columns = [(report.of(rows, task, name, f"{cost} {n}"), report.of(rows, task, name, f"{figure} {n}"))
                       for n in report.decades_of(rows, task)]  # fmt: skip
            pairs = [(float(np.median([*costs.values()])), np.array([*values.values()])) for costs, values in columns
                     if costs]  # fmt: skip
            if pairs:
                found[task][name] = [x for x, _ in pairs], [y for _, y in pairs]
    return found
