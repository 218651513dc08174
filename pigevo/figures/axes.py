"""Where pictures are drawn, and the one style that they have: readable from the last row, in grey, by the colour-blind.

Every `plot_*` takes `ax=` and returns it. A picture of one panel takes and returns axes. One of several panels takes
them as a sequence or array, in reading order, and returns them as a tuple. Without `ax` it makes a figure of its own;
`figure_of` finds it.

Whoever looks at a slide sees a figure at the slide's full width. So a figure of its own is at most `WIDTH` inches wide
and none of its text is smaller than `LEAST` points. Lines differ in lightness, which grey and every kind of
colour-blindness leave, and in their dashes; colour is the third thing that tells them apart. Names stand beside the
ends of curves, so that nobody must look them up in a legend.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from textwrap import fill
from typing import Any, ParamSpec, TypeVar

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image
from scipy.optimize import isotonic_regression

from pigevo.core.arrays import Floats
from pigevo.core.notebook import figure_png
from pigevo.core.text import LONGEST_VALUE, clipped, visible
from pigevo.errors import InputError
from pigevo.storage.files import write_bytes

P = ParamSpec("P")
R = TypeVar("R")

WIDTH = 10.0
"""Inches: the widest figure."""

LEAST = 11.0
"""Points: the smallest text."""

COLORS = ("#0068a8", "#e69f00", "#7d1538", "#00916a", "#0d0d2e", "#9bd8ff")
"""Blue, orange, wine, green, ink and sky: near Okabe and Ito's (2008), moved so that they differ in lightness too."""

DASHES = ("-", "--", "-.", ":")

AMOUNTS = "viridis"
"""The colours of amounts, dark to light: perceptually uniform (van der Walt and Smith 2015)."""

ODDS = "cividis"
"""The colours of win probabilities, dark for losing: the same for the colour-blind (Nuñez et al. 2018)."""

PALE = "0.87"
"""The grey of what lies behind."""

STYLE: dict[str, Any] = {
    "font.size": 12.0,
    "axes.titlesize": 13.0,
    "axes.labelsize": 12.0,
    "xtick.labelsize": LEAST,
    "ytick.labelsize": LEAST,
    "legend.fontsize": LEAST,
    "legend.title_fontsize": LEAST,
    "figure.titlesize": 14.0,
    "lines.linewidth": 1.8,
    "text.parse_math": False,  # names are the user's, and may have a dollar
}  # fmt: skip


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """A function that draws, in the style of the house whatever the user's own settings are."""

    @wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> R:
        with mpl.rc_context(STYLE):  # type: ignore[arg-type]
            return draw(*args, **options)

    return drawn


def line(number: int) -> dict[str, Any]:
    """Colour and dashes of the line of a number from 0 on; the first 24 are all different."""
    rounds = number // len(COLORS)
    return {"color": COLORS[number % len(COLORS)], "linestyle": DASHES[(number + rounds) % len(DASHES)]}


def ticks(ax: Axes) -> Axes:
    """Give the ticks of axes the size of the house: some versions of matplotlib make them when the figure is drawn."""
    ax.tick_params(labelsize=LEAST)
    return ax


Panels = tuple[Axes, ...]
"""Several axes in reading order."""

Given = Axes | Iterable[Any] | None
"""What a caller may give for several panels: axes, a sequence or array of them in any shape, or nothing."""


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The caller's axes, or those of a new figure of a size in inches."""
    return ticks(new_figure(size).add_subplot()) if ax is None else ax


