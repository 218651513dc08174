"""Reports as the command line makes them: what it says of a run or a sweep, as one page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pigevo.cli.glossary import METRICS, RESULTS, TABLES, WORDS
from pigevo.cli.output import remark
from pigevo.cli.summary import command_of
from pigevo.core.threads import available_cores
from pigevo.errors import InputError

if TYPE_CHECKING:
    from pigevo.runs.film import Reel
    from pigevo.sweeps.report import Report

SAID = (
    "champion", "peak_mean", "last_mean", "best_seen", "best", "mean", "worst", "diversity", "evaluations", "games",
    "seconds", "generation", "wave", "cube_size", "random_search", "seed", "fitness", "exploitability", "digest",
)  # fmt: skip
"""Words that a report explains, as far as the glossary has them."""


def report_of_run(folder: Path, html: Path | None, film: bool | None) -> tuple[dict[str, Any], str]:
    """Write the report of a run.

    Args:
        folder: the run's.
        html: where the user wants it.
        film: whether the user wants the film; None where it is left to how long it takes.

    Returns:
        What is told of it, as a record and in one line.
    """
    from pigevo.runs.load import load_run
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.page import chosen_of, place_for, write_report
    from pigevo.web.report.run import refuse_unfinished, run_report

    run = load_run(folder)
    result = refuse_unfinished(run)
    place = place_for(folder, html)
    chosen = chosen_of(run)
    try:
        reel = reel_for(folder, run.champion, film, available_cores())
    except InputError as error:
        if chosen.settings is not None:
            raise
        reel = f"There is no film: {error}"
    _announce([reel])
    # of a run with a function that was handed over from Python there is no command
    again = "" if chosen.settings is None or chosen.settings.callback else command_of(chosen.settings)
    write_report(place, folder.resolve().name, run_report(run, chosen, reel, again, _meanings()))
    figures = {name: result[name] for name in ("champion", "peak_mean", "last_mean", "best_seen", "digest")}
    return {"run": str(folder), "html": str(place), "film": not isinstance(reel, str), **figures}, _written_to(place)


def report_of_sweep(
    folder: Path, metric: str, axis: str, html: Path | None, film: bool | None
) -> tuple[Report, dict[str, Any], str]:
    """Write the report of a sweep, its page and its files; arguments as `report_of_run`.

    Args:
        folder: the sweep's.
        metric: what to rank by.
        axis: what the pictures are drawn along, and the curves of the page at first.
        html: where the user wants the page.
        film: whether the user wants films.

    Returns:
        The ranking and the files, the same as a record, and where the page is, in one line.
    """
    from pigevo.sweeps.load import load_sweep
    from pigevo.sweeps.report import record_of, report
    from pigevo.web.report.champion import reel_for
    from pigevo.web.report.page import place_for, write_report
    from pigevo.web.report.sweep import shown_runs, sweep_report

    sweep = load_sweep(folder)
    place = place_for(sweep.folder, html)
    made = report(sweep, metric, axis)
    reels = {
        one.name: reel_for(one.member.folder, sweep.runs[one.member].champion, film, available_cores())
        for one in shown_runs(made)
    }
    _announce(reels.values())
    write_report(place, sweep.folder.resolve().name, sweep_report(made, axis, reels, _meanings()))
    return made, {**record_of(made), "html": str(place)}, _written_to(place)


def _announce(reels: Iterable[Reel | str]) -> None:
    """How much is to be done before the report is there, in one sentence."""
    if seconds := sum(reel.seconds for reel in reels if not isinstance(reel, str)):
        remark(f"pigevo: for the film generations are made again, which took {seconds:.1f} s; --no-film leaves it out")


def _meanings() -> dict[str, str]:
    known = {**WORDS, **TABLES, **METRICS, **RESULTS}
    return {word: known[word] for word in SAID if word in known}


def _written_to(place: Path) -> str:
    return f"{place}: open it in a browser ({place.stat().st_size / 1e6:.1f} MB)"
