"""Axes and style of all pictures, which are readable from a distance, in grey, and by colour-blind people.

Every `plot_*` function takes `ax=` and returns it. A picture with one panel takes and returns axes. A picture with
several panels takes them as a sequence or array, in reading order, and returns them as a tuple. Without `ax` the
function makes a new figure; `figure_of` returns it.

A slide shows a figure at its full width. So a new figure is at most `WIDTH` inches wide, and its text is at least
`LEAST` points high. Lines differ in lightness, which remains visible in grey and with every kind of colour-blindness,
in their dashes, and in colour. Names are written beside the ends of curves, so that a legend is not needed.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import wraps
from inspect import signature
from pathlib import Path
from textwrap import fill, wrap
from typing import Any, ParamSpec, TypeVar, cast

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullFormatter, ScalarFormatter
from matplotlib.transforms import Affine2DBase, Bbox, ScaledTranslation, Transform, blended_transform_factory
from PIL import Image

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.imports import figure_png
from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import LONGEST_VALUE, clipped, visible
from pigevo.errors import InputError
from pigevo.storage.files import write_bytes

P = ParamSpec("P")
R = TypeVar("R")

WIDTH = 10.0  # the width of the widest figure in inches
LEAST = 11.0  # the size of the smallest text in points

COLORS = ("#1766b4", "#cf7c00", "#5c0c2e", "#005b44", "#08081f")
"""Blue, orange, wine, green and ink: near Okabe and Ito's (2008), changed so that they also differ in lightness, and
have a contrast of at least 3 to 1 on white."""

SKY = "#9bd8ff"
"""The colour of filled areas."""

DASHES = ("-", "--", "-.", ":")

AMOUNTS = "viridis"  # the colours of amounts, from dark to light: perceptually uniform (van der Walt and Smith 2015)

ODDS = "cividis"
"""The colours of win probabilities, dark for losing: the same for colour-blind people (Nuñez et al. 2018)."""

BALANCE = "PuOr"
"""The colours of figures around a middle value, such as win probabilities around a half: orange below, purple above."""

COSTS = "YlOrRd"  # the colours of costs, from light to dark

PALE = "0.87"  # the grey of backgrounds

FAINT = "0.5"
"""The grey of lines that divide a picture or stand in the background: its contrast on white is above 3 to 1."""

Look = dict[str, Any]
"""Keyword arguments of matplotlib: colours, lines, sizes."""

DIVIDER: Look = {"color": FAINT, "linewidth": 0.8}  # the line at the end of a wave

OPTIMUM: Look = {"color": "k", "linestyle": ":", "linewidth": 1}  # the line at what the optimum wins

STYLE: Look = {
    "font.size": 12.0,
    "axes.titlesize": 13.0,
    "axes.labelsize": 12.0,
    "xtick.labelsize": LEAST,
    "ytick.labelsize": LEAST,
    "legend.fontsize": LEAST,
    "legend.title_fontsize": LEAST,
    "figure.titlesize": 14.0,
    "lines.linewidth": 1.8,
    "text.parse_math": False,  # users' names may contain a dollar sign
}  # fmt: skip


def _usual(pattern: str) -> Look:
    """Matplotlib's own settings with names of a pattern."""
    return {str(name): value for name, value in mpl.rcParamsDefault.find_all(pattern).items()}


_OF_LOOKS = (
    r"^(?!axes\.unicode_minus|figure\.dpi)(axes|boxplot|contour|errorbar|figure|grid|hatch|image|legend|lines|markers|"
    r"patch|path|scatter|text\.color|_internal|[xy]axis|[xy]tick)"
)
"""Matplotlib's settings of looks; fonts, which the letters of names may need, and resolution are the user's.

The internal one is the mode of the style `classic`, which has ticks and margins of its own."""

