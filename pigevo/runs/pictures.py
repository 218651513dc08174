"""The pictures of a run, in its folder's `figures/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.figures.axes import Given, Panels, figure_of, save_figure
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.figures.elites import elites_data, plot_elites
from pigevo.runs.baseline import cached_sample
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.folder import pictures
from pigevo.runs.load import Run
from pigevo.runs.result import Finish
from pigevo.runs.sentences import search_names, searches_of
from pigevo.settings.settings import Settings
from pigevo.storage.files import place_in
from pigevo.strategies import CubeGrid, EliteMap, Strategy


def draw_run(folder: Path, figures: str, rows: Iterable[Mapping[str, Any]], finish: Finish) -> None:
    """Draw the run's curve with its baseline, its champion beside the optimum, and its map of elites."""
    _draw(folder, figures, finish.curve(rows), finish.champion, finish.elites)


def draw_again(run: Run, figures: str, settings: Settings | None) -> list[Path]:
    """Draw the pictures of a finished run in another format, given what `recorded_curve` is; those it has stay."""
    assert run.folder is not None
    names = pictures(figures, run.has_elites)
    if not all((run.folder / name).exists() for name in names):
        elites = run.elite_map if run.has_elites else None
        _draw(run.folder, figures, recorded_curve(run, settings), run.champion, elites)
    return [run.folder / name for name in names]


def _draw(folder: Path, figures: str, curve: Curve, champion: Strategy, elites: EliteMap | None) -> None:
    drawn = [figure_of(plot_curve(curve)), figure_of(plot_champion(champion))]
    drawn += [figure_of(plot_elites(elites_data(elites)))] if elites is not None else []
    for name, figure in zip(pictures(figures, elites is not None), drawn, strict=True):
        save_figure(place_in(folder, name), figure)


def recorded_curve(run: Run, settings: Settings | None) -> Curve:
    """The numbers of the curve of a run read from its folder; without its settings beside no random populations."""
    assert run.result is not None
    own = cells = None
    if run.result["baseline"] and settings is not None:
        own, _ = cached_sample(settings, settings.plan.waves[0].grid)
        cells, _ = cached_sample(settings, CubeGrid(settings.plan.game, 1))
    return curve_data(
        run.rows, run.result["champion"]["overall"], own, cells, run.optimum, search_names(searches_of(run.result))
    )


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
