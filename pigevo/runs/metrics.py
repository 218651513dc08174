"""`metrics.csv`: a row of figures for each recorded generation."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.evolve.books import COLUMNS
from pigevo.files import write_bytes

NAME = "metrics.csv"


def write_metrics(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write all rows, in one step; numbers in full, so that reading them gives the same again."""
    write_bytes(folder / NAME, _table(rows, COLUMNS).encode())


def digestible(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows without their seconds, as bytes for a digest."""
    return _table(rows, [c for c in COLUMNS if c != "seconds"]).encode()


def _table(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
