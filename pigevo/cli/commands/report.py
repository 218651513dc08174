"""`pigevo report FOLDER`, a sweep or a run as one page, and `pigevo film RUN`, the champions of a run as a film."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli import glossary
from pigevo.cli.options import PATH, NewFile, code_options, figures_option, json_option, purpose, refuse_void, show
from pigevo.cli.output import PICTURES, remark, terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import (
    alternatives,
    counted,
    ends_of,
    for_shell,
    safe_name,
    simultaneous,
    table,
)
from pigevo.errors import InputError
from pigevo.games.game_record import file_name_of
from pigevo.storage.files import instead_of, refuse_unwritable, telling_replaced
from pigevo.sweeps import AXES, CURVES, METRICS

if TYPE_CHECKING:
    from pigevo.runs.pictures import Reel
    from pigevo.sweeps.report import Report

INTERVALS = "Student's, of the mean over seeds"

EXPLAINED_WORDS = (
    *METRICS, *CURVES, *AXES, "setting", "optimal", "cube", "wave", "cube_size", "random_search", "seed", "fitness",
    "exploitability", "interval", "standard_deviation", "corrected", "power", "digest",
)  # fmt: skip
"""Words that a report explains, if the glossary has them."""

METRIC, AXIS = "champion", "generation"

_EPILOG = """\
FOLDER is the folder of a sweep, outputs/sweeps/NAME, or of a run. The page is report.html in FOLDER; it opens in a
browser without a server. The tables and pictures of a sweep are written to FOLDER/report/; the metric and the axis are
in their names, unless they are the default ones. With --figures the curve and the champion of a run are drawn in
FOLDER/figures/.

The film shows the champions that the run has recorded. If it has recorded too few, generations are made again, in the
time that the run took for them; if that is more than a minute, the report has a film only with --film.
"""


LONGEST_TITLE = 120  # the largest number of characters of a page's title, which takes two lines then


def page_title(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """A title in one line that is neither empty nor too long."""
    if text is None:
        return None
    title = " ".join(text.split())
    if not 0 < len(title) <= LONGEST_TITLE:
        problem = f"it has {len(title)} characters" if title else "it is empty"
        raise click.BadParameter(
            f"{problem}: write a title of at most {LONGEST_TITLE} characters", param_hint="'--title'"
        )
    return title


@purpose("Runs")
@click.command(epilog=_EPILOG)
@click.argument("folder", type=PATH)
@click.option("--metric", help=f"Rank by {alternatives(METRICS)}.  [default: {METRIC}]")
@click.option("--axis", help=f"Draw along {alternatives(AXES)}.  [default: {AXIS}]")
@click.option("--html", type=NewFile("report.html"),
              help="The page's file; by default report.html in FOLDER, or report_METRIC.html.")  # fmt: skip
@click.option("--title", callback=page_title,
              help="The title of the page; by default the experiment and what differs or is varied.")  # fmt: skip
@click.option("--film/--no-film", default=None, help="With or without the film of the champion; see below.")
@click.option("--table", type=click.Choice(["markdown", "latex", "csv"]),
              help="Print only the ranking with its simultaneous intervals, as a table; write nothing.")  # fmt: skip
@figures_option
@code_options()
@json_option
def command(
    folder: Path, metric: str | None, axis: str | None, html: Path | None, title: str | None, film: bool | None,
    table: str | None, figures: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Summarise a sweep or a run on a page; rank a sweep's settings."""
    if table:
        void = ("axis", "html", "title", "film", "figures", "run_code", "source", "as_json")
        refuse_void("--table prints the ranking and writes nothing", *void)
        click.echo(table_of(folder, metric or METRIC, table))
        return
    refuse_neither(folder)
    if is_run(folder):
        if metric or axis:
            option = "--metric" if metric else "--axis"
            raise click.UsageError(f"{option} is about the settings of a sweep, and {folder} is a run.")
        record, text = report_of_run(folder, html, film, figures, title)
        show(record, text, as_json)
        return
    report, record, text = report_of_sweep(folder, metric or METRIC, axis or AXIS, html, film, figures, title)
    show(record, f"{describe(report)}\n{text}", as_json)


def table_of(folder: Path, metric: str, form: str) -> str:
    """The ranking of a sweep's settings as a table."""
    from pigevo.sweeps.load import load_sweep
    from pigevo.sweeps.report import ranking_of, ranking_table

    if is_run(folder):
        raise click.UsageError(f"--table is about the settings of a sweep, and {folder} is a run.")
    sweep = load_sweep(folder)
    ranking = ranking_of(sweep, metric)
    remark(f"pigevo: low and high are the ends of the 95 % interval, {intervals_of(ranking)}")
    return ranking_table(sweep, ranking, form)


