"""The pictures of a run, in `figures/` in its folder, and its film: champions of its generations, recorded or not."""

from __future__ import annotations

import io
import itertools
import math
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from pigevo.core.checked_values import JsonObject
from pigevo.core.text import LONGEST_VALUE, clipped
from pigevo.errors import InputError
from pigevo.figures import OUTCOME_PICTURES
from pigevo.figures.axes import Given, Panels, figure_of, image_of, save_figure
from pigevo.figures.curve import Curve, curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions
from pigevo.figures.portrait import rarely_reached
from pigevo.games import Game
from pigevo.runs.baseline import cached_sample
from pigevo.runs.checkpoint import Checkpoint
from pigevo.runs.folder import picture_names, settings_of
from pigevo.runs.load import Run, load_run
from pigevo.runs.metrics import Champions, wave_ends
from pigevo.runs.result import Finish, search_names, searches_of
from pigevo.runs.stepper import refuse_too_large, repeated
from pigevo.settings.settings import Settings
from pigevo.storage.files import path_in, write_bytes
from pigevo.strategies import CubeGrid, Strategy


def draw_run(folder: Path, figures: str, rows: Sequence[JsonObject], finish: Finish, outcome_name: str = "") -> None:
    """Draw the run's curve with its baseline, its champion beside the optimum, and the outcome of its selection."""
    more = _picture_of(outcome_name, finish.outcome.arrays if finish.outcome else {})
    _draw(folder, figures, finish.curve(rows), finish.champion, more)


def draw_again(run: Run, figures: str, settings: Settings | None) -> list[Path]:
    """Draw the pictures of a finished run in another format, given its `recorded_curve`; existing ones are kept."""
    assert run.folder is not None
    more = _picture_of(run.outcome_name, run.archive) if run.outcome_name else {}
    files = [run.folder / name for name in picture_names(figures, *more)]
    if not all(file.exists() for file in files):
        _draw(run.folder, figures, recorded_curve(run, settings), run.champion, more)
    return files


def _picture_of(outcome_name: str, archive: Mapping[str, np.ndarray]) -> dict[str, Callable[[], Axes]]:
    """The function that draws the outcome of a selection, by the outcome's name, if there is one."""
    entry = OUTCOME_PICTURES.find(outcome_name)
    return {outcome_name: lambda: entry.function(archive)} if entry else {}


def _draw(folder: Path, figures: str, curve: Curve, champion: Strategy, more: Mapping[str, Callable[[], Axes]]) -> None:
    drawn: list[Axes | Panels] = [plot_curve(curve), plot_champion(champion), *(draw() for draw in more.values())]
    for name, axes in zip(picture_names(figures, *more), drawn, strict=True):
        save_figure(path_in(folder, name), figure_of(axes))


def recorded_curve(run: Run, settings: Settings | None) -> Curve:
    """The numbers of the curve of a run read from its folder; without its settings, without random populations."""
    assert run.result is not None
    own = cells = None
    if run.result["baseline"] and settings is not None:
        own, _ = cached_sample(settings, settings.plan.waves[0].grid)
        cells, _ = cached_sample(settings, CubeGrid(settings.plan.game, 1))
    return curve_data(
        run.rows, run.result["champion"]["overall"], own, cells, run.optimum, search_names(searches_of(run.result))
    )


def plot_champion(champion: Strategy, ax: Given = None) -> Panels:
    """A strategy's decisions beside those of the optimum, in two panels, pale where it hardly ever decides."""
    from pigevo.exact import optimal

    best = optimal(champion.game).strategy
    return plot_decisions([decisions_data(champion), decisions_data(best)], ax, rarely_reached(champion, best))


def draw_so_far(folder: Path, settings: Settings, point: Checkpoint) -> None:
    """Draw the curve of a run that has not finished."""
    from pigevo.exact import optimal

    if rows := list(point.logbook.rows):
        curve = curve_data(rows, optimum=optimal(settings.plan.game).overall)
        save_figure(path_in(folder, picture_names(settings.figures)[0]), figure_of(plot_curve(curve)))


