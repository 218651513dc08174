"""The pictures of a run, in its folder's `figures/`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from PIL import Image

from pigevo.core.text import LONGEST_VALUE, clipped
from pigevo.errors import InputError
from pigevo.figures.axes import Given, Panels, figure_of
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.folder import pictures
from pigevo.runs.result import Finish
from pigevo.runs.sentences import search_names
from pigevo.settings.settings import Settings
from pigevo.storage.files import place_in, write_bytes
from pigevo.strategies import Strategy


def draw_run(folder: Path, figures: str, rows: Iterable[Mapping[str, Any]], finish: Finish) -> None:
    """Draw the run's curve with its baseline, and its champion beside the optimum."""
    drawn = figure_of(plot_curve(run_curve(rows, finish))), figure_of(plot_champion(finish.champion))
    for name, figure in zip(pictures(figures), drawn, strict=True):
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
        searches=search_names([found.record() for found in comparison.searches] if comparison else []),
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


UNDATED = {".pdf": "CreationDate", ".svg": "Date"}
"""What a format says of when a figure was written: the same figure shall be the same file."""


def save_figure(path: Path, figure: Figure) -> None:
    """Write a figure in one step, in the format of the file's name: PNG, PDF or SVG.

    Raises:
        InputError: it cannot be drawn with the user's own settings of matplotlib, or written.
    """
    content = io.BytesIO()
    try:
        if path.suffix == ".png":
            figure.savefig(content, format="png", dpi=150, pil_kwargs={"compress_level": 0})
            small = smaller(content)
        else:
            figure.savefig(content, format=path.suffix[1:], metadata={UNDATED[path.suffix]: None})
            small = content.getvalue()
    except RuntimeError as error:  # as with `text.usetex` in a `matplotlibrc`, and no LaTeX
        raise InputError(f"{path} cannot be drawn: {clipped(str(error), LONGEST_VALUE * 2)}") from error
    write_bytes(path, small)


def smaller(png: io.BytesIO) -> bytes:
    """A PNG with a palette of 256 colours, which the eye does not tell from it, in a third of the bytes."""
    written = io.BytesIO()
    with Image.open(png) as image:
        flat = image.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat.save(written, format="png", optimize=True)
    return written.getvalue()
