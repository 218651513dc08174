"""Matplotlib figures in a page: lines as SVG with the page's colours and fonts, images as PNG.

An SVG has no style of its own, loads nothing, and shares no name with another SVG, so that a page that forbids these
can contain several; and the same figure always gives the same bytes.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from pigevo.core.arrays import Floats
from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import LONGEST_VALUE, clipped
from pigevo.errors import InputError
from pigevo.figures.axes import COLORS, LEAST, PALE, line
from pigevo.web.html import Html, data_uri, tag

ORDERED = 20  # the largest number of ordered lines whose colours follow the page's


def _shades(count: int) -> dict[str, str]:
    """The colours of so many ordered lines, which go from dark to light, and on a dark page from light to dark."""
    colors = [to_hex(line(number, count)["color"]) for number in range(count)]
    return {
        color: f"var(--shade-{round(10 * number / max(count - 1, 1))}, {color})" for number, color in enumerate(colors)
    }


CURVES = {
    **{color: f"var(--curve-{number}, {color})" for number, color in enumerate(COLORS)},
    to_hex(PALE): f"var(--pale, {to_hex(PALE)})",
    **{color: variable for count in range(1, ORDERED + 1) for color, variable in _shades(count).items()},
}
"""The colours of lines and of the background: the page's own, which differ on a dark page."""

INK = ("#000000", "black", "#595959", "#262626")
"""Blacks and dark greys, for which the page's text colour is used."""

STYLE: Any = {
    "svg.fonttype": "none", "text.usetex": False, "text.parse_math": False,
    "font.size": LEAST, "axes.titlesize": LEAST, "axes.labelsize": LEAST, "xtick.labelsize": LEAST,
    "ytick.labelsize": LEAST, "legend.fontsize": LEAST, "axes.spines.top": False, "axes.spines.right": False,
    "axes.linewidth": 0.8, "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "auto",
    "path.simplify_threshold": 0.2, "font.family": ["sans-serif"],
}  # fmt: skip
"""The style of lines, independent of the user's matplotlib settings."""

_REFERRED = r"[a-zA-Z][0-9a-f]{10}(_[0-9a-f]+)*"  # names of marks and frames, which matplotlib derives from a hash

_KEPT = ("g", "path", "text", "tspan", "use", "defs", "clipPath", "rect", "image", "svg")


@contextmanager
def drawn() -> Iterator[None]:
    """A context in which figures are drawn and saved in the style of reports, independent of a `matplotlibrc`."""
    with CHANGES_OF_PROCESS, mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        warnings.simplefilter("ignore", UserWarning)  # about letters that the font lacks
        yield


def svg(figure: Figure, name: str, label: str) -> Html:
    """A figure made inside `drawn`, as an element of the page; names that it refers to begin with its name."""
    content = io.BytesIO()
    with drawn(), mpl.rc_context({"svg.hashsalt": name}):
        _save(figure, content, "svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(content.getvalue())
    return _element(root, name, {"viewBox": root.get("viewBox", ""), "role": "img", "aria-label": label})


def picture(figure: Figure, label: str, dpi: int = 90) -> Html:
    """A figure with many small parts as an image."""
    content = io.BytesIO()
    edges = {"bbox_inches": "tight", "pad_inches": 0.12}
    with drawn():
        _save(figure, content, "png", dpi=dpi, facecolor="white", metadata={"Software": None}, **edges)
    width, height = struct.unpack(">II", content.getvalue()[16:24])
    return tag("img", src=data_uri(content.getvalue()), alt=label, width=width, height=height)


def pixels(colours: Floats) -> str:
    """An image with a pixel for each cell, as a data address; colours from 0 to 1, the first row on top."""
    from PIL import Image

    content = io.BytesIO()
    image = Image.fromarray(np.round(colours * 255).astype(np.uint8))
    image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(content, "PNG", optimize=True)
    return data_uri(content.getvalue())


def _save(figure: Figure, content: io.BytesIO, kind: str, **options: Any) -> None:
    try:
        figure.savefig(content, format=kind, **options)
    except RuntimeError as error:
        raise InputError(f"a figure cannot be drawn: {clipped(str(error), LONGEST_VALUE * 2)}") from error


def _element(node: ET.Element, name: str, more: dict[str, str]) -> Html:
    """A node and its content, without namespaces, comments and metadata."""
    kind = _local(node.tag)
    attributes = dict(more)
    for key, value in node.attrib.items() if not more else ():
        attributes |= _styles(value) if key == "style" else {_local(key): value}
    owned = {key: _owned(key, value, name) for key, value in attributes.items()}
    inside = [_element(child, name, {}) for child in node if _local(child.tag) in _KEPT]
    return tag(kind, (node.text or "").strip() if kind in ("text", "tspan") else "", inside, **owned)


def _styles(text: str) -> dict[str, str]:
    """Styles as attributes; fonts are the page's, with their sizes here."""
    pairs = dict(part.split(":", 1) for part in text.split(";") if ":" in part)
    styles = {key.strip(): value.strip() for key, value in pairs.items()}
    if font := styles.pop("font", ""):
        styles["font-size"] = match[0] if (match := re.search(r"[\d.]+px", font)) else "11px"
    styles.pop("font-family", None)
    return styles


def _owned(key: str, value: str, name: str) -> str | None:
    """An attribute with colours that follow the page's, short numbers, and names that no other SVG has.

    Only names that are referred to are kept; `d` is the path of a line.
    """
    if key in ("fill", "stroke") and value in (*INK, *CURVES):
        return page_colour(value)
    if key == "d":  # points of a path after the first need no letter
        value = _rounded(value).replace(" L ", " ")
    if key == "transform":
        value = _rounded(value)
    if key == "id":
        return f"{name}-{value}" if re.fullmatch(_REFERRED, value) else None
    return f"#{name}-{value[1:]}" if key == "href" else value.replace("url(#", f"url(#{name}-")


def page_colour(value: str) -> str:
    """The page's own colour for one of a figure, which is another one on a dark page."""
    return "currentColor" if value in INK else CURVES.get(value, value)


def _rounded(text: str) -> str:
    """The text with numbers rounded to a tenth of a point, which is invisible."""
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), " ".join(text.split()))


def _local(name: object) -> str:
    return str(name).rpartition("}")[2]
