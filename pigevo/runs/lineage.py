"""The lineage of a run on disk: as it was recorded, or made again."""

from __future__ import annotations

from pathlib import Path

from pigevo.errors import InputError
from pigevo.evolution.lineage import Lineage
from pigevo.runs.folder import settings_of
from pigevo.runs.load import load_run
from pigevo.runs.metrics import DIGEST_COLUMN, METRICS_FILE
from pigevo.runs.stepper import from_start, lineage_spacing, refuse_too_large


def lineage_of(folder: Path, workers: int = 1) -> Lineage:
    """The lineage of a finished run; of one that has not recorded it the run is made again.

    Raises:
        InputError: the run has not finished, or what is made again is another run.
    """
    run = load_run(folder)
    if run.result is None:
        raise InputError(f"{folder} has no champion yet whose line could be followed: the run has not finished.")
    if run.lineage.recorded:
        return run.lineage
    settings = settings_of(folder).with_(workers=workers, lineage=True)
    refuse_too_large(settings)
    recorded = dict(zip(run.metrics["generation"].tolist(), run.metrics[DIGEST_COLUMN].tolist(), strict=True))
    lineage, related, last = Lineage(), lineage_spacing(settings), int(run.result["generations"])
    for generation in from_start(settings.plan, last):
        number = generation.number
        if recorded.get(number, generation.state.digest) != generation.state.digest:
            raise InputError(
                f"generation {number} made again is not the one in {folder / METRICS_FILE}: "
                "`pigevo verify` says what has changed."
            )
        lineage.follow(generation)
        if number == last or (number in recorded and number in related):
            lineage.record(generation)
    return lineage
