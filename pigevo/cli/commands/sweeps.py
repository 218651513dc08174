"""Commands about many runs: `compare`, `status`, `study` and `tune`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import FOLDER, PATH, json_option, purpose, refuse_void, show
from pigevo.cli.output import NEGATIVE_STATUS, remark, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import alternatives, counted, for_shell
from pigevo.errors import InputError
from pigevo.storage.files import instead_of, locked, refuse_unwritable
from pigevo.sweeps import METRICS, STANDINGS

if TYPE_CHECKING:
    from pigevo.sweeps.load import Sweep
    from pigevo.sweeps.tuning import Confirmed, Tuned


_COMPARE_EPILOG = """\
A is a sweep's folder. Without B the command compares every two settings of A, or, if there are more than six, each with
the best; it compares a single setting with random search. Intervals and p-values are corrected for the number of pairs.
If B is a setting of A, such as mutation=0.01, the command compares it with all others; if B and C are settings of A, it
compares these two; if B is random_search, it compares random search with all settings. If B is the folder of another
sweep, it compares the settings that both sweeps have.
"""


@purpose("Sweeps and settings")
@click.command(epilog=_COMPARE_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="A [B [C]]")
@click.option(
    "--metric",
    default="champion",
    show_default=True,
    help=f"Figure to compare: {alternatives(METRICS)}.",
)
@json_option
def compare_command(words: tuple[str, ...], metric: str, as_json: bool) -> None:
    """Compare settings, paired by seed."""
    from pigevo.sweeps.comparison import compare

    comparison = compare(*words, metric=metric)
    record = {
        "metric": comparison.metric,
        **comparison.names,
        "quick": comparison.quick,
        "cautions": list(comparison.cautions),
        "left_out": list(comparison.left_out),
        "unpaired": comparison.unpaired,
        "compared": [{**asdict(pair), "better": pair.better} for pair in comparison.compared],
    }
    show(record, str(comparison), as_json)


SWEEPS_FOLDER = Path("outputs", "sweeps")


@purpose("Sweeps and settings")
@click.command(epilog="Exit status: 0 if all runs have finished, 1 if not, 2 for a wrong input.")
@click.argument("sweep", type=PATH, required=False)
@json_option
def status_command(sweep: Path | None, as_json: bool) -> int:
    """List a sweep's runs: finished, running, failed, missing.

    Without SWEEP: for each sweep in outputs/sweeps, the newest first.
    """
    from pigevo.sweeps.load import load_sweep

    if sweep is None:
        summaries = list(map(sweep_summary, sweeps_of(SWEEPS_FOLDER)))
        show({"sweeps": summaries}, "\n".join(map(summary_line, summaries)), as_json)
        return 0 if all(map(is_finished, summaries)) else NEGATIVE_STATUS
    record = runs_record(load_sweep(sweep))
    show(record, describe_sweep(record), as_json)
    return 0 if is_finished(record) else NEGATIVE_STATUS


def sweeps_of(home: Path) -> list[Path]:
    """The folders of the sweeps in a folder, the newest first."""
    from pigevo.sweeps.record import SWEEP_FILE

    records = sorted(home.glob(f"*/{SWEEP_FILE}"), key=lambda path: path.stat().st_mtime, reverse=True)
    if not records:
        raise InputError(
            f"{instead_of('sweep', home)}: give the folder of one, or change to the folder that has outputs/."
        )
    return [path.parent for path in records]


def sweep_summary(folder: Path) -> JsonObject:
    """The number of runs of a sweep in each state, or the reason why its record cannot be read."""
    from pigevo.sweeps.load import load_sweep

    try:
        sweep = load_sweep(folder)
    except InputError as error:
        return {"sweep": str(folder), "counts": {}, "error": str(error)}
    return {"sweep": str(folder), "counts": _counts(member.state for member in sweep.members), "error": ""}


def summary_line(record: JsonObject) -> str:
    """A sweep and its counts."""
    return f"{record['sweep']}: {record['error'] or _counts_text(record['counts'])}"


def is_finished(record: JsonObject) -> bool:
    """Whether a sweep's record can be read and all of its runs have finished."""
    counts = record["counts"]
    return bool(counts) and counts["finished"] == sum(counts.values())


def _counts(states: Iterable[str]) -> dict[str, int]:
    numbers = Counter(states)
    return {state: numbers[state] for state in STANDINGS}


def _counts_text(counts: dict[str, int]) -> str:
    return f"{counted(sum(counts.values()), 'run')}: " + ", ".join(
        f"{count:,} {state}" for state, count in counts.items() if count
    )


