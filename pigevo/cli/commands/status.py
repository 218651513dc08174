"""`pigevo status SWEEP`: how far each run of a sweep is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.sweeps.load import Sweep

UNFINISHED = 1
STATES = ("finished", "running", "failed", "interrupted", "missing")


@click.command(epilog="Exit status: 0 if all runs have finished, 1 if not, 2 for a wrong input.")
@click.argument("sweep", type=click.Path(path_type=Path))
@json_option
def command(sweep: Path, as_json: bool) -> int:
    """List what is done, running, failed, interrupted and missing of a sweep."""
    from pigevo.sweeps.load import load_sweep

    found = load_sweep(sweep)
    record = standing(found)
    show(record, describe(record), as_json)
    return 0 if record["counts"]["finished"] == len(found.members) else UNFINISHED


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
    counts = {state: sum(run["state"] == state for run in runs) for state in STATES}
    return {"sweep": str(sweep.folder), "counts": counts, "runs": runs}


def describe(record: dict[str, Any]) -> str:
    """The record as lines to read: the counts, then every run that has not finished."""
    counts = ", ".join(f"{count} {state}" for state, count in record["counts"].items() if count)
    lines = [f"{record['sweep']}: {len(record['runs'])} runs: {counts}"]
    for state in STATES[1:]:
        for run in (run for run in record["runs"] if run["state"] == state):
            lines.append(f"  {state:11}  {run['folder']}")
            lines += [f"{'':15}{run['error']}"] * bool(run["error"])
    if record["counts"]["failed"] + record["counts"]["interrupted"] + record["counts"]["missing"]:
        lines.append("the sweep's command, given again, does what is left")
    return "\n".join(lines)