def panels_or_new(ax: Given, count: int, new: Callable[[], Iterable[Axes]], solid: Sequence[int] = ()) -> Panels:
    """The caller's panels, or new ones, of which those beyond the count are hidden."""
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
    """What makes a figure with a grid of panels, each of a size in inches; options are those of `Figure.subplots`."""
    across = min(columns, count)
    down = -(-count // across)
    return panels_in((size[0] * across, size[1] * down), down, across, **options)


def panels_in(size: tuple[float, float], rows: int, columns: int, **options: Any) -> Callable[[], Iterable[Axes]]:
    """What makes a figure of a size in inches with rows and columns of panels; options as in `grid_of`."""

    def new() -> Iterable[Axes]:
        panels: list[Axes] = np.ravel(new_figure(size).subplots(rows, columns, squeeze=False, **options)).tolist()
        return panels

    return new


class NotebookFigure(Figure):
    """A figure that a notebook shows, also where pyplot was never imported."""

    def _repr_png_(self) -> bytes | None:
        return figure_png(self)


def new_figure(size: tuple[float, float]) -> Figure:
    """A figure that makes room for all labels, of a size in inches."""
    return NotebookFigure(figsize=size, layout="constrained")


def figure_of(ax: Axes | Sequence[Axes]) -> Figure:
    """The figure in which axes, or panels, lie."""
    figure = (ax if isinstance(ax, Axes) else ax[0]).get_figure(root=True)
    assert figure is not None
    return figure


LETTERS: dict[str, Any] = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "pigevo"}
"""Text in files is text, to be searched for and changed; names inside an SVG are the same each time."""

