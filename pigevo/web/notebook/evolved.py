"""The faces of what evolves: a run with its curve, and a sweep with its settings in their order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pigevo.errors import InputError
from pigevo.runs.folder import beside_experiment
from pigevo.runs.sentences import sentences
from pigevo.web.notebook.parts import MOST_ROWS, WIDE, card, paragraph, table

if TYPE_CHECKING:
    from pigevo.runs.load import Run
    from pigevo.sweeps.load import Sweep

MOST_RUNS = 500
"""Runs of the largest sweep whose results are read unasked; a second or two."""

TOLD_FAILURES = 5


def run_face(run: Run) -> dict[str, str]:
    """What the run found, in words and exact figures, beside its curve."""
    record = run.result
    parts = [_so_far(run)] if record is None else [paragraph(*sentences(record)), _figures(record)]
    place = paragraph(f"Folder: {run.folder}") if run.folder else ""
    return card(_title(run), *parts, place, picture=run.plot(), width=WIDE)


def sweep_face(sweep: Sweep) -> dict[str, str]:
    """How far it is, and the settings ranked by their champions."""
    states = Counter(member.state for member in sweep.members)
    told = ", ".join(f"{count:,} {state}" for state, count in states.items())
    failed = [member for member in sweep.members if member.error]
    return card(
        f"A sweep of {len(sweep.members):,} runs: {told}",
        _ranking(sweep),
        *(paragraph(f"{one.folder.name} has failed: {one.error}") for one in failed[:TOLD_FAILURES]),
        paragraph(f"Folder: {sweep.folder}"),
    )


def _title(run: Run) -> str:
    settings = beside_experiment(run.settings)
    words = [settings.experiment or "", *(f"{name}={value}" for name, value in settings.differences.items())]
    return f"Run {' '.join(word for word in words if word)}"


def _so_far(run: Run) -> str:
    last = int(run.metrics["generation"][-1])
    mean = float(run.metrics["mean"][-1])
    said = f"The run has not finished: in generation {last:,} the population wins {mean:.4f} on average."
    return paragraph(said, "pigevo resume goes on with it.")


def _figures(record: Any) -> str:
    champion = record["champion"]
    last, peak = record["generations"], record["peak_generation"]
    spent = f"{record['generations']:,} generations, {record['evaluations']:,} strategies"
    games = f", {record['games']:,} simulated games" if record["games"] else ""
    rows = [
        ("champion, moving first", f"{champion['first']:.6f}"),
        ("champion, moving second", f"{champion['second']:.6f}"),
        ("champion, overall", f"{champion['overall']:.6f}"),
        (f"population mean, generation {peak:,}, its best", f"{record['peak_mean']:.6f}"),
        (f"population mean, generation {last:,}, the last", f"{record['last_mean']:.6f}"),
    ]
    head = ("win probability against the optimum", "exact")
    return table(head, rows) + paragraph(f"{spent}{games}, {record['seconds']:.1f} s.")


def _ranking(sweep: Sweep) -> str:
    from pigevo.core.intervals import SHARE
    from pigevo.sweeps.report import figures_of
    from pigevo.sweeps.statistics import rank_settings

    if not sweep.finished:
        return ""
    if len(sweep.finished) > MOST_RUNS and "runs" not in vars(sweep):
        return paragraph(f"So many results take a while to read: pigevo report {sweep.folder} ranks the settings.")
    try:
        ranking = rank_settings(figures_of(sweep, "champion"), SHARE)
    except InputError as error:  # of one damaged run
        return paragraph(str(error))
    rows = [
        (one.setting, one.runs, f"{one.mean:.4f}", _interval(one.low, one.high), f"{one.sd:.4f}") for one in ranking
    ]
    head = ("setting", "runs", "champion, mean", "95 % interval", "sd")
    about = "What the champions win against the optimum, exactly; the 95 % intervals are simultaneous, of all settings."
    rest = f"pigevo report {sweep.folder}" if len(rows) > MOST_ROWS else ""
    return table(head, rows, rest) + paragraph(about)


def _interval(low: float | None, high: float | None) -> str:
    return "undetermined" if low is None or high is None else f"{low:.4f} to {high:.4f}"
