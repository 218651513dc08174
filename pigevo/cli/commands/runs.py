"""Commands about a run's folder: `film`, `replay`, `resume` and `verify`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import FILE, at_most_the_cores, code_options, json_option, show
from pigevo.cli.output import PLACE, remark
from pigevo.core.machine import available_cores
from pigevo.core.text import safe_name
from pigevo.games.game_record import file_name_of
from pigevo.storage.files import refuse_unwritable, telling_replaced

if TYPE_CHECKING:
    from pigevo.runs.film import Reel
    from pigevo.runs.verify import Replay, Verified
    from pigevo.simulation.stepwise import Turn


@click.command(epilog="RUN is a run's folder, as outputs/cube_random/mutation=0.005-3a027d0a4b.")
@click.argument("run", type=click.Path(path_type=Path))
@code_options(runs=True)
@json_option
def resume_command(run: Path, as_json: bool) -> None:
    """Continue an unfinished run from its folder; show a finished one."""
    from pigevo import runs
    from pigevo.cli.summary import summary
    from pigevo.runs.folder import beside_experiment, settings_of
    from pigevo.runs.progress import begin_logging
    from pigevo.user_code.loading import code_of

    folder = Path(os.path.realpath(run))
    begin_logging(folder)
    # A run begun with force=true has already started again: now it continues.
    settings = at_most_the_cores(settings_of(folder)).with_(force=False)
    with code_of(folder):
        record = runs.run(settings, folder)
    show(record, summary(record, beside_experiment(settings), folder), as_json)


DIFFERENT_STATUS = 1

HASHES = "its files have the hashes with which they were written"


@click.command(epilog="Exit status: 0 if all is the same, 1 if something differs, 2 for a wrong input.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--generations", type=click.IntRange(0), default=10, show_default=True, help="The last generation to compare."
)
@code_options()
@json_option
def verify_command(run: Path, generations: int, as_json: bool) -> int:
    """Compare a run's files with their hashes, and its first generations with their repetition."""
    from pigevo.runs.verify import verify

    verified = verify(run, generations, available_cores())
    show({**asdict(verified), "same": verified.same}, describe_verified(verified), as_json)
    return 0 if verified.same else DIFFERENT_STATUS


def describe_verified(verified: Verified) -> str:
    """The comparison as text."""
    numbers = ", ".join(map(str, verified.compared[:8])) + (", ..." if len(verified.compared) > 8 else "")
    lines = [f"{verified.folder}: recorded generations made again: {numbers or 'none'}"]
    if verified.same:
        end = "; and so are the digest of the whole run, its champion and its result" if verified.whole else ""
        lines.append(f"same to the bit, their figures included{end}")
        lines += [HASHES] if verified.hashes else []
    else:
        lines += [f"different: {difference}" for difference in verified.differences]
    if verified.changed:
        lines += [f"changed since the run began: {change}" for change in verified.changed]
    elif not verified.same:
        lines.append("no version has changed since the run began: the record was altered, or a machine erred")
    if verified.same and verified.next_recorded is not None:
        lines.append(
            f"the next recorded generation is {verified.next_recorded}: --generations {verified.next_recorded}"
        )
    return "\n".join(lines)


