"""The pictures of a run, in `figures/` in its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from pigevo.figures import OUTCOME_PICTURES
from pigevo.figures.axes import Given, Panels, figure_of, save_figure
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.runs.baseline import cached_sample
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.folder import pictures
from pigevo.runs.load import Run
from pigevo.runs.result import Finish, search_names, searches_of
from pigevo.settings.settings import Settings
from pigevo.storage.files import place_in
from pigevo.strategies import CubeGrid, Strategy


def draw_run(
    folder: Path, figures: str, rows: Iterable[Mapping[str, Any]], finish: Finish, outcome_name: str = ""
) -> None:
    """Draw the run's curve with its baseline, its champion beside the optimum, and the outcome of its selection."""
    more = _picture_of(outcome_name, finish.outcome.arrays if finish.outcome else {})
    _draw(folder, figures, finish.curve(rows), finish.champion, more)


def draw_again(run: Run, figures: str, settings: Settings | None) -> list[Path]:
    """Draw the pictures of a finished run in another format, given its `recorded_curve`; existing ones are kept."""
    assert run.folder is not None
    more = _picture_of(run.outcome_name, run.archive) if run.outcome_name else {}
    places = [run.folder / name for name in pictures(figures, *more)]
    if not all(place.exists() for place in places):
        _draw(run.folder, figures, recorded_curve(run, settings), run.champion, more)
    return places


def _picture_of(outcome_name: str, archive: Mapping[str, np.ndarray]) -> dict[str, Callable[[], Axes]]:
    """The function that draws the outcome of a selection, by the outcome's name, if there is one."""
    entry = OUTCOME_PICTURES.find(outcome_name)
    return {outcome_name: lambda: entry.function(archive)} if entry else {}


def _draw(folder: Path, figures: str, curve: Curve, champion: Strategy, more: Mapping[str, Callable[[], Axes]]) -> None:
    drawn: list[Axes | Panels] = [plot_curve(curve), plot_champion(champion), *(draw() for draw in more.values())]
    for name, axes in zip(pictures(figures, *more), drawn, strict=True):
        save_figure(place_in(folder, name), figure_of(axes))


def recorded_curve(run: Run, settings: Settings | None) -> Curve:
    """The numbers of the curve of a run read from its folder; without its settings, without random populations."""
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
