"""Whether a run's files are what it wrote, and whether it can be made again: its first generations, from the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, Logbook
from pigevo.runs.champions import CHAMPIONS_FILE, Champions, read_champions
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, Checkpoint, damages, record_of
from pigevo.runs.consistency import by_each_other, by_hash, by_the_end, missing_champions, missing_rows
from pigevo.runs.folder import hash_of, settings_of
from pigevo.runs.former import is_former
from pigevo.runs.memory_estimate import refuse_too_large
from pigevo.runs.metrics import DIGEST_COLUMN, METRICS_FILE, read_rows
from pigevo.runs.records import CONFIG, changes, versions
from pigevo.runs.result import RESULT_FILE, conclude, read_result
from pigevo.runs.stepper import from_start
from pigevo.settings.settings import Settings
from pigevo.storage.checksums import is_sealed
from pigevo.storage.records import Unreadable


@dataclass(frozen=True)
class Verified:
    """What a comparison found.

    Args:
        folder: the run's.
        compared: the recorded generations that were made again.
        differences: a sentence for each difference; the first generation that is another one stops the comparison.
        changed: what is of another version than when the run began.
        whole: whether the run's end and its digest were reached and compared.
        next_recorded: the next recorded generation that was not reached; None at the end.
        hashes: whether a finished run's files have hashes, with which they were compared.
    """

    folder: str
    compared: tuple[int, ...]
    differences: tuple[str, ...]
    changed: tuple[str, ...]
    whole: bool
    next_recorded: int | None
    hashes: bool | None

    @property
    def same(self) -> bool:
        """Whether everything that was compared is the same, to the bit."""
        return not self.differences


def verify(folder: Path, generations: int, workers: int) -> Verified:
    """Compare a run's files with their hashes and with each other, and its first generations with these made again.

    Args:
        folder: the run's.
        generations: how far to go; the run's last generation if that is less.
        workers: threads.

    Raises:
        InputError: the folder holds no run, no record of one, or a file that cannot be read.
    """
    result = read_result(folder, checked=False)
    differences = by_hash(folder, result)
    if result is not None and not _is_complete(result):
        return Verified(str(folder), (), tuple(differences or [f"{RESULT_FILE} is damaged"]), (), False, None, None)
    settings = settings_of(folder, checked=False).with_(workers=workers)
    plan, recorded = settings.plan, read_rows(folder)
    end = plan.generations if result is None else int(result["generations"])
    changed = _changed(folder, settings, result)
    differences += missing_rows(plan, settings.record_every, recorded)
    champions, said = _champions(folder)
    differences += said + missing_champions(settings, champions, max(champions, default=0) if result is None else end)
    if result is not None:
        differences += by_each_other(folder, plan, result, recorded)
    last = min(generations, end)
    if any(said.startswith(CONFIG) for said in differences):
        last = -1  # what these settings would make is another run
    elif result is None and not is_former(folder):
        differences += damages(folder, settings.hash)
    rows = {int(row["generation"]): row for row in recorded}
    refuse_too_large(settings)
    compared, found, whole = _made_again(folder, settings, rows, champions, result, last)
    return Verified(
        str(folder),
        tuple(compared),
        tuple(dict.fromkeys([*differences, *found])),
        tuple(changed),
        whole,
        next((number for number in rows if number > last), None),
        None if result is None else is_sealed(result),
    )


def _made_again(
    folder: Path,
    settings: Settings,
    rows: Mapping[int, Mapping[str, str]],
    champions: Champions,
    result: Mapping[str, Any] | None,
    last: int,
) -> tuple[list[int], list[str], bool]:
    """The recorded generations until the last one that were made again, in what they differ, and whether to the end."""
    logbook, compared, end = Logbook(), [], None if result is None else int(result["generations"])
    for generation in from_start(settings.plan, last) if last >= 0 else ():
        number = generation.number
        row = logbook.record(generation, 0.0) if number in rows or number == end else {}
        if number in rows:
            compared.append(number)
            if found := _differences(row, rows[number]):
                return compared, found, False
        if number in champions and generation.champion != champions[number]:
            return compared, [f"generation {number}: another champion than in {CHAMPIONS_FILE}"], False
        if number == end and result is not None:
            if not (generation.is_last or settings.callback):
                return compared, [f"the run does not end with generation {end}, as {RESULT_FILE} has it"], False
            finish = conclude(settings, Checkpoint(generation.state, logbook, 0.0, ranked=generation.ranked))
            return compared, list(by_the_end(folder, finish, result)), True
        if generation.is_last and (beyond := [later for later in rows if later > number]):
            return compared, [f"the run ends with generation {number}, and {METRICS_FILE} has {beyond[0]}"], False
    return compared, [], False


def _champions(folder: Path) -> tuple[Champions, list[str]]:
    """Those that a run has recorded, or why they cannot be read."""
    try:
        return read_champions(folder), []
    except Unreadable:
        raise
    except InputError as error:
        return Champions(), [str(error).rstrip(".")]


def _changed(folder: Path, settings: Settings, result: Mapping[str, Any] | None) -> list[str]:
    """What is of another version, or otherwise set, than when the run began."""
    then, now = _origin(folder, result), hash_of(folder, settings)
    changed = changes(then["versions"], versions())
    if then["config_hash"] != now:
        changed.insert(0, f"the settings: their hash was {then['config_hash'][:10]}, now {now[:10]}")
    return changed


def _is_complete(result: Mapping[str, Any]) -> bool:
    """Whether a result, which may have been changed by any hand, has what is needed to make the run again."""
    kinds = {"generations": int, "config_hash": str, "versions": Mapping}
    return all(isinstance(result.get(name), kind) for name, kind in kinds.items()) and isinstance(
        result.get("begun_with", {}), Mapping
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


def _origin(folder: Path, result: Mapping[str, Any] | None) -> dict[str, Any]:
    """The config hash and the versions with which a run began, from its result or its newest checkpoint."""
    if result is not None:
        return {"config_hash": result["config_hash"], "versions": result.get("begun_with", result["versions"])}
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        if record := record_of(folder / name):
            return {"config_hash": record["config_hash"], "versions": record["versions"]}
    raise InputError(f"{folder} has no checkpoint and no result yet: there is nothing to verify.")
