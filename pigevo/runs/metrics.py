"""The files that grow with a run: `metrics.csv`, figures of recorded generations; `champions.csv`; `lineage.csv`.

While a run is at work, rows are added to the file's end, before the checkpoint that counts on
them; one that was killed leaves rows, and perhaps a part of one, that no checkpoint counts on.

Of `champions.csv` two lines tell the game and the columns; each other one tells a generation, the size of its cuboids
and the genome, `numpy.packbits` in base64.  The generations are those of `metrics.csv`, or every second, fourth, ... of
them (`pigevo.runs.stepper.spacing`).

`lineage.csv`, of runs with `lineage=true`, has a row for each member of such generations (`pigevo.evolution.lineage`).
"""

from __future__ import annotations

import base64
import csv
import functools
import hashlib
import io
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.evolution.lineage import Descent
from pigevo.evolution.logbook import COLUMNS, Champion
from pigevo.games import Game, GameRecord, game_from_record, game_to_record
from pigevo.storage.files import append_bytes, place_in, write_bytes
from pigevo.storage.records import Later, Missing, from_csv, from_json, read_bytes, understood
from pigevo.strategies import CubeGrid, Strategy

METRICS_FILE = "metrics.csv"
DIGEST_COLUMN = "digest"
REMEDY = "run again with force=true"

