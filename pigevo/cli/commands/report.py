"""`pigevo report SWEEP`: the table, the curves and the ranking of a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.sweeps.report import Report

INTERVALS = "of the mean over seeds, allowing for skewed figures"


@click.command(epilog="SWEEP is a sweep's folder, outputs/sweeps/NAME; the files are written into its report/.")
@click.argument("sweep", type=click.Path(path_type=Path))
@click.option(
    "--metric", default="champion", show_default=True, help="Rank by champion, peak_mean, last_mean or best_seen."
)
@click.option(
    "--axis", default="generation", show_default=True, help="Draw along generation, evaluations, games or seconds."
)
@json_option
def command(sweep: Path, metric: str, axis: str, as_json: bool) -> None:
    """Gather a sweep into one table, draw its curves, rank its settings."""
    from pigevo.sweeps.load import load_sweep
    from pigevo.sweeps.report import record_of, report

    made = report(load_sweep(sweep), metric, axis)
    show(record_of(made), describe(made), as_json)


def describe(made: Report) -> str:
    """The report as lines to read."""
    from pigevo.frames import INSTALL

    sweep, total = made.sweep, len(made.sweep.members)
    lines = [f"{sweep.folder}: {len(sweep.finished)} of {total} runs have finished"]
    if len(sweep.finished) < total:
        lines[0] += "; the others are left out"
    width = max(len("setting"), *(len(one.setting) for one in made.ranking))
    lines += ["", f"  {'setting':{width}}  {made.metric:>9}  95 % interval*    seeds  standard deviation"]
    for one in made.ranking:
        interval = "" if one.low is None else f"{one.low:.4f} to {one.high:.4f}"
        lines.append(f"  {one.setting:{width}}  {one.mean:9.4f}  {interval:16}  {one.runs:5}  {one.sd:18.4f}")
    lines.append(f"  * {INTERVALS}{f', all {len(made.ranking)} at once' if len(made.ranking) > 1 else ''}")
    for random in sorted(set(made.random.values()), key=lambda one: one.mean):
        interval = "" if random.low is None else f" ({random.low:.4f} to {random.high:.4f})"
        lines += [
            "",
            f"  random search: {random.populations:,} random populations win {random.mean:.4f}{interval} on average",
        ]
    lines += ["", *(f"  {path}" for path in made.files)]
    if not any(path.suffix == ".parquet" for path in made.files):
        lines.append(f"  (no Parquet: {INSTALL})")
    return "\n".join([*lines, "", f"`pigevo compare {sweep.folder}` says which differences are real"])
