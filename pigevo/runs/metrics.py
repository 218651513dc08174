"""The files that grow with a run: `metrics.csv`, figures of recorded generations; `champions.csv`; `lineage.csv`.

During a run, rows are appended before the checkpoint that refers to them is written; a killed run leaves rows, and
perhaps a part of a row, to which no checkpoint refers.

The first two lines of `champions.csv` contain the game and the columns; each other line a generation, the size of its
cubes and the genome, `numpy.packbits` in base64.  The generations are those of `metrics.csv`, or every second,
fourth, ... of them (`pigevo.runs.stepper.spacing`).

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
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypedDict, TypeVar

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.evolution.lineage import Descent
from pigevo.evolution.logbook import COLUMNS, DIGEST_COLUMN, Champion
from pigevo.games import Game, GameRecord, game_from_record, game_to_record
from pigevo.storage.files import append_bytes, path_in, write_bytes
from pigevo.storage.records import Later, Missing, from_csv, from_json, read_bytes, understood
from pigevo.strategies import CubeGrid, Strategy

T = TypeVar("T")

METRICS_FILE = "metrics.csv"
REMEDY = "run again with force=true"

_KINDS: JsonObject = {
    "generation": int, "wave": int, "evaluations": int, "games": int, "cube_size": str, DIGEST_COLUMN: str,
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """The written part of a growing file; `chain` is the hash of its rows."""

    rows: int = 0
    chain: str = ""
    columns: tuple[str, ...] = ()
    size: int = 0


NOT_WRITTEN = Written()  # the state of a file that this process has not written yet; it will be written from the start


@dataclass(frozen=True)
class GrowingFile(Generic[T]):
    """A file to which a run adds what it records.

    Args:
        name: the file's name.
        what: its items, in words.
        hashed: returns an item as text, for the hash.
        text: returns items as text, given the columns and whether to begin with the head of the file.
        parse: returns the items in a file's content, or the first n; an incomplete last line is ignored.
        columns: returns the file's columns with further items, given the old columns.
    """

    name: str
    what: str
    hashed: Callable[[T], str]
    text: Callable[[Sequence[T], Sequence[str], bool], str]
    parse: Callable[[Path, bytes, int | None], list[T]]
    columns: Callable[[Sequence[str], Sequence[T]], tuple[str, ...]] = lambda *_: ()

    def write(self, folder: Path, recorded: Sequence[T], before: Written = NOT_WRITTEN) -> Written:
        """Append items since `before`, or write the whole file if it differs from `before`; without items, no file."""
        if not recorded:
            return NOT_WRITTEN
        path, new = path_in(folder, self.name), recorded[before.rows :]
        chain, columns = chained(map(self.hashed, new), before.chain), self.columns(before.columns, new)
        if before.rows and columns == before.columns and size_of(path) == before.size:
            content = self.text(new, columns, False).encode()
            if content:
                append_bytes(path, content, before.size)
            return Written(len(recorded), chain, columns, before.size + len(content))
        content = self.text(recorded, columns, True).encode()
        write_bytes(path, content)
        return Written(len(recorded), chain, columns, len(content))

    def read(self, folder: Path, first: int | None = None) -> list[T]:
        """The items in complete lines, or the first n; empty if the file does not exist."""
        path = folder / self.name
        try:
            return understood(path, REMEDY, lambda: self.parse(path, read_bytes(path), first))
        except Missing:
            return []

    def until(self, folder: Path, count: int, chain: str) -> list[T]:
        """The first `count` items; an InputError if there are fewer, or if their hash is not `chain`."""
        recorded = self.read(folder, count) if count else []
        if len(recorded) != count or chained(map(self.hashed, recorded)) != chain:
            raise InputError(f"{folder / self.name} holds fewer or other {self.what} than a checkpoint has recorded.")
        return recorded


def chained(rows: Iterable[str], start: str = "") -> str:
    """The hash of rows of text, continued from the hash `start` of earlier rows: SHA-256, in hex."""
    return functools.reduce(lambda chain, row: hashlib.sha256(f"{chain}{row}".encode()).hexdigest(), rows, start)


def size_of(path: Path) -> int:
    """The size of a file in bytes; -1 if it does not exist."""
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def read_metrics(folder: Path) -> dict[str, np.ndarray]:
    """The columns of `metrics.csv` by name, shape (rows,): numbers, and cube sizes and digests as text."""
    return columns_of(read_rows(folder))


def columns_of(rows: Sequence[Mapping[str, object]]) -> dict[str, np.ndarray]:
    """Rows as columns: numbers, and cube sizes and digests as text; missing numbers are NaN."""
    names = list(dict.fromkeys(name for row in rows for name in row)) or [*COLUMNS, DIGEST_COLUMN]
    return {name: np.array([_KINDS.get(name, _number)(row.get(name, "")) for row in rows]) for name in names}


def wave_ends(metrics: Mapping[str, np.ndarray]) -> Ints:
    """The indices of the last row of each wave; for an unfinished wave, of its last recorded row.

    Example:
        >>> wave_ends({"wave": np.array([1, 1, 2])}).tolist(), wave_ends({"wave": np.array([])}).tolist()
        ([1, 2], [])
    """
    waves = metrics["wave"]
    return np.flatnonzero(np.append(waves[1:] != waves[:-1], True)[: len(waves)])  # without rows there is no last one


def refuse_another(folder: Path, digests: Mapping[int, str], number: int, digest: str) -> None:
    """Refuse a repeated generation whose digest differs from the recorded one; `digests` are by generation."""
    if digests.get(number, digest) != digest:
        raise InputError(
            f"generation {number}, repeated, is not the one in {folder / METRICS_FILE}: "
            "`pigevo verify` says what has changed."
        )


def recorded_digests(folder: Path) -> dict[int, str]:
    """The digest of each recorded generation."""
    return {int(row["generation"]): row[DIGEST_COLUMN] for row in read_rows(folder)}


def read_rows(folder: Path) -> list[dict[str, str]]:
    """The rows of `metrics.csv` as text."""
    path = folder / METRICS_FILE
    try:
        rows = understood(path, REMEDY, lambda: from_csv(_lines(read_bytes(path), None)))
    except Missing as error:
        raise InputError(f"{folder} has no {METRICS_FILE}: the run has not recorded anything yet.") from error
    if lacking := [name for name in (*COLUMNS, DIGEST_COLUMN) if name not in rows[0]]:
        raise InputError(f"{path} is damaged (it has no column {lacking[0]}): {REMEDY}.")
    for line, row in enumerate(rows, start=2):
        if wrong := [name for name, text in row.items() if not _is_right(name, text)]:
            where = f"line {line}, {wrong[0]}: {short_repr(row[wrong[0]])}"
            raise InputError(f"{path} is damaged ({where}): {REMEDY}.")
    return rows


def digestible(rows: Iterable[Mapping[str, object]]) -> bytes:
    """The columns `COLUMNS` of rows, without seconds, as bytes for a digest."""
    return _table(rows, [column for column in COLUMNS if column != "seconds"]).encode()


def _metrics_columns(before: Sequence[str], rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    own = dict.fromkeys((*before, *(name for row in rows for name in row)))
    return (*COLUMNS, *(name for name in own if name not in (*COLUMNS, DIGEST_COLUMN)), DIGEST_COLUMN)


def _parse_metrics(_path: Path, content: bytes, first: int | None) -> list[Mapping[str, object]]:
    """The rows as text: each character is part of the hash."""
    return [{name: text for name, text in row.items() if text != ""} for row in from_csv(_lines(content, first))]


def typed_row(row: Mapping[str, object]) -> JsonObject:
    """A row with numbers in place of their text."""
    return {name: _KINDS.get(name, float)(text) for name, text in row.items()}


def _lines(content: bytes, first: int | None) -> bytes:
    """The complete lines, or the header and the first n of them."""
    lines = content.split(b"\n", -1 if first is None else first + 1)[:-1]
    return b"".join(line + b"\n" for line in lines)


def _cells(row: Mapping[str, object]) -> str:
    """A row as text for its hash, independent of the columns of other rows."""
    return "".join(f"\n{name}={row[name]}" for name in sorted(row))


def _is_right(name: str, text: str) -> bool:
    """Whether a cell has the type of its column."""
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


def _number(text: str) -> float:
    return float("nan") if text == "" else float(text)


def _table(rows: Iterable[Mapping[str, object]], columns: Sequence[str], header: bool = True) -> str:
    """Rows as CSV, with numbers in full precision."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


