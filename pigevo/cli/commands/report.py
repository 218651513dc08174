"""`pigevo report FOLDER`: a sweep or a run as one page; a sweep also as a table, curves and a ranking."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli import glossary
from pigevo.cli.options import FILE, code_options, figures_option, json_option, purpose, show
from pigevo.cli.output import remark, terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.tables import table
from pigevo.core.text import alternatives, with_interval
from pigevo.storage.files import telling_replaced
from pigevo.sweeps import AXES, CURVES, METRICS

if TYPE_CHECKING:
    from pigevo.runs.pictures import Reel
    from pigevo.sweeps.report import Report

INTERVALS = "Student's, of the mean over seeds"

SAID = (
    *METRICS, *CURVES, *AXES, "wave", "cube_size", "random_search", "seed", "fitness", "exploitability", "digest",
)  # fmt: skip
"""Words that a report explains, if the glossary has them."""

METRIC, AXIS = "champion", "generation"

_EPILOG = """\
FOLDER is a sweep's, outputs/sweeps/NAME, or a run's. The page is its report.html, which opens from the file; a sweep's
tables and pictures are written into its report/, those of another metric or axis under names with it. With --figures a
run's curve and champion are drawn into its figures/.

The film of a champion shows those that its run has recorded. Where it has recorded too few, generations are made again,
as fast as the run was; where that takes more than a minute there is a film only with --film.
"""


@purpose("Runs")
@click.command(epilog=_EPILOG)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--metric", help=f"Rank by {alternatives(METRICS)}.  [default: {METRIC}]")
@click.option("--axis", help=f"Draw along {alternatives(AXES)}.  [default: {AXIS}]")
@click.option("--html", type=FILE,
              help="The page's file; by default report.html in FOLDER, or report_METRIC.html.")  # fmt: skip
@click.option("--film/--no-film", default=None, help="With or without the film of the champion; see below.")
@click.option("--table", type=click.Choice(["markdown", "latex", "csv"]),
              help="Print only the ranking, as a table; write nothing.")  # fmt: skip
@figures_option
@code_options()
@json_option
def command(
    folder: Path, metric: str | None, axis: str | None, html: Path | None, film: bool | None, table: str | None,
    figures: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Summarise a sweep or a run on a page; rank a sweep's settings."""
    if table:
        ignored = {
            "--axis": axis,
            "--html": html,
            "--film": film,
            "--no-film": film is False,
            "--figures": figures,
            "--json": as_json,
        }
        for option in (name for name, value in ignored.items() if value):
            raise click.UsageError(
                f"--table prints the ranking and writes nothing: {option} has no effect, leave it out."
            )
        click.echo(table_of(folder, metric or METRIC, table))
        return
    if is_run(folder):
        if metric or axis:
            option = "--metric" if metric else "--axis"
            raise click.UsageError(f"{option} is about the settings of a sweep, and {folder} is a run.")
        record, text = report_of_run(folder, html, film, figures)
        show(record, text, as_json)
        return
    report, record, text = report_of_sweep(folder, metric or METRIC, axis or AXIS, html, film, figures)
    show(record, f"{describe(report)}\n{text}", as_json)


def table_of(folder: Path, metric: str, form: str) -> str:
    """The ranking of a sweep's settings as a table."""
    from pigevo.sweeps.load import load_sweep
    from pigevo.sweeps.report import ranking_of, ranking_table

    if is_run(folder):
        raise click.UsageError(f"--table is about the settings of a sweep, and {folder} is a run.")
    sweep = load_sweep(folder)
    return ranking_table(sweep, ranking_of(sweep, metric), form)


def is_run(folder: Path) -> bool:
    """Whether a folder is a run's and not a sweep's."""
    from pigevo.runs.folder import CONFIG
    from pigevo.sweeps.record import SWEEP_FILE

    return os.path.isfile(folder / CONFIG) and not os.path.lexists(folder / SWEEP_FILE)


