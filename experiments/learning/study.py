"""The learning study: learners beside evolution at equal numbers of games, and how many games are needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.figures.axes import Panels, figure_of, save_figure

from ..coevolution.kept import Key, Rows, kept
from ..common.spent import LOSS
from ..common.tables import write_section
from . import report, trials
from .report import Points, evidence, plot_learning
from .trials import CUBES, GROUPS, SHORTER, SHOWN, SINGLE, SINGLES, TASKS, UNTOUCHED, WHERE, largest_decade, trial

HERE = Path(__file__).parent
FRESH, MOST_SEEDS = 71_000, 30
"""The first of the seeds, with which nothing was tried before, and how many there are at most."""
LARGE: Mapping[str, tuple[int, range]] = {
    "large": (8, range(FRESH + MOST_SEEDS, FRESH + MOST_SEEDS + 3)),
    "largest": (9, range(FRESH + MOST_SEEDS + 3, FRESH + MOST_SEEDS + 4)),
}
"""The tables of the largest numbers of games, on the game `WHERE`: their power of ten, and the seeds that play them."""

KEY = ("game", "contestant", "seed")
FIGURES = {"loss": LOSS, "exploitability": "exploitability"}
PICTURES = tuple((figure, cost) for cost in ("games", "seconds") for figure in FIGURES)


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study with the settings that were chosen, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: of each contestant on each game, `MOST_SEEDS` at most.
        workers: processes.
    """
    _compare(folder, seeds, workers, trials.tried_settings(HERE / "tuning.csv", workers, missing=False))


def run_full(folder: Path, seeds: int, workers: int) -> None:
    """Choose the settings, too, and let a few seeds play ten and a hundred times the games."""
    tried = trials.tried_settings(folder / "tuning.csv", workers, missing=True)
    _compare(folder, seeds, workers, tried)
    for name in LARGE:
        play_large(folder, workers, trials.chosen(tried), name)


def play_large(folder: Path, workers: int, settings: trials.Chosen, name: str) -> None:
    """Play what is missing of a table of `LARGE`, and write it."""
    decade, seeds = LARGE[name]
    rows = kept(folder / f"{name}.csv", KEY, large_keys(seeds), Trials(settings, decade), workers)
    write_section(folder, name, report.levels(rows, "loss", decade))


def large_keys(seeds: range) -> list[Key]:
    """Who plays the largest numbers of games: all but those who play fewer than the others, seed by seed."""
    return [(WHERE, name, seed) for seed in seeds for name in SHOWN if name not in SHORTER]


def _compare(folder: Path, seeds: int, workers: int, tried: Rows) -> None:
    numbers = range(min(seeds, MOST_SEEDS))
    keys: list[Key] = [(task, name, FRESH + number) for number in numbers for task in TASKS for name in SHOWN
                       if name != SINGLE or (task == WHERE and number < SINGLES)]  # fmt: skip
    rows = kept(folder / "runs.csv", KEY, keys, Trials(trials.chosen(tried)), workers)
    for name, text in sections(rows, tried).items():
        write_section(folder, name, text)
    draw(folder, rows)


def draw(folder: Path, rows: Rows) -> None:
    """Draw all pictures, with what a folder has of the largest numbers of games."""
    paths = {decade: folder / f"{name}.csv" for name, (decade, _) in LARGE.items()}
    larger = {decade: rows_of(path) for decade, path in paths.items() if path.exists()}
    for figure, cost in PICTURES:
        save_figure(folder / f"{figure}_by_{cost}.png", figure_of(pictured(rows, larger, figure, cost)))


def rows_of(path: Path) -> Rows:
    """The rows of a file of trials."""
    return kept(path, KEY, trials.keys_in(path, len(KEY)), Trials({}))


def sections(rows: Rows, tried: Rows) -> dict[str, str]:
    """All tables by name, but for those of the largest numbers of games."""
    return {
        "tuning": trials.tuning_table(tried),
        "loss": report.levels(rows, "loss"),
        "exploitability": report.levels(rows, "exploitability"),
        "evolution": report.against_evolution(rows, tried, [task for task in TASKS if task not in UNTOUCHED]),
        "untouched": report.against_evolution(rows, tried, UNTOUCHED),
        "further": report.further(rows),
        "speed": report.speed(rows),
        "bound": report.bounds(),
        "start": report.start(trials.chosen(tried)),
    }


def pictured(rows: Rows, larger: Mapping[int, Rows], figure: str, cost: str) -> Panels:
    """The figures of all contestants over what they cost, `games` or `seconds`; the loss over games with its bound.

    Args:
        rows: all trials but those of the largest numbers of games.
        larger: these by their power of ten, of which only the last figures are drawn.
        figure: `loss` or `exploitability`.
        cost: `games` or `seconds`.
    """
    bounds = {task: evidence(what.game) for task, what in TASKS.items()} if (figure, cost) == PICTURES[0] else None
    return plot_learning(curves(rows, larger, figure, cost), cost, FIGURES[figure], bounds, GROUPS)


class Trials:
    """The figures of a trial, by game, contestant and seed, in any process.

    Args:
        chosen: the settings of each contestant.
        last: the power of ten of the games of all; 0 if it is that of the game.
    """

    def __init__(self, chosen: trials.Chosen, last: int = 0) -> None:
        self.chosen, self.last = chosen, last

    def __call__(self, key: Key) -> Mapping[str, float]:
        """The figures of one key."""
        task, name, seed = TASKS[str(key[0])], str(key[1]), int(key[2])
        options = {**self.chosen[CUBES], "edge": 0.0} if name == SINGLE else self.chosen[name]
        return trial(name, task, options, seed, self.last or largest_decade(name, task))


def curves(rows: Rows, larger: Mapping[int, Rows], figure: str, cost: str) -> dict[str, dict[str, Points]]:
    """The figures of all seeds by game and contestant, over the median cost."""
    found: dict[str, dict[str, Points]] = {}
    for task in TASKS:
        found[task] = {}
        played = {**dict.fromkeys(report.decades_of(rows, task), rows), **(larger if task == WHERE else {})}
        for name in SHOWN:
            columns = [
                (report.by_seed(own, task, name, f"{cost} {n}"), report.by_seed(own, task, name, f"{figure} {n}"))
                for n, own in played.items()
            ]
            pairs = [(float(np.median([*costs.values()])), np.array([*values.values()])) for costs, values in columns
                     if costs]  # fmt: skip
            if pairs:
                found[task][name] = [x for x, _ in pairs], [y for _, y in pairs]
    return found
