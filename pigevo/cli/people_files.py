"""What `pigevo people` writes: the form to print, and the figures of a record."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from pigevo.cli.output import PLACE, safe_name
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import GAMES, Game
from pigevo.storage.files import (
    make_marked,
    place_in,
    refuse_strangers,
    refuse_unwritable,
    remove_own,
    write_bytes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pigevo.people import People
    from pigevo.people.forms import TrackerForm

KIND = "class"
"""The mark of a folder that the form or figures have been written to: only in such a one are files replaced."""

PAGES = ("pdf", "html")


def write_form(game: Game, to: Path | None) -> dict[str, Any]:
    """Write the form for a game, and say what stands on it and where it is."""
    from pigevo.people import tracker_form

    form = tracker_form(game, f"pigevo people games.csv{_typed_game()}")
    files = _form_files(to, game)
    if to is not None and files != [to]:
        refuse_folder(to)
    for file in files:
        refuse_unwritable(file)
    if to is not None and files != [to]:
        make_marked(to, KIND)
        files = [place_in(to, file.name) for file in files]
    for file in files:
        _write_page(file, form)
    return {"game": str(game), "example": form.example, "csv": form.csv, "files": list(map(str, files))}


def describe_form(record: dict[str, Any]) -> str:
    """What was written, in lines to read."""
    lines = [f"a form for games of {record['game']}; a file that is typed off it begins like this:", ""]
    return "\n".join([*lines, *record["csv"].splitlines(), "", *(f"  {file}" for file in record["files"])])


def _write_page(file: Path, form: TrackerForm) -> None:
    if file.suffix.lower() == ".pdf":
        from pigevo.figures.axes import save_figure
        from pigevo.figures.page import form_page

        save_figure(file, form_page(form))
    else:
        from pigevo.web.forms import form_html

        write_bytes(file, form_html(form))


def _form_files(to: Path | None, game: Game) -> list[Path]:
    if to is not None and to.suffix and not to.is_dir():
        if to.suffix.lower().lstrip(".") not in PAGES:
            raise InputError(f"{to}: the name of a form must end with .{' or .'.join(PAGES)}; or name a folder.")
        return [to]
    return [(to or PLACE) / f"form_{safe_name(str(game))}.{kind}" for kind in PAGES]


def _typed_game() -> str:
    """The options of the game as they were typed, for the command that reads a record of it."""
    context = click.get_current_context()
    options = sorted({option for entry in GAMES.values() for option in entry.options})
    said = []
    for name in ("game", *options):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            said += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    return "".join(f" {word}" for word in said)


def refuse_folder(folder: Path) -> None:
    """Refuse a folder in which files of others lie, or that cannot be written."""
    refuse_strangers(folder, KIND, lambda _: False)
    refuse_unwritable(folder / "scores.png")


@dataclass(frozen=True)
class Place:
    """Where pictures go, and in what format."""

    folder: Path
    kind: str


def picture_place(figures: str, to: Path | None, source: str) -> Place:
    """What `--figures` says: a format, of pictures in `--to` or in a folder of their own, or the folder itself."""
    if figures in FORMATS:
        return Place(to or PLACE / f"people_{safe_name(Path(source).stem)}", figures)
    if to:
        raise click.UsageError(f"--figures {figures} names a folder, and --to, too: write --figures png --to FOLDER.")
    if not figures or Path(figures).suffix.lower().lstrip(".") in FORMATS:
        raise InputError(f"--figures {figures}: the pictures are several, so name their folder, or a format.")
    return Place(Path(figures), FORMATS[0])


def write_pictures(people: People, place: Place) -> list[Path]:
    """Draw figures 7 to 14 of Exeter 2017 of a record, and remove pages of games that are no longer in it."""
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.figures.axes import figure_of, plain, save_figure
    from pigevo.figures.people import (
        ON_A_PAGE,
        games_data,
        plot_games,
        plot_mean_scores,
        plot_scores,
        scores_data,
    )

    make_marked(place.folder, KIND)
    groups, games = scores_data(people), games_data(people)
    pages = [games[first : first + ON_A_PAGE] for first in range(0, len(games), ON_A_PAGE)]
    of = f"{people.game}, {plain(Path(people.source).name)}"
    drawn: list[tuple[str, Callable[[], Sequence[Axes]]]] = [
        ("scores", lambda: plot_scores(groups, f"Scores by turn: {of}")),
        ("mean_scores", lambda: plot_mean_scores(groups, f"Mean scores by turn: {of}")),
        *((f"games_{number}", partial(plot_games, page, f"Scores of both players: {of}"))
          for number, page in enumerate(pages, start=1)),
    ]  # fmt: skip
    files = {name: place_in(place.folder, f"{name}.{place.kind}") for name, _ in drawn}  # refuses links first
    for name, draw in ProgressBar(drawn, desc="figures", leave=False, disable=len(drawn) < MANY):
        save_figure(files[name], figure_of(draw()))
    remove_own(place.folder, _later_pages(place, len(pages)))
    return list(files.values())


MANY = 10
"""Pictures from which on a bar shows how many are drawn."""


def _later_pages(place: Place, pages: int) -> list[str]:
    """Names of the pages of games that an earlier record has had, and this one has not."""
    numbered = re.compile(rf"games_([1-9][0-9]{{0,3}})\.{place.kind}")
    found = ((name, numbered.fullmatch(name)) for name in sorted(os.listdir(place.folder)))
    return [name for name, match in found if match and int(match[1]) > pages]
