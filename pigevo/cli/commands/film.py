"""`pigevo film RUN`: the champion of a run, generation by generation, as a film."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.films import check_film, write_film
from pigevo.cli.options import json_option, show
from pigevo.cli.output import remark
from pigevo.cli.pictures import PLACE, safe_name
from pigevo.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.runs.film import Reel

_EPILOG = """\
RUN is a run's folder. Its generations are made again, as fast as the run itself was, and compared with what it has
recorded. Each frame shows where the champion first holds beside the optimum, faded where play seldom comes.
"""


@click.command(epilog=_EPILOG)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path),
              help=f"The film's file, .gif, or .mp4 where ffmpeg is found; by default in {PLACE}.")  # fmt: skip
@click.option("--every", type=click.IntRange(1), help="Generations between two champions; by default some 60 in all.")
@click.option("--fps", type=click.IntRange(1, 60), default=8, show_default=True, help="Champions a second.")
@json_option
def command(run: Path, to: Path | None, every: int | None, fps: int, as_json: bool) -> None:
    """The champion of a run, generation by generation, as a GIF or MP4."""
    from pigevo.runs.film import reel_of
    from pigevo.threads import available_cores

    file = to or PLACE / f"{safe_name(run.resolve().name)}.gif"
    check_film(file)
    reel = reel_of(run, every, available_cores())
    refuse_other_games(reel)
    refuse_unwritable(file)
    remark(announce(reel))
    record = film(reel, file, fps)
    show(record, describe(record), as_json)


def refuse_other_games(reel: Reel) -> None:
    """Refuse a run whose champions no film shows.

    Raises:
        InputError: its game is no race of both scores and the turn total.
    """
    from pigevo.errors import InputError

    game = reel.settings.plan.game
    if not game.target or len(game.axes) != 3 or game.target < 2:
        raise InputError(f"a film shows both scores of a race, and {game} is none: `pigevo show` draws its champion.")


def announce(reel: Reel) -> str:
    """How much is to be done, in one sentence."""
    generations, frames = reel.numbers[-1], len(reel.numbers)
    took = f"which took the run {reel.seconds:.1f} s" if reel.seconds else "which is a matter of seconds"
    return f"pigevo: {generations:,} generations are made again, {took}; then {frames:,} champions are drawn"


def film(reel: Reel, file: Path, fps: int) -> dict[str, Any]:
    """Make the film.

    Returns:
        `film`, the file; `generations`, whose champions it shows; `overall`, what each wins against the optimum.

    Raises:
        InputError: a generation is not the recorded one, or the file cannot be written.
    """
    from pigevo.exact import optimal
    from pigevo.figures.evolving import Frame, film_figures, frame_data, frames_of
    from pigevo.runs.film import champions

    best, won = optimal(reel.settings.plan.game).strategy, []

    def seen() -> Iterable[Frame]:
        for frame in frames_of(champions(reel), best):
            won.append(frame.overall)
            yield frame

    write_film(file, film_figures(frame_data("optimum", best, best), seen()), fps)
    return {"film": str(file), "generations": list(reel.numbers), "overall": won}


def describe(record: dict[str, Any]) -> str:
    """The film in one line to read."""
    first, last = record["generations"][0], record["generations"][-1]
    won = record["overall"]
    return (
        f"{record['film']}: {len(won)} champions, from generation {first}, {won[0]:.4f} against the optimum, "
        f"to generation {last}, {won[-1]:.4f}"
    )
