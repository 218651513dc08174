"""`sweep.json`, the record of a sweep, written before its first run; and `failures.json`, its failed runs.

The swept keys, which label the settings of a sweep, are the settings other than the seed in which runs differ.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.settings.schema import (
    CUSTOM,
    CUSTOM_GROUPS,
    GROUPS,
    ON_GENERATION,
    OPTIONAL,
    VOLATILE,
    clean,
    shortened,
    spelled,
)
from pigevo.settings.schema import flat as keys_and_values
from pigevo.storage import records as checksums
from pigevo.storage.files import instead_of, path_in, remove_own, remove_partials, write_bytes
from pigevo.storage.records import Missing, with_checksum
from pigevo.sweeps.job import Job

WHOLE = "evolution"  # the name of the only setting of a sweep, in comparisons with random search

SEED = "seed"
FOLDERS = re.compile(r"(?:(?<=[\[,])|^)/(?:[^,\]/]*/)+")  # the folders of an absolute path, alone or in a list


def flat(values: Mapping[str, object]) -> dict[str, str]:
    """Settings by key as in `key=value`: `mutation`, `cubes` (the choice), `cubes.sizes`, ...

    A user's function is the choice itself, as in `crossover=ops.py:mine`.
    """
    typed = dict.fromkeys(OPTIONAL, "none") | {key: _typed(value) for key, value in keys_and_values(values)}
    typed[ON_GENERATION] = typed.pop(f"{ON_GENERATION}.function", "null")
    for kind in CUSTOM_GROUPS:
        if typed.get(kind) == CUSTOM and f"{kind}.function" in typed:
            typed[kind] = typed.pop(f"{kind}.function")
    return typed


def flat_together(settings: Iterable[Mapping[str, object]]) -> list[dict[str, str]]:
    """`flat` for several settings: files are named without their folders, if the names remain different."""
    together = [flat(setting) for setting in settings]
    for key in {key for typed in together for key in typed}:
        short = {typed[key]: FOLDERS.sub("", typed[key]) for typed in together if key in typed}
        if len(set(short.values())) == len(short):
            for typed in together:
                if key in typed:
                    typed[key] = short[typed[key]]
    return together


def swept(settings: Sequence[Mapping[str, object]]) -> list[str]:
    """The fewest keys, without seed and volatile ones, whose values distinguish all different settings.

    An experiment or a choice comes before its options, which usually follow from it.
    """
    values = flat_together(settings)
    keys = dict.fromkeys(key for value in values for key in value if key not in (SEED, *VOLATILE))
    rank = {"experiment": 0, **{group: 1 for group in GROUPS}}
    ordered = sorted(keys, key=lambda key: (rank.get(key, 3 if key == "generations" else 2), key))
    chosen: list[str] = []
    parts = 1
    for key in ordered:
        finer = len({label(value, [*chosen, key]) for value in values})
        if finer > parts:
            chosen, parts = [*chosen, key], finer
    for key in [key for key in chosen if key not in rank]:  # a key made redundant by a later one
        fewer = [kept for kept in chosen if kept != key]
        if len({label(value, fewer) for value in values}) == parts:
            chosen = fewer
    return chosen


def label(values: Mapping[str, str], keys: Sequence[str]) -> str:
    """A run's swept settings (`flat`) as text: `cubes.sizes=[20,10],mutation=0.01`, without keys that it lacks."""
    return ",".join(f"{key}={values[key]}" for key in keys if key in values)


def _typed(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{','.join(_typed(item) if isinstance(item, str) else spelled(item) for item in value)}]"
    if isinstance(value, str) and (is_number(value) or value.lower() in ("true", "false", "null")):
        return f"'{value}'"
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else spelled(value)


