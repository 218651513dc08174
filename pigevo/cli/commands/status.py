"""`pigevo status [SWEEP]`: how far each run of a sweep is, or all sweeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import json_option, show
from pigevo.core.text import counted
from pigevo.errors import InputError

if TYPE_CHECKING:
    from pigevo.sweeps.load import Sweep

HOME = Path("outputs", "sweeps")
UNFINISHED = 1
STATES = ("finished", "running", "failed", "interrupted", "missing")


@click.command(epilog="Exit status: 0 if all runs have finished, 1 if not, 2 for a wrong input.")
@click.argument("sweep", type=click.Path(path_type=Path), required=False)
@json_option
def command(sweep: Path | None, as_json: bool) -> int:
    """List what is done, running, failed, interrupted and missing of a sweep.

    Without SWEEP: of each sweep in outputs/sweeps, the last one first.
    """
    from pigevo.sweeps.load import load_sweep

    if sweep is None:
        found = list(map(summary, sweeps_of(HOME)))
        show({"sweeps": found}, "\n".join(map(line, found)), as_json)
        return 0 if all(is_finished(one) for one in found) else UNFINISHED
    record = standing(load_sweep(sweep))
    show(record, describe(record), as_json)
    return 0 if is_finished(record) else UNFINISHED


def sweeps_of(home: Path) -> list[Path]:
    """The folders of the sweeps in a folder, the last written first."""
    from pigevo.sweeps.record import SWEEP_FILE

    found = sorted(home.glob(f"*/{SWEEP_FILE}"), key=lambda path: path.stat().st_mtime, reverse=True)
    if not found:
        raise InputError(f"{home} holds no sweeps: give the folder of one, or change to the folder that has outputs/.")
    return [path.parent for path in found]


def summary(folder: Path) -> dict[str, Any]:
    """How many runs of a sweep are in each state, or why its record cannot be read."""
    from pigevo.sweeps.load import load_sweep

    try:
        found = load_sweep(folder)
    except InputError as error:
        return {"sweep": str(folder), "counts": {}, "error": str(error)}
    return {"sweep": str(folder), "counts": _counts(member.state for member in found.members), "error": ""}


def line(record: dict[str, Any]) -> str:
    """A sweep and its counts."""
    return f"{record['sweep']}: {record['error'] or _counts_text(record['counts'])}"


def is_finished(record: dict[str, Any]) -> bool:
    """Whether a sweep's record can be read and all of its runs have finished."""
    counts = record["counts"]
    return bool(counts) and counts["finished"] == sum(counts.values())


def _counts(states: Iterable[str]) -> dict[str, int]:
    found = Counter(states)
    return {state: found[state] for state in STATES}


def _counts_text(counts: dict[str, int]) -> str:
    return f"{counted(sum(counts.values()), 'run')}: " + ", ".join(
        f"{count:,} {state}" for state, count in counts.items() if count
    )


def standing(sweep: Sweep) -> dict[str, Any]:
    """How many runs are in each state, and which they are."""
    from pigevo.storage.cache_dirs import display_path

    runs = [
        {
            "folder": str(display_path(m.folder.absolute())),
            "setting": m.setting,
            "seed": m.seed,
            "state": m.state,
            "error": m.error,
        }
        for m in sweep.members
    ]
    return {"sweep": str(sweep.folder), "counts": _counts(member.state for member in sweep.members), "runs": runs}


def describe(record: dict[str, Any]) -> str:
    """The record as lines to read: the counts, then every run that has not finished."""
    lines = [f"{record['sweep']}: {_counts_text(record['counts'])}"]
    for state in STATES[1:]:
        for run in (run for run in record["runs"] if run["state"] == state):
            lines.append(f"  {state:11}  {run['folder']}")
            lines += [f"{'':15}{run['error']}"] * bool(run["error"])
    if record["counts"]["failed"] + record["counts"]["interrupted"] + record["counts"]["missing"]:
        lines.append("the sweep's command, given again, does what is left")
    return "\n".join(lines)
