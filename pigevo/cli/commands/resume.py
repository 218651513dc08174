"""`pigevo resume RUN`: go on where a run's folder stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pigevo.cli.options import json_option


@click.command(epilog="RUN is a run's folder, as outputs/cube_random/mutation=0.005-3a027d0a4b.")
@click.argument("run", type=click.Path(path_type=Path))
@json_option
def command(run: Path, as_json: bool) -> None:
    """Go on where a run's folder stands; a finished run is shown."""
    record = resume(run.resolve())
    if as_json:
        click.echo(json.dumps(record, indent=2))


def resume(folder: Path) -> dict[str, Any]:
    """Do what is left of the run in a folder, as the same config does.

    Args:
        folder: the run's.

    Returns:
        The content of `result.json`.

    Raises:
        InputError: the folder holds no run.
    """
    from pigevo.cli.workers import with_workers
    from pigevo.runs.folder import config_of
    from pigevo.runs.logs import begin_logging

    config = config_of(folder)
    begin_logging(folder)
    from pigevo.runs import run

    # A run begun with force=true has done what that asks for: now it goes on.
    record: dict[str, Any] = run({**with_workers(config), "force": False}, folder)
    return record
