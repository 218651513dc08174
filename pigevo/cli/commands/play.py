"""`pigevo play [OPPONENT]` and `pigevo page`: play in the terminal, or on a page in the browser that also has films."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import (
    EPILOG,
    FOLDER,
    PATH,
    NewFile,
    code_options,
    game_of_words,
    game_options,
    json_option,
    limits_functions,
    purpose,
    read_strategy,
    refuse_void,
    show,
)
from pigevo.cli.output import remark, say
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import for_shell
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.records import to_json

if TYPE_CHECKING:
    from pigevo.cli.play_session import Adaptive
    from pigevo.people.game_in_progress import Adviser
    from pigevo.web.site import Film


_KEYS = """\
Keys: r or Enter rolls, h holds, ? shows what both are worth and what the adviser would do, o shows the odds of each
roll or hides them, q leaves.
Where standard input is not a terminal, each line is an answer. With --json the game is told on standard error.
"""
NEW_SEEDS = 3  # bytes of a random seed: few digits to type again


@purpose("Play")
@click.command(epilog=_KEYS + "\n\n" + EPILOG)
@click.argument("opponent", required=False)
@limits_functions
@game_options
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="Number of games.")
@click.option("--first", is_flag=True, help="Move first in every game; by default the seats alternate.")
@click.option("--second", is_flag=True, help="Move second in every game.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the dice, to repeat a game; a new one by default.")
@click.option("--odds", is_flag=True, help="Show the odds of each roll from the start.")
@click.option(
    "--adviser", metavar="STRATEGY", help="A strategy: hints also show its decision and, if it is a rule, its sentence."
)
@click.option(
    "--save", type=NewFile("games.csv"),
    help="Add the games to this CSV file, which `pigevo people` reads.",
)  # fmt: skip
@click.option("--adapt", is_flag=True, help="Play against an opponent that learns from your games where you hold.")
@click.option(
    "--most-loss",
    type=click.FloatRange(0, 0.5, min_open=True),
    metavar="P",
    help="With --adapt: the most that adapting may cost it in a game, in win probability; 0.01 by default.",
)
@click.option("--name", default="you", show_default=True, help="Your name in the file.")
@json_option
def command(
    opponent: str | None, game: Game, games: int, first: bool, second: bool, seed: int | None, odds: bool,
    adviser: str | None, save: Path | None, adapt: bool, most_loss: float | None, name: str, as_json: bool,
) -> None:  # fmt: skip
    """Play against the optimum, or against any other strategy.

    With --adapt the opponent adapts to you.
    """
    if first and second:
        raise InputError("--first and --second exclude each other: without them the seats alternate.")
    if adapt and opponent is not None:
        raise InputError(f"--adapt is an opponent of its own: leave out {opponent!r}.")
    if most_loss is not None and not adapt:
        raise InputError("--most-loss is what an opponent that adapts may lose: it needs --adapt.")
    if save is None:
        refuse_void("without --save no file has your name", "name")
    from pigevo.cli.play_session import Sitting
    from pigevo.dice import Draw

    seed = int.from_bytes(os.urandom(NEW_SEEDS)) if seed is None else seed
    draw = Draw(seed, "dice")
    opponent = "optimal" if opponent is None else opponent
    game = game_of_words([opponent], game)
    adaptive = _adaptive(game, most_loss, seed) if adapt else None
    strategy = read_strategy(opponent, game) if adaptive is None else adaptive.optimum
    hints_by = None if adviser is None else _adviser(adviser, game)
    from pigevo.people.game_in_progress import Judge
    from pigevo.people.record_files import open_register

    judge = Judge(strategy)
    if strategy.is_mixed:
        judge.start(0)  # refuse a file now and not after the game
    register = None if save is None else open_register(save, game, name, strategy.name)
    sitting = Sitting(judge, draw, remark if as_json else say, odds, register, hints_by, adaptive)
    record: JsonObject = sitting.play(games, 0 if first else 1 if second else None)
    if as_json:
        say(to_json(record, indent=2))


def _adviser(text: str, game: Game) -> Adviser:
    from pigevo.people.game_in_progress import Adviser
    from pigevo.strategies.rules import is_rule, parse_rule

    return Adviser(read_strategy(text, game), parse_rule(text).sentence if is_rule(text) else "")


def _adaptive(game: Game, most_loss: float | None, seed: int) -> Adaptive:
    from pigevo.cli.play_session import Adaptive
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.people.adapting import CAP, answers_to_holds, refuse_to_adapt, steps_of_answers

    refuse_to_adapt(game)
    with ProgressBar(total=steps_of_answers(game), disable=None, leave=False, desc="solving its answers") as bar:
        return Adaptive(answers_to_holds(game, bar.update), CAP if most_loss is None else most_loss, seed)


PORT = 8017


@purpose("Play")
@click.command()
@click.option("--to", type=FOLDER,
              help="Write the page to this folder as static files, which any host can serve; every game is solved "
              "for it, which takes about half a minute.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
              help="Port on this machine; 0 for any free port.")  # fmt: skip
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--run", "runs", multiple=True, type=PATH, metavar="RUN",
              help="Folder of a run, shown in Watch, with its champion as a strategy; repeatable.")  # fmt: skip
@code_options()
@game_options
@json_option
def page_command(game: Game, to: Path | None, port: int, opened: bool, runs: tuple[Path, ...], as_json: bool) -> None:
    """Serve a page to play on, or write it to a folder.

    It offers Pig to 100, each game of `pigevo play --game` with its default target, and the game given by --game and
    its options; a game is solved when it is chosen.
    """
    if to is not None:
        refuse_void("--to writes files and serves no page", "opened", "port")
        _write(to, runs, game, as_json)
    else:
        _serve(port, opened, runs, game, as_json)


def _films(runs: tuple[Path, ...]) -> list[Film]:
    """The films of runs; all are checked before the first one is made."""
    from pigevo.web.films import film_of, page_reel

    seconds = sum([page_reel(folder).seconds for folder in runs])
    if seconds:
        remark(f"pigevo: generations are made again for the films, which took the runs {seconds:.1f} s")
    return [film_of(folder, workers=available_cores()) for folder in runs]


def _write(folder: Path, runs: tuple[Path, ...], game: Game, as_json: bool) -> None:
    from pigevo.web.site import write_site

    notice = "pigevo: every game of the page is solved, which takes about half a minute"
    files = write_site(folder, _films(runs), begun=lambda: remark(notice), game=game)
    size = sum(path.stat().st_size for path in files)
    text = f"""{len(files)} files in {folder}, {size / 1e6:.1f} MB: put them on any web server, or try them with
  python -m http.server --directory {for_shell(folder)} --bind 127.0.0.1"""
    show({"folder": str(folder), "files": len(files), "bytes": size}, text, as_json)


def _serve(port: int, opened: bool, runs: tuple[Path, ...], game: Game, as_json: bool) -> None:
    import webbrowser

    from pigevo.web.serve import PageServer
    from pigevo.web.site import OWN_GAME, own_game, page_files

    own = f"?game={OWN_GAME}" if own_game(game) else ""
    with PageServer({}, port) as server:  # a port in use is reported before the tables are computed
        films = _films(runs)
        remark(
            "pigevo: the strategies of the page are computed, which takes a few seconds, and longer at the first start"
        )
        server.files = page_files(films, game)
        address = server.address + own
        if as_json:
            say(to_json({"address": address, "port": server.server_port}))
        else:
            say(f"The page is at {address}, for this machine alone; Ctrl-C ends it.")
        sys.stdout.flush()
        if opened:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            remark("\nThe page has ended.")
