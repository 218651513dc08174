"""The curves of a sweep: every setting's runs as a band, beside random populations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.figures.axes import Look, line
from pigevo.figures.bands import Band, Panel, band
from pigevo.figures.curve import search_look, wave_name
from pigevo.runs.baseline import cached_sample
from pigevo.runs.load import Run
from pigevo.runs.metrics import wave_ends
from pigevo.runs.result import search_names, searches_of
from pigevo.settings.selected_option import read_choice
from pigevo.settings.settings import Settings
from pigevo.sweeps.load import Member, Sweep
from pigevo.sweeps.record import is_number, label
from pigevo.user_code.loading import CodeNotRun

MOST_BANDS = 10  # the largest number of bands in one panel, if they can be distributed over panels
POINTS = 201  # the number of points of a curve along an axis on which runs have different points
BAND_SHARE = 0.9  # the share of runs inside a band
APART = "no curve where one run was over before another had begun"
"""What is said beside a band without points; along time a run begins later if it compiles what the next ones load."""
LARGEST_SPREAD = 0.05  # a share of an axis: ends of waves that differ by more are not drawn as a single line

_OF_POPULATION: dict[str, Callable[..., Floats]] = {"best": np.max, "mean": np.mean, "worst": np.min}


def panels_of(sweep: Sweep, metric: str, axis: str) -> list[Panel]:
    """The curves of one metric of `CURVES` along one of `AXES`; bands hold the share `BAND_SHARE` of the finished runs.

    Panels and bands are in the order of their values: numbers by size, words as given.
    """
    inside = coloured(sweep)
    groups: dict[str, dict[str, list[Run]]] = {}
    for member, run in _runs_by_value(sweep):
        values = sweep.words[member.setting]
        title = label(values, [key for key in sweep.swept if key not in inside])
        name = label(values, inside) or values["experiment"].replace("null", "default")
        groups.setdefault(title, {}).setdefault(name, []).append(run)
    return [
        Panel(
            title,
            {name: band_of(runs, metric, axis, BAND_SHARE) for name, runs in group.items()},
            _random(group, metric),
            waves_of([run for runs in group.values() for run in runs], axis),
            tuple(sorted({round(runs[0].optimum, 9) for runs in group.values()})),
            _searches([run for runs in group.values() for run in runs]) if metric in _OF_POPULATION else {},
        )
        for title, group in groups.items()
    ]


def _runs_by_value(sweep: Sweep) -> list[tuple[Member, Run]]:
    ranks = {}
    for key in sweep.swept:
        given = list(dict.fromkeys(values.get(key, "") for values in sweep.words.values()))
        ordered = sorted(given, key=float) if all(map(is_number, given)) else given
        ranks[key] = {value: rank for rank, value in enumerate(ordered)}

    def ranks_of(member: Member) -> list[int]:
        return [ranks[key][sweep.words[member.setting].get(key, "")] for key in sweep.swept]

    return sorted(sweep.runs.items(), key=lambda run: ranks_of(run[0]))


def is_ordered(sweep: Sweep) -> bool:
    """Whether the settings differ in one number, so that their colours are in its order."""
    return len(sweep.swept) == 1 and all(is_number(typed.get(sweep.swept[0], "")) for typed in sweep.words.values())


def looks_of(sweep: Sweep) -> dict[str, Look]:
    """Colour and dashes of each setting and each random search, which are those of their curves in one panel."""
    settings = list(dict.fromkeys(member.setting for member, _ in _runs_by_value(sweep)))
    looks = {name: line(number, len(settings) if is_ordered(sweep) else 0) for number, name in enumerate(settings)}
    searches = dict.fromkeys(search.setting for search in sweep.searches)
    return looks | {name: search_look(number) for number, name in enumerate(searches)}


def coloured(sweep: Sweep) -> list[str]:
    """The swept keys shown by colours; there is a panel for each combination of the others."""
    if len(sweep.settings) <= MOST_BANDS // 2:
        return list(sweep.swept)
    values = [*sweep.words.values()]
    counts = {key: len({value.get(key) for value in values}) for key in sweep.swept}
    fitting = [key for key in sweep.swept if counts[key] <= MOST_BANDS] or list(sweep.swept)
    return [max(fitting, key=lambda key: counts[key])]


def band_of(runs: Sequence[Run], metric: str, axis: str, level: float) -> Band:
    """The band of some runs along an axis, up to the end of the shortest; without points if `APART` is true of them."""
    positions = [run.metrics[axis].astype(float) for run in runs]
    values = [run.metrics[metric].astype(float) for run in runs]
    if all(np.array_equal(x, positions[0]) for x in positions):
        return band(np.array(values), level, positions[0])
    if are_apart(runs, axis):
        none = np.zeros(0)
        return Band(none, none, none, none, level, len(runs))
    common = np.linspace(max(x[0] for x in positions), min(x[-1] for x in positions), POINTS)
    return band(np.array([np.interp(common, x, y) for x, y in zip(positions, values, strict=True)]), level, common)


def are_apart(runs: Sequence[Run], axis: str) -> bool:
    """Whether one of some runs was over, along an axis, before another had begun."""
    return bool(min(run.metrics[axis][-1] for run in runs) < max(run.metrics[axis][0] for run in runs))


def notes_on_ends(drawn: Sequence[Sequence[Run]], axis: str) -> list[str]:
    """What is said of the curves of some settings, given the runs of each, that are cut short or missing."""
    cut = any(len({run.metrics[axis][-1] for run in runs}) > 1 for runs in drawn)
    apart = any(are_apart(runs, axis) for runs in drawn)
    return ["a curve ends where the first of its runs does"] * cut + [APART] * apart


def waves_of(runs: Sequence[Run], axis: str) -> tuple[tuple[float, str], ...]:
    """The median end of each wave of some runs along an axis, and its cube size; empty if the ends differ."""
    waves = [
        [(float(run.metrics[axis][row]), str(run.metrics["cube_size"][row])) for row in wave_ends(run.metrics)]
        for run in runs
    ]
    sizes = [cubes for _, cubes in waves[0]]
    if any([cubes for _, cubes in wave] != sizes for wave in waves):
        return ()
    ends = np.array([[end for end, _ in wave] for wave in waves])
    if (np.ptp(ends, axis=0) > LARGEST_SPREAD * ends.max()).any():
        return ()
    return tuple(zip(np.median(ends, axis=0).tolist(), sizes, strict=True))


def random_sample(settings: Settings, wave: int = 0) -> tuple[str, Floats]:
    """A title, and the cached win probabilities of random populations of a wave's genome, shape (populations, size)."""
    if settings.choices["baseline"].name == "none":
        searched = read_choice("baseline", {"name": "random_search"})
        settings = replace(settings, choices={**settings.choices, "baseline": searched}, tried=None)
    grid = settings.plan.waves[wave].grid
    sample, _ = cached_sample(settings, grid)
    return f"random populations, {wave_name(grid.label)}", sample


