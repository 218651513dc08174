"""`sweep.json`: what a sweep is made of, written before its first run; and what went wrong in it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.files import write_bytes
from pigevo.runs.naming import clean, config_hash, shortened
from pigevo.sweeps.job import Job
from pigevo.sweeps.settings import flat, label, swept

NAME = "sweep.json"
FAILURES = "failures.json"
FORMAT = 1


def sweep_name(configs: Sequence[Mapping[str, Any]]) -> str:
    """Experiments and what was swept, then a hash of all runs, whatever their order or spelling."""
    hashes = sorted({config_hash(config) for config in configs})
    experiments = sorted({str(config["experiment"] or "default") for config in configs})
    seeds = ["seed"] if len({config["seed"] for config in configs}) > 1 else []
    keys = [key for key in swept(configs) if key != "experiment"]
    readable = shortened(clean(",".join([*experiments, *keys, *seeds])).lstrip("."))
    return f"{readable}-{hashlib.sha256(''.join(hashes).encode()).hexdigest()[:10]}"


def write_record(folder: Path, jobs: Sequence[Job], words: Sequence[str]) -> None:
    """Write `sweep.json` of these runs; earlier failures are forgotten.

    Args:
        folder: the sweep's own.
        jobs: the runs, each once.
        words: the settings as they were typed.

    Raises:
        InputError: it cannot be written.
    """
    keys = swept([job.config for job in jobs])
    runs = [
        {
            "folder": os.path.relpath(job.folder, folder),
            "setting": label(flat(job.config), keys),
            "seed": job.config["seed"],
            "config_hash": config_hash(job.config),
            "overrides": list(job.overrides),
            "config": dict(job.config),
        }
        for job in jobs
    ]
    record = {"format": FORMAT, "name": folder.name, "overrides": list(words), "swept": keys, "runs": runs}
    write_bytes(folder / NAME, (json.dumps(record, indent=1) + "\n").encode())
    note_failures(folder, {})


def read_record(folder: Path) -> dict[str, Any]:
    """The content of `sweep.json`.

    Raises:
        InputError: the folder holds no sweep, or its record is damaged or of a later pigevo.
    """
    path = folder / NAME if folder.name != NAME else folder
    if not path.is_file():
        raise InputError(f"{folder} holds no sweep: give the folder of one, outputs/sweeps/NAME.")
    try:
        record: dict[str, Any] = dict(json.loads(path.read_text(encoding="utf-8")))
        known = record["format"] <= FORMAT
        complete = all({"folder", "setting", "seed", "config_hash", "config"} <= set(run) for run in record["runs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: give the sweep's command again, which writes it anew.") from error
    if not known:
        raise InputError(f"{path} is of a later pigevo: this one reads format {FORMAT}.")
    if not complete or not record["runs"]:
        raise InputError(f"{path} is damaged: give the sweep's command again, which writes it anew.")
    return record


def note_failures(folder: Path, failures: Mapping[Path, str]) -> None:
    """Write down which run folders failed, and the first line of why; nothing is written where none has."""
    path = folder / FAILURES
    if not failures:
        path.unlink(missing_ok=True)
        return
    told = {os.path.relpath(place, folder): error for place, error in failures.items()}
    write_bytes(path, (json.dumps(told, indent=1) + "\n").encode())


def read_failures(folder: Path) -> dict[str, str]:
    """The failed runs of the last time the sweep was run: the folder as in `sweep.json`, and the error."""
    try:
        return dict(json.loads((folder / FAILURES).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}
