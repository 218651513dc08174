"""Whether a run can be made again: its first generations, from the record, compared with what was recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, Logbook
from pigevo.evolution.loop import Generation
from pigevo.runs.again import from_start
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, Checkpoint, record_of
from pigevo.runs.folder import hash_of, settings_of
from pigevo.runs.metrics import DIGEST_COLUMN, METRICS_FILE, read_rows
from pigevo.runs.provenance import changes, versions
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
    settings = settings_of(folder).with_(workers=workers)
    result = read_result(folder)
    rows = {int(row["generation"]): row for row in read_rows(folder)}
    then, now = _origin(folder, result), hash_of(folder, settings)
    changed = changes(then["versions"], versions())
    if then["config_hash"] != now:
        changed.insert(0, f"the settings: their hash was {then['config_hash'][:10]}, now {now[:10]}")
    plan, logbook, compared, differences = settings.plan, Logbook(), [], []
    last = min(generations, plan.generations if result is None else result["generations"])
    whole = False
    for generation in from_start(plan, last):
        number = generation.number
        if number in rows:
            compared.append(number)
            differences = _differences(logbook.record(generation, 0.0), rows[number])
        if differences:
            break
        if result is not None and number == result["generations"]:
            whole = True
            differences = _end(generation, logbook, result)
    later = [number for number in rows if number > last]
    return Verified(
        str(folder), tuple(compared), tuple(differences), tuple(changed), whole, later[0] if later else None
    )


def _differences(row: Mapping[str, Any], recorded: Mapping[str, str]) -> list[str]:
    where, digest = f"generation {row['generation']}", recorded[DIGEST_COLUMN]
    if row[DIGEST_COLUMN] != digest:
        return [f"{where}: the population is another one (digest {digest[:12]} then, {row[DIGEST_COLUMN][:12]} now)"]
    return [
        f"{where}: {column} is {recorded.get(column)} in {METRICS_FILE}, and {row[column]} now"
        for column in COLUMNS
        if column != "seconds" and recorded.get(column) != str(row[column])
    ]


def _end(generation: Generation, logbook: Logbook, result: Mapping[str, Any]) -> list[str]:
    """The digest of the whole run against that of its result."""
    champion = generation.grid.strategy(generation.genomes[generation.ranked()[0][0]])
    found = digest(generation.plan.seed, Checkpoint(generation.state, logbook, 0.0), champion)
    if found == result["digest"]:
        return []
    return [f"the whole run: its digest is {result['digest'][:12]} in result.json, and {found[:12]} now"]


def _origin(folder: Path, result: Mapping[str, Any] | None) -> dict[str, Any]:
    """The config hash and the versions with which a run began, from its result or its newest checkpoint."""
    if result is not None:
        return {"config_hash": result["config_hash"], "versions": result.get("begun_with", result["versions"])}
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        if record := record_of(folder / name):
            return {"config_hash": record["config_hash"], "versions": record["versions"]}
    raise InputError(f"{folder} has no checkpoint and no result yet: there is nothing to verify.")
