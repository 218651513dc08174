"""The pictures of a run, in its folder's `figures/`."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.animation import PillowWriter
from matplotlib.figure import Figure
from PIL import Image

from pigevo.errors import InputError
from pigevo.figures.axes import Given, Panels, figure_of
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.files import write_bytes
from pigevo.folders import place_in
from pigevo.runs.belongings import PICTURES
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.result import Finish
from pigevo.strategies import Strategy
from pigevo.telling import LONGEST_VALUE, clipped


def draw_run(folder: Path, rows: Iterable[Mapping[str, Any]], finish: Finish) -> None:
    """Draw the run's curve with its baseline, and its champion beside the optimum."""
    drawn = figure_of(plot_curve(run_curve(rows, finish))), figure_of(plot_champion(finish.champion))
    for name, figure in zip(PICTURES, drawn, strict=True):
        save_figure(place_in(folder, name), figure)


def run_curve(rows: Iterable[Mapping[str, Any]], finish: Finish) -> Curve:
    """The numbers of a finished run's curve."""
    comparison = finish.comparison
    return curve_data(
        list(rows),
        champion=finish.record["champion"]["overall"],
        own=comparison.own if comparison else None,
        cells=comparison.cells if comparison else None,
    )


def plot_champion(champion: Strategy, ax: Given = None) -> Panels:
    """A strategy's decisions beside those of the optimum.

    Args:
        champion: the strategy.
        ax: two panels; by default in a figure of its own.
    """
    from pigevo.exact import optimal

    return plot_decisions([decisions_data(champion), decisions_data(optimal(champion.game).strategy)], ax)


def draw_so_far(folder: Path, point: Checkpoint) -> None:
    """Draw the curve of a run that has not finished."""
    if rows := list(point.logbook.rows):
        save_figure(place_in(folder, PICTURES[0]), figure_of(plot_curve(curve_data(rows))))


def save_film(path: Path, frames: Iterable[Figure], per_second: int = 8, rest: float = 3, dpi: int = 70) -> None:
    """Write figures as an animated GIF, in one step.

    Args:
        path: the file.
        frames: the figures; each is drawn before the next one is asked for.
        per_second: how many are shown in a second.
        rest: seconds for which the last one stays.
        dpi: dots per inch.
    """
    writer = PillowWriter(fps=per_second)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "film.gif"
        for number, figure in enumerate(frames):
            if number == 0:
                writer.setup(figure, place, dpi=dpi)
            writer.grab_frame()
        for _ in range(round(rest * per_second)):
            writer.grab_frame()
        writer.finish()
        write_bytes(path, place.read_bytes())


def save_figure(path: Path, figure: Figure) -> None:
    """Write a figure as PNG, in one step.

    Raises:
        InputError: it cannot be drawn with the user's own settings of matplotlib, or written.
    """
    content = io.BytesIO()
    try:
        figure.savefig(content, format="png", dpi=150)
        small = smaller(content)
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
