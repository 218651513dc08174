"""Where pictures are drawn: every `plot_*` takes `ax=` and returns it.

A picture of one panel takes and returns axes.  One of several panels takes them as a sequence or array, in reading
order, and returns them as a tuple.  Without `ax` it makes a figure of its own; `figure_of` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.errors import InputError
from pigevo.figures.style import LEAST, ticks

Panels = tuple[Axes, ...]
"""Several axes in reading order."""

Given = Axes | Iterable[Any] | None
"""What a caller may give for several panels: axes, a sequence or array of them in any shape, or nothing."""


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes to draw into.

    Args:
        ax: the caller's; None for those of a new figure.
        size: of the new figure, in inches.
    """
    return ticks(new_figure(size).add_subplot()) if ax is None else ax


def panels_or_new(ax: Given, count: int, new: Callable[[], Iterable[Axes]], solid: Sequence[int] = ()) -> Panels:
    """The panels to draw into.

    Args:
        ax: the caller's; None for new ones.
        count: how many are needed.
        new: makes a figure and its panels; those that it makes beyond `count` are hidden.
        solid: the numbers of those that must have three dimensions.

    Raises:
        InputError: there are fewer or more, or one has too few dimensions.
    """
    if ax is None:
        made = tuple(map(ticks, new()))
        for spare in made[count:]:
            spare.set_visible(False)
        return made[:count]
    panels = tuple(np.ravel(np.asarray(ax, dtype=object)).tolist())
    if len(panels) != count:
        raise InputError(f"this picture has {count} panels, and ax has {len(panels)}: give one for each.")
    for number in solid:
        if not hasattr(panels[number], "get_zlim"):
            raise InputError(f"panel {number + 1} has three dimensions: make it with projection='3d'.")
    return panels


def grid_of(count: int, columns: int, size: tuple[float, float], **options: Any) -> Callable[[], Iterable[Axes]]:
    """What makes a figure with a grid of panels.

    Args:
        count: how many panels.
        columns: side by side at most.
        size: of each, in inches.
        options: of `Figure.subplots`, such as `sharey=True`.
    """
    across = min(columns, count)
    down = -(-count // across)

    def new() -> Iterable[Axes]:
        figure = new_figure((size[0] * across, size[1] * down))
        panels: list[Axes] = np.ravel(figure.subplots(down, across, squeeze=False, **options)).tolist()
        return panels

    return new


def new_figure(size: tuple[float, float]) -> Figure:
    """A figure that makes room for all labels, of a size in inches."""
    return Figure(figsize=size, layout="constrained")


def figure_of(ax: Axes | Sequence[Axes]) -> Figure:
    """The figure in which axes, or panels, lie."""
    figure = (ax if isinstance(ax, Axes) else ax[0]).get_figure(root=True)
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


def color_bar(image: Any, ax: Axes | Sequence[Axes], label: str, **options: Any) -> Any:
    """A colour bar beside axes, with its label beside it.

    Args:
        image: what has the colours.
        ax: beside which axes.
        label: what the colours stand for, with its unit.
        options: of `Figure.colorbar`.
    """
    beside = [ax] if isinstance(ax, Axes) else list(ax)
    bar = figure_of(beside).colorbar(image, ax=beside, label=label, **{"shrink": 0.9, **options})
    bar.ax.tick_params(labelsize=LEAST)
    return bar