METRICS: GrowingFile[Mapping[str, object]] = GrowingFile(
    METRICS_FILE, "rows", _cells, _table, _parse_metrics, _metrics_columns
)

CHAMPIONS_FILE = "champions.csv"
CHAMPIONS_FORMAT = 1
CHAMPIONS_COLUMNS = "generation,cube_size,genome"

_LINE = re.compile(r"([0-9]{1,18}),([0-9]{1,7}(?:x[0-9]{1,7})*),([A-Za-z0-9+/]*={0,2})", re.ASCII)


class ChampionsHead(TypedDict):
    """The content of the first line, after `# `."""

    format: int
    game: GameRecord


class Champions(Mapping[int, Strategy]):
    """The recorded champions of a run by generation, ascending; each strategy is created on access."""

    def __init__(self, champions: Iterable[Champion] = ()) -> None:
        self._by_generation = {champion.generation: champion for champion in champions}

    def __getitem__(self, generation: int) -> Strategy:
        return self._by_generation[generation].strategy

    def __iter__(self) -> Iterator[int]:
        return iter(self._by_generation)

    def __len__(self) -> int:
        return len(self._by_generation)

    def __repr__(self) -> str:
        generations = f", of generations {min(self)} to {max(self)}" if self else ""
        return f"<{len(self)} recorded champions{generations}>"


