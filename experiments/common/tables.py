"""The table of a study: published, ours, and whether the two agree.

A publication describes its method in words, which can be misread or wrong.  So a row contains
the result by the text's rules, and beside it the results by other readings of the text if they
differ.

Also Markdown tables, and the format of figures in them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import ANY, Range, mean_interval
from pigevo.core.text import with_interval
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.storage.records import decoded, from_csv, read_bytes, understood

T = TypeVar("T")

TABLES = "tables.md"

WINS: Range = (0.0, 0.5)
"""What strategies can win against the optimum: no interval of a mean goes further."""

REMEDY = "remove it, and it is made anew"


def read_rows(path: Path, columns: Sequence[str], of_row: Callable[[dict[str, str]], T]) -> list[T]:
    """What each row of a CSV file that a study has written says; a damaged file, or one without `columns`, is refused.

    `of_row` takes the texts of a row by column, and raises a ValueError if they are not what was written.
    """
    return understood(path, REMEDY, lambda: list(map(of_row, _whole_rows(read_bytes(path), columns))))


def _whole_rows(content: bytes, columns: Sequence[str]) -> list[dict[str, str]]:
    rows = from_csv(content)
    if missing := [name for name in columns if name not in rows[0]]:
        raise ValueError(f"it has no column {' and no column '.join(missing)}")
    if not content.endswith(b"\n"):
        raise ValueError("its last line is cut off")
    return rows


def finite(text: str) -> float:
    """The number that a cell of a table has; raises a ValueError if it has none."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text} is not a finite number")
    return number


def write_section(folder: Path, name: str, text: str) -> None:
    """Write a table, with all that is said of it, below its name in `tables.md`; headings in it begin with `###`."""
    sections = read_sections(folder) | {name: text}
    parts = (f"## {name}\n\n" + text.rstrip("\n") + "\n" for name, text in sorted(sections.items()))
    write_bytes(folder / TABLES, "\n".join(parts).encode())


def read_sections(folder: Path) -> dict[str, str]:
    """The sections of `tables.md` by name; none if there is no such file."""
    path = folder / TABLES
    text = understood(path, REMEDY, lambda: decoded(read_bytes(path))) if path.exists() else ""
    _, *parts = re.split(r"^## (\w+)\n\n", text, flags=re.M)
    return {name: text.rstrip("\n") + "\n" for name, text in zip(parts[::2], parts[1::2], strict=True)}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    return "\n".join([_line(head), "|---" * len(head) + "|", *map(_line, rows), ""])


def mean_of(values: Floats, form: str = ".4f", within: Range = ANY) -> str:
    """The mean of a figure over runs with its 95 % interval, which is cut off at the ends of `within`."""
    return with_interval(float(np.mean(values)), *mean_interval(values, within=within), form)


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


BAND_SHARE = 0.9
FEWEST = 20
"""The number of runs from which a band is used for a verdict: fewer do not contain the 5 % at either end."""

HEADER = ("figure", "what", "published", "ours", "low", "high", "agrees")


@dataclass(frozen=True)
class ComparedFigure:
    """A figure of ours, the median of our runs or our exact number, beside a published one.

    90 % of our runs lie in the band from `low` to `high`; it is None if our figure is exact. The figures agree if the
    published number lies in the band, or equals the exact one as printed; `agrees` is None if there are too few runs.
    """

    value: float
    low: float | None
    high: float | None
    agrees: bool | None

    def __str__(self) -> str:
        return with_interval(self.value, self.low, self.high) + (", exact" if self.low is None else "")


@dataclass(frozen=True)
class Row:
    """A published figure with its place and meaning, beside ours by the text's rules.

    `remark` explains a disagreement; `readings` are the results by other readings of the text, by name.
    """

    figure: str
    what: str
    published: float
    ours: ComparedFigure
    remark: str = ""
    readings: Mapping[str, ComparedFigure] = field(default_factory=dict)


def sampled(published: float, ours: Floats, precision: float = 0.005) -> ComparedFigure:
    """The band of many runs beside a published figure of one, read off a picture with an error of up to `precision`.

    With fewer than `FEWEST` runs there is no verdict.
    """
    low, middle, high = np.quantile(ours, ((1 - BAND_SHARE) / 2, 0.5, (1 + BAND_SHARE) / 2)).tolist()
    agrees = low - precision <= published <= high + precision if len(ours) >= FEWEST else None
    return ComparedFigure(middle, low, high, agrees)


def exact(published: float, ours: float, digits: int) -> ComparedFigure:
    """Our exact figure beside a published one; they agree if they are equal in `digits` decimals."""
    return ComparedFigure(ours, None, None, abs(published - ours) <= 0.5 * 10.0**-digits + 1e-12)


def as_markdown(rows: Sequence[Row]) -> str:
    """The table as Markdown, the remarks and the number of rows that agree below it."""
    names = _readings(rows)
    head = ["figure", "what", "published", "the text's rules (median, 90 % band)", "agrees?", *names]
    remarks: dict[str, int] = {}
    lines = []
    for row in rows:
        verdict = _verdict(row.ours)
        if row.remark and row.ours.agrees is False:
            verdict += f" [{remarks.setdefault(row.remark, len(remarks) + 1)}]"
        others = (row.readings.get(name) for name in names)
        verdicts = (f"{figure}: {_verdict(figure)}" if figure else "" for figure in others)
        lines.append((row.figure, row.what, f"{row.published:g}", row.ours, verdict, *verdicts))
    notes = [f"[{number}] {remark}" for remark, number in remarks.items()]
    return "\n".join([table(head, lines), *"\n\n".join(notes).splitlines(), "", _agreement(rows)])


def write_table(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Write `name.csv`, and the table as a section of `tables.md`."""
    names = _readings(rows)
    lines: list[list[object]] = [[*HEADER, *(f"{name}: {key}" for name in names for key in HEADER[3:]), "remark"]]
    for row in rows:
        others = [cell for name in names for cell in _cells(row.readings.get(name))]
        remark = row.remark if row.ours.agrees is False else ""
        lines.append([row.figure, row.what, row.published, *_cells(row.ours), *others, remark])
    write_bytes(folder / f"{name}.csv", csv_bytes(lines))
    write_section(folder, name, as_markdown(rows))


def _readings(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.readings))


def _agreement(rows: Sequence[Row]) -> str:
    """The number of rows that agree, and of those affected by a reading, by the text's rules and by the reading."""
    lines: list[tuple[object, ...]] = [("all", len(rows), _agreeing(row.ours for row in rows), "")]
    for name in _readings(rows):
        both = [(row.ours, row.readings[name]) for row in rows if name in row.readings]
        lines.append((name, len(both), _agreeing(a for a, _ in both), _agreeing(b for _, b in both)))
    return table(["rows", "number", "agree by the text's rules", "agree by this reading"], lines)


def _agreeing(figures: Iterable[ComparedFigure]) -> str:
    """The number that agree, or a note that there are too few runs for some."""
    judged = [one.agrees for one in figures]
    return str(sum(map(bool, judged))) if None not in judged else f"too few runs, {FEWEST} are needed"


def _verdict(figure: ComparedFigure) -> str:
    return {True: "yes", False: "no", None: "too few runs"}[figure.agrees]


def _cells(figure: ComparedFigure | None) -> list[float | bool | str]:
    if figure is None:
        return ["", "", "", ""]
    low, high = ("", "") if figure.low is None or figure.high is None else (figure.low, figure.high)
    return [figure.value, low, high, "" if figure.agrees is None else figure.agrees]