_KINDS: dict[str, Any] = {
    "generation": int, "wave": int, "evaluations": int, "games": int, "cube_size": str, DIGEST_COLUMN: str,
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """How far a growing file (`metrics.csv`, `champions.csv`) is written; `chain` is the hash of its rows."""

    rows: int = 0
    chain: str = ""
    columns: tuple[str, ...] = ()
    size: int = 0


NOTHING = Written()
"""The state of a file that this process has not written yet: it is written anew."""


def write_metrics(folder: Path, rows: Sequence[Mapping[str, Any]], before: Written = NOTHING) -> Written:
    """Write all rows that were recorded, numbers in full, so that reading them gives the same again (`grow`)."""
    new = rows[before.rows :]
    own = dict.fromkeys((*before.columns, *(name for row in new for name in row)))
    columns = (*COLUMNS, *(name for name in own if name not in (*COLUMNS, DIGEST_COLUMN)), DIGEST_COLUMN)
    now = replace(before, rows=len(rows), chain=chained(map(_cells, new), before.chain), columns=columns)
    return grow(place_in(folder, METRICS_FILE), before, now, lambda n: _table(rows[n:], columns, header=not n))


def grow(path: Path, before: Written, now: Written, content_from: Callable[[int], str]) -> Written:
    """Append new rows to a file if it is as `before` describes; else write it anew, in one step.

    `content_from(n)` is the text of the rows from n on, for 0 with the head of the file.
    """
    if before.rows and now.columns == before.columns and size_of(path) == before.size:
        content = content_from(before.rows).encode()
        if content:
            append_bytes(path, content, before.size)
        return replace(now, size=before.size + len(content))
    content = content_from(0).encode()
    write_bytes(path, content)
    return replace(now, size=len(content))


def chained(rows: Iterable[str], start: str = "") -> str:
    """The hash of rows, as text, after others with the hash `start`: SHA-256, in hex."""
    return functools.reduce(lambda chain, row: hashlib.sha256(f"{chain}{row}".encode()).hexdigest(), rows, start)


def rows_until(folder: Path, count: int, chain: str) -> list[dict[str, Any]]:
    """So many first rows of `metrics.csv`, whose hash is `chain`; an InputError if it has fewer, or others."""
    cells = _read(folder / METRICS_FILE, count) if count else []
    rows = [{name: text for name, text in row.items() if text != ""} for row in cells]
    if len(rows) != count or chained(map(_cells, rows)) != chain:
        raise InputError(f"{folder / METRICS_FILE} holds fewer or other rows than a checkpoint counts on.")
    return [{name: _KINDS.get(name, float)(text) for name, text in row.items()} for row in rows]


def read_metrics(folder: Path) -> dict[str, np.ndarray]:
    """The columns of `metrics.csv` by name, shape (rows,): numbers, and cube sizes and digests as text."""
    return columns_of(read_rows(folder))


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Rows as columns: numbers, and cube sizes and digests as text; a number that is missing is NaN."""
    names = list(dict.fromkeys(name for row in rows for name in row)) or [*COLUMNS, DIGEST_COLUMN]
    return {name: np.array([_KINDS.get(name, _number)(row.get(name, "")) for row in rows]) for name in names}


def read_rows(folder: Path) -> list[dict[str, str]]:
    """The rows of `metrics.csv` as they are written."""
    rows = _read(folder / METRICS_FILE)
    if lacking := [name for name in (*COLUMNS, DIGEST_COLUMN) if name not in rows[0]]:
        raise InputError(f"{folder / METRICS_FILE} is damaged (it has no column {lacking[0]}): {REMEDY}.")
    for line, row in enumerate(rows, start=2):
        if wrong := [name for name, text in row.items() if not _is_right(name, text)]:
            said = f"line {line}, {wrong[0]}: {short_repr(row[wrong[0]])}"
            raise InputError(f"{folder / METRICS_FILE} is damaged ({said}): {REMEDY}.")
    return rows


def digestible(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows of `COLUMNS` without their seconds, as bytes for a digest."""
    return _table(rows, [c for c in COLUMNS if c != "seconds"]).encode()


def _read(path: Path, first: int | None = None) -> list[dict[str, str]]:
    """The complete rows, or so many of them; an incomplete last line is ignored."""
    try:
        rows = understood(path, REMEDY, lambda: from_csv(_lines(read_bytes(path), first)))
    except Missing as error:
        raise InputError(f"{path.parent} has no {path.name}: the run has not recorded anything yet.") from error
    if "generation" not in rows[0]:
        raise InputError(f"{path} is damaged (it has no column generation): {REMEDY}.")
    return rows


def _lines(content: bytes, first: int | None) -> bytes:
    """The lines that end, or the header and so many of them."""
    lines = content.split(b"\n", -1 if first is None else first + 1)[:-1]
    return b"".join(line + b"\n" for line in lines)


def _cells(row: Mapping[str, Any]) -> str:
    """A row for its hash, which does not depend on the columns of others."""
    return "".join(f"\n{name}={row[name]}" for name in sorted(row))


def size_of(path: Path) -> int:
    """The bytes of a file; -1 where there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


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


def _table(rows: Iterable[Mapping[str, Any]], columns: Iterable[str], header: bool = True) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), extrasaction="ignore", lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


CHAMPIONS_FILE = "champions.csv"
CHAMPIONS_FORMAT = 1
CHAMPIONS_COLUMNS = "generation,cube_size,genome"

_LINE = re.compile(r"([0-9]{1,18}),([0-9]{1,7}(?:x[0-9]{1,7})*),([A-Za-z0-9+/]*={0,2})", re.ASCII)


class Begun(TypedDict):
    """What the first line says, after `# `."""

    format: int
    game: GameRecord


class Champions(Mapping[int, Strategy]):
    """The champions that a run has recorded, by generation, ascending; each strategy is made when it is asked for."""

    def __init__(self, found: Iterable[Champion] = ()) -> None:
        self._found = {champion.generation: champion for champion in found}

    def __getitem__(self, generation: int) -> Strategy:
        return self._found[generation].strategy

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        said = f", of generations {min(self)} to {max(self)}" if self else ""
        return f"<{len(self)} recorded champions{said}>"


def write_champions(folder: Path, champions: Sequence[Champion], before: Written = NOTHING) -> Written:
    """Write all champions that were recorded (`pigevo.runs.metrics.grow`); of none no file is made."""
    if not champions:
        return NOTHING
    begun = {"format": CHAMPIONS_FORMAT, "game": game_to_record(champions[0].grid.game)}
    head = f"# {json.dumps(begun)}\n{CHAMPIONS_COLUMNS}\n"
    new = chained(map(_line, champions[before.rows :]), before.chain)
    now = replace(before, rows=len(champions), chain=new)
    return grow(
        place_in(folder, CHAMPIONS_FILE),
        before,
        now,
        lambda n: ("" if n else head) + "".join(map(_line, champions[n:])),
    )


def champions_until(folder: Path, count: int, chain: str) -> list[Champion]:
    """So many first champions of the file, whose hash is `chain`; an InputError if it has fewer, or others."""
    if not count:
        return []
    try:
        found = _read_champions(folder / CHAMPIONS_FILE, count)
    except Missing:
        found = []
    if len(found) != count or chained(map(_line, found)) != chain:
        raise InputError(f"{folder / CHAMPIONS_FILE} holds fewer or other champions than a checkpoint counts on.")
    return found


def read_champions(folder: Path) -> Champions:
    """What the file holds; nothing if there is none, as in folders of an earlier pigevo."""
    try:
        return Champions(_read_champions(folder / CHAMPIONS_FILE))
    except Missing:
        return Champions()


def _line(champion: Champion) -> str:
    return f"{champion.generation},{champion.grid.label},{base64.b64encode(champion.bits).decode()}\n"


def _read_champions(path: Path, first: int | None = None) -> list[Champion]:
    """The champions of all complete lines, or so many; an incomplete last line, of a killed run, is ignored."""
    return understood(path, REMEDY, lambda: _understood(path, read_bytes(path), first))


def _game(path: Path, head: Sequence[str]) -> Game:
    """The game and grid from the first two lines."""
    if len(head) < 2 or head[1] != CHAMPIONS_COLUMNS or not head[0].startswith("# "):
        raise ValueError("it does not begin as such a file does")
    written = from_json(head[0][2:], dict[str, Any]).get("format")
    if isinstance(written, int) and written > CHAMPIONS_FORMAT:
        raise Later(f"{path} was written by a later pigevo (format {written}): update pigevo.")
    begun: Begun = from_json(head[0][2:], Begun)
    return game_from_record(begun["game"])


def _understood(path: Path, content: bytes, first: int | None) -> list[Champion]:
    lines = content.decode("ascii").split("\n")[:-1][: None if first is None else first + 2]
    game = _game(path, lines[:2])
    grids: dict[str, CubeGrid] = {}
    found: list[Champion] = []
    for number, line in enumerate(lines[2:], start=3):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"line {number} does not hold a champion")
        size = match[2]
        if size not in grids:
            edges = [int(edge) for edge in size.split("x")]
            grids[size] = CubeGrid(game, edges[0] if len(edges) == 1 else edges)
        champion = Champion(int(match[1]), grids[size], base64.b64decode(match[3], validate=True))
        if len(champion.bits) != -(-champion.grid.genes // 8):
            raise ValueError(f"line {number} has another number of genes than its cuboids")
        if found and champion.generation <= found[-1].generation:
            raise ValueError(f"line {number} is of no later generation than the one before")
        found.append(champion)
    return found


LINEAGE_FILE = "lineage.csv"
LINEAGE_COLUMNS = "generation,member,line,first,second,before,parents,crossed,value"


def write_lineage(folder: Path, found: Sequence[Descent], before: Written = NOTHING) -> Written:
    """Write the descent of recorded generations (`pigevo.runs.metrics.grow`); of none no file is made."""
    if not found:
        return NOTHING
    new = chained(map(_descent_lines, found[before.rows :]), before.chain)
    now = replace(before, rows=len(found), chain=new)
    head = f"{LINEAGE_COLUMNS}\n"
    return grow(
        place_in(folder, LINEAGE_FILE),
        before,
        now,
        lambda n: ("" if n else head) + "".join(map(_descent_lines, found[n:])),
    )


def lineage_until(folder: Path, count: int, chain: str) -> list[Descent]:
    """So many first generations of the file, whose hash is `chain`; an InputError if it has fewer, or others."""
    found = read_lineage(folder)[:count] if count else []
    if len(found) != count or chained(map(_descent_lines, found)) != chain:
        raise InputError(f"{folder / LINEAGE_FILE} holds fewer or other generations than a checkpoint counts on.")
    return found


def read_lineage(folder: Path) -> list[Descent]:
    """The descent of each recorded generation whose members are all there; nothing if there is no file."""
    path = folder / LINEAGE_FILE
    try:
        return understood(path, REMEDY, lambda: _descents(read_bytes(path)))
    except Missing:
        return []


def _descent_lines(descent: Descent) -> str:
    """A line for each member; numbers in full, so that reading them gives the same again."""
    rows = zip(descent.line.tolist(), descent.parents.tolist(), descent.values.tolist(), strict=True)
    return "".join(
        f"{descent.generation},{member},{line},{first},{second},"
        + ",".join("" if math.isnan(value) else repr(value) for value in values)
        + "\n"
        for member, (line, (first, second), values) in enumerate(rows)
    )


def _descents(content: bytes) -> list[Descent]:
    head, *lines = content.decode("ascii").split("\n")[:-1]
    if head != LINEAGE_COLUMNS:
        raise ValueError("it does not begin as such a file does")
    cells = [line.split(",") for line in lines]
    if any(len(row) != len(head.split(",")) for row in cells):
        raise ValueError("a line has another number of columns")
    numbers = np.array([row[:5] for row in cells], np.int64).reshape(-1, 5)
    values = np.array([[_number(cell) for cell in row[5:]] for row in cells]).reshape(-1, 4)
    size = int((numbers[:, 0] == numbers[0, 0]).sum()) if len(numbers) else 1
    found: list[Descent] = []
    for start in range(0, len(numbers) - size + 1, size):
        rows = numbers[start : start + size]
        if not np.array_equal(rows[:, :2], np.stack([np.full(size, rows[0, 0]), np.arange(size)], axis=1)):
            raise ValueError(f"from line {start + 2} on it does not tell of one generation, member by member")
        if (rows[:, 2:] < -1).any() or (rows[:, 2:] >= size).any():
            raise ValueError(f"from line {start + 2} on it names members that there are not")
        if found and rows[0, 0] <= found[-1].generation:
            raise ValueError(f"line {start + 2} is of no later generation than the one before")
        found.append(Descent(int(rows[0, 0]), rows[:, 2].copy(), rows[:, 3:].copy(), values[start : start + size]))
    return found
