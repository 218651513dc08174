"""The report of a sweep: one table, the curves, and the settings in their order."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from pigevo.core.intervals import SHARE
from pigevo.errors import InputError, unknown
from pigevo.figures.axes import figure_of
from pigevo.figures.bands import plot_panels
from pigevo.runs.pictures import save_figure
from pigevo.storage.files import place_in, write_bytes
from pigevo.sweeps.curves import panels_of
from pigevo.sweeps.load import AXES, CURVES, RESULTS, Sweep
from pigevo.sweeps.statistics import Ranked, rank_settings

BAND_SHARE = 0.9
"""The share of runs inside a band."""

X_LABELS = {
    "seconds": "time, s",
    "evaluations": "strategies evaluated",
    "games": "games simulated",
    "generation": "generation",
}
Y_LABELS = {
    "best": "best of the population, win probability",
    "mean": "population mean, win probability",
    "worst": "worst of the population, win probability",
    "diversity": "genes in which two members differ",
}


@dataclass(frozen=True)
class RandomMean:
    """The mean of the means of random populations, and its 95 % interval; None if the run did not record it."""

    mean: float
    low: float | None
    high: float | None
    populations: int


@dataclass(frozen=True, eq=False)
class Report:
    """A sweep's settings ranked by a metric, the best first, the files written, and the means of random populations."""

    sweep: Sweep
    metric: str
    ranking: list[Ranked]
    files: list[Path]
    random: Mapping[str, RandomMean]


def report(sweep: Sweep, metric: str = "champion", axis: str = "generation") -> Report:
    """Gather a sweep's finished runs into a table, draw their curves along `axis` and rank the settings by `metric`.

    The files lie in the sweep's own folder, in `report/`; whether they can be written is checked before the first.
    """
    ranking = rank_settings(figures_of(sweep, metric), SHARE)
    if axis not in AXES:
        raise unknown("axis", axis, AXES)
    figures = {curve: _figure(sweep, curve, axis) for curve in CURVES}
    names = ("table.csv", "table.parquet", "ranking.csv", *(f"figures/{curve}.png" for curve in CURVES))
    csv_table, parquet_table, csv_ranking, *pictures = (place_in(sweep.folder, f"report/{name}") for name in names)
    table = sweep.table()
    files = [write_csv(csv_table, table), *write_parquet(parquet_table, table)]
    files += [write_csv(csv_ranking, columns_of(ranking)), *pictures]
    for place, figure in zip(pictures, figures.values(), strict=True):
        save_figure(place, figure)
    return Report(sweep, metric, ranking, files, _random_of(sweep))


def _figure(sweep: Sweep, curve: str, axis: str) -> Figure:
    panels = panels_of(sweep, curve, axis, BAND_SHARE)
    if all(one.x[-1] <= one.x[0] for panel in panels for one in panel.bands.values()):
        raise InputError(f"no run has spent any {axis}: choose another axis, {', '.join(AXES)}.")
    across = f"{X_LABELS[axis]} (line: median; tint: central {BAND_SHARE:.0%} of the seeds)"
    return figure_of(plot_panels(panels, across, Y_LABELS[curve], optimum=curve != "diversity"))


def figures_of(sweep: Sweep, metric: str) -> dict[str, list[float]]:
    """One figure of every finished run, by setting."""
    if metric not in RESULTS:
        raise unknown("metric", metric, RESULTS)
    if not sweep.finished:
        raise InputError(f"no run of {sweep.folder} has finished: run the sweep first.")
    results = sweep.results()
    found: dict[str, list[float]] = {setting: [] for setting in sweep.settings if setting in results["setting"]}
    for setting, value in zip(results["setting"].tolist(), results[metric].tolist(), strict=True):
        found[setting].append(value)
    return found


def columns_of(ranking: list[Ranked]) -> dict[str, list[Any]]:
    """The ranking as columns."""
    return {name: [asdict(one)[name] for one in ranking] for name in asdict(ranking[0])}


def write_csv(path: Path, columns: Mapping[str, Any]) -> Path:
    """Write columns as CSV, in one step; numbers in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    lists = [column if isinstance(column, list) else column.tolist() for column in columns.values()]
    writer.writerows(zip(*lists, strict=True))
    return write_bytes(path, text.getvalue().encode())


def write_parquet(path: Path, columns: Mapping[str, Any]) -> list[Path]:
    """Write columns as Parquet, in one step; nothing where pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return []
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(columns)), content)
    return [write_bytes(path, content.getvalue())]


def record_of(made: Report) -> dict[str, Any]:
    """The report as plain values, for JSON."""
    states = [member.state for member in made.sweep.members]
    return {
        "sweep": str(made.sweep.folder),
        "runs": {state: states.count(state) for state in dict.fromkeys(states)},
        "metric": made.metric,
        "ranking": [asdict(one) for one in made.ranking],
        "random_search": {setting: asdict(one) for setting, one in made.random.items()},
        "files": [str(path) for path in made.files],
    }


def _random_of(sweep: Sweep) -> dict[str, RandomMean]:
    found = {}
    for member, run in sweep.runs.items():
        if run.result is not None and run.result["baseline"]:
            base = run.result["baseline"]
            low, high = base.get("own_interval", (None, None))
            found[member.setting] = RandomMean(base["own_mean"], low, high, base["populations"])
    return found
