"""One pair of axes: the caller's, or in a figure of its own."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes to draw into.

    Args:
        ax: the caller's; None for those of a new figure.
        size: of the new figure, in inches.
    """
    return Figure(figsize=size, layout="constrained").add_subplot() if ax is None else ax


def figure_of(ax: Axes) -> Figure:
    """The figure in which axes lie."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def add_legend(ax: Axes, alone: bool, **style: Any) -> None:
    """A legend beside axes that are alone in their figure; inside them otherwise.

    Args:
        ax: the axes.
        alone: whether the figure was made for them.
        style: of the legend; `loc` and `ncols` are for the one beside.
    """
    if alone:
        figure_of(ax).legend(**style)
    else:
        ax.legend(**{name: value for name, value in style.items() if name not in ("loc", "ncols", "frameon")})
