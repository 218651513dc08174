"""`pigevo benchmark`: algorithms that ask who wins, beside each other, judged by the exact referee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import click

from pigevo.cli.options import FOLDER, PATH, figures_option, json_option, refuse_void, show
from pigevo.cli.output import terminal_width, wrapped
from pigevo.core.text import counted, table, with_interval
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.storage.records import read_bytes

if TYPE_CHECKING:
    from .results import Results, Standing

TOLD_TARGETS = (0.05, 0.01)

_EPILOG = """\
ALGORITHM is a reference algorithm (pigevo benchmark --list), or one of your own: mine.py:MyAlgorithm, a class or
function of a pigevo.experiments.benchmark.Problem with ask, tell and champion. Without any, all reference algorithms
take part; --algorithm adds one to them. An instance is written t20-d3-c2-g100-oracle: Pig to 20 with a die of 3 sides,
a gene for each cube of 2 points, matches of 100 games (or `exact`), and the optimal strategy as an opponent that may be
met (or nothing, and algorithms must do without); piglet-t20-c2-exact is of another game; suites are `quick`, `small`
and `games`. Algorithms are ordered by area, whoever else takes part: the share of targets of --by that champions hold,
averaged over a logarithmic budget (anytime), whatever they end with. On instances of the suites, at their usual
budgets, reference results stand beside them. One of your own has a process of its own, where it knows neither game nor
instance, and is refused if it loads what computes or plays games (pigevo.exact, pigevo.simulation). What the folder
already has is not done again.
Exit status: 0, or 2 for a wrong word or an algorithm that fails.
"""


def records() -> tuple[tuple[str, type], ...]:
    """The tables of a benchmark, each with the class whose docstring `pigevo describe` reads."""
    from .results import Ending, Standing, Time

    return (
        ("a column of a benchmark's standings.csv", Standing),
        ("a column of a benchmark's endings.csv", Ending),
        ("a column of a benchmark's times.csv", Time),
    )


@click.command(epilog=_EPILOG)
@click.argument("algorithms", nargs=-1, metavar="[ALGORITHM...]")
@click.option(
    "--algorithm", "beside", multiple=True, help="Another algorithm, beside those named or all reference ones."
)
@click.option(
    "--instances", "suite", default="small", show_default=True, help="Instances and suites, separated by commas."
)
@click.option(
    "--seeds", type=click.IntRange(1), default=30, show_default=True, help="Trials of each algorithm on each instance."
)
@click.option("--budget", type=click.IntRange(1), help="Budget of a trial: evaluations, or games if games are played.")
@click.option("--key", type=PATH, metavar="FILE",
              help="A secret text; the dice of games depend on it and on the seed.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0, min_open=True),
              help="Time limit of a trial; the results are then not reproducible.")  # fmt: skip
@click.option("--by", type=click.Choice(["loss", "exploitability"]), default="loss", show_default=True,
              help="The champion's figure whose targets define the area.")  # fmt: skip
@click.option("--to", "folder", type=FOLDER, default="outputs/benchmark",
              show_default=True, help="Folder of the trials, with tables in results/.")  # fmt: skip
@figures_option
@click.option("--workers", type=click.IntRange(1), help="Processes; all cores by default.")
@click.option("--list", "listed", is_flag=True, help="List the reference algorithms, suites and instances.")
@json_option
def command(
    algorithms: tuple[str, ...], beside: tuple[str, ...], suite: str, seeds: int, budget: int | None,
    key: Path | None, seconds: float | None, by: str,
    folder: Path, figures: str | None, workers: int | None, listed: bool, as_json: bool,
) -> None:  # fmt: skip
    """Compare co-evolutionary algorithms by their champions' losses.

    It counts how soon champions lose little and stay there, evaluated exactly.
    """
    from pigevo.cli.choice_descriptions import sentences

    from .algorithms import ALGORITHMS
    from .instances import SUITES

    if listed:
        work = "algorithms beside suite seeds budget key seconds by folder figures workers"
        refuse_void("--list runs nothing", *work.split())
        about = {name: sentences(entry) for name, entry in ALGORITHMS.items()}
        show({"algorithms": about, "suites": SUITES}, _list_text(about, SUITES), as_json)
        return
    from pigevo.core.progress_bar import ProgressBar

    from .bench import benchmark, summary
    from .results import reference_beside

    chosen = (*(algorithms or tuple(ALGORITHMS)), *beside)
    with ProgressBar(total=0, unit="trial", disable=None, dynamic_ncols=True, desc="benchmark") as bar:

        def listen(done: int, of: int) -> None:
            if not bar.total:
                bar.total, bar.initial = of, done
            bar.update(done - bar.n)

        measure = cast(Literal["loss", "exploitability"], by)
        try:
            results = benchmark(
                chosen, suite, seeds, budget, folder, workers,
                key=_key_in(key) if key else "", seconds=seconds, by=measure, figures=figures or FORMATS[0],
                listener=listen,
            )  # fmt: skip
        except KeyboardInterrupt as stop:
            raise KeyboardInterrupt("interrupted; the same command goes on with the trials that are left.") from stop
    reference = reference_beside(results)
    record = summary(results) | {
        "reference": [asdict(one) for one in reference],
        "times": [asdict(one) for one in results.times()],
        "folder": str(results.folder),
    }
    show(
        record,
        f"{describe(results, reference)}\n\n  tables, pictures and IOHprofiler's files: {results.folder}",
        as_json,
    )


def describe(results: Results, reference: Sequence[Standing] = ()) -> str:
    """The result of a benchmark as text: areas, reference results, and the final champions on each instance."""
    from .results import FEWEST

    seeds = results.areas.shape[2]
    lines = [
        f"{counted(len(results.trials), 'algorithm')}, {counted(len(results.instances), 'instance')}, "
        f"{counted(seeds, 'seed')}; by the anytime area of {results.by}, "
        f"{'too few seeds for intervals' if seeds < FEWEST else '95 % intervals over seeds'}",
        "",
        *_standing_lines(results.standings),
        *_reference_lines(results, reference),
    ]
    times = {(t.algorithm, t.instance, t.target): t.time for t in results.times(TOLD_TARGETS) if t.by == results.by}
    until = [f"until {target:g}" for target in TOLD_TARGETS]
    for place, instance in results.instances.items():
        zeros = results.zeros[place]
        best = f"the best genome known: loss {zeros['loss']:.4f}, exploitability {zeros['exploitability']:.4f}"
        rows = [
            (
                end.algorithm,
                _mean(end.loss, end.loss_low, end.loss_high, seeds),
                _mean(end.exploitability, end.exploitability_low, end.exploitability_high, seeds),
                *(_time(times[end.algorithm, place, target]) for target in TOLD_TARGETS),
            )
            for end in results.endings
            if end.instance == place
        ]
        heads = (instance.unit, "loss", "exploitability", *until)
        lines += ["", f"  {place} ({best})", *table(heads, rows, "<<<" + ">" * len(until), terminal_width())]
    lines += [
        "",
        f"  area: share of targets of {results.by}, counted from the best genome known, that champions hold at any "
        "time, averaged over a logarithmic budget",
        f"  hit: share of those targets that were ever hit; until: expected running time to such a {results.by}, "
        "- where no seed hit it",
    ]
    if seeds < FEWEST:
        lines.append(f"  too few seeds: there are intervals from {FEWEST} seeds on")
    lines += [
        f"  {one.algorithm} on {one.instance} is as good as the optimum after {counted(one.pairs, 'pair')} "
        f"({counted(one.seeds, 'seed')}), fewer than it has genes ({one.genes:,}): does it keep to the rules of entry?"
        for one in results.early
    ]
    return "\n".join(lines)


def _standing_lines(standings: Sequence[Standing]) -> list[str]:
    rows = [
        (entrant.algorithm, with_interval(entrant.area, entrant.area_low, entrant.area_high, ".3f"),
         f"{100 * entrant.hit:.0f} %")
        for entrant in standings
    ]  # fmt: skip
    return table(("algorithm", "area", "hit"), rows, "<<>", terminal_width())


def _reference_lines(results: Results, reference: Sequence[Standing]) -> list[str]:
    """Reference results, or a note that there are none; empty if all reference algorithms took part."""
    from .algorithms import ALGORITHMS

    if set(results.trials) >= set(ALGORITHMS):
        return []
    if not reference:
        return ["", "  no reference results: they are of the instances of the suites, at the usual budgets"]
    return [
        "",
        "  reference results (experiments/benchmark), not computed again here",
        *_standing_lines(reference),
    ]


def _key_in(file: Path) -> str:
    key = read_bytes(file).decode("latin-1").strip()  # any bytes can be a key
    if not key:
        raise InputError(f"{file} is empty: the key of the dice is any text, the longer the better.")
    return key


def _mean(middle: float, low: float | None, high: float | None, seeds: int) -> str:
    """A mean over seeds, and its interval if there are enough of them."""
    from .results import FEWEST

    return f"{middle:.4f} (undetermined)" if low is None and seeds >= FEWEST else with_interval(middle, low, high)


def _time(time: float | None) -> str:
    return "-" if time is None else f"{time:,.0f}"


def _list_text(algorithms: Mapping[str, str], suites: Mapping[str, Sequence[str]]) -> str:
    kinds = [("algorithms", algorithms), ("suites", {name: ", ".join(places) for name, places in suites.items()})]
    lines: list[str] = []
    for kind, rows in kinds:
        lines.append(kind)
        for name, about in rows.items():
            lines += wrapped(f"{name}: {about}", "  ", "      ")
    return "\n".join(lines)
