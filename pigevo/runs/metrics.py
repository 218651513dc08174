"""`metrics.csv`: a row of figures for each recorded generation."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS
from pigevo.files import write_bytes
from pigevo.records import Missing, is_there, read_csv
from pigevo.telling import told

METRICS_FILE = "metrics.csv"
DIGEST_COLUMN = "digest"
DIGESTS_FILE = "digests.csv"
"""Where pigevo 0.1.0 kept the digests, beside the metrics."""

REMEDY = "run again with force=true"

_KINDS: dict[str, Any] = {
    "generation": int, "wave": int, "evaluations": int, "games": int, "cube_size": str, DIGEST_COLUMN: str,
}  # fmt: skip


def write_metrics(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write all rows, in one step; numbers in full, so that reading them gives the same again."""
    kept = list(rows)
    more = dict.fromkeys(name for row in kept for name in row if name not in (*COLUMNS, DIGEST_COLUMN))
    write_bytes(folder / METRICS_FILE, _table(kept, [*COLUMNS, *more, DIGEST_COLUMN]).encode())


def read_metrics(folder: Path) -> dict[str, np.ndarray]:
    """The columns of `metrics.csv` by name, shape (rows,): numbers, and cube sizes and digests as text.

    Raises:
        InputError: there is no such file, or it is damaged.
    """
    return columns_of(read_rows(folder))


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Rows as columns: numbers, and cube sizes and digests as text; a number that is missing is NaN."""
    names = list(dict.fromkeys(name for row in rows for name in row)) or [*COLUMNS, DIGEST_COLUMN]
    return {name: np.array([_KINDS.get(name, _number)(row.get(name, "")) for row in rows]) for name in names}


def read_rows(folder: Path) -> list[dict[str, str]]:
    """The rows of `metrics.csv` as they are written; of pigevo 0.1.0 with the digests of `digests.csv`.

    Raises:
        InputError: there is no such file, or it is damaged.
    """
    rows = _read(folder / METRICS_FILE)
    if DIGEST_COLUMN not in rows[0] and is_there(folder / DIGESTS_FILE):
        found = {row["generation"]: row.get(DIGEST_COLUMN, "") for row in _read(folder / DIGESTS_FILE)}
        rows = [{**row, DIGEST_COLUMN: found.get(row["generation"], "")} for row in rows]
    if lacking := [name for name in (*COLUMNS, DIGEST_COLUMN) if name not in rows[0]]:
        raise InputError(f"{folder / METRICS_FILE} is damaged (it has no column {lacking[0]}): {REMEDY}.")
    for line, row in enumerate(rows, start=2):
        if wrong := [name for name, text in row.items() if not _is_right(name, text)]:
            said = f"line {line}, {wrong[0]}: {told(row[wrong[0]])}"
            raise InputError(f"{folder / METRICS_FILE} is damaged ({said}): {REMEDY}.")
    return rows


def digestible(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows of `COLUMNS` without their seconds, as bytes for a digest."""
    return _table(rows, [c for c in COLUMNS if c != "seconds"]).encode()


def _read(path: Path) -> list[dict[str, str]]:
    try:
        rows = read_csv(path, REMEDY)
    except Missing as error:
        raise InputError(f"{path.parent} has no {path.name}: the run has not recorded anything yet.") from error
    if "generation" not in rows[0]:
        raise InputError(f"{path} is damaged (it has no column generation): {REMEDY}.")
    return rows


def _is_right(name: str, text: str) -> bool:
    """Whether a cell is of its column's kind."""
    if name == DIGEST_COLUMN:
        return len(text) == 64
    if _KINDS.get(name) is int:
        return re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) is not None
    if name == "cube_size":
        return text.isprintable() and len(text) < 80
    try:
        return math.isfinite(_number(text)) or name not in COLUMNS
    except ValueError:
        return False


def _number(text: Any) -> float:
    return float("nan") if text == "" else float(text)


def _table(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
