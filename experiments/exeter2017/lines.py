"""What the report prints beside what we find, line by line, and the panels that the study's pictures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from pigevo.figures.axes import WIDTH, figure_of, grid_of, panels_or_new, styled

from ..common import tables

SHARE = 0.95
"""Of the games that a played figure may come from: it agrees where it lies in their middle 95 %."""


@dataclass(frozen=True)
class Line:
    """A published figure beside ours.

    Args:
        figure: where it is published.
        what: what it is.
        published: as it is printed.
        ours: exactly.
        games: how many games the published one was played in; 0 where it was computed.
        remark: said of it.
    """

    figure: str
    what: str
    published: str
    ours: float
    games: int = 0
    remark: str = ""

    @property
    def digits(self) -> int:
        """Decimals that are printed."""
        return len(self.published.partition(".")[2])

    @property
    def band(self) -> tuple[float, float] | None:
        """Where a win rate of so many games lies in 95 of 100 cases."""
        if not self.games:
            return None
        low, high = stats.binom.interval(SHARE, self.games, self.ours)
        return float(low) / self.games, float(high) / self.games

    @property
    def agrees(self) -> bool:
        """Whether it is ours as printed, or lies where played figures lie."""
        half = 0.5 * 10.0**-self.digits + 1e-12
        low, high = self.band or (self.ours, self.ours)
        return low - half <= float(self.published) <= high + half


def as_table(lines: Sequence[Line]) -> str:
    """The lines, with the number of those that agree below them."""
    rows = [
        (one.figure, one.what, one.published, *_ours(one), "yes" if one.agrees else "no", one.remark) for one in lines
    ]
    head = ["figure", "what", "published", "ours", "played figures lie", "agrees", "remark"]
    computed = [one for one in lines if not one.games]
    played = [one for one in lines if one.games]
    counts = [
        (name, len(some), sum(one.agrees for one in some), expected)
        for name, some, expected in (
            ("computed", computed, "all"),
            ("played", played, f"{SHARE * len(played):.1f} by luck"),
        )
    ]
    return tables.table(head, rows) + "\n" + tables.table(["lines", "number", "agree", "expected"], counts)


def _ours(one: Line) -> tuple[str, str]:
    digits = max(one.digits + 1, 4)
    if one.band is None:
        return f"{one.ours:.{digits}f}", ""
    low, high = one.band
    return f"{one.ours:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


@styled
def panels(
    count: int, title: str, height: float = 4.4, columns: int = 2, width: float = WIDTH
) -> tuple[Figure, Sequence[Axes]]:
    """A figure with so many panels, in reading order.

    Args:
        count: how many.
        title: above them.
        height: of each, in inches.
        columns: side by side at most.
        width: of the figure, in inches.
    """
    across = min(count, columns)
    axes = panels_or_new(None, count, grid_of(count, columns, (width / across, height), fill=True))
    figure = figure_of(axes)
    figure.suptitle(title)
    return figure, axes