def intervals_of(ranking: Sequence[object]) -> str:
    """What the intervals of a ranking are."""
    return "; ".join(filter(None, [INTERVALS, simultaneous(len(ranking))]))


def is_run(folder: Path) -> bool:
    """Whether a folder is a run's and not a sweep's."""
    from pigevo.runs.folder import CONFIG
    from pigevo.sweeps.record import SWEEP_FILE

    return os.path.isfile(folder / CONFIG) and not os.path.lexists(folder / SWEEP_FILE)


def refuse_neither(folder: Path) -> None:
    """Refuse a path at which there is neither a sweep nor a run."""
    from pigevo.sweeps.record import SWEEP_FILE

    if not is_run(folder) and not os.path.lexists(folder / SWEEP_FILE) and folder.name != SWEEP_FILE:
        raise InputError(
            f"{instead_of('sweep and no run', folder)}: give the folder of a sweep, outputs/sweeps/NAME, or of a run, "
            "outputs/EXPERIMENT/SETTINGS."
        )


def describe(report: Report) -> str:
    """The report as text."""
    from pigevo.core.arrays import INSTALL
    from pigevo.sweeps.report import random_means, title_of, verdicts

    sweep, total = report.sweep, len(report.sweep.members)
    lines = [f"{sweep.folder}: {sweep.left_out or f'{total:,} of {total:,} runs have finished'}"]
    answer, *further = verdicts(report) or [""]
    lines += ["", *wrapped(answer)] if answer else []
    rows = []
    for ranked in report.ranking:
        spread = "undetermined" if ranked.sd is None else f"{ranked.sd:.4f}"
        rows.append(
            (title_of(ranked.setting), f"{ranked.mean:.4f}", ends_of(ranked.low, ranked.high), str(ranked.runs), spread)
        )
    heads = ("setting", report.metric, "95 % interval*", "seeds", "standard deviation")
    lines += ["", *table(heads, rows, "<><>>", terminal_width())]
    lines.append(f"  * {intervals_of(report.ranking)}")
    for sentence in further:
        lines += ["", *wrapped(sentence)]
    for sentence in random_means(report):
        lines += ["", *wrapped(sentence)]
    lines += ["", *(f"  {path}" for path in report.files)]
    if not any(path.suffix == ".parquet" for path in report.files):
        lines.append(f"  (no Parquet: {INSTALL})")
    return "\n".join([*lines, "", f"`pigevo compare {for_shell(sweep.folder)}` says by how much settings differ"])


def report_of_run(
    folder: Path, html: Path | None, film: bool | None, figures: str | None, title: str | None = None
) -> tuple[JsonObject, str]:
    """Write the report of a run, and its pictures if a format is given; returns the output as a record and as text."""
    from pigevo.cli.summary import command_of
    from pigevo.runs.load import load_run
    from pigevo.runs.pictures import draw_again
    from pigevo.web.report import report_path, reported_settings, write_report
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.run import finished_result, run_report, title_of_run

    run = load_run(folder)
    result = finished_result(run)
    path = report_path(folder, html)
    chosen = reported_settings(run)
    if chosen.why:
        remark(f"pigevo: the report leaves out what needs the run's code: {chosen.why}")
    reel = reel_for(folder, run.champion, film, available_cores())
    _remark_on_films([reel])
    # a run with a function passed in Python has no command
    settings = chosen.settings
    again = command_of(settings) if settings and (settings.on_generation or not settings.callback) else ""
    with telling_replaced(*filter(None, [html])):
        parts = run_report(run, chosen, reel, again, _meanings(), title or "")
        write_report(path, title or title_of_run(chosen), parts)
    values = {name: result[name] for name in (*METRICS, "digest")}
    drawn = list(map(str, draw_again(run, figures, settings))) if figures else []
    record = {"run": str(folder), "html": str(path), "film": not isinstance(reel, str), "pictures": drawn, **values}
    return record, "\n".join([*drawn, _written_to(path)])


def report_of_sweep(
    folder: Path,
    metric: str,
    axis: str,
    html: Path | None,
    film: bool | None,
    figures: str | None,
    title: str | None = None,
) -> tuple[Report, JsonObject, str]:
    """Write the page and the files of a sweep; returns the report, its record, and the sentence about the page."""
    from pigevo.sweeps.load import load_sweep, refuse_unknown_metric
    from pigevo.sweeps.report import report, report_record, suffix_of
    from pigevo.web.report import report_path, write_report
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.sweep import reported_runs, sweep_report, title_of_sweep

    refuse_unknown_metric(metric)
    sweep = load_sweep(folder)
    path = report_path(sweep.folder, html, f"report{suffix_of(metric)}.html")
    written = report(sweep, metric, axis, figures)
    reels = {
        run.name: reel_for(run.member.folder, sweep.runs[run.member].champion, film, available_cores())
        for run in reported_runs(written)
    }
    _remark_on_films(reels.values())
    with telling_replaced(*filter(None, [html])):
        parts = sweep_report(written, axis, reels, _meanings(), title or "")
        write_report(path, title or title_of_sweep(sweep), parts)
    return written, {**report_record(written), "html": str(path)}, _written_to(path)


