"""Rules that a person can remember: what a number more to remember buys, by both objectives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import WIDTH, Given, Panels, add_legend, grid_of, line, panels_or_new, styled

PUBLISHED = "published"
"""The front of one rule, which is drawn as a star."""

STAR = "keep pace and end race (2010)"

OBJECTIVES = {
    "difference": "difference to the optimum",
    "exploitability": "exploitability",
}
"""What is to be small: the record's attribute, and what it is."""

MARKERS = "osD^vP"

TICKS = [digit * 10.0**power for power in (-4, -3, -2, -1) for digit in (1, 2, 3, 5)]


class Rated(Protocol):
    """A rule with its figures, such as `pigevo.studies.remembered.Remembered`."""

    @property
    def integers(self) -> int:
        """How many numbers one must remember."""

    @property
    def difference(self) -> float:
        """How much more often the optimum wins, moving first."""

    @property
    def exploitability(self) -> float:
        """What the best response wins, less a half."""


@dataclass(frozen=True, eq=False)
class Front:
    """Rules of a front, in the order of their numbers.

    Args:
        integers: numbers to remember, shape (n,).
        difference, exploitability: of each rule, shape (n,).
    """

    integers: Ints
    difference: Floats
    exploitability: Floats


def fronts_data(fronts: Mapping[str, Iterable[Rated]]) -> dict[str, Front]:
    """The numbers of fronts.

    Args:
        fronts: rules with their figures, by the name of their front.
    """
    return {name: _front(sorted(rules, key=lambda one: one.integers)) for name, rules in fronts.items()}


@styled
def plot_fronts(fronts: Mapping[str, Front], ax: Given = None) -> Panels:
    """Draw fronts by the numbers to remember, on a logarithmic scale, a panel for each objective.

    Args:
        fronts: of `fronts_data`; the one of the published rule is a star.
        ax: two panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, len(OBJECTIVES), grid_of(len(OBJECTIVES), 2, (WIDTH / 2, 4.6)))
    lines = [name for name in fronts if name != PUBLISHED]
    for axes, objective in zip(panels, OBJECTIVES, strict=True):
        named = axes is panels[0]
        for number, name in enumerate(lines):
            look = {**line(number), "marker": MARKERS[number % len(MARKERS)], "ms": 7}
            axes.plot(fronts[name].integers, getattr(fronts[name], objective), **look, label=name if named else None)
        if (data := fronts.get(PUBLISHED)) is not None:
            axes.plot(data.integers, getattr(data, objective), "k*", ms=15, label=STAR if named else None)
        _frame(axes, OBJECTIVES[objective])
    add_legend(panels[0], ax is None, loc="outside lower center", ncols=3, frameon=False)
    return panels


def _front(rules: Sequence[Rated]) -> Front:
    integers = np.array([one.integers for one in rules])
    return Front(integers, *(np.array([getattr(one, objective) for one in rules]) for objective in OBJECTIVES))


def _frame(axes: Axes, up: str) -> None:
    axes.set(yscale="log", xlabel="numbers to remember", ylabel=up)
    axes.xaxis.set_major_locator(FixedLocator(range(10)))
    axes.yaxis.set_major_locator(FixedLocator(TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(color="0.9")
