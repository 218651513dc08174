"""Pictures that a command writes: of which kind, how large, and where."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from pigevo.errors import InputError
from pigevo.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("png", "svg")
PLACE = Path("outputs", "pictures")
"""Where pictures lie of which nobody said where."""


def picture_file(to: Path | None, kind: str | None, names: list[str]) -> Path:
    """The file of a picture.

    Args:
        to: what the user said; None for a name of its own in `PLACE`.
        kind: one of `KINDS`; None for what the file's name says.
        names: of what is drawn.

    Raises:
        InputError: the name of the file says another kind, or none that is known.
    """
    if to is None:
        return PLACE / f"{'_'.join(map(safe_name, names))}.{kind or KINDS[0]}"
    said = to.suffix.lower().lstrip(".")
    if said not in KINDS or (kind is not None and said != kind):
        raise InputError(f"{to} is no name of a picture: let it end with .{kind or ' or .'.join(KINDS)}.")
    return to


def safe_name(name: str) -> str:
    """A name as a part of a file's name."""
    return re.sub(r"[^\w.+=-]+", "-", name, flags=re.ASCII).strip("-.")[:60] or "strategy"


def write_picture(path: Path, figure: Figure, dpi: int) -> Path:
    """Write a figure in one step, as what the file's name ends with.

    Raises:
        InputError: the file cannot be written.
    """
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of letters that the font lacks
        figure.savefig(content, format=path.suffix.lower().lstrip("."), dpi=dpi)
    return write_bytes(path, content.getvalue())
