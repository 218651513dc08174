"""`pigevo resume RUN`: continue an unfinished run from its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.settings.settings import Settings


@click.command(epilog="RUN is a run's folder, as outputs/cube_random/mutation=0.005-3a027d0a4b.")
@click.argument("run", type=click.Path(path_type=Path))
@json_option
def command(run: Path, as_json: bool) -> None:
    """Go on where a run's folder stands; a finished run is shown."""
    from pigevo.cli.summary import summary

    folder = Path(os.path.realpath(run))
    settings, record = resume(folder)
    show(record, summary(record, settings, folder), as_json)


def resume(folder: Path) -> tuple[Settings, dict[str, Any]]:
    """Do what is left of the run in a folder, as the same config does."""
    from pigevo.cli.options import at_most_the_cores
    from pigevo.runs import run
    from pigevo.runs.folder import beside_experiment, settings_of
    from pigevo.runs.progress import begin_logging

    begin_logging(folder)
    # A run begun with force=true has done what that asks for: now it goes on.
    settings = at_most_the_cores(settings_of(folder)).with_(force=False)
    record = run(settings, folder)
    return beside_experiment(settings), record