@click.command(
    epilog="In the last generation everyone meets everyone (of a large population the best 500, where selection asks "
    "for fewer matches); before, pairs are those of selection."
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--generation", type=click.IntRange(0), required=True, help="The generation whose population plays.")
@click.option("--pairing", type=click.IntRange(0), required=True, help="The index of the pair, from 0.")
@click.option("--game", type=click.IntRange(0), required=True, help="The index of the game, from 0.")
@code_options()
@json_option
def replay_command(run: Path, generation: int, pairing: int, game: int, as_json: bool) -> None:
    """Replay one game of a run, roll by roll."""
    from pigevo.runs.folder import settings_of
    from pigevo.runs.verify import replay

    settings = settings_of(run).with_(workers=available_cores())
    played = replay(settings, run, generation, pairing, game)
    show(asdict(played), describe_replay(played), as_json)


def describe_replay(played: Replay) -> str:
    """The game as text."""
    counter = ", ".join(f"{name} {value}" for name, value in played.counter.items())
    first, second = played.members
    lines = [
        f"{played.game}: member {first} moves first against member {second}",
        f"dice: {counter}; the population was made again from generation {played.made_from}",
        "",
        f"{'turn':>5} {'member':>7} {'own':>5} {'other':>5}   rolls",
        *(_line(number, turn, played.members) for number, turn in enumerate(played.turns, 1)),
        "",
        _end(played),
    ]
    return "\n".join(lines)


def _line(number: int, turn: Turn, members: tuple[int, int]) -> str:
    rolls = " ".join(str(points) if points else "bust" for points in turn.rolls)
    scored = f", scores {turn.banked}" if turn.banked > 0 else ", loses all" if turn.banked < 0 else ""
    end = "passes" if turn.is_pass else f"{rolls}{scored}" if turn.rolls[-1] == 0 else f"{rolls}, holds {turn.banked}"
    return f"{number:5d} {members[turn.player]:7d} {turn.own:5d} {turn.opponent:5d}   {end}"


def _end(played: Replay) -> str:
    last = played.turns[-1]
    if played.result == 5:
        return f"a draw at {last.opponent}"
    if played.result > 1:
        return "a stalemate: both passed" if played.result == 2 else "unfinished: stopped because of too many turns"
    scores = last.own + last.banked, last.opponent
    won, lost = scores if played.result == last.player else scores[::-1]
    return f"member {played.members[played.result]} wins by {won} to {lost} in turn {len(played.turns)}"


_FILM_EPILOG = """\
RUN is a run's folder. It has recorded champions; those of other generations are made again, as fast as the run itself
was, and held to what it has recorded. Each frame shows where the champion first holds beside the optimum, with lines
around the places at which turns often begin; in games whose decisions depend on more than a picture shows, its hold
values at typical places. Below them is the run's curve, with the generation that is shown.
"""


@click.command(epilog=_FILM_EPILOG)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--to", type=FILE,
              help=f"The film's file, .gif, or .mp4 where ffmpeg is found; by default in {PLACE}.")  # fmt: skip
@click.option(
    "--every", type=click.IntRange(1), help="Generations between two champions; by default about 60 recorded ones."
)
@click.option("--fps", type=click.IntRange(1, 60), default=8, show_default=True, help="Champions shown in a second.")
@code_options()
@json_option
def film_command(run: Path, to: Path | None, every: int | None, fps: int, as_json: bool) -> None:
    """Make a film of a run's champion, generation by generation, as a GIF or MP4."""
    from pigevo.runs.film import check_film, reel_of

    if to:
        check_film(to)
    reel = reel_of(run, every, available_cores())
    file = to or PLACE / f"{safe_name(run.resolve().name)}_{file_name_of(reel.game)}.gif"
    refuse_unwritable(file)
    remark(announce(reel))
    record = film(reel, file, fps)
    show(record, describe_film(record), as_json)


def announce(reel: Reel) -> str:
    """One sentence about the work to be done."""
    frames = len(reel.numbers)
    if not reel.missing:
        return f"pigevo: {frames:,} champions that the run has recorded are drawn"
    took = f"which took the run {reel.seconds:.1f} s" if reel.seconds else "which is a matter of seconds"
    return (
        f"pigevo: {len(reel.missing):,} of {frames:,} champions are not recorded: {max(reel.missing):,} generations "
        f"are made again, {took}"
    )


def film(reel: Reel, file: Path, fps: int) -> dict[str, Any]:
    """Make the film; returns its generations, and the win probability of each champion against the optimum."""
    from pigevo.exact import optimal
    from pigevo.figures.evolving import Frame, film_figures, frame_data, frames_of
    from pigevo.runs.film import champions, save_film
    from pigevo.runs.progress import tracked

    best, curve, won = optimal(reel.game).strategy, reel.curve, []

    def seen() -> Iterable[Frame]:
        for frame in frames_of(tracked("champion", len(reel.numbers))(champions(reel)), best, curve.waves):
            won.append(frame.overall)
            yield frame

    with telling_replaced(file):
        save_film(file, film_figures(frame_data("optimum", best, best), seen(), curve), fps)
    return {"film": str(file), "generations": list(reel.numbers), "overall": won}


def describe_film(record: dict[str, Any]) -> str:
    """The film as one line of text."""
    first, last = record["generations"][0], record["generations"][-1]
    won = record["overall"]
    return (
        f"{record['film']}: {len(won)} champions, from generation {first}, {won[0]:.4f} against the optimum, "
        f"to generation {last}, {won[-1]:.4f}"
    )
