"""`digests.csv`: the digest of each recorded generation, for a later check that it can be made again."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.files import write_bytes

NAME = "digests.csv"


def write_digests(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the digests of all rows of the books, in one step."""
    lines = ["generation,digest", *(f"{row['generation']},{row['digest']}" for row in rows)]
    write_bytes(folder / NAME, ("\n".join(lines) + "\n").encode())


def read_digests(folder: Path) -> dict[int, str]:
    """The recorded generations and their digests, in order.

    Raises:
        InputError: there are none, or the file is damaged.
    """
    path = folder / NAME
    try:
        with path.open(newline="", encoding="utf-8") as file:
            found = {int(row["generation"]): row["digest"] for row in csv.DictReader(file)}
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {NAME}: the run has not recorded anything yet.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged.") from error
    if not found or any(not isinstance(digest, str) or len(digest) != 64 for digest in found.values()):
        raise InputError(f"{path} is damaged.")
    return dict(sorted(found.items()))
