"""The table of a study: published, ours, and whether the two agree."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.arrays import Floats
from pigevo.files import write_bytes

BAND_SHARE = 0.9
HEADER = ("figure", "what", "published", "ours", "low", "high", "agrees", "remark")


@dataclass(frozen=True)
class Row:
    """A published figure beside ours.

    Args:
        figure: where it is published.
        what: what it is, with its unit if it is no probability.
        published: the number.
        ours: the median of our runs, or our exact number.
        low, high: the band in which 90 % of our runs lie; None where ours is exact.
        agrees: whether the published number lies in the band, or equals the exact one as printed.
        remark: why not, where it does not.
    """

    figure: str
    what: str
    published: float
    ours: float
    low: float | None
    high: float | None
    agrees: bool
    remark: str = ""


def sampled_row(
    figure: str, what: str, published: float, ours: Floats, remark: str = "", reading: float = 0.005
) -> Row:
    """A published figure of one run beside the band of many.

    Args:
        figure: where it is published.
        what: what it is.
        published: the number.
        ours: that of each of our runs, shape (seeds,).
        remark: said where the two disagree.
        reading: how exactly the number can be read off a printed picture.
    """
    low, middle, high = np.quantile(ours, ((1 - BAND_SHARE) / 2, 0.5, (1 + BAND_SHARE) / 2)).tolist()
    agrees = low - reading <= published <= high + reading
    return Row(figure, what, published, middle, low, high, agrees, "" if agrees else remark)


def exact_row(figure: str, what: str, published: float, ours: float, digits: int, remark: str = "") -> Row:
    """A published figure beside one that we compute exactly; they agree if they are equal in `digits` decimals."""
    agrees = abs(published - ours) <= 0.5 * 10.0**-digits + 1e-12
    return Row(figure, what, published, ours, None, None, agrees, "" if agrees else remark)


def markdown(rows: Sequence[Row]) -> str:
    """The table as Markdown, remarks below it."""
    lines = ["| figure | what | published | ours (median, 90 % band) | agrees? |", "|---|---|---|---|---|"]
    remarks: dict[str, int] = {}
    for row in rows:
        band = f"{row.ours:.4f}" + (f" ({row.low:.4f} to {row.high:.4f})" if row.low is not None else ", exact")
        said = "yes" if row.agrees else "no"
        if row.remark:
            said += f" [{remarks.setdefault(row.remark, len(remarks) + 1)}]"
        lines.append(f"| {row.figure} | {row.what} | {row.published:g} | {band} | {said} |")
    notes = [f"[{number}] {remark}" for remark, number in remarks.items()]
    return "\n".join([*lines, "", *"\n\n".join(notes).splitlines(), ""])


def write_table(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Write `name.csv` and `name.md`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for row in rows:
        writer.writerow([getattr(row, key) if getattr(row, key) is not None else "" for key in HEADER])
    write_bytes(folder / f"{name}.csv", text.getvalue().encode())
    write_bytes(folder / f"{name}.md", markdown(rows).encode())
