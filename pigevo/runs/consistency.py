"""Whether the files of a run say the same: as each other, as their hashes, and as the run's end made again."""

from __future__ import annotations

import heapq
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.errors import InputError
from pigevo.evolution.plan import Plan
from pigevo.runs.champions import CHAMPIONS_FILE, Champions, spacing
from pigevo.runs.folder import changed_settings
from pigevo.runs.metrics import METRICS_FILE
from pigevo.runs.records import CONFIG
from pigevo.runs.result import POPULATION_FILE, RESULT_FILE, Finish, load_population
from pigevo.settings.settings import Settings
from pigevo.storage.checksums import JSON_END, difference, is_sealed, is_whole
from pigevo.storage.records import read_bytes
from pigevo.strategies import load_strategy
from pigevo.strategies.parse import CHAMPION

EXEMPT = ("seconds", "versions", "begun_with", "config", "config_hash", "digest")
"""What in a result is not the run's doing, or is compared in another way."""

LATER = ("measured",)
"""What results of an earlier pigevo do not tell."""

LONGEST = 120
"""Characters of a figure that a sentence can hold."""


def by_hash(folder: Path, result: Mapping[str, Any] | None) -> list[str]:
    """A sentence for each file that is not what the run wrote, as far as hashes tell.

    Args:
        folder: the run's.
        result: the content of `result.json`, whose own hash is looked at here.
    """
    if result is None:
        return [said] if (said := changed_settings(folder)) else []
    if not is_sealed(result):
        return []
    files, found = result.get("files"), []
    if not is_whole(read_bytes(folder / RESULT_FILE), JSON_END):
        found.append(f"{RESULT_FILE} was changed since it was written")
    if not isinstance(files, Mapping) or CONFIG not in files:
        return [*found, f"{RESULT_FILE} has no hashes of the other files"]
    return [*found, *(said for name in files if (said := difference(folder, str(name), files)))]


def missing_rows(plan: Plan, record_every: int, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A sentence for the first row of `metrics.csv` that is of another generation than it should be."""
    *found, last = (int(row["generation"]) for row in rows)
    due = heapq.merge(range(0, last, record_every), sorted(n for n in plan.wave_ends if n < last and n % record_every))
    for there, wanted in itertools.zip_longest(found, due):
        if there is None or (wanted is not None and wanted < there):
            return [f"generation {wanted} is not in {METRICS_FILE}"]
        if there != wanted:
            return [f"generation {there} should not be in {METRICS_FILE}"]
    return []


def missing_champions(settings: Settings, champions: Champions, last: int) -> list[str]:
    """A sentence for the first of a run's champions that is of another generation than it should be.

    Args:
        settings: the run's.
        champions: those in its file; a folder of an earlier pigevo has none, or none of the first generations.
        last: the generation of the last one that should be there.
    """
    if not champions:
        return []
    due = {number for number in spacing(settings).until(last) if number >= min(champions)}
    if lacking := due - set(champions):
        return [f"the champion of generation {min(lacking)} is not in {CHAMPIONS_FILE}"]
    return [f"the champion of generation {n} should not be in {CHAMPIONS_FILE}" for n in champions if n not in due][:1]


def by_each_other(
    folder: Path, plan: Plan, result: Mapping[str, Any], rows: Sequence[Mapping[str, str]]
) -> Iterator[str]:
    """A sentence for each figure of a result that is not that of the champion's file, or of the metrics.

    Args:
        folder: the run's.
        plan: the run's.
        result: the content of `result.json`.
        rows: those of `metrics.csv`, as text.
    """
    from pigevo.exact import optimal, win_probability

    try:
        champion = load_strategy(folder / CHAMPION)
        figures = win_probability(champion, optimal(plan.game).strategy)
    except InputError as error:
        yield str(error).rstrip(".")
    else:
        told = {"first": figures.first, "second": figures.second, "overall": figures.overall}
        yield from _figures("champion", result, told, CHAMPION)
    peak = max(rows, key=lambda row: float(row["mean"]))
    of_rows = {
        "peak_mean": float(peak["mean"]), "peak_generation": int(peak["generation"]),
        "last_mean": float(rows[-1]["mean"]), "best_seen": max(float(row["best"]) for row in rows),
        "generations": int(rows[-1]["generation"]),
    }  # fmt: skip
    for name, value in of_rows.items():
        yield from _figures(name, result, value, METRICS_FILE)


def by_the_end(folder: Path, finish: Finish, result: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each thing in a finished run's files that is another one than when its end is made again.

    Args:
        folder: the run's.
        finish: its end, made again.
        result: the content of `result.json`.
    """
    then, now = str(result.get("digest")), finish.record["digest"]
    if then != now:
        yield f"the whole run: its digest is {then[:12]} in {RESULT_FILE}, and {now[:12]} now"
    try:
        if load_strategy(folder / CHAMPION) != finish.champion:
            yield f"{CHAMPION} holds another strategy than the champion"
        grid, genomes = load_population(folder / POPULATION_FILE)
        if grid.edges != finish.grid.edges or not np.array_equal(genomes, finish.genomes):
            yield f"{POPULATION_FILE} holds another population than the last"
    except InputError as error:
        yield str(error).rstrip(".")
    for name, value in json.loads(json.dumps(finish.record)).items():
        if name not in EXEMPT and (name in result or (is_sealed(result) and name not in LATER)):
            yield from _figures(name, result, value, "")


def _figures(name: str, result: Mapping[str, Any], now: Any, where: str) -> Iterator[str]:
    then = result.get(name)
    if name == "baseline" and isinstance(now, Mapping) and isinstance(then, Mapping):
        if not is_sealed(result):  # pigevo 0.1.0 told other figures
            return
        then, now = ({**one, "cache": None} for one in (then, now))  # where samples are kept on a machine
    if then != now:
        there = f"as {where} has it" if where else "now"
        yield f"{name} is {_short(then)} in {RESULT_FILE}, and {_short(now)} {there}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else "another"
