"""`pigevo study NAME`: reproduce a publication, with its figures beside ours."""

from __future__ import annotations

import time
from pathlib import Path

import click

from pigevo.cli.options import FOLDER, json_option, show
from pigevo.cli.output import remark
from pigevo.core.machine import available_cores
from pigevo.errors import InputError
from pigevo.storage.files import refuse_unwritable

SOME_FAILED = 1
SEEDS = 30
FEWEST_SEEDS = 2
"""The least `--seeds` of a study that has no number of its own under this name."""


@click.command(epilog="NAME is a folder of experiments/; without it, the studies are listed.")
@click.argument("name", required=False)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=SEEDS,
    show_default=True,
    help="Number of seeds of each setting; 3 for a quick look. More can be added later.",
)
@click.option("--workers", type=click.IntRange(1), default=None, help="Number of processes; all cores by default.")
@click.option("--folder", type=FOLDER, help="Folder to write to [outputs/studies/NAME].")
@click.option("--full", is_flag=True, help="Also run the long part of a study, if it has one.")
@json_option
def command(name: str | None, seeds: int, workers: int | None, folder: Path | None, full: bool, as_json: bool) -> int:
    """Run the missing parts of a study, and write its tables and pictures."""
    from pigevo.experiments import load_study, study_names
    from pigevo.sweeps.job import SomeFailed

    if name is None:
        show({"studies": study_names()}, "studies: " + ", ".join(study_names()), as_json)
        return 0
    study = load_study(name)
    if seeds < (fewest := getattr(study, "FEWEST_SEEDS", FEWEST_SEEDS)):
        raise InputError(f"{name} compares settings seed by seed, so it needs --seeds {fewest} or more.")
    if full and not hasattr(study, "run_full"):
        raise InputError(f"{name} has no part that only --full does: leave it out.")
    place, begin = folder or Path("outputs") / "studies" / name, time.perf_counter()
    refuse_unwritable(place / "table.csv")
    try:
        (study.run_full if full else study.run)(place, seeds, workers or available_cores())
    except SomeFailed as error:
        remark(str(error))
        return SOME_FAILED
    files = sorted(str(path) for path in place.glob("*.*"))
    record = {"study": name, "folder": str(place), "seconds": time.perf_counter() - begin, "files": files}
    show(record, "\n".join([f"{name}, {record['seconds']:.0f} s", "", *(f"  {file}" for file in files)]), as_json)
    return 0