LOOK: Look = {**_usual(_OF_LOOKS), **STYLE}
"""The look of a new figure: its colours are made for white, and on a user's dark background some would not be seen."""


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Decorate a drawing function, so that it uses the style above whatever the user's own settings are.

    In the caller's axes, whose background is the caller's, too, the colours of letters are the user's own.
    """
    names = [*signature(draw).parameters]

    @wraps(draw)
    @own_errors
    def drawn(*args: P.args, **options: P.kwargs) -> R:
        given = {**dict(zip(names, args, strict=False)), **options}.get("ax")
        look = LOOK if given is None else STYLE
        with CHANGES_OF_PROCESS, mpl.rc_context(look):  # type: ignore[arg-type]
            return draw(*args, **options)

    return drawn


LIGHTEST = 0.58
"""The end of the scale of ordered lines, as a share of the colours of amounts: it has a contrast of 3 to 1 on white."""


def line(number: int, ordered: int = 0) -> Look:
    """Colour and dashes of line `number`, from 0 on; the first 20 lines are all different.

    If `ordered` is not 0, it is the number of lines in an order that their colours show, from dark to light.
    """
    if ordered:
        shade = mpl.colormaps[AMOUNTS](LIGHTEST * number / max(ordered - 1, 1))
        return {"color": shade, "linestyle": DASHES[number % len(DASHES)]}
    return {"color": COLORS[number % len(COLORS)], "linestyle": DASHES[number % len(DASHES)]}


class WithCommas(ScalarFormatter):
    """Tick labels as matplotlib writes them, but with commas between thousands."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The label at x."""
        return re.sub(r"(?<![\d.])\d{4,}", lambda digits: f"{int(digits[0]):,}", super().__call__(x, pos))


def ticks(ax: Axes) -> Axes:
    """Set the look of tick labels: some versions of matplotlib make them only when the figure is drawn."""
    ax.tick_params(labelsize=LEAST)
    for axis in (ax.xaxis, ax.yaxis):
        if type(axis.get_major_formatter()) is ScalarFormatter:  # others belong to scales that are not linear
            axis.set_major_formatter(WithCommas())
    return ax


Panels = tuple[Axes, ...]
"""Several axes in reading order."""

Given = Axes | Iterable[Axes] | None
"""What a caller may pass for several panels: axes, a sequence or array of axes in any shape, or None."""


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The caller's axes, or axes in a new figure of a size in inches."""
    return ticks(new_figure(size).add_subplot()) if ax is None else ax


def panels_or_new(ax: Given, count: int, new: Callable[[], Iterable[Axes]], in_3d: Sequence[int] = ()) -> Panels:
    """The caller's panels, or `count` new panels; further new panels are hidden."""
    if ax is None:
        panels = tuple(map(ticks, new()))
        for spare in panels[count:]:
            spare.set_visible(False)
        return panels[:count]
    given = tuple(np.ravel(np.asarray(ax, dtype=object)).tolist())
    if len(given) != count:
        raise InputError(f"this picture has {count} panels, but ax has {len(given)}: give one for each panel.")
    for number in in_3d:
        if not hasattr(given[number], "get_zlim"):
            raise InputError(f"panel {number + 1} has three dimensions: make it with projection='3d'.")
    return given


