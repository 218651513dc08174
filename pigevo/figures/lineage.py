"""Pictures of the lineage of a run: the champion's line, the gains by each operator, and the number of lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.evolution.lineage import OPERATORS, Lineage
from pigevo.figures.axes import (
    COLORS,
    PALE,
    WIDTH,
    Given,
    Panels,
    label_ends,
    line,
    panels_in,
    panels_or_new,
    styled,
    whole,
)
from pigevo.figures.curve import alone, fill_range


@dataclass(frozen=True, eq=False)
class LineageCurves:
    """The lineage of a run, in overall win probabilities against the optimum.

    Args:
        generations: the recorded generations, shape (n,).
        best, mean, worst: the best, mean and worst value of the population in each generation, shape (n,).
        ancestors: the generations on the champion's line, ascending, shape (m,).
        values: the value of the champion's ancestor in each of these generations, shape (m,).
        gains: the gain in the mean by each operator, in each generation except the first, shape (n - 1, 4).
        lines: the number of members of each generation that are ancestors of the last population, shape (n,).
    """

    generations: Ints
    best: Floats
    mean: Floats
    worst: Floats
    ancestors: Ints
    values: Floats
    gains: Floats
    lines: Ints


def lineage_data(lineage: Lineage, champion: int) -> LineageCurves:
    """The data of the picture.

    Args:
        lineage: the lineage of a finished run.
        champion: the index of the champion in the last population.

    Example:
        >>> import pigevo
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "record_every=1", lineage=True)
        >>> curves = lineage_data(run.lineage, run.result["champion_member"])
        >>> curves.ancestors.tolist(), curves.gains.shape
        ([0, 1, 2], (2, 4))
    """
    recorded = lineage.recorded
    values = np.array([generation.values[:, -1] for generation in recorded])
    index = {generation.generation: n for n, generation in enumerate(recorded)}
    path = lineage.ancestors(champion)[::-1]
    lines = lineage.lines()
    return LineageCurves(
        np.array([*index]), values.max(axis=1), values.mean(axis=1), values.min(axis=1),
        np.array([number for number, _ in path]), np.array([values[index[number], member] for number, member in path]),
        np.array([generation.gains for generation in recorded[1:]]).reshape(-1, len(OPERATORS)),
        np.array([lines[number] for number in index]),
    )  # fmt: skip


@styled
def plot_lineage(data: LineageCurves, ax: Given = None) -> Panels:
    """Draw the champion's line beside the population, the sums of the gains by operators, and the number of lines.

    Args:
        data: result of `lineage_data`.
        ax: three panels; by default in a new figure.
    """
    panels = panels_or_new(ax, 3, panels_in((WIDTH, 8.0), 3, 1, sharex=True, height_ratios=(3, 3, 2)))
    above, middle, below = panels
    fill_range(above, data.generations, data.worst, data.best, color=PALE, label="population")
    (mean,) = above.plot(data.generations, data.mean, **line(1), **alone(data.generations))
    (champion,) = above.plot(data.ancestors, data.values, **line(0), **alone(data.ancestors))
    above.set(ylabel="win probability\nagainst the optimum")
    label_ends(above, {"champion's line": champion, "population's mean": mean})
    sums = {
        name: middle.plot(data.generations[1:], np.cumsum(gain), **line(n), **alone(gain))[0]
        for n, (name, gain) in enumerate(zip(OPERATORS, data.gains.T, strict=True))
        if gain.any()
    }
    middle.axhline(0, color="k", lw=1, ls=":")
    middle.set(ylabel=f"sum of gains in\n{max(len(data.gains), 0):,} generations")
    label_ends(middle, sums)
    below.plot(data.generations, data.lines, color=COLORS[0], drawstyle="steps-post", **alone(data.lines))
    below.set(xlabel="generation", ylabel="ancestors of the\nlast population", yscale="log")
    below.yaxis.set_major_formatter("{x:g}")
    below.yaxis.set_minor_formatter("")
    below.xaxis.set_major_locator(whole())
    for axes in panels:
        axes.grid(color="0.9")
    return panels
