"""The budget study: twice the generations, members or games a match at equal numbers of games; rates that change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from pigevo.core.arrays import Floats
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    Given,
    Panels,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    save_figure,
    styled,
)
from pigevo.runs.checkpoint import load_checkpoint
from pigevo.runs.load import Run
from pigevo.storage.files import csv_bytes, path_in, write_bytes
from pigevo.sweeps import run_jobs

from ..common.group import Group, Question, answers, as_markdown, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.spent import LOSS
from ..common.tables import WINS, mean_of, table, write_section

HERE = Path(__file__).parent
FRESH = 82_000
"""The first of the seeds, with which nothing was tried before."""
SEEDS = {5: 1, 6: 1, 7: 1 / 2, 8: 3 / 20, 9: 1 / 20}
"""The number of seeds of a budget, by its power of ten, as a share of the study's; one at least."""
TESTED, COMPARED = 7, 8
"""The largest budget of the study: the two larger ones are its long part, with tables of their own for their few seeds.
And the largest whose runs are compared: beyond it there are single runs."""
ALGORITHMS = {"paper": "the paper's algorithm", "twins": "twins"}
SIZES = (20, 10, 5)
FIXED = "fixed"
SMALLEST = 1e-7
"""The smallest loss that counts as one, since zero has no logarithm."""
HIGH = 4.2
APART = 0.04
"""The distance between what is doubled at one budget, in powers of ten, so that bars stand side by side."""
Parts = Mapping[str, Mapping[str, Group]]
"""The runs of each setting by part of the study."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and its picture.

    Args:
        folder: where everything goes.
        seeds: of each setting, but for the large budgets, which have the share in `SEEDS`.
        workers: processes.
    """
    _study(folder, seeds, workers, TESTED)


def run_full(folder: Path, seeds: int, workers: int) -> None:
    """The same with the two largest budgets, which take most of the time; each writes what is known by then."""
    for largest in (power for power in SEEDS if power >= TESTED):
        _study(folder, seeds, workers, largest)


def _study(folder: Path, seeds: int, workers: int, largest: int) -> None:
    powers = [power for power in SEEDS if power <= largest]
    rates = _runs_of([f"mutation_{size}" for size in SIZES], seeds, folder, workers)
    spent: dict[str, Mapping[str, Group]] = {}
    for power in powers:
        count = max(1, round(SEEDS[power] * seeds))
        spent |= _runs_of([f"{name}_{power}" for name in ALGORITHMS], count, folder, workers)
    write_bytes(folder / "runs.csv", csv_bytes(_rows({**spent, **rates})))
    tested = {part: groups for part, groups in spent.items() if _power(part) <= TESTED}
    write_section(folder, "budget", f"{_levels(tested)}\n{as_markdown(answers([*_doubled(tested)]))}")
    write_section(folder, "tenfold", as_markdown(answers([*_tenfold(tested)])))
    if large := {part: groups for part, groups in spent.items() if TESTED < _power(part) <= COMPARED}:
        before = {part: groups for part, groups in spent.items() if TESTED <= _power(part) <= COMPARED}
        compared = as_markdown(answers([*_doubled(large), *_tenfold(before)]))
        write_section(folder, "large", f"{_levels(large)}\n{compared}")
    if single := {part: groups for part, groups in spent.items() if _power(part) > COMPARED}:
        write_section(folder, "largest", _levels(single))
    beside = as_markdown(answers([*_beside_fixed(rates)], WINS))
    write_section(folder, "mutation", f"{_levels(rates)}\n{beside}\n{_rates(rates)}")
    losses = {
        title: {power: {name: loss(group.champion) for name, group in spent[f"{algorithm}_{power}"].items()}
                for power in powers}
        for algorithm, title in ALGORITHMS.items()
    }  # fmt: skip
    save_figure(path_in(folder, "pictures/budget.png"), figure_of(plot_budget(losses)))


def _runs_of(parts: Sequence[str], seeds: int, folder: Path, workers: int) -> Parts:
    """The runs of some parts of the settings, those that are missing made."""
    settings = read_settings(HERE / "settings.yaml")
    named = {f"{part}_{name}": words for part in parts for name, words in settings[part].items()}
    jobs = jobs_of(named, seeds, folder, FRESH)
    conclude(run_jobs(in_turn(jobs), workers, f"runs of {', '.join(parts)}"))
    groups = groups_of(jobs)
    return {part: {name: groups[f"{part}_{name}"] for name in settings[part]} for part in parts}


def _power(part: str) -> int:
    """The power of ten of a part's games."""
    return int(part.rpartition("_")[2])


def loss(win_probability: Floats) -> Floats:
    """What is missing to the optimum, against which it wins a half."""
    return np.maximum(0.5 - win_probability, SMALLEST)


def digits(win_probability: Floats) -> Floats:
    """The right digits of a win probability: minus the decimal logarithm of the loss."""
    return np.asarray(-np.log10(loss(win_probability)))


def _last(group: Group) -> Floats:
    """The mean of the last population of each run."""
    return np.array([float(one.metrics["mean"][-1]) for one in group.runs])


FIGURES: Mapping[str, Callable[[Group], Floats]] = {"champion": lambda group: group.champion, "last population": _last}


def _games(group: Group) -> Floats:
    """The games of each run, those that name its champion included."""
    return np.array([float(one.result["games"]) for one in group.runs if one.result])


