"""`pigevo film RUN`: the champion of a run, generation by generation, as a film."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import json_option, show
from pigevo.cli.output import PLACE, remark, safe_name
from pigevo.storage.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.runs.film import Reel

_EPILOG = """\
RUN is a run's folder. It has recorded champions; those of other generations are made again, as fast as the run itself
was, and held to what it has recorded. Each frame shows where the champion first holds beside the optimum, with lines
around the places at which turns often begin; in games whose decisions depend on more than a picture shows, its hold
values at typical places. Below them is the run's curve, with the generation that is shown.
"""


@click.command(epilog=_EPILOG)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path),
              help=f"The film's file, .gif, or .mp4 where ffmpeg is found; by default in {PLACE}.")  # fmt: skip
@click.option(
    "--every", type=click.IntRange(1), help="Generations between two champions; by default some 60 of those recorded."
)
@click.option("--fps", type=click.IntRange(1, 60), default=8, show_default=True, help="Champions a second.")
@json_option
def command(run: Path, to: Path | None, every: int | None, fps: int, as_json: bool) -> None:
    """The champion of a run, generation by generation, as a GIF or MP4."""
    from pigevo.core.threads import available_cores
    from pigevo.runs.film import check_film, reel_of

    file = to or PLACE / f"{safe_name(run.resolve().name)}.gif"
    check_film(file)
    reel = reel_of(run, every, available_cores())
    refuse_unwritable(file)
    remark(announce(reel))
    record = film(reel, file, fps)
    show(record, describe(record), as_json)


def announce(reel: Reel) -> str:
    """How much is to be done, in one sentence."""
    frames = len(reel.numbers)
    if not reel.missing:
        return f"pigevo: {frames:,} champions that the run has recorded are drawn"
    took = f"which took the run {reel.seconds:.1f} s" if reel.seconds else "which is a matter of seconds"
    return (
        f"pigevo: {len(reel.missing):,} of {frames:,} champions are not recorded: {max(reel.missing):,} generations "
        f"are made again, {took}"
    )


def film(reel: Reel, file: Path, fps: int) -> dict[str, Any]:
    """Make the film; the generations that it shows, and what the champion of each wins against the optimum."""
    from pigevo.exact import optimal
    from pigevo.figures.evolving import Frame, film_figures, frame_data, frames_of
    from pigevo.runs.film import champions, save_film
    from pigevo.runs.progress import tracked

    best, curve, won = optimal(reel.game).strategy, reel.curve, []

    def seen() -> Iterable[Frame]:
        for frame in frames_of(tracked("champion", len(reel.numbers))(champions(reel)), best, curve.waves):
            won.append(frame.overall)
            yield frame

    save_film(file, film_figures(frame_data("optimum", best, best), seen(), curve), fps)
    return {"film": str(file), "generations": list(reel.numbers), "overall": won}


def describe(record: dict[str, Any]) -> str:
    """The film in one line to read."""
    first, last = record["generations"][0], record["generations"][-1]
    won = record["overall"]
    return (
        f"{record['film']}: {len(won)} champions, from generation {first}, {won[0]:.4f} against the optimum, "
        f"to generation {last}, {won[-1]:.4f}"
    )