def _remark_on_films(reels: Iterable[Reel | str]) -> None:
    if seconds := sum(reel.seconds for reel in reels if not isinstance(reel, str)):
        remark(f"pigevo: generations are made again for the film, which took {seconds:.1f} s; --no-film leaves it out")


def _meanings() -> dict[str, str]:
    known = {**glossary.WORDS, **glossary.TABLES, **glossary.METRICS, **glossary.RESULTS}
    return {word: known[word] for word in EXPLAINED_WORDS if word in known}


def _written_to(path: Path) -> str:
    return f"{path}: open it in a browser ({path.stat().st_size / 1e6:.1f} MB)"


_FILM_EPILOG = """\
RUN is a run's folder. It has recorded champions; those of other generations are made again, as fast as the run itself
was, and checked against what it has recorded. Each frame shows where the champion first holds beside the optimum, with
lines around the places at which turns often begin; in games whose decisions depend on more than a picture shows, its
hold values at typical places. Below them is the run's curve, with the generation that is shown.
"""


@purpose("Runs")
@click.command(epilog=_FILM_EPILOG)
@click.argument("run", type=PATH)
@click.option("--to", type=NewFile("film.gif"),
              help=f"The film's file, .gif, or .mp4 where ffmpeg is found; by default in {PICTURES}.")  # fmt: skip
@click.option(
    "--every", type=click.IntRange(1), help="Generations between two champions; by default about 60 recorded ones."
)
@click.option("--fps", type=click.IntRange(1, 60), default=8, show_default=True,
              help="Champions shown in a second; a GIF has whole hundredths of a second, at least 2.")  # fmt: skip
@code_options()
@json_option
def film_command(run: Path, to: Path | None, every: int | None, fps: int, as_json: bool) -> None:
    """Make a film of a run's champions, as a GIF or MP4."""
    from pigevo.runs.pictures import check_film, reel_of

    if to:
        check_film(to)
    reel = reel_of(run, every, available_cores())
    file = to or PICTURES / f"{safe_name(run.resolve().name)}_{file_name_of(reel.game)}.gif"
    refuse_unwritable(file)
    remark(film_sentence(reel))
    record = make_film(reel, file, fps)
    show(record, describe_film(record), as_json)


def film_sentence(reel: Reel) -> str:
    """One sentence about the work to be done."""
    frames = len(reel.numbers)
    if not reel.missing:
        return f"pigevo: {counted(frames, 'champion')} that the run has recorded {'is' if frames == 1 else 'are'} drawn"
    took = f"which took the run {reel.seconds:.1f} s" if reel.seconds else "which is a matter of seconds"
    return (
        f"pigevo: {len(reel.missing):,} of {frames:,} champions are not recorded: {max(reel.missing):,} generations "
        f"are made again, {took}"
    )


def make_film(reel: Reel, file: Path, fps: int) -> JsonObject:
    """Make the film; returns its generations, and the win probability of each champion against the optimum."""
    from pigevo.exact import optimal
    from pigevo.figures.evolving import Frame, film_figures, frame_data, frames_of
    from pigevo.runs.pictures import champions, save_film
    from pigevo.runs.progress import tracked

    best, curve, won = optimal(reel.game).strategy, reel.curve, []

    def frames() -> Iterable[Frame]:
        for frame in frames_of(tracked("champion", len(reel.numbers), " frames")(champions(reel)), best, curve.waves):
            won.append(frame.overall)
            yield frame

    with telling_replaced(file):
        save_film(file, film_figures(frame_data("the optimum", best, best), frames(), curve), fps)
    return {"film": str(file), "generations": list(reel.numbers), "overall": won}


def describe_film(record: JsonObject) -> str:
    """The film as one line of text."""
    first, last = record["generations"][0], record["generations"][-1]
    won = record["overall"]
    if first == last:
        return f"{record['film']}: the champion of generation {first:,}, {won[0]:.4f} against the optimum"
    return (
        f"{record['film']}: {len(won)} champions, from generation {first:,}, {won[0]:.4f} against the optimum, "
        f"to generation {last:,}, {won[-1]:.4f}"
    )