def describe(report: Report) -> str:
    """The report as text."""
    from pigevo.core.arrays import INSTALL
    from pigevo.sweeps.record import WHOLE
    from pigevo.sweeps.report import verdicts

    sweep, total = report.sweep, len(report.sweep.members)
    lines = [f"{sweep.folder}: {len(sweep.finished)} of {total} runs have finished"]
    if len(sweep.finished) < total:
        lines[0] += "; the others are left out"
    answer, *further = verdicts(report) or [""]
    lines += ["", *wrapped(answer)] if answer else []
    rows = []
    for ranked in report.ranking:
        ends = "undetermined" if ranked.low is None else f"{ranked.low:.4f} to {ranked.high:.4f}"
        spread = "undetermined" if ranked.sd is None else f"{ranked.sd:.4f}"
        rows.append((ranked.setting or WHOLE, f"{ranked.mean:.4f}", ends, str(ranked.runs), spread))
    heads = ("setting", report.metric, "95 % interval*", "seeds", "standard deviation")
    lines += ["", *table(heads, rows, "<><>>", terminal_width())]
    lines.append(f"  * {INTERVALS}{f'; simultaneous for all {len(report.ranking)}' if len(report.ranking) > 1 else ''}")
    for sentence in further:
        lines += ["", *wrapped(sentence)]
    for sample in sorted(set(report.random.values()), key=lambda sample: sample.mean):
        mean = with_interval(sample.mean, sample.low, sample.high)
        lines += ["", f"  {sample.populations:,} random populations win {mean} on average"]
    lines += ["", *(f"  {path}" for path in report.files)]
    if not any(path.suffix == ".parquet" for path in report.files):
        lines.append(f"  (no Parquet: {INSTALL})")
    return "\n".join([*lines, "", f"`pigevo compare {sweep.folder}` says by how much settings differ"])


def report_of_run(
    folder: Path, html: Path | None, film: bool | None, figures: str | None = None
) -> tuple[JsonObject, str]:
    """Write the report of a run, and its pictures if a format is given; returns the output as a record and as text."""
    from pigevo.cli.summary import command_of
    from pigevo.runs.load import load_run
    from pigevo.runs.pictures import draw_again
    from pigevo.web.report import chosen_of, place_for, write_report
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.run import refuse_unfinished, run_report

    run = load_run(folder)
    result = refuse_unfinished(run)
    place = place_for(folder, html)
    chosen = chosen_of(run)
    if chosen.why:
        remark(f"pigevo: the report leaves out what needs the run's code: {chosen.why}")
    reel = reel_for(folder, run.champion, film, available_cores())
    _announce([reel])
    # a run with a function passed in Python has no command
    settings = chosen.settings
    again = command_of(settings) if settings and (settings.on_generation or not settings.callback) else ""
    with telling_replaced(*filter(None, [html])):
        write_report(place, folder.resolve().name, run_report(run, chosen, reel, again, _meanings()))
    values = {name: result[name] for name in (*METRICS, "digest")}
    drawn = list(map(str, draw_again(run, figures, settings))) if figures else []
    record = {"run": str(folder), "html": str(place), "film": not isinstance(reel, str), "pictures": drawn, **values}
    return record, "\n".join([*drawn, _written_to(place)])


def report_of_sweep(
    folder: Path, metric: str, axis: str, html: Path | None, film: bool | None, figures: str | None = None
) -> tuple[Report, JsonObject, str]:
    """Write the page and the files of a sweep; returns the ranking, also as a record, and the page's path."""
    from pigevo.sweeps.load import load_sweep, refuse_unknown_metric
    from pigevo.sweeps.report import report, report_record, suffix_of
    from pigevo.web.report import place_for, write_report
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.sweep import reported_runs, sweep_report

    refuse_unknown_metric(metric)
    sweep = load_sweep(folder)
    place = place_for(sweep.folder, html, f"report{suffix_of(metric)}.html")
    written = report(sweep, metric, axis, figures)
    reels = {
        run.name: reel_for(run.member.folder, sweep.runs[run.member].champion, film, available_cores())
        for run in reported_runs(written)
    }
    _announce(reels.values())
    with telling_replaced(*filter(None, [html])):
        write_report(place, sweep.folder.resolve().name, sweep_report(written, axis, reels, _meanings()))
    return written, {**report_record(written), "html": str(place)}, _written_to(place)


def _announce(reels: Iterable[Reel | str]) -> None:
    if seconds := sum(reel.seconds for reel in reels if not isinstance(reel, str)):
        remark(f"pigevo: for the film generations are made again, which took {seconds:.1f} s; --no-film leaves it out")


def _meanings() -> dict[str, str]:
    known = {**glossary.WORDS, **glossary.TABLES, **glossary.METRICS, **glossary.RESULTS}
    return {word: known[word] for word in SAID if word in known}


def _written_to(place: Path) -> str:
    return f"{place}: open it in a browser ({place.stat().st_size / 1e6:.1f} MB)"