USUAL_FRAMES = 60  # the approximate default number of frames of a film
ENOUGH = 12  # the number of recorded champions that is enough for a film

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
        frames = {generation for number, generation in enumerate(recorded) if number % apart == 0}
        return Reel(folder, tuple(sorted(frames | (ends & set(recorded)) | {max(recorded)})), recorded)
    step = every or max(1, math.ceil(last / USUAL_FRAMES))
    if last // step + len(ends) + 2 > MOST_FRAMES:
        count, usual_step = last // step + len(ends) + 2, math.ceil(last / USUAL_FRAMES)
        raise InputError(f"a film of {count:,} champions is too long: say --every {usual_step}.")
    reel = Reel(folder, tuple(sorted({*range(0, last + 1, step), *ends, last})), recorded)
    if not reel.missing:
        return reel
    settings = settings_of(folder).with_(workers=workers)
    refuse_too_large(settings)
    row = int(np.searchsorted(generations, max(reel.missing)))
    return Reel(folder, reel.numbers, recorded, settings, float(run.metrics["seconds"][row]))


def champions(reel: Reel) -> Iterator[tuple[int, Strategy]]:
    """The best member of each generation of a film by the run's own fitness, with a bar for recomputed ones."""
    recomputed = _repeated(reel)
    for number in reel.numbers:
        yield number, reel.recorded[number] if number in reel.recorded else next(recomputed)


def _repeated(reel: Reel) -> Iterator[Strategy]:
    assert reel.settings is not None
    missing = set(reel.missing)
    for generation in repeated(reel.settings, reel.folder, max(missing)):
        if generation.number in missing:
            yield generation.champion


KINDS = ("gif", "mp4")
DPI = 120  # large enough for a projector; figures then have an even number of pixels, as MP4 needs


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
    make = _gif if path.suffix.lower() == ".gif" else _mp4
    pictures = (image_of(figure, dpi) for figure in frames)
    return write_bytes(path, make(pictures, per_second, round(rest * per_second)))


def _gif(frames: Iterable[Image.Image], per_second: int, resting: int) -> bytes:
    """A GIF whose last picture is not drawn again for the frames of its rest: it has a duration of its own.

    Durations are whole hundredths of a second; browsers show pictures of less than two a tenth of a second long. Pillow
    takes one picture after the other and keeps a byte for each of its pixels.
    """
    usual = max(20, 10 * round(100 / per_second))
    durations: list[int] = []  # one more with each picture, which Pillow then looks up

    def lasting() -> Iterator[Image.Image]:
        for picture, following in itertools.pairwise(itertools.chain(frames, [None])):
            assert picture is not None
            durations.append(usual if following is not None else usual + 10 * round(100 * resting / per_second))
            yield picture

    pictures, film = lasting(), io.BytesIO()
    next(pictures).save(film, "gif", save_all=True, append_images=pictures, duration=durations, loop=0)
    return film.getvalue()


def _mp4(frames: Iterable[Image.Image], per_second: int, resting: int) -> bytes:
    """An MP4 by ffmpeg, in the usual encoding of the installed one; the last picture is repeated while it rests."""
    from matplotlib.animation import FFMpegWriter

    pictures = _resting(frames, resting)
    first = next(pictures)
    size = f"{first.width}x{first.height}"
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", f"{per_second}", "-i", "-"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        film = Path(folder) / "film.mp4"
        command = [FFMpegWriter.bin_path(), "-loglevel", "error", *given, "-pix_fmt", "yuv420p", str(film)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said) as ffmpeg:
            assert ffmpeg.stdin is not None
            for picture in itertools.chain([first], pictures):
                try:
                    ffmpeg.stdin.write(picture.tobytes())
                except OSError:  # it has ended early, and has said why
                    break
            with suppress(OSError):
                ffmpeg.stdin.close()
        if ffmpeg.returncode:
            said.seek(0)
            words = clipped(" ".join(said.read().decode(errors="replace").split()), LONGEST_VALUE * 2)
            raise InputError(f"ffmpeg could not make the film: {words or 'it said nothing'}; a .gif needs no ffmpeg.")
        return film.read_bytes()


def _resting(frames: Iterable[Image.Image], times: int) -> Iterator[Image.Image]:
    """The frames, with the last one so many times more."""
    for frame in frames:
        yield frame
    yield from itertools.repeat(frame, times)