def grid_of(
    count: int, columns: int, size: tuple[float, float], fill: bool = False, **options: object
) -> Callable[[], Iterable[Axes]]:
    """A function that makes a figure with a grid of panels of a size in inches; options as in `Figure.subplots`.

    With `fill` the last panel takes the rest of its row, which otherwise remains empty.
    """
    across = min(columns, count)
    down = -(-count // across)
    new = panels_in((size[0] * across, size[1] * down), down, across, **options)

    def filled() -> Iterable[Axes]:
        panels = list(new())
        grid = panels[0].get_gridspec()
        assert grid is not None
        panels[count - 1].set_subplotspec(grid[down - 1, (count - 1) % across :])
        if count % across and down > 1:
            for above in panels[(down - 2) * across : (down - 1) * across]:
                above.tick_params(labelbottom=True)  # whose ticks are not those of the wide panel below
        return panels

    return filled if fill else new


def panels_in(size: tuple[float, float], rows: int, columns: int, **options: Any) -> Callable[[], Iterable[Axes]]:
    """A function that makes a figure of a size in inches with rows and columns of panels; options as in `grid_of`."""

    def new() -> Iterable[Axes]:
        panels: list[Axes] = np.ravel(new_figure(size).subplots(rows, columns, squeeze=False, **options)).tolist()
        return panels

    return new


class NotebookFigure(Figure):
    """A figure with the look of the house, which a notebook displays even if pyplot was never imported."""

    def _repr_png_(self) -> bytes | None:
        return figure_png(self)

    @own_errors
    def draw(self, renderer: RendererBase) -> None:
        """Draw the figure; matplotlib makes some of its ticks only now, by the settings of now."""
        look: Any = {**LOOK, "text.parse_math": True}  # powers of ten are formulas
        with CHANGES_OF_PROCESS, mpl.rc_context(look):
            super().draw(renderer)

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save the figure, by default with its own background: on a user's dark one its letters would not be seen."""
        with CHANGES_OF_PROCESS, mpl.rc_context({"savefig.facecolor": "auto", "savefig.edgecolor": "auto"}):
            super().savefig(fname, **options)


def refuse_empty(things: Sized, thing: str) -> None:
    """Refuse to draw none of these things."""
    if not len(things):
        raise InputError(f"there is nothing to draw: give at least one {thing}.")


def new_figure(size: tuple[float, float]) -> Figure:
    """A new figure of a size in inches, with a layout that makes room for all labels."""
    return NotebookFigure(figsize=size, layout="constrained")


def figure_of(ax: Axes | Sequence[Axes]) -> Figure:
    """The figure that contains the axes or panels."""
    figure = (ax if isinstance(ax, Axes) else ax[0]).get_figure(root=True)
    assert figure is not None
    return figure


LETTERS: Look = {
    **_usual(r"^savefig\."), "svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "pigevo"
}  # fmt: skip
"""Text in files remains text that can be searched and edited; names inside an SVG are always the same. A page to print
remains as large as its paper whatever the user's own settings are."""

UNDATED = {".png": {}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
"""Metadata of each format without a date, so that the same figure gives the same file."""


def save_figure(path: Path, figure: Figure, dpi: int = 150) -> Path:
    """Write a figure in one step, in the format of the file's name: PNG, PDF or SVG.

    Raises:
        InputError: The format is another one, the figure cannot be drawn with the user's own settings of matplotlib, or
            the file cannot be written.
    """
    kind, content = path.suffix.lower(), io.BytesIO()
    if kind not in UNDATED:
        raise InputError(f"{path}: the name of a picture must end with {' or '.join(UNDATED)}.")
    with CHANGES_OF_PROCESS, mpl.rc_context(LETTERS), warnings.catch_warnings():  # type: ignore[arg-type]
        warnings.simplefilter("ignore", UserWarning)  # about letters that the font lacks
        try:
            if kind == ".png":
                image_of(figure, dpi).save(content, format="png")
            else:
                figure.savefig(content, format=kind[1:], dpi=dpi, metadata=UNDATED[kind])
        except RuntimeError as error:  # for example `text.usetex` without LaTeX
            raise InputError(f"{path} cannot be drawn: {clipped(str(error), LONGEST_VALUE * 2)}") from error
    return write_bytes(path, content.getvalue())


def image_of(figure: Figure, dpi: int) -> Image.Image:
    """A figure as it is now, without transparency; `savefig` would draw it twice, the first time to find the layout."""
    canvas, before = figure.canvas, figure.dpi
    try:
        figure.dpi = dpi
        drawn: Any = FigureCanvasAgg(figure)  # matplotlib has no types for it
        drawn.draw()
        return Image.fromarray(np.asarray(drawn.buffer_rgba())).convert("RGB")
    finally:
        figure.set_canvas(canvas)
        figure.dpi = before


def add_legend(ax: Axes, alone: bool, **style: object) -> None:
    """Add a legend beside axes that are alone in their figure, otherwise inside the axes with fewer options."""
    if alone:
        figure_of(ax).legend(**style)
    else:
        ax.legend(**{name: value for name, value in style.items() if name not in ("loc", "ncols", "frameon")})


def write_title(axes: Axes, text: str, **look: Any) -> None:
    """Write a title with a user's name in it above axes, in lines that are hardly wider than they.

    A dollar sign in it begins no formula, also above the caller's axes, whose title exists already.
    """
    size, wide = float(axes.title.get_fontsize()), axes.bbox.width * POINTS / figure_of(axes).dpi
    letters = max(SHORT, int(WIDER * wide / (LETTER_OF_TITLE * size)))
    lines = [fill(part, letters) for part in text.split("\n")]
    axes.set_title("\n".join(lines), parse_math="$" not in text, **look)


LETTER_OF_TITLE = 0.55  # the mean width of a letter in a title, as a share of its size
WIDER = 1.15  # a title's largest width as a share of that of the axes: beside them there is room
LETTER = 0.46  # the mean width of a letter beside a colour bar, as a share of its size
MOST_ROOM = 0.5  # the largest share of axes that a colour bar and its labels take


def color_bar(
    image: ScalarMappable, ax: Axes | Sequence[Axes], label: str, dress: Callable[[Colorbar], object] = lambda _: None,
    **options: Any,
) -> Colorbar:  # fmt: skip
    """Add a colour bar beside axes, with letters of their size; options are those of `Figure.colorbar`.

    `dress` changes the labels of the bar.
    """
    beside = [ax] if isinstance(ax, Axes) else list(ax)
    figure, of_axes, whole_box = figure_of(beside), beside[0].yaxis, Bbox.union([axes.bbox for axes in beside])
    size, high = float(of_axes.label.get_fontsize()), whole_box.height * POINTS / figure.dpi
    lines = [fill(text, max(1, int(high / (LETTER * size)))) for text in label.split("\n")]

    def add(home: Figure, parents: Axes | Sequence[Axes], **room: float) -> Colorbar:
        colors = image if home is figure else ScalarMappable(image.norm, image.cmap)
        bar = home.colorbar(colors, ax=parents, **{"shrink": 0.9, **options, **room})
        bar.set_label("\n".join(lines), size=size)
        ticks(bar.ax)
        bar.ax.tick_params(labelsize=of_axes.get_majorticklabels()[0].get_fontsize())
        dress(bar)
        return bar

    room = {}
    if figure.get_layout_engine() is None:  # no layout will make room for labels, which would lie on the next axes
        tried = Figure((figure.get_figwidth(), figure.get_figheight()), dpi=figure.dpi)
        box = whole_box.transformed(figure.transFigure.inverted())
        tight = add(tried, tried.add_axes(box.bounds)).ax.get_tightbbox()
        own = of_axes.get_tightbbox()
        assert tight is not None
        room["fraction"] = min(MOST_ROOM, (tight.width + size) / whole_box.width)
        if options.get("location") == "left" and own is not None:
            room["pad"] = min(MOST_ROOM / 2, (own.width + size) / whole_box.width)
    return add(figure, beside[0] if len(beside) == 1 else beside, **room)


def add_caption(ax: Axes, text: str) -> None:
    """Write sentences below the panels of the part of a figure that contains the axes, in few lines about as long."""
    part = ax.get_figure(root=False)
    assert part is not None
    letters = int(part.bbox.width / part.dpi * 72 / (0.52 * LEAST)) - 4
    text = text.replace(" %", "\u00a0%")
    least = len(wrap(text, letters))
    shortest = len(text) // max(1, least)  # narrower lines cannot be so few
    even = next((width for width in range(max(1, shortest), letters) if len(wrap(text, width)) == least), letters)
    part.supxlabel(fill(text, even), fontsize=LEAST, color="0.35")


POINTS = 72  # in an inch
BESIDE = 0.75  # a curve that ends beyond this share of the axes' width has its name at the margin
SHORT = 30  # characters of a name if two names share a line, enough for `champion of generation 3,600`

MARGIN = 12.0  # the distance in points between the axes and the names at the margin
SAMPLE = 24.0  # the length in points of a piece of a line before its name
FAN = 1.6  # the distance of a name from its line's end, in lines of text, from which leaders would be hard to follow
LINE = 1.35  # the height of a line of text, as a share of the size of its letters
SAME_END = 0.005  # the distance of two ends, as a share of the axes' height, below which leaders begin at one point


def label_ends(ax: Axes, lines: Mapping[str, Line2D]) -> None:
    """Write the name of each curve beside its end: in a column at the margin, or beside the end of a short curve.

    Names at the margin have leaders to their curves. Where curves end at one point, or many close together, leaders
    would fan out from it: there each name has a piece of its line before it, and the order is that of the ends.
    Limits and scales of the axes must be final.
    """
    ax.get_xlim(), ax.get_ylim()  # these calls make matplotlib compute the limits
    ends = {name: end for name, line in lines.items() if (end := _end(ax, line)) is not None}
    late = {name: end for name, end in ends.items() if end[1][0] >= BESIDE}
    look: Look = {"fontsize": LEAST, "annotation_clip": False}
    high = _line_height(ax)
    own, heights = _heights({name: end for name, end in ends.items() if name not in late}, high)
    early = [name for name in ends if name not in late]
    for name, up in zip(early, (LINE * LEAST * (heights - own) / high).tolist(), strict=True):
        back = {"facecolor": "w", "edgecolor": "none", "alpha": 0.8, "pad": 1}
        ax.annotate(name, ends[name][0], (7, up), textcoords="offset points", va="center", color="k", bbox=back, **look)
    own, heights = _heights(late, high)
    fan = bool((np.abs(heights - own) > FAN * high).any() or (np.diff(np.sort(own)) < SAME_END).any())
    arrow = {"arrowstyle": "-", "lw": 1.2, "shrinkA": 3, "shrinkB": 0, "relpos": (0, 0.5), "patchA": None}
    for (name, (point, _)), height in zip(late.items(), heights.tolist(), strict=True):
        if fan:
            piece = Line2D([0, SAMPLE / POINTS], [height] * 2)
            piece.update_from(lines[name])  # also dashes of its own, which `get_linestyle` does not have
            piece.set(
                transform=_beside(ax, MARGIN / 2), clip_on=False, clip_box=None, clip_path=None, marker="", label=""
            )
            ax.add_artist(piece)
        # To the middle of the name's left edge, where it crosses no other name.
        leader = None if fan else arrow | {"color": lines[name].get_color()}
        away = _beside(ax, MARGIN + SAMPLE if fan else MARGIN)
        ax.annotate(name, point, (0, height), textcoords=away, va="center", arrowprops=leader, **look)


def _heights(ends: Mapping[str, End], high: float) -> tuple[Floats, Floats]:
    """The heights of ends, and those of their names, which do not overlap; `high` is that of a line."""
    own = np.array([height for _, (_, height) in ends.values()])
    return own, spread(own, high * np.array([1 + name.count("\n") for name in ends]))


def spread(heights: Floats, sizes: Floats) -> Floats:
    """Heights of names, moved as little as possible (least squares) so that names do not overlap and keep their order.

    Heights and sizes are shares of the axes' height. If there is room, all names lie completely between 0 and 1.
    """
    if not len(heights):
        return np.zeros(0)
    order = np.argsort(heights, kind="stable")
    size = np.asarray(sizes, dtype=float)[order]
    below = np.concatenate([[0.0], np.cumsum((size[1:] + size[:-1]) / 2)])
    lowest = _isotonic(np.asarray(heights, dtype=float)[order] - below)
    least, moved = size[0] / 2, np.empty(len(order))
    moved[order] = np.clip(lowest, least, max(least, 1 - size[-1] / 2 - below[-1])) + below
    return moved


def _isotonic(values: Floats) -> Floats:
    """The nearest increasing values by least squares; `scipy.optimize` has it, too, but takes long to import."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    begin, end = np.indices((len(values), len(values)))
    means = np.where(begin <= end, (total[end + 1] - total[begin]) / np.maximum(1, end + 1 - begin), np.inf)
    smallest = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]  # of the means that end there or later
    return np.array([smallest[: index + 1, index].max() for index in range(len(values))])


End = tuple[tuple[float, float], tuple[float, float]]
"""A point in data coordinates and in shares of the axes."""


def _end(ax: Axes, line: Line2D) -> End | None:
    """The last visible point of a curve."""
    points = np.column_stack([np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)])
    drawn = line.get_transform().transform(points)  # lines across the axes have one coordinate in shares
    data, fractions = (to.inverted().transform(drawn) for to in (ax.transData, ax.transAxes))
    with np.errstate(invalid="ignore"):
        visible_points = np.flatnonzero(((fractions >= -1e-9) & (fractions <= 1 + 1e-9)).all(axis=1))
    if not len(visible_points):
        return None
    last = visible_points[-1]
    return tuple(data[last].tolist()), tuple(fractions[last].tolist())


def _beside(ax: Axes, distance: float) -> Transform:
    """Inches across from so many points beside the axes, and shares of their height."""
    inches, shares = cast("Affine2DBase", figure_of(ax).dpi_scale_trans), cast("Affine2DBase", ax.transAxes)
    right = inches + ScaledTranslation(1, 0, shares) + ScaledTranslation(distance / POINTS, 0, inches)
    return blended_transform_factory(right, ax.transAxes)


def _line_height(ax: Axes) -> float:
    points = figure_of(ax).get_size_inches()[1] * POINTS * ax.get_position().height
    return float(LINE * LEAST / points)


def plain(text: str, most: int = 60) -> str:
    """A name as one line of text that is not too long."""
    return clipped(visible(text), most)


def shown(name: str, most: int = 60) -> str:
    """A strategy's name as a picture has it: `the optimum` for `optimal`, and commas in the number of a generation."""
    if name == "optimal":
        return "the optimum"
    return plain(re.sub(r"(?<=generation )\d{4,}$", lambda digits: f"{int(digits[0]):,}", name), most)


def whole() -> MaxNLocator:
    """Ticks at whole numbers only, for scores, turn totals and generations, unless there are fewer than two."""
    return MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True)


def set_plain(*axes: XAxis | YAxis) -> None:
    """Write the numbers along logarithmic axes without powers of ten, which would be formulas."""
    for axis in axes:
        axis.set_major_formatter(_plain)
        axis.set_minor_formatter(NullFormatter())


def _plain(amount: float, unit: float | None = None) -> str:
    """The label of a tick without a power of ten, from 0.0000001 to a billion."""
    return f"{amount:,.0f}" if amount >= 1 else f"{amount:.7f}".rstrip("0")