def is_number(text: str) -> bool:
    """Whether a value of a label is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


SWEEP_FILE = "sweep.json"
FAILURES_FILE = "failures.json"

REMEDY = "give the sweep's command again, which writes it anew"


class RunRecord(TypedDict):
    """A run of a sweep."""

    folder: str
    setting: str
    seed: int
    config_hash: str
    config: JsonObject


class SweepRecord(TypedDict):
    """The content of `sweep.json`."""

    format: int
    swept: list[str]
    runs: list[RunRecord]


class FailuresRecord(TypedDict):
    """The content of `failures.json`: the error of each failed run, by its folder as in `sweep.json`."""

    failures: dict[str, str]


def sweep_name(jobs: Sequence[Job]) -> str:
    """Experiments and swept keys, then a hash of all runs that does not depend on their order or spelling."""
    settings = [job.settings for job in jobs]
    hashes = sorted({member.hash for member in settings})
    experiments = sorted({member.experiment or "default" for member in settings})
    seeds = ["seed"] if len({member.seed for member in settings}) > 1 else []
    keys = [key for key in swept([member.values for member in settings]) if key != "experiment"]
    return hashed_name([*experiments, *keys, *seeds], "".join(hashes))


def hashed_name(words: Sequence[str], key: str) -> str:
    """Words as the name of a folder, with a hash of what distinguishes it from others."""
    readable = shortened(clean(",".join(words)).lstrip("."))
    return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"


def refuse_alike(jobs: Sequence[Job]) -> None:
    """Refuse different runs with the same name in tables, such as those of `x=1` and `x=1.0` of an untyped option."""
    known: dict[tuple[tuple[str, str], ...], Job] = {}
    for job, typed in zip(jobs, flat_together(job.settings.values for job in jobs), strict=True):
        before = known.setdefault(tuple((key, typed[key]) for key in typed if key not in VOLATILE), job)
        if before.settings.hash != job.settings.hash:
            words = [f"{a} and {b}" for a, b in zip(before.overrides, job.overrides, strict=False) if a != b]
            raise InputError(
                f"{'; '.join(words)} are different runs that have one name in tables: write one of them only."
            )


def write_record(folder: Path, jobs: Sequence[Job], overrides: Sequence[str], keys: Sequence[str] = ()) -> None:
    """Write `sweep.json` with runs and the settings as typed; earlier failures are removed.

    `keys` distinguish the settings; by default the fewest that do.
    """
    keys = list(keys) or swept([job.settings.values for job in jobs])
    values = flat_together(job.settings.values for job in jobs)
    runs = [
        {
            "folder": _below(job.folder, folder),
            "setting": label(typed, keys),
            "seed": job.settings.seed,
            "config_hash": job.settings.hash,
            "overrides": list(job.overrides),
            "config": job.settings.values,
        }
        for job, typed in zip(jobs, values, strict=True)
    ]
    record = {"name": folder.name, "overrides": list(overrides), "swept": keys, "runs": runs}
    write_bytes(path_in(folder, SWEEP_FILE), with_checksum(record))
    write_failures(folder, {})


def is_sweep(folder: Path) -> bool:
    """Whether an unmarked folder, such as a copy, is a sweep's."""
    try:
        return bool(read_record(folder))
    except InputError:
        return False


def tidy(folder: Path) -> None:
    """Remove temporary files of a killed process, in a sweep's folder whose lock is held."""
    remove_partials(folder, [SWEEP_FILE, FAILURES_FILE])


def run_path(run: str, folder: Path) -> Path:
    """The path of a run of a sweep, given its folder in `sweep.json` and the sweep's folder, with links followed."""
    real = Path(os.path.realpath(folder))
    return Path(os.path.normpath((folder if real == Path(os.path.abspath(folder)) else real) / run))


def _below(path: Path, folder: Path) -> str:
    return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))


def read_record(folder: Path) -> SweepRecord:
    """The content of `sweep.json`."""
    path = folder / SWEEP_FILE if folder.name != SWEEP_FILE else folder
    try:
        record: SweepRecord = checksums.read_record(path, SweepRecord, REMEDY)
    except Missing as error:
        raise InputError(f"{instead_of('sweep', folder)}: give the folder of a sweep, outputs/sweeps/NAME.") from error
    if not record["runs"]:
        raise InputError(f"{path} is damaged (it has no runs): {REMEDY}.")
    return record


def write_failures(folder: Path, failures: Mapping[Path, str]) -> None:
    """Write the folders of failed runs with the first line of each error; without failures nothing is written."""
    if not failures:
        remove_own(folder, [FAILURES_FILE])
        return
    errors = {_below(path, folder): error for path, error in failures.items()}
    write_bytes(path_in(folder, FAILURES_FILE), with_checksum({"failures": errors}))


def read_failures(folder: Path) -> dict[str, str]:
    """The failed runs of the sweep's last execution: the folder as in `sweep.json`, and the error."""
    path = folder / FAILURES_FILE
    try:
        record: FailuresRecord = checksums.read_record(path, FailuresRecord, REMEDY)
    except Missing:
        return {}
    return record["failures"]
