"""`metrics.csv`: a row of figures for each recorded generation."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.errors import InputError
from pigevo.evolution.books import COLUMNS
from pigevo.files import write_bytes

NAME = "metrics.csv"

_KINDS: dict[str, Any] = {"generation": int, "wave": int, "evaluations": int, "games": int, "cube_size": str}


def write_metrics(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write all rows, in one step; numbers in full, so that reading them gives the same again."""
    write_bytes(folder / NAME, _table(rows, COLUMNS).encode())


def read_metrics(folder: Path) -> dict[str, np.ndarray]:
    """The columns of `metrics.csv` by name, shape (rows,): numbers, and the cube sizes as text.

    Raises:
        InputError: there is no such file, or it is damaged.
    """
    path = folder / NAME
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {column: np.array([_KINDS.get(column, float)(row[column]) for row in rows]) for column in COLUMNS}
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {NAME}: the run has not recorded anything yet.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged.") from error


def digestible(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows without their seconds, as bytes for a digest."""
    return _table(rows, [c for c in COLUMNS if c != "seconds"]).encode()


def _table(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
