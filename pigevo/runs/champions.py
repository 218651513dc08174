"""`champions.csv`: the champions of a run's recorded generations, one bit a gene.

Two lines tell the game and the columns; each other one tells a generation, the size of its cuboids
and the genome, `numpy.packbits` in base64.  Lines are added to the file's end, before the checkpoint
that counts on them, as those of `metrics.csv` are.

The generations are those of `metrics.csv`, or every second, fourth, ... of them.  Which they are
follows from the settings alone, so it cannot depend on where a run was interrupted.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from pigevo.errors import InputError
from pigevo.evolution.champion import Champion
from pigevo.evolution.plan import Plan
from pigevo.games import Game, GameRecord, game_from_record, game_to_record
from pigevo.runs.metrics import NOTHING, REMEDY, Written, chained, grow
from pigevo.settings.settings import Settings
from pigevo.storage.files import place_in
from pigevo.storage.records import Later, Missing, from_json, read_bytes, understood
from pigevo.strategies import CubeGrid, Strategy

CHAMPIONS_FILE = "champions.csv"
FORMAT = 1
COLUMNS = "generation,cube_size,genome"

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
    head = f"# {json.dumps({'format': FORMAT, 'game': game_to_record(champions[0].grid.game)})}\n{COLUMNS}\n"
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
        found = _read(folder / CHAMPIONS_FILE, count)
    except Missing:
        found = []
    if len(found) != count or chained(map(_line, found)) != chain:
        raise InputError(f"{folder / CHAMPIONS_FILE} holds fewer or other champions than a checkpoint counts on.")
    return found


def read_champions(folder: Path) -> Champions:
    """What the file holds; nothing if there is none, as in folders of an earlier pigevo."""
    try:
        return Champions(_read(folder / CHAMPIONS_FILE))
    except Missing:
        return Champions()


def _line(champion: Champion) -> str:
    return f"{champion.generation},{champion.grid.label},{base64.b64encode(champion.bits).decode()}\n"


def _read(path: Path, first: int | None = None) -> list[Champion]:
    """The champions of all complete lines, or so many; an incomplete last line, of a killed run, is ignored."""
    return understood(path, REMEDY, lambda: _understood(path, read_bytes(path), first))


def _game(path: Path, head: Sequence[str]) -> Game:
    """What the two lines at the beginning tell."""
    if len(head) < 2 or head[1] != COLUMNS or not head[0].startswith("# "):
        raise ValueError("it does not begin as such a file does")
    written = from_json(head[0][2:], dict[str, Any]).get("format")
    if isinstance(written, int) and written > FORMAT:
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


MOST = 2000
"""Champions of a run."""

MOST_BYTES = 8 << 20
"""Bytes of their file."""

PER_LINE = 40
"""Bytes of the file beside a genome, in which four characters hold 24 genes."""

MOST_MEASURED = 25
"""Generations in which the champion's luck is recorded, beside the ends of waves."""

MOST_GAMES, SHARE = 1_000_000, 0.1
"""Games that may be spent on finding them: so many, or that share of the run's own if these are more."""

EXACT = 5000
"""Games that take as long as one exact win probability, about."""


@dataclass(frozen=True)
class Spacing:
    """Every `step`-th generation from 0 on (0 for none), and the last ones of waves."""

    step: int
    ends: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return number in self.ends or (self.step > 0 and number % self.step == 0)


def spacing(settings: Settings) -> Spacing:
    """The generations whose champions a run records; the last one's is known at its end in any case."""
    plan, most = settings.plan, _affordable(settings.plan)
    step = settings.record_every
    while True:
        counts = _counts(plan, step)
        held = sum(count * (PER_LINE + wave.grid.genes // 6) for count, wave in zip(counts, plan.waves, strict=True))
        if sum(counts) - 1 <= most and held <= MOST_BYTES:
            return Spacing(step, plan.wave_ends)
        if step > plan.generations:
            return Spacing(0, frozenset())
        step *= 2


def measuring(settings: Settings) -> Spacing:
    """Those of these generations in which luck is computed, which needs many exact figures."""
    found = spacing(settings)
    step = found.step
    while step and settings.plan.generations > MOST_MEASURED * step:
        step *= 2
    return Spacing(step, found.ends)


def _counts(plan: Plan, step: int) -> list[int]:
    """How many of each wave's generations are recorded; that of generation 0 is the first wave's."""
    begins = [0, *sorted(plan.wave_ends)]
    found = [end // step - begin // step + (end % step > 0) for begin, end in pairwise(begins)]
    return [found[0] + 1, *found[1:]]


def _affordable(plan: Plan) -> int:
    """How many champions may be found beside the last one."""
    asked = not plan.fitness.plays.members or plan.selection.meets_everyone
    if asked and plan.islands.count == 1:
        return MOST - 1  # selection asks all that is needed
    met = plan.size / 2 * plan.generations
    return int(
        min(
            MOST - 1,
            max(MOST_GAMES / (plan.fitness.plays.games or EXACT), SHARE * met) // max(plan.champion_matches, 1),
        )
    )
