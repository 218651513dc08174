"""The pictures of a run, in its folder's `figures/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.figures.axes import Given, Panels, figure_of, save_figure
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.figures.elites import elites_data, plot_elites
from pigevo.runs.baseline import cached_sample
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.folder import pictures
from pigevo.runs.result import Finish
from pigevo.runs.sentences import search_names
from pigevo.settings.settings import Settings
from pigevo.storage.files import place_in
from pigevo.strategies import CubeGrid, EliteMap, Strategy


def draw_run(folder: Path, figures: str, rows: Iterable[Mapping[str, Any]], finish: Finish) -> None:
    """Draw the run's curve with its baseline, its champion beside the optimum, and its map of elites."""
    _draw(folder, figures, run_curve(rows, finish), finish.champion, finish.elites)


def draw_again(
    folder: Path, figures: str, curve: Curve, champion: Strategy, elites: EliteMap | None = None
) -> list[Path]:
    """Draw the pictures of a finished run in another format; those that it has stay as they are."""
    names = pictures(figures, elites is not None)
    if not all((folder / name).exists() for name in names):
        _draw(folder, figures, curve, champion, elites)
    return [folder / name for name in names]


def _draw(folder: Path, figures: str, curve: Curve, champion: Strategy, elites: EliteMap | None) -> None:
    drawn = [figure_of(plot_curve(curve)), figure_of(plot_champion(champion))]
    drawn += [figure_of(plot_elites(elites_data(elites)))] if elites is not None else []
    for name, figure in zip(pictures(figures, elites is not None), drawn, strict=True):
        save_figure(place_in(folder, name), figure)


def run_curve(rows: Iterable[Mapping[str, Any]], finish: Finish) -> Curve:
    """The numbers of a finished run's curve."""
    comparison = finish.comparison
    return curve_data(
        list(rows),
        champion=finish.record["champion"]["overall"],
        own=comparison.own if comparison else None,
        cells=comparison.cells if comparison else None,
        optimum=finish.record["optimum_overall"],
        searches=search_names(comparison.record["random_search"] if comparison else []),
    )


def recorded_curve(
    metrics: Mapping[str, np.ndarray], result: Mapping[str, Any], optimum: float, settings: Settings | None
) -> Curve:
    """The same of a run that was read from its folder; without its settings beside no random populations."""
    rows = [dict(zip(metrics, row, strict=True)) for row in zip(*metrics.values(), strict=True)]
    searches = search_names((result["baseline"] or {}).get("random_search", ()))
    own = cells = None
    if result["baseline"] and settings is not None:
        own, _ = cached_sample(settings, settings.plan.waves[0].grid)
        cells, _ = cached_sample(settings, CubeGrid(settings.plan.game, 1))
    return curve_data(rows, result["champion"]["overall"], own, cells, optimum, searches)


def plot_champion(champion: Strategy, ax: Given = None) -> Panels:
    """A strategy's decisions beside those of the optimum, in two panels."""
    from pigevo.exact import optimal

    return plot_decisions([decisions_data(champion), decisions_data(optimal(champion.game).strategy)], ax)


def draw_so_far(folder: Path, settings: Settings, point: Checkpoint) -> None:
    """Draw the curve of a run that has not finished."""
    from pigevo.exact import optimal

    if rows := list(point.logbook.rows):
        curve = curve_data(rows, optimum=optimal(settings.plan.game).overall)
        save_figure(place_in(folder, pictures(settings.figures)[0]), figure_of(plot_curve(curve)))