def read_champions(folder: Path) -> Champions:
    """The champions in the file; empty if it does not exist, as in folders of an earlier pigevo."""
    return Champions(CHAMPIONS.read(folder))


def _line(champion: Champion) -> str:
    return f"{champion.generation},{champion.grid.label},{base64.b64encode(champion.bits).decode()}\n"


def _champions_text(champions: Sequence[Champion], _columns: Sequence[str], header: bool) -> str:
    record = {"format": CHAMPIONS_FORMAT, "game": game_to_record(champions[0].grid.game)} if header else {}
    head = f"# {json.dumps(record)}\n{CHAMPIONS_COLUMNS}\n" if header else ""
    return head + "".join(map(_line, champions))


def _game(path: Path, head: Sequence[str]) -> Game:
    """The game and grid from the first two lines."""
    if len(head) < 2 or head[1] != CHAMPIONS_COLUMNS or not head[0].startswith("# "):
        raise ValueError("it does not begin as such a file does")
    written = from_json(head[0][2:], JsonObject).get("format")
    if isinstance(written, int) and written > CHAMPIONS_FORMAT:
        raise Later(f"{path} was written by a later pigevo (format {written}): update pigevo.")
    begun: ChampionsHead = from_json(head[0][2:], ChampionsHead)
    return game_from_record(begun["game"])


def _parse_champions(path: Path, content: bytes, first: int | None) -> list[Champion]:
    lines = content.decode("ascii").split("\n")[:-1][: None if first is None else first + 2]
    game = _game(path, lines[:2])
    grids: dict[str, CubeGrid] = {}
    champions: list[Champion] = []
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
            raise ValueError(f"line {number} has another number of genes than its cubes")
        if champions and champion.generation <= champions[-1].generation:
            raise ValueError(f"line {number} is of no later generation than the one before")
        champions.append(champion)
    return champions


CHAMPIONS = GrowingFile(CHAMPIONS_FILE, "champions", _line, _champions_text, _parse_champions)

LINEAGE_FILE = "lineage.csv"
LINEAGE_COLUMNS = "generation,member,line,first,second,before,parents,crossed,value"


def _descent_lines(descent: Descent) -> str:
    """A line for each member, with numbers in full precision."""
    rows = zip(descent.line.tolist(), descent.parents.tolist(), descent.values.tolist(), strict=True)
    return "".join(
        f"{descent.generation},{member},{line},{first},{second},"
        + ",".join("" if math.isnan(value) else repr(value) for value in values)
        + "\n"
        for member, (line, (first, second), values) in enumerate(rows)
    )


def _lineage_text(recorded: Sequence[Descent], _columns: Sequence[str], header: bool) -> str:
    return (f"{LINEAGE_COLUMNS}\n" if header else "") + "".join(map(_descent_lines, recorded))


def _parse_lineage(_path: Path, content: bytes, first: int | None) -> list[Descent]:
    """The descent in each generation that is recorded completely."""
    head, *lines = content.decode("ascii").split("\n")[:-1]
    if head != LINEAGE_COLUMNS:
        raise ValueError("it does not begin as such a file does")
    cells = [line.split(",") for line in lines]
    if any(len(row) != len(head.split(",")) for row in cells):
        raise ValueError("a line has another number of columns")
    numbers = np.array([row[:5] for row in cells], np.int64).reshape(-1, 5)
    values = np.array([[_number(cell) for cell in row[5:]] for row in cells]).reshape(-1, 4)
    size = int((numbers[:, 0] == numbers[0, 0]).sum()) if len(numbers) else 1
    descents: list[Descent] = []
    for start in range(0, len(numbers) - size + 1, size):
        rows = numbers[start : start + size]
        if not np.array_equal(rows[:, :2], np.stack([np.full(size, rows[0, 0]), np.arange(size)], axis=1)):
            raise ValueError(f"the lines from {start + 2} on are not those of one generation, member by member")
        if (rows[:, 2:] < -1).any() or (rows[:, 2:] >= size).any():
            raise ValueError(f"the lines from {start + 2} on name members that do not exist")
        if descents and rows[0, 0] <= descents[-1].generation:
            raise ValueError(f"line {start + 2} is of no later generation than the one before")
        descents.append(Descent(int(rows[0, 0]), rows[:, 2].copy(), rows[:, 3:].copy(), values[start : start + size]))
    return descents[:first]


LINEAGE = GrowingFile(LINEAGE_FILE, "generations", _descent_lines, _lineage_text, _parse_lineage)
