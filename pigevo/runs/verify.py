"""Whether a run can be made again: its first generations, from the record, compared with what was recorded."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.evolution.books import COLUMNS, Books
from pigevo.evolution.plan import plan_from
from pigevo.runs.checkpoint import BEFORE, NAME, Checkpoint, record_of
from pigevo.runs.digests import read_digests
from pigevo.runs.folder import config_of
from pigevo.runs.metrics import NAME as METRICS
from pigevo.runs.naming import config_hash
from pigevo.runs.provenance import changes, versions
from pigevo.runs.remake import from_start
from pigevo.runs.result import digest, read_result


@dataclass(frozen=True)
class Verified:
    """What a comparison found.

    Args:
        folder: the run's.
        compared: the recorded generations that were made again.
        differences: a sentence for each difference, in order; the first one stops the comparison.
        changed: what is of another version than when the run began.
        whole: whether the run's end and its digest were reached and compared.
        next_recorded: the next recorded generation that was not reached; None at the end.
    """

    folder: str
    compared: tuple[int, ...]
    differences: tuple[str, ...]
    changed: tuple[str, ...]
    whole: bool
    next_recorded: int | None

    @property
    def same(self) -> bool:
        """Whether everything that was compared is the same to the bit."""
        return not self.differences


def verify(folder: Path, generations: int, workers: int) -> Verified:
    """Make the first generations of a run again and compare digests and figures with the record.

    Args:
        folder: the run's.
        generations: how far to go; the run's last generation if that is less.
        workers: threads.

    Raises:
        InputError: the folder holds no run, or no record of one.
    """
    config = {**config_of(folder), "workers": workers}
    result = read_result(folder)
    recorded, rows = read_digests(folder), _rows(folder)
    then = _origin(folder, result)
    changed = changes(then["versions"], versions())
    if then["config_hash"] != config_hash(config):
        changed.insert(0, f"the config: its hash was {then['config_hash'][:10]}, now {config_hash(config)[:10]}")
    plan = plan_from(config)
    books, compared, differences = Books(), [], []
    last = min(generations, plan.generations)
    whole = False
    for state in from_start(plan, last):
        number = state.generation
        if number in recorded:
            compared.append(number)
            row = books.record(plan, state, 0.0)
            differences = _differences(row, recorded[number], rows.get(number))
        if differences:
            break
        if number == plan.generations and result is not None:
            whole = True
            differences = _end(plan, Checkpoint(state, books, 0.0), result)
    later = [number for number in recorded if number > last]
    return Verified(
        str(folder), tuple(compared), tuple(differences), tuple(changed), whole, later[0] if later else None
    )


def _differences(row: Mapping[str, Any], digest: str, recorded: Mapping[str, str] | None) -> list[str]:
    where = f"generation {row['generation']}"
    if row["digest"] != digest:
        return [f"{where}: the population is another one (digest {digest[:12]} then, {row['digest'][:12]} now)"]
    if recorded is None:
        return [f"{where}: {METRICS} has no row of it"]
    return [
        f"{where}: {column} is {recorded.get(column)} in {METRICS}, and {row[column]} now"
        for column in COLUMNS
        if column != "seconds" and recorded.get(column) != str(row[column])
    ]


def _end(plan: Any, point: Checkpoint, result: Mapping[str, Any]) -> list[str]:
    """The digest of the whole run against that of its result."""
    from pigevo.evolution.loop import final_ranking

    grid = plan.waves[point.state.wave].grid
    best = final_ranking(plan, point.state)[0][0]
    found = digest(plan, point, grid.strategy(point.state.genomes[best]))
    if found == result["digest"]:
        return []
    return [f"the whole run: its digest is {result['digest'][:12]} in result.json, and {found[:12]} now"]


def _origin(folder: Path, result: Mapping[str, Any] | None) -> dict[str, Any]:
    """The config hash and the versions with which a run began, from its result or its newest checkpoint."""
    if result is not None:
        return {"config_hash": result["config_hash"], "versions": result.get("begun_with", result["versions"])}
    for name in (NAME, BEFORE):
        if record := record_of(folder / name):
            return {"config_hash": record["config_hash"], "versions": record["versions"]}
    raise InputError(f"{folder} has no checkpoint and no result yet: there is nothing to verify.")


def _rows(folder: Path) -> dict[int, dict[str, str]]:
    path = folder / METRICS
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return {int(row["generation"]): row for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is missing or damaged.") from error