def runs_record(sweep: Sweep) -> JsonObject:
    """The numbers of runs in each state, and the runs."""
    from pigevo.storage.cache_dirs import display_path

    runs = [
        {
            "folder": str(display_path(member.folder.absolute())),
            "setting": member.setting,
            "seed": member.seed,
            "state": member.state,
            "error": member.error,
        }
        for member in sweep.members
    ]
    return {"sweep": str(sweep.folder), "counts": _counts(member.state for member in sweep.members), "runs": runs}


def describe_sweep(record: JsonObject) -> str:
    """The record as text: the counts, then every run that has not finished."""
    lines = [f"{record['sweep']}: {_counts_text(record['counts'])}"]
    for state in STANDINGS[1:]:
        for run in record["runs"]:
            if run["state"] == state:
                lines.append(f"  {state:11}  {run['folder']}")
                lines += [f"{'':15}{run['error']}"] if run["error"] else []
    if record["counts"]["failed"] + record["counts"]["interrupted"] + record["counts"]["missing"]:
        lines.append("the sweep's command, given again, does what is left")
    return "\n".join(lines)


SHOWN = 5  # the number of proposals listed, the best first

_TUNE_EPILOG = """\
A setting is searched if it is a range, LOW..HIGH, LOW..HIGH:log or LOW..HIGH:STEP (whole numbers stay whole), or has
several values, as selection=knockout,tournament.  All others are as in a run.

Optuna proposes, by its seeded TPE sampler, in batches of --batch whatever the number of workers: with one version of
Optuna the same command does the same runs.  Finished runs are not repeated, even after Ctrl-C or a kill; with more
--runs the search goes on from them.  Settings that are refused, such as an odd population.size with a knockout, count
as proposals that are worth nothing.
"""


@purpose("Sweeps and settings")
@click.command(epilog=_TUNE_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="KEY=RANGE... [KEY=VALUE...]")
@click.option(
    "--runs", type=click.IntRange(1), default=100, show_default=True, help="Largest number of runs of the search."
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of seeds, and so of runs, for each proposal.",
)
@click.option(
    "--confirm", type=click.IntRange(0), default=10, show_default=True,
    help="Number of fresh seeds for the best settings, and for the settings before the search.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of Optuna's sampler.")
