"""The champions of a run, generation by generation, made once more from its record and held to it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pigevo.errors import InputError
from pigevo.runs.again import from_start
from pigevo.runs.folder import settings_of
from pigevo.runs.metrics import DIGEST_COLUMN, METRICS_FILE, read_rows
from pigevo.runs.need import refuse_too_large
from pigevo.runs.result import read_result, refuse_altered
from pigevo.settings import Settings
from pigevo.strategies import Strategy

USUAL_FRAMES = 60
"""Generations of a film, about, where nobody says how many."""

MOST_FRAMES = 2000


@dataclass(frozen=True)
class Reel:
    """A film that could be made of a run.

    Args:
        settings: the run's.
        folder: the run's.
        numbers: the generations whose champions it shows, ascending.
        seconds: how long the run took for all of them.
    """

    settings: Settings
    folder: Path
    numbers: tuple[int, ...]
    seconds: float


def reel_of(folder: Path, every: int | None = None, workers: int = 1) -> Reel:
    """What a film of a run would show: generation 0, every so many, the last of each wave, and the last one.

    Args:
        folder: the run's; of one that has not finished the generations that it has recorded.
        every: generations between two champions; None for about `USUAL_FRAMES` in all.
        workers: threads.

    Raises:
        InputError: there is no run, or it has recorded nothing yet, or there would be more than `MOST_FRAMES`.
    """
    settings, result = settings_of(folder).with_(workers=workers), read_result(folder)
    refuse_altered(folder, result, METRICS_FILE)
    row = read_rows(folder)[-1]
    last = int(row["generation"])
    step = every or max(1, math.ceil(last / USUAL_FRAMES))
    ends = {end for end in settings.plan.wave_ends if end <= last}
    count = last // step + len(ends) + 2
    if count > MOST_FRAMES:
        raise InputError(f"a film of {count:,} champions is too long: say --every {math.ceil(last / USUAL_FRAMES)}.")
    refuse_too_large(settings)
    return Reel(settings, folder, tuple(sorted({*range(0, last + 1, step), *ends, last})), float(row["seconds"]))


def champions(reel: Reel) -> Iterator[tuple[int, Strategy]]:
    """The best member of each generation of a film by the run's own fitness, under a progress bar.

    Raises:
        InputError: a generation is not the one that the run has recorded.
    """
    recorded = {int(row["generation"]): row[DIGEST_COLUMN] for row in read_rows(reel.folder)}
    shown = set(reel.numbers)
    for generation in from_start(reel.settings.plan, reel.numbers[-1]):
        number = generation.number
        if recorded.get(number) not in (None, "", generation.state.digest):
            raise InputError(
                f"generation {number} made again is not the one in {reel.folder / METRICS_FILE}: "
                "`pigevo verify` says what has changed."
            )
        if number in shown:
            order, _ = generation.ranked()
            yield number, generation.grid.strategy(generation.genomes[order[0]], f"generation {number}")