def _words(part: str, name: str) -> str:
    """A setting in words: `twins, 10^5, generations` or `cubes of 20, rising`."""
    first, _, number = part.rpartition("_")
    return f"cubes of {number}, {name}" if first == "mutation" else f"{first}, 10^{number}, {name}"


def _levels(parts: Parts) -> str:
    """What each setting is, and what it comes to."""
    rows = []
    for part, groups in parts.items():
        for name, group in groups.items():
            settings = group.runs[0].settings
            shape = (settings.plan.generations, settings.plan.size, settings.values["fitness"]["games"])
            means = (mean_of(found, within=WINS) for found in (group.champion, _last(group)))
            rows.append((_words(part, name), len(group.runs), f"{np.median(_games(group)):,.0f}", *shape, *means,
                         mean_of(digits(group.champion), ".3f")))  # fmt: skip
    head = ["setting", "runs", "games", "generations", "members", "games a match", "champion (95 % interval)",
            "last population", "right digits of the champion"]  # fmt: skip
    return table(head, rows)


def _doubled(spent: Parts) -> Iterator[Question]:
    """What is doubled, by pairs, in right digits."""
    for what, figure in FIGURES.items():
        for part, groups in spent.items():
            for a, b in itertools.combinations(groups, 2):
                yield Question(f"{_words(part, a)}, {what}", b, groups[a].by_seed(digits(figure(groups[a]))),
                               groups[b].by_seed(digits(figure(groups[b]))))  # fmt: skip


def _tenfold(spent: Parts) -> Iterator[Question]:
    """Ten times the games beside as many, in right digits of the champion."""
    for part, groups in spent.items():
        algorithm, _, power = part.rpartition("_")
        larger = f"{algorithm}_{int(power) + 1}"
        for name, group in groups.items():
            if larger in spent:
                more = spent[larger][name]
                yield Question(_words(larger, name), f"10^{power}", more.by_seed(digits(more.champion)),
                               group.by_seed(digits(group.champion)))  # fmt: skip


def _beside_fixed(rates: Parts) -> Iterator[Question]:
    """Each rate that changes beside the fixed one, in win probability."""
    for what, figure in FIGURES.items():
        for part, groups in rates.items():
            for name, group in groups.items():
                if name != FIXED:
                    yield Question(f"{_words(part, name)}, {what}", FIXED, group.by_seed(figure(group)),
                                   groups[FIXED].by_seed(figure(groups[FIXED])))  # fmt: skip


def _rates(rates: Parts) -> str:
    """The rates that runs end with, where they find them by themselves."""
    rows = []
    for part, groups in rates.items():
        for name, group in groups.items():
            found = np.array([last_rate(one) for one in group.runs])
            if np.isfinite(found).all():
                genes = group.runs[0].settings.plan.waves[0].grid.genes
                shares = (f"{rate:.2g}" for rate in (np.median(found), found.min(), found.max()))
                rows.append((_words(part, name), len(found), genes, *shares, f"{np.median(found) * genes:.2f}"))
    head = ["setting", "runs", "genes", "median of the last rates", "least", "greatest", "flips in a genome"]
    return table(head, rows)


def last_rate(one: Run) -> float:
    """The mutation rate in the last generation of a run, of all members on average; NaN if it does not adapt."""
    assert one.folder is not None, "runs of a study have folders"
    point, _ = load_checkpoint(one.folder, one.settings.hash)
    assert point is not None, "a finished run has its last checkpoint"
    memory = point.state.memory.get("mutator", {})
    return float(np.mean(next((memory[name] for name in ("rate", "rates") if name in memory), np.nan)))


def _rows(parts: Parts) -> list[list[object]]:
    """A row for each run."""
    rows: list[list[object]] = [["part", "setting", "seed", "champion", "mean", "games"]]
    for part, groups in parts.items():
        for name, group in groups.items():
            figures = zip(group.seeds, group.champion, _last(group), _games(group), strict=True)
            rows += [[part, name, *row] for row in figures]
    return rows


@styled
def plot_budget(panels: Mapping[str, Mapping[int, Mapping[str, Floats]]], ax: Given = None) -> Panels:
    """Draw the losses of champions, a panel for each algorithm.

    Args:
        panels: losses of the seeds by algorithm, power of ten of the games, and what is doubled.
        ax: a panel for each algorithm; by default in a new figure.
    """
    drawn = panels_or_new(ax, len(panels), grid_of(len(panels), 1, (WIDTH, HIGH)))
    for axes, (title, losses) in zip(drawn, panels.items(), strict=True):
        curves = {}
        for number, name in enumerate(next(iter(losses.values()))):
            x = [10 ** (power + APART * (number - 1)) for power in losses]
            values, look = [of_power[name] for of_power in losses.values()], line(number)
            (drawn_line,) = axes.plot(x, [np.median(runs) for runs in values], marker="o", ms=4, **look)
            axes.vlines(x, [runs.min() for runs in values], [runs.max() for runs in values], look["color"], lw=1)
            curves[f"twice the {name}"] = drawn_line
        axes.set(xscale="log", yscale="log", xlabel="games", ylabel=LOSS)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
        for axis, form in ((axes.xaxis, "{x:,.0f}"), (axes.yaxis, "{x:g}")):
            axis.set_major_formatter(form)
            axis.set_minor_formatter(NullFormatter())
        axes.grid(alpha=0.3, lw=0.5, which="both")
        axes.set_title(title, fontsize=LEAST, loc="left")
        label_ends(axes, curves)
    if ax is None:
        figure_of(drawn).suptitle("line: median of the seeds; bars: their range", fontsize=12)
    return drawn
