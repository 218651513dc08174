"""The picture of the study: the published figures of the cubes beside those of the readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.figures.axes import COLORS, LEAST, WIDTH, Given, Panels, add_legend, grid_of, panels_or_new, styled

from .scoring import Scored

MARKERS = "osD^vPX*"
HUES = (*COLORS, "dimgray")
HIGH = 3.4
APART = 0.11
"""The distance of two readings in the row of a figure, whose height is 1."""

RECORDED_EVERY = 5
"""Generations from one record of the cubes to the next."""


@styled
def plot_readings(readings: Sequence[Scored], ax: Given = None) -> Panels:
    """Draw the figures of readings of the cubes beside the published ones, a panel for each curve.

    Args:
        readings: those that are drawn.
        ax: a panel for each curve; by default in a new figure.
    """
    published: dict[str, dict[str, float]] = {}
    for (curve, figure), value in readings[0].published.items():
        published.setdefault(curve, {})[figure] = value
    drawn = panels_or_new(ax, len(published), grid_of(len(published), 2, (WIDTH / 2, HIGH), sharex=True))
    for axes, (curve, figures) in zip(drawn, published.items(), strict=True):
        rows = np.arange(len(figures), dtype=np.float64)
        for number, scored in enumerate(readings):
            own = {figure: scored.figures[curve, figure] for figure in figures}
            aside = np.float64(APART * (number - (len(readings) - 1) / 2))
            _points(axes, own, rows + aside, number, scored.reading.name)
        axes.vlines([*figures.values()], rows - 0.5, rows + 0.5, color="black", lw=2.5, label="published")
        axes.set_yticks(rows, [in_words(figure) for figure in figures])
        axes.set_ylim(len(figures) - 0.4, -0.6)
        axes.set_title(curve, fontsize=LEAST, loc="left")
        axes.grid(alpha=0.3, lw=0.5, axis="x")
    for axes in drawn[-2:]:
        axes.set_xlabel("win probability against the optimum")
    add_legend(drawn[0], ax is None, handles=drawn[0].get_legend_handles_labels()[0],
               loc="outside lower center", ncols=2, frameon=False)  # fmt: skip
    return drawn


def _points(axes: Axes, own: Mapping[str, Floats], rows: Floats, number: int, name: str) -> None:
    """The mean of each figure of a reading, and the range of its runs: a published figure is that of one run."""
    color = HUES[number % len(HUES)]
    axes.hlines(
        rows, [values.min() for values in own.values()], [values.max() for values in own.values()], color=color, lw=1.5
    )
    axes.plot(
        [values.mean() for values in own.values()], rows, MARKERS[number % len(MARKERS)], ms=6, color=color, label=name
    )


def in_words(figure: str) -> str:
    """What a figure of the cubes is, from its name in `published.yaml`, which counts records."""
    word, _, record = figure.partition(" ")
    generation = RECORDED_EVERY * int(record)
    if word == "at":
        return f"in generation {generation}"
    return word if record == "1" else f"{word} from\ngeneration {generation} on"
