"""`pigevo people FILE.csv`: analysis of recorded games of people, and the form to record them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pigevo.cli.options import PATH, game_options, json_option, options_of_games, purpose, show
from pigevo.cli.output import PAGES, PICTURES, page_files, wrapped, write_page
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import counted, for_shell, percent, safe_name
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import Game
from pigevo.games.game_record import file_name_of
from pigevo.storage.files import (
    make_marked,
    path_in,
    refuse_strangers,
    refuse_unwritable,
    remove_own,
    telling_replaced,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pigevo.people import Analysis, Comparison, Habits, Pairings, People
    from pigevo.people.analysis import Cost, CostlyTurn
    from pigevo.people.habits import HoldValue, RuleErrors

KIND = "class"
"""The mark of a folder to which the form or figures were written: files are replaced only in such folders."""

MANY = 10  # the number of pictures from which a progress bar is shown
MOST_LISTED = 12  # the number of a player's costliest turns that the text lists

_EPILOG = f"""\
FILE.csv has a row for each turn, with the columns game, player, turn, rolls and banked, and, if known, preference
(averse, neutral or seeking), dice (as 4 6 1), seat, score, question_2, question_3 and rule (the
rule that the player was asked to follow): docs/people.md describes them.
With --form there is no FILE.csv.

--figures takes a format, as in other commands; then the pictures are written to {PICTURES}, or to the folder given by
--to. Or it takes the folder of the pictures, which are then png. This folder, or that of a form, must be new, empty, or
one to which this command has written before.
"""


@purpose("Play")
@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE.csv", required=False)
@click.option("--form", is_flag=True, help="Make an A4 page to print, for writing down games by hand.")
@click.option("--figures", metavar=f"[{'|'.join(FORMATS)}|FOLDER]", help="Draw figures 7 to 14 of Exeter 2017.")
@click.option("--to", type=PATH,
              help="Where to write it: a folder, or the form's file, .pdf or .html.")  # fmt: skip
@click.option(
    "--must-hold",
    is_flag=True,
    help="The player had to hold to win, and could roll on past the target, as in --game hold_to_win.",
)
@game_options
@json_option
def command(
    file: str | None, form: bool, figures: str | None, to: Path | None, must_hold: bool, game: Game, as_json: bool
) -> None:
    """Analyse recorded games of people; or make a form to record them."""
    if must_hold:
        game = _hold_to_win(game)
    if form:
        if file or figures is not None:
            raise click.UsageError("--form makes an empty form: it takes no FILE.csv and no --figures.")
        record = write_form(game, to)
        show(record, describe_form(record), as_json)
        return
    if not file:
        raise click.UsageError("give the FILE.csv with the games; or --form, for a form to write games down on.")
    if to and figures is None:
        raise click.UsageError("--to is about the form or the figures: give --form or --figures, too.")
    folder, kind = picture_folder(figures, to, file) if figures is not None else (None, "")
    from pigevo.people import analyse, read_people

    people = read_people(file, game)
    if folder is not None:
        refuse_folder(folder)
    analysis = analyse(people)
    saved = [] if folder is None else [str(path) for path in write_pictures(people, folder, kind)]
    lines = ["", *(f"  saved as {path}" for path in saved)] if saved else []
    show(as_record(analysis) | {"saved": saved}, "\n".join([describe(analysis), *lines]), as_json)


def _hold_to_win(game: Game) -> Game:
    if game.hold_to_win is None:
        raise InputError(f"--must-hold is for Pig with a usual die, not for {game}.")
    return game.hold_to_win


def write_form(game: Game, to: Path | None) -> JsonObject:
    """Write the form for a game; returns its content and its file."""
    from pigevo.figures.page import form_page
    from pigevo.people import tracker_form
    from pigevo.web.printed import form_html

    form, name = tracker_form(game, f"pigevo people games.csv{_typed_game()}"), f"form_{file_name_of(game)}"
    folder = to if to is not None and (not to.suffix or to.is_dir()) else None
    if folder is not None:
        files = [folder / f"{name}.{kind}" for kind in PAGES]
        refuse_folder(folder)
    else:
        files = page_files(to, name, "form", "; or name a folder")
    for file in files:
        refuse_unwritable(file)
    if folder is not None:
        make_marked(folder, KIND)
        files = [path_in(folder, file.name) for file in files]
    for file in files:
        write_page(file, partial(form_page, form), partial(form_html, form))
    return {"game": str(game), "example": form.example, "csv": form.csv, "files": list(map(str, files))}


def describe_form(record: JsonObject) -> str:
    """The text that the command prints: how a file typed up from the form begins, and the files written."""
    lines = [f"a form for games of {record['game']}; a file typed up from it begins like this:", ""]
    return "\n".join([*lines, *record["csv"].splitlines(), "", *(f"  {file}" for file in record["files"])])


def _typed_game() -> str:
    """The typed options about the game, for a command about the same game."""
    context = click.get_current_context()
    words = ["--must-hold"] if context.params["must_hold"] else []
    for name in ("game", *sorted(options_of_games())):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            words.append(f"--{name.replace('_', '-')}")
            if value is not True:
                words.append(",".join(map(str, value)) if isinstance(value, tuple) else str(value))
    for option in context.params["game_option"]:
        words += ["--game-option", option]
    return "".join(f" {for_shell(word)}" for word in words)


def refuse_folder(folder: Path) -> None:
    """Refuse a folder with foreign files, or one that cannot be written to."""
    refuse_strangers(folder, KIND, lambda _: False)
    refuse_unwritable(folder / "scores.png")


def picture_folder(figures: str, to: Path | None, source: str) -> tuple[Path, str]:
    """The folder and the format of pictures: `--figures` is a format or the folder, `--to` is the folder."""
    if figures in FORMATS:
        return to or PICTURES / f"people_{safe_name(Path(source).stem)}", figures
    if to:
        raise click.UsageError(f"--figures {figures} names a folder, and --to, too: write --figures png --to FOLDER.")
    if not figures or Path(figures).suffix.lower().lstrip(".") in FORMATS:
        raise InputError(f"--figures {figures}: the pictures are several, so name their folder, or a format.")
    return Path(figures), FORMATS[0]


def write_pictures(people: People, folder: Path, kind: str) -> list[Path]:
    """Draw figures 7 to 14 of Exeter 2017 for a record, and remove pages of games that are no longer in it."""
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.figures.axes import figure_of, plain, save_figure
    from pigevo.figures.people import ON_A_PAGE, games_data, plot_games, plot_mean_scores, plot_scores, scores_data

    make_marked(folder, KIND)
    groups, games = scores_data(people), games_data(people)
    pages = [games[first : first + ON_A_PAGE] for first in range(0, len(games), ON_A_PAGE)]
    record = f"{people.game}, {plain(Path(people.source).name)}"
    drawn: list[tuple[str, Callable[[], Sequence[Axes]]]] = [
        ("scores", lambda: plot_scores(groups, f"Scores by turn: {record}")),
        ("mean_scores", lambda: plot_mean_scores(groups, f"Mean scores by turn: {record}")),
        *((f"games_{number}", partial(plot_games, page, f"Scores of both players: {record}"))
          for number, page in enumerate(pages, start=1)),
    ]  # fmt: skip
    files = {name: path_in(folder, f"{name}.{kind}") for name, _ in drawn}  # refuses links first
    for name, draw in ProgressBar(drawn, desc="figures", leave=False, disable=len(drawn) < MANY or None):
        with telling_replaced(files[name]):
            save_figure(files[name], figure_of(draw()))
    remove_own(folder, _later_pages(folder, kind, len(pages)))
    return list(files.values())


def _later_pages(folder: Path, kind: str, pages: int) -> list[str]:
    """The names of the pages of an earlier record that this one does not have."""
    numbered = re.compile(rf"games_([1-9][0-9]{{0,3}})\.{kind}")
    matches = ((name, numbered.fullmatch(name)) for name in sorted(os.listdir(folder)))
    return [name for name, match in matches if match and int(match[1]) > pages]


def as_record(analysis: Analysis) -> JsonObject:
    """The analysis as plain values."""
    players = [
        {
            **asdict(player),
            "costly": [{"game": turn.game, **asdict(turn.turn), "cost": asdict(turn.cost)} for turn in player.costly],
        }
        for player in analysis.players
    ]
    courses = {preference: asdict(course) for preference, course in analysis.by_preference.items()}
    whole = {"players": players, "by_preference": courses, "games": asdict(analysis.pairings)}
    named = {"neutral": analysis.neutral, "without_winner": analysis.without_winner}
    return {"game": str(analysis.game), **named, **whole}


def describe(analysis: Analysis) -> str:
    """The analysis as text."""
    low, high = analysis.neutral
    does = "never holds before winning" if low == analysis.game.size else f"holds at {low}"
    lines = [f"{analysis.game}; a player who is neutral to risk {does}" + (f" or {high}" if high > low else "")]
    if analysis.without_winner:
        lines += wrapped(
            f"{counted(len(analysis.without_winner), 'game')} of two players without a winner, the first is "
            f"{analysis.without_winner[0]}: if it was played to fewer points, --target gives them", "", "  ",
        )  # fmt: skip
    for player in analysis.players:
        lines += ["", *_lines(player)]
    if analysis.by_preference:
        lines += ["", "points a turn, by stated preference"]
        lines += [
            f"  {preference:8s} {_points(course.slope)}, and {_points(course.mean_slope)} of the mean scores"
            for preference, course in analysis.by_preference.items()
        ]
    lines += ["", "whole games", *_whole(analysis.pairings)]
    return "\n".join(lines)


def _whole(pairings: Pairings) -> list[str]:
    """The statistics of whole games, with verdicts."""
    seats, pairs, play = pairings.seats, pairings.mirrored_seats, pairings.mirrored_play
    lines = ["  moving first    no game of two players has a winner: undecided whether the seat matters"]
    if seats.low is not None and seats.high is not None:
        verdict = {"first": "moving first wins more", "second": "moving second wins more"}.get(seats.verdict)
        lines = [
            f"  moving first    won {seats.won} of {counted(seats.games, 'game')}, {percent(seats.won / seats.games)} "
            f"({percent(seats.low)} to {percent(seats.high)}): {verdict or 'undecided whether the seat matters'}",
            f"  mirrored seats  {_seats(pairs)}",
            f"                  {_difference(pairs, 'whether mirrored seats matter', SEAT_VERDICTS, _signed_percent)}",
        ]
    return [
        *lines,
        f"  mirrored play   {_play(play)}",
        f"                  {_difference(play, 'whether mirrored play is fairer', PLAY_VERDICTS, _signed)}"
        + _narrow(play),
    ]


def _seats(comparison: Comparison) -> str:
    if comparison.mean is None or comparison.other is None:
        who = "no" if comparison.mean is None else "all"
        return f"{who} players have met in mirrored seats, each first equally often"
    return (
        f"moving first won {percent(comparison.mean)} of {counted(comparison.games, 'game')} of players who met in "
        f"mirrored seats, {percent(comparison.other)} of the {comparison.others} others"
    )


def _play(comparison: Comparison) -> str:
    if comparison.games + comparison.others == 0:
        return "no game has enough turns of both players"
    if comparison.mean is None or comparison.other is None:
        whose = "in no game do the rolls" if comparison.mean is None else "in each game the rolls"
        return f"{whose} correlate with the previous turn"
    return (
        f"what both gave away lies {_four(comparison.mean)} apart in {counted(comparison.games, 'game')} whose rolls "
        f"correlate with the previous turn, {_four(comparison.other)} in {comparison.others} others"
    )


SEAT_VERDICTS = {"more": "in mirrored seats moving first wins more", "less": "in mirrored seats moving first wins less"}
PLAY_VERDICTS = {"more": "mirrored play is less fair", "less": "mirrored play is fairer"}  # the meaning of each verdict


def _difference(comparison: Comparison, question: str, verdicts: dict[str, str], signed: Callable[[float], str]) -> str:
    """The difference with its interval and the verdict."""
    from pigevo.people.pairings import FEWEST

    verdict = verdicts.get(comparison.verdict, f"undecided {question}")
    if comparison.low is None or comparison.high is None or comparison.difference is None:
        return f"{verdict}: at least {FEWEST} games of either kind are needed, not all alike"
    low, value, high = map(signed, (comparison.low, comparison.difference, comparison.high))
    return f"difference {value} ({low} to {high}): {verdict}"


def _narrow(comparison: Comparison) -> str:
    """What is to be said of the interval of a difference of means; empty if nothing is."""
    from pigevo.people.pairings import FEW

    few = comparison.low is not None and min(comparison.games, comparison.others) < FEW
    return f"; with fewer than {FEW} games of a kind the interval is too narrow" if few else ""


def _four(value: float) -> str:
    return f"{value:.4f}"


def _signed(value: float) -> str:
    return f"{value:+z.4f}"


def _signed_percent(share: float) -> str:
    return f"{100 * share:+z.1f} %"


def _lines(habits: Habits) -> list[str]:
    person, refused = habits.person, habits.refused
    lines = [f"{person.name}: {counted(habits.games, 'game')}, {counted(habits.turns, 'turn')}"]
    lines += [f"  score by turn   {' '.join(map(str, scores))}" for scores in habits.course.scores[:3]]
    if len(habits.course.scores) > 3:
        lines.append(f"                  and of {counted(len(habits.course.scores) - 3, 'more game')}")
    slope = habits.course.slope
    of_turns = "none: no game has a second turn" if slope is None else f"{slope:.2f} points a turn"
    lines.append(f"  slope           {of_turns}")
    lines.append(f"  hold value      {_hold(habits.hold)}")
    answered = f"; the answers 2 and 3 are {habits.answered}" if habits.answered else ""
    lines.append(
        f"  preference      stated {person.preference or 'none'}, suggested {habits.suggested or 'none'}{answered}"
    )
    if habits.cost is None:
        lines.append(f"  cost            {refused['cost']}")
    else:
        lines.append(f"  cost            {_cost(habits.cost)} in {counted(habits.judged, 'turn')} against the optimum")
        dearest = sorted(habits.costly, key=lambda turn: -turn.cost.mean)
        lines += [_turn_line(turn) for turn in dearest[:MOST_LISTED]]
        if len(dearest) > MOST_LISTED:
            lines.append(f"    and {counted(len(dearest) - MOST_LISTED, 'cheaper turn')} (--json lists all)")
    if habits.behind is None:
        lines.append(f"  when behind     {refused['behind']}")
    else:
        risk = {"more": "more risk", "less": "less risk", "open": "open"}[habits.behind.verdict]
        lines.append(
            f"  when behind     {risk}: holds at {_hold(habits.behind.behind)}, otherwise at "
            f"{_hold(habits.behind.otherwise)}; p = {habits.behind.p:.3f}"
        )
    if habits.following is None:
        lines.append(f"  following       {refused['following']}")
    else:
        followed = habits.following
        lines.append(
            f"  following       {followed.verdict}: correlation of rolls {followed.correlation:+.2f} over "
            f"{followed.turns} turns, p = {followed.p:.3f}"
        )
    return [*lines, *(line for errors in habits.by_rule for line in _by_rule(errors))]


def _by_rule(errors: RuleErrors) -> list[str]:
    sentence = "no decision to go by"
    if errors.low is not None and errors.high is not None:
        share = f"{percent(errors.errors / errors.decisions)} ({percent(errors.low)} to {percent(errors.high)})"
        kinds = f"held too early {errors.early} times, rolled on {errors.late}"
        sentence = f"{counted(errors.errors, 'error')} in {counted(errors.decisions, 'decision')}, {share}: {kinds}"
    if errors.left_out:
        sentence += f"; {counted(errors.left_out, 'turn')} without dice or the opponent's score left out"
    return [f"  plays by        {errors.rule}", f"                  {sentence}"]


def _turn_line(costly: CostlyTurn) -> str:
    turn, cost = costly.turn, costly.cost
    done = f"banked {turn.banked}" if turn.banked else "lost the turn" if turn.rolls else "passed"
    sure = "" if cost.differed > 1 - 1e-9 else f", if it differed at all ({percent(cost.differed, 0)})"
    return (
        f"    {_cost(cost)}   game {costly.game}, turn {turn.number}: at {turn.own} to {turn.opponent} "
        f"{counted(turn.rolls, 'roll')}, {done}{sure}"
    )


def _cost(cost: Cost) -> str:
    between = f" ({cost.least:.4f} to {cost.most:.4f})" if cost.most - cost.least > 1e-9 else ""
    return f"{cost.mean:.4f}{between}"


def _hold(value: HoldValue | None) -> str:
    if value is None:
        return "no decision to go by"
    little = f", from {counted(value.turns, 'turn')}: too few to tell much" if value.tells_little else ""
    return f"{value.value} ({value.low} to {value.high}{little})"


def _points(slope: float | None) -> str:
    return "none" if slope is None else f"{slope:.2f}"