@click.option(
    "--batch", type=click.IntRange(1), default=4, show_default=True, help="Number of proposals made at the same time."
)
@click.option(
    "--workers", type=click.IntRange(1), default=None, help="Number of runs at the same time; all cores by default."
)
@json_option
def tune_command(
    words: tuple[str, ...], runs: int, seeds: int, confirm: int, seed: int, batch: int, workers: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Search for settings whose champions win most.

    The measure is the champion's win probability against the optimum; fresh seeds confirm the best settings.
    """
    from pigevo.runs.progress import begin_logging
    from pigevo.sweeps.tuning import tune

    begin_logging(None)
    tuned = tune(words, runs, seeds, confirm, seed, batch, workers)
    show(_record(tuned), _text(tuned), as_json)


def _record(tuned: Tuned) -> JsonObject:
    return {
        "sweep": str(tuned.folder),
        "seeds": tuned.seeds,
        "proposals": [asdict(proposal) for proposal in tuned.proposals],
        "best": asdict(tuned.best),
        "importance": dict(tuned.importance),
        "evaluator": tuned.evaluator,
        "confirmed": tuned.confirmed and asdict(tuned.confirmed),
        "default": tuned.default and asdict(tuned.default),
        "compared": tuned.compared and {**asdict(tuned.compared), "better": tuned.compared.better},
    }


def _text(tuned: Tuned) -> str:
    from pigevo.storage.cache_dirs import display_path

    refused = Counter(proposal.refused for proposal in tuned.proposals if proposal.refused)
    count = len({proposal.setting for proposal in tuned.proposals})
    again = f" of {counted(count, 'setting')}" if count < len(tuned.proposals) else ""
    lines = [
        f"{counted(len(tuned.proposals), 'proposal')}{again} with {counted(tuned.seeds, 'seed')} each; "
        "the champion's exact win probability:"
    ]
    lines += [f"  {count} refused: {why}" for why, count in refused.most_common(3)]
    done = {proposal.setting: proposal.score for proposal in tuned.proposals if proposal.score is not None}
    for setting, score in sorted(done.items(), key=lambda entry: -entry[1])[:SHOWN]:
        lines.append(f"  {score:.4f}  {setting}")
    if tuned.importance:
        shares = ", ".join(f"{key} {share:.2f}" for key, share in tuned.importance.items())
        lines += ["", f"share in the variance of the scores ({tuned.evaluator}): {shares}"]
    if tuned.confirmed:
        lines += ["", f"with {counted(len(tuned.confirmed.champions), 'fresh seed')}", _line("best", tuned.confirmed)]
        lines += [_line("default", tuned.default)] if tuned.default else []
        lines += [_difference(tuned)] if tuned.compared else []
    path = for_shell(display_path(tuned.folder))
    lines += [
        "",
        f"pigevo report {path}",
        "      all settings that were done, with the seeds that chose the best, too",
    ]
    if tuned.confirmed and tuned.default and not tuned.default_was_proposed:
        lines += [f"pigevo compare {path} {for_shell(tuned.confirmed.setting)} {for_shell(tuned.default.setting)}"]
    return "\n".join(lines)


def _line(name: str, confirmed: Confirmed) -> str:
    return f"  {name:8}{confirmed.mean:.4f}{_interval(confirmed.low, confirmed.high)}  {confirmed.setting}"


def _difference(tuned: Tuned) -> str:
    compared = tuned.compared
    assert compared
    verdict = {"best": "the best is better", "default": "the default is better", None: "undecided"}[compared.better]
    return f"  {'':8}{compared.difference:+.4f}{_interval(compared.low, compared.high, '+.4f')} between them: {verdict}"


def _interval(low: float | None, high: float | None, form: str = ".4f") -> str:
    return "" if low is None else f" (95 % interval {low:{form}} to {high:{form}})"


SEEDS = 30
FEWEST_SEEDS = 2  # the least `--seeds` of a study that defines no FEWEST_SEEDS


@purpose("Studies and help")
@click.command(epilog="NAME is a folder of experiments/; without it, the studies are listed.")
@click.argument("name", required=False)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=SEEDS,
    show_default=True,
    help="Number of seeds of each setting, if the study has so many; 3 for a quick look. More can be added later.",
)
@click.option("--workers", type=click.IntRange(1), default=None, help="Number of processes; all cores by default.")
@click.option("--folder", type=FOLDER, help="Folder to write to [outputs/studies/NAME].")
@click.option("--full", is_flag=True, help="Also run the long part of a study, if it has one.")
@click.option("--figure", metavar="NUMBER", help="Only draw this figure of the publication, and run what it needs.")
@json_option
def study_command(
    name: str | None,
    seeds: int,
    workers: int | None,
    folder: Path | None,
    full: bool,
    figure: str | None,
    as_json: bool,
) -> int:
    """Run a study's missing parts; write its tables and pictures."""
    from pigevo.experiments import figure_drawer, has_tables_of, load_study, study_names
    from pigevo.sweeps.job import SomeFailed

    if name is None:
        refuse_void("without NAME the studies are listed", "seeds", "workers", "folder", "full", "figure")
        show({"studies": study_names()}, "\n".join(wrapped(f"studies: {', '.join(study_names())}", "")), as_json)
        return 0
    study = load_study(name)
    if figure is None and seeds < (fewest := getattr(study, "FEWEST_SEEDS", FEWEST_SEEDS)):
        raise InputError(f"{name} compares settings seed by seed, so it needs --seeds {fewest} or more.")
    if full and not hasattr(study, "run_full"):
        raise InputError(f"{name} has no long part: leave --full out.")
    if full and figure is not None:
        raise InputError("--full runs a whole study, and --figure draws one figure: leave one of them out.")
    if figure is not None:
        work = figure_drawer(name, figure)
    else:
        work = study.run_full if full else study.run
    target, begin = folder or Path("outputs") / "studies" / name, time.perf_counter()
    refuse_unwritable(target / "table.csv")
    # Two processes would overwrite each other's tables, and a study those of others; a copy with its own will do.
    own = locked(target, f"study {name}", lambda folder: has_tables_of(name, folder))
    alone = nullcontext() if getattr(study, "LOCKS_FOLDER", False) else own
    try:
        with alone:
            drawn = work(target, seeds, workers or available_cores())
    except SomeFailed as error:
        remark(str(error))
        return NEGATIVE_STATUS
    files = sorted(map(str, target.glob("[!.]*.*") if figure is None else [drawn]))
    record = {"study": name, "folder": str(target), "seconds": time.perf_counter() - begin, "files": files}
    show(record, "\n".join([f"{name}, {record['seconds']:.0f} s", "", *(f"  {file}" for file in files)]), as_json)
    return 0
