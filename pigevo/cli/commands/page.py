"""`pigevo page`: a page in the browser to play on, to look at strategies, and to draw one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import FOLDER, code_options, game_options, json_option, show
from pigevo.cli.output import remark, say
from pigevo.core.machine import available_cores
from pigevo.games import Game
from pigevo.storage.records import to_json

if TYPE_CHECKING:
    from pigevo.web.site import Film

PORT = 8017


@click.command()
@click.option("--to", type=FOLDER,
              help="Write the page to this folder as static files, which any host can serve; every game is solved "
              "for it, which takes about half a minute.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
              help="Port on this machine; 0 for any free port.")  # fmt: skip
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--run", "runs", multiple=True, type=click.Path(path_type=Path), metavar="RUN",
              help="Folder of a run, shown in Watch, with its champion as a strategy; repeatable.")  # fmt: skip
@code_options()
@game_options
@json_option
def command(game: Game, to: Path | None, port: int, opened: bool, runs: tuple[Path, ...], as_json: bool) -> None:
    """Serve a page to play on, or write it to a folder.

    It offers Pig to 100, each game of `pigevo play --game` with its default target, and the game given by --game and
    its options; a game is solved when it is chosen.
    """
    if to is not None:
        _write(to, runs, game, as_json)
    else:
        _serve(port, opened, runs, game, as_json)


def _films(runs: tuple[Path, ...]) -> list[Film]:
    """The films of runs; all are checked before the first one is made."""
    from pigevo.web.films import film_of, page_reel

    seconds = sum([page_reel(folder).seconds for folder in runs])
    if seconds:
        remark(f"pigevo: for the films generations are made again, which took the runs {seconds:.1f} s")
    return [film_of(folder, workers=available_cores()) for folder in runs]


def _write(folder: Path, runs: tuple[Path, ...], game: Game, as_json: bool) -> None:
    from pigevo.web.site import write_site

    notice = "pigevo: every game of the page is solved, which takes about half a minute"
    files = write_site(folder, _films(runs), begun=lambda: remark(notice), game=game)
    size = sum(path.stat().st_size for path in files)
    text = f"""{len(files)} files in {folder}, {size / 1e6:.1f} MB: put them on any web server, or try them with
  python -m http.server --directory {folder} --bind 127.0.0.1"""
    show({"folder": str(folder), "files": len(files), "bytes": size}, text, as_json)


def _serve(port: int, opened: bool, runs: tuple[Path, ...], game: Game, as_json: bool) -> None:
    import webbrowser

    from pigevo.web.serve import PageServer
    from pigevo.web.site import OWN_GAME, own_game, page_files

    with PageServer({}, port) as server:  # a port in use is reported before the tables are computed
        server.files = page_files(_films(runs), game)
        address = server.address + (f"?game={OWN_GAME}" if own_game(game) else "")
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