UNDATED = {".png": {}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
"""What a format says of when a figure was written: the same figure shall be the same file."""


def save_figure(path: Path, figure: Figure, dpi: int = 150) -> Path:
    """Write a figure in one step, in the format of the file's name: PNG, PDF or SVG.

    Raises:
        InputError: it is another format, or the figure cannot be drawn with the user's own settings of matplotlib, or
            written.
    """
    kind, content = path.suffix.lower(), io.BytesIO()
    if kind not in UNDATED:
        raise InputError(f"{path}: the name of a picture must end with {' or '.join(UNDATED)}.")
    fast = {"pil_kwargs": {"compress_level": 0}} if kind == ".png" else {}
    with mpl.rc_context(LETTERS), warnings.catch_warnings():  # type: ignore[arg-type]
        warnings.simplefilter("ignore", UserWarning)  # of letters that the font lacks
        try:
            figure.savefig(content, format=kind[1:], dpi=dpi, metadata=UNDATED[kind], **fast)  # type: ignore[arg-type]
        except RuntimeError as error:  # as with `text.usetex` in a `matplotlibrc`, and no LaTeX
            raise InputError(f"{path} cannot be drawn: {clipped(str(error), LONGEST_VALUE * 2)}") from error
    return write_bytes(path, _smaller(content) if kind == ".png" else content.getvalue())


def _smaller(png: io.BytesIO) -> bytes:
    """A PNG with a palette of 256 colours, which the eye does not tell from it, in a third of the bytes."""
    written = io.BytesIO()
    with Image.open(png) as image:
        flat = image.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat.save(written, format="png", optimize=True)
    return written.getvalue()


def add_legend(ax: Axes, alone: bool, **style: Any) -> None:
    """A legend beside axes that are alone in their figure; inside them otherwise, where some options are left out."""
    if alone:
        figure_of(ax).legend(**style)
    else:
        ax.legend(**{name: value for name, value in style.items() if name not in ("loc", "ncols", "frameon")})


def color_bar(image: Any, ax: Axes | Sequence[Axes], label: str, **options: Any) -> Any:
    """A colour bar beside axes, with its label beside it; options are those of `Figure.colorbar`."""
    beside = [ax] if isinstance(ax, Axes) else list(ax)
    bar = figure_of(beside).colorbar(image, ax=beside, label=label, **{"shrink": 0.9, **options})
    bar.ax.tick_params(labelsize=LEAST)
    return bar


def add_caption(ax: Axes, text: str) -> None:
    """Write sentences below the panels of the part of a figure in which axes lie, in lines as wide as it is."""
    part: Any = ax.get_figure(root=False)
    letters = int(part.bbox.width / part.dpi * 72 / (0.52 * LEAST)) - 4
    part.supxlabel(fill(text, letters), fontsize=LEAST, color="0.35")


BESIDE = 0.75
"""The share of the axes' width beyond which the name of a curve that ends there stands at the margin."""

SHORT = 28
"""Characters of a name where two of them share a line: `champion of generation 3600` is one."""

MARGIN = 1.03

_INWARDS = {"top": -3, "center": 0, "bottom": 3}
"""Points that the name of a curve which leaves early, at an edge of the axes, stands away from that edge."""


def label_ends(ax: Axes, lines: Mapping[str, Line2D]) -> None:
    """Write a name beside the end of each curve: at the margin, one above the other, or where a curve ends early.

    Limits and scales of the axes must be the last ones.
    """
    ax.get_xlim(), ax.get_ylim()  # matplotlib finds its limits when it is asked for them
    ends = {name: end for name, line in lines.items() if (end := _end(ax, line)) is not None}
    late = {name: end for name, end in ends.items() if end[1][0] >= BESIDE}
    look: dict[str, Any] = {"fontsize": LEAST, "annotation_clip": False}
    high = _line_height(ax)
    for name, (point, (_, height)) in ends.items():
        if name not in late:
            back = {"facecolor": "w", "edgecolor": "none", "alpha": 0.8, "pad": 1}
            beside = "top" if height > 1 - high else "bottom" if height < high else "center"
            ax.annotate(name, point, (7, _INWARDS[beside]), textcoords="offset points", va=beside, bbox=back, **look)
    sizes = high * np.array([1 + name.count("\n") for name in late])
    heights = spread(np.array([end[1][1] for end in late.values()]), sizes)
    arrow = {"arrowstyle": "-", "lw": 1.2, "shrinkA": 3, "shrinkB": 0, "relpos": (0, 0.5), "patchA": None}
    for (name, (point, _)), height in zip(late.items(), heights.tolist(), strict=True):
        leader = arrow | {"color": lines[name].get_color()}  # to the middle of the name's left edge, across no other
        ax.annotate(name, point, (MARGIN, height), textcoords="axes fraction", va="center", arrowprops=leader, **look)


def spread(heights: Floats, sizes: Floats) -> Floats:
    """Heights moved as little as need be, in the least squares, so that neighbours stand apart in the same order.

    Both are shares of the axes' height; where there is room, all of each name lies between 0 and 1.
    """
    if not len(heights):
        return np.zeros(0)
    order = np.argsort(heights, kind="stable")
    size = np.asarray(sizes, dtype=float)[order]
    below = np.concatenate([[0.0], np.cumsum((size[1:] + size[:-1]) / 2)])
    lowest = isotonic_regression(np.asarray(heights, dtype=float)[order] - below).x
    least, moved = size[0] / 2, np.empty(len(order))
    moved[order] = np.clip(lowest, least, max(least, 1 - size[-1] / 2 - below[-1])) + below
    return moved


def _end(ax: Axes, line: Line2D) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The last point of a curve that is seen: in data, and in shares of the axes."""
    points = np.column_stack([np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)])
    drawn = line.get_transform().transform(points)  # a line across the axes has one coordinate in shares of them
    data, places = (to.inverted().transform(drawn) for to in (ax.transData, ax.transAxes))
    with np.errstate(invalid="ignore"):
        seen = np.flatnonzero(((places >= -1e-9) & (places <= 1 + 1e-9)).all(axis=1))
    if not len(seen):
        return None
    last = seen[-1]
    return tuple(data[last].tolist()), tuple(places[last].tolist())


def _line_height(ax: Axes) -> float:
    """The height of a line of text as a share of that of the axes."""
    points = figure_of(ax).get_size_inches()[1] * 72 * ax.get_position().height
    return float(1.35 * LEAST / points)


def plain(text: str, most: int = 60) -> str:
    """A name as one line of text that is not too long."""
    return clipped(visible(text), most)
