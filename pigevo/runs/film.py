"""Films of a run: the champions of its generations, recorded or recomputed, and their files (GIF; MP4 with ffmpeg)."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.runs.folder import settings_of
from pigevo.runs.load import load_run
from pigevo.runs.metrics import Champions, wave_ends
from pigevo.runs.stepper import made_again, refuse_too_large
from pigevo.settings.settings import Settings
from pigevo.storage.files import write_bytes
from pigevo.strategies import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pigevo.figures.curve import Curve

USUAL_FRAMES = 60
"""The approximate default number of frames of a film."""

ENOUGH = 12
"""The number of recorded champions that is enough for a film."""

MOST_FRAMES = 2000


@dataclass(frozen=True)
class Reel:
    """The plan of a film of a run: the generations to show, and the champions that are already recorded.

    `seconds` is the run's time up to the last of these; `settings` are given if some must be recomputed.
    """

    folder: Path
    numbers: tuple[int, ...]
    recorded: Champions
    settings: Settings | None = None
    seconds: float = 0.0

    @property
    def missing(self) -> tuple[int, ...]:
        """The generations whose champions must be recomputed."""
        return tuple(number for number in self.numbers if number not in self.recorded)

    @property
    def game(self) -> Game:
        """The game."""
        return self.settings.plan.game if self.settings else self.recorded[self.numbers[0]].game

    @property
    def curve(self) -> Curve:
        """The run's curve up to its last recorded generation."""
        return load_run(self.folder).curve


def reel_of(folder: Path, every: int | None = None, workers: int = 1) -> Reel:
    """The plan of a film: generation 0, every n-th generation, the last one of each wave, and the last one.

    By default it has about `USUAL_FRAMES` frames, from recorded generations if there are enough.
    """
    run = load_run(folder)
    generations, recorded = run.metrics["generation"], run.champions
    ends, last = set(generations[wave_ends(run.metrics)].tolist()), int(generations[-1])
    if every is None and 0 in recorded and len(recorded) >= min(ENOUGH, len(generations)):
        apart = math.ceil(len(recorded) / USUAL_FRAMES)
        frames = {number for place, number in enumerate(recorded) if place % apart == 0}
        return Reel(folder, tuple(sorted(frames | (ends & set(recorded)) | {max(recorded)})), recorded)
    step = every or max(1, math.ceil(last / USUAL_FRAMES))
    if last // step + len(ends) + 2 > MOST_FRAMES:
        count, wiser = last // step + len(ends) + 2, math.ceil(last / USUAL_FRAMES)
        raise InputError(f"a film of {count:,} champions is too long: say --every {wiser}.")
    reel = Reel(folder, tuple(sorted({*range(0, last + 1, step), *ends, last})), recorded)
    if not reel.missing:
        return reel
    settings = settings_of(folder).with_(workers=workers)
    refuse_too_large(settings)
    place = int(np.searchsorted(generations, max(reel.missing)))
    return Reel(folder, reel.numbers, recorded, settings, float(run.metrics["seconds"][place]))


def champions(reel: Reel) -> Iterator[tuple[int, Strategy]]:
    """The best member of each generation of a film by the run's own fitness, with a bar for recomputed ones."""
    again = _made_again(reel)
    for number in reel.numbers:
        yield number, reel.recorded[number] if number in reel.recorded else next(again)


def _made_again(reel: Reel) -> Iterator[Strategy]:
    assert reel.settings is not None
    missing = set(reel.missing)
    for generation in made_again(reel.settings, reel.folder, max(missing)):
        if generation.number in missing:
            yield generation.champion


KINDS = ("gif", "mp4")
DPI = 120
"""Large enough for a projector; figures then have an even number of pixels, as MP4 needs."""


def check_film(path: Path) -> None:
    """Refuse a file name to which no film can be written."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise InputError(f"{path}: the name of a film must end with .gif or .mp4.")
    if kind == "mp4":
        from matplotlib.animation import FFMpegWriter

        if not FFMpegWriter.isAvailable():
            raise InputError(f"{path} needs ffmpeg, which is not found: install it, or let the name end with .gif.")


def save_film(path: Path, frames: Iterable[Figure], per_second: int = 8, rest: float = 3, dpi: int = DPI) -> Path:
    """Write figures as a film (`.gif` or `.mp4`) atomically; the last one is shown for `rest` seconds.

    Each figure is drawn before the next one is created.
    """
    writer = _writer(path, per_second)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"film{path.suffix.lower()}"
        for number, figure in enumerate(frames):
            if number == 0:
                writer.setup(figure, place, dpi=dpi)
            writer.grab_frame()
        for _ in range(round(rest * per_second)):
            writer.grab_frame()
        writer.finish()
        return write_bytes(path, place.read_bytes())


def _writer(path: Path, per_second: int) -> Any:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix.lower() == ".gif":
        return PillowWriter(fps=per_second)
    return FFMpegWriter(fps=per_second, extra_args=["-pix_fmt", "yuv420p"])
