"""The gain from each further number to remember."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import WIDTH, Given, Panels, add_legend, grid_of, line, panels_or_new, styled

PUBLISHED = "published"
"""The front that consists of one rule, which is drawn as a star."""

STAR = "keep pace and end race (2010)"

OBJECTIVES = {"difference": "difference to the optimum", "exploitability": "exploitability"}
"""The objectives, which should be small: the attribute of a rule, and its name."""

MARKERS = "osD^vP"

TICKS = [digit * 10.0**power for power in (-4, -3, -2, -1) for digit in (1, 2, 3, 5)]


class Rated(Protocol):
    """A rule with its figures: a known rule, or one of the study's own."""

    @property
    def integers(self) -> int:
        """Number of integers to remember."""

    @property
    def difference(self) -> float:
        """The win probability of the optimum minus that of the rule, moving first."""

    @property
    def exploitability(self) -> float:
        """The win probability of the best response minus a half."""


@dataclass(frozen=True, eq=False)
class Front:
    """The rules of a front, in the order of the number of integers to remember.

    Args:
        integers: number of integers to remember for each rule, shape (n,).
        difference, exploitability: the figures of each rule, shape (n,).
    """

    integers: Ints
    difference: Floats
    exploitability: Floats


def fronts_data(fronts: Mapping[str, Iterable[Rated]]) -> dict[str, Front]:
    """The figures of fronts.

    Args:
        fronts: rules with their figures, by the name of the front.
    """
    ordered = {name: sorted(rules, key=lambda rule: rule.integers) for name, rules in fronts.items()}
    return {
        name: Front(*(np.array([getattr(rule, column) for rule in rules]) for column in ("integers", *OBJECTIVES)))
        for name, rules in ordered.items()
    }


@styled
def plot_fronts(fronts: Mapping[str, Front], ax: Given = None) -> Panels:
    """Draw fronts by the number of integers to remember, on a logarithmic scale, with a panel for each objective.

    Args:
        fronts: result of `fronts_data`; the front of the published rule is drawn as a star.
        ax: two panels; by default in a new figure.
    """
    panels = panels_or_new(ax, len(OBJECTIVES), grid_of(len(OBJECTIVES), 2, (WIDTH / 2, 4.6), fill=True))
    lines = [name for name in fronts if name != PUBLISHED]
    for axes, objective in zip(panels, OBJECTIVES, strict=True):
        is_first = axes is panels[0]
        for number, name in enumerate(lines):
            look = {**line(number), "marker": MARKERS[number % len(MARKERS)], "ms": 7}
            axes.plot(fronts[name].integers, getattr(fronts[name], objective), **look, label=name if is_first else None)
        if (data := fronts.get(PUBLISHED)) is not None:
            axes.plot(data.integers, getattr(data, objective), "k*", ms=15, label=STAR if is_first else None)
        _frame(axes, OBJECTIVES[objective])
    add_legend(panels[0], ax is None, loc="outside lower center", ncols=3, frameon=False)
    return panels


def _frame(axes: Axes, up: str) -> None:
    axes.set(yscale="log", xlabel="numbers to remember", ylabel=up)
    axes.xaxis.set_major_locator(FixedLocator(range(10)))
    axes.yaxis.set_major_locator(FixedLocator(TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(color="0.9")
