"""The pictures of a run, in its folder's `figures/`."""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.figure import Figure

from pigevo.evolve.plan import Plan
from pigevo.figures.curve import curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.files import write_bytes
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.result import Finish


def draw_run(folder: Path, plan: Plan, point: Checkpoint, finish: Finish) -> None:
    """Draw the run's curve with its baseline, and its champion beside the optimum."""
    from pigevo.exact import optimal

    comparison = finish.comparison
    curve = curve_data(
        list(point.books.logbook),
        champion=finish.record["champion"]["overall"],
        own=comparison.own if comparison else None,
        cells=comparison.cells if comparison else None,
    )
    save_figure(folder / "figures" / "curve.png", plot_curve(curve))
    best = optimal(plan.game).strategy
    decisions = [decisions_data(finish.champion), decisions_data(best)]
    save_figure(folder / "figures" / "champion.png", plot_decisions(decisions))


def draw_so_far(folder: Path, point: Checkpoint) -> None:
    """Draw the curve of a run that has not finished."""
    if len(point.books.logbook):
        save_figure(folder / "figures" / "curve.png", plot_curve(curve_data(list(point.books.logbook))))


def save_figure(path: Path, figure: Figure) -> None:
    """Write a figure as PNG, in one step."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=150)
    write_bytes(path, content.getvalue())