def _random(group: Mapping[str, Sequence[Run]], metric: str) -> dict[str, tuple[float, float, float]]:
    """The quantiles of random populations by name, if all settings of the panel share them: those of games differ."""
    if metric not in _OF_POPULATION:
        return {}
    figures: dict[str, list[Floats]] = {}
    for runs in group.values():
        try:
            name, sample = random_sample(runs[0].settings)
        except CodeNotRun:  # random populations are compared by the run's own game and fitness
            continue
        figures.setdefault(name, []).append(_OF_POPULATION[metric](sample, axis=1))
    quantiles = {
        name: np.quantile(values, (0.025, 0.5, 0.975)).tolist()
        for name, (values, *others) in figures.items()
        if all(np.array_equal(values, other) for other in others)
    }
    return {f"{name} (95 %)": (low, middle, high) for name, (low, middle, high) in quantiles.items()}


def _searches(runs: Sequence[Run]) -> dict[str, float]:
    """The mean result of random search over the seeds of some runs; empty if their budgets differ."""
    by_name: dict[str, dict[int, set[float]]] = {}
    for run in runs:
        assert run.result is not None
        for search in searches_of(run.result):
            ((name, value),) = search_names([search]).items()
            by_name.setdefault(name, {}).setdefault(search.get("seed", 0), set()).add(value)
    return {
        name: float(np.mean([value for values in by_seed.values() for value in values]))
        for name, by_seed in by_name.items() if max(map(len, by_seed.values())) == 1
    }  # fmt: skip
