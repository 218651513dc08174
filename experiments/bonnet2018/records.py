"""Tables on disk: written once, read back as text; and the names of their columns for the three seats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.storage.files import write_bytes
from pigevo.storage.records import read_json

from ..common.tables import REMEDY, read_rows

Rows = list[dict[str, Any]]
Table = Sequence[dict[str, str]]

SEATS = ("first", "second", "third")


def write_once(path: Path, make: Callable[[], Rows]) -> None:
    """Write a table as CSV unless the file exists.

    Args:
        path: the file.
        make: computes the rows; called only if they are needed.
    """
    if path.exists():
        return
    rows = make()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_bytes(path, text.getvalue().encode())


def read(path: Path) -> Table:
    """The rows of a CSV table, as text.

    Args:
        path: the file.
    """
    return read_rows(path, (), dict)


def kept(path: Path, make: Callable[..., Rows], *arguments: Any) -> Rows:
    """The rows in a JSON file, which is written first if it does not exist.

    Args:
        path: the file.
        make: computes the rows; called only if they are needed.
        arguments: what it is called with.
    """
    if not path.exists():
        write_bytes(path, json.dumps(make(*arguments)).encode())
    return cast(Rows, read_json(path, list[JsonObject], REMEDY))


def column(rows: Table, name: str) -> Floats:
    """A column of a table as numbers, shape (rows,).

    Args:
        rows: the table.
        name: of the column.
    """
    if rows and name not in rows[0]:
        raise InputError(f"a table of this study has no column {name!r}, but {', '.join(rows[0])}: {REMEDY}.")
    return np.array([float(row[name]) for row in rows])
