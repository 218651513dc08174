"""A benchmark in its folder: algorithms on instances with many seeds; finished trials are not repeated.

In addition to the trials it writes tables, pictures, and the records as IOHanalyzer reads them (Wang, Vermetten, Ye,
Doerr & Bäck 2022, ACM TELO 2): IOHprofiler's format. Each algorithm has a folder, each instance in it a file of JSON
and a table:

    hill_climber/IOHprofiler_f1_t10-d2-c1-exact.json
    hill_climber/data_f1_t10-d2-c1-exact/IOHprofiler_f1_DIM450.dat

The dimension is the number of genes, an evaluation is a pair evaluated exactly or a game, and `raw_y` is the champion's
loss or its exploitability less that of the best genome, each in a folder of its own. Values need not decrease, because
a champion may be lost; readers compute the best so far if they need it. Readers use the row of evaluation 1 as the
start of a run, so it contains the loss of a strategy of fair coins, which costs nothing, unless the first record is of
one evaluation.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from pigevo import __version__
from pigevo.core.checked_values import is_integer, is_real
from pigevo.core.machine import available_cores
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.storage.files import csv_bytes, locked, path_in, remove_partials, write_bytes
from pigevo.storage.records import to_json
from pigevo.user_code.loading import refuse_while_importing

from .algorithms import ALGORITHMS
from .instances import SUITES, Instance, instances
from .protocol import Make
from .results import MEASURES, By, Results, resampled
from .tasks import Entrant, Task, do_all, entrants, find, save
from .trial import Trial

MOST_SEEDS = 100_000

Listener = Callable[[int, int], object]
"""Called with the number of trials done, and their total number."""


def benchmark(
    algorithms: str | Make | Sequence[str | Make] = (),
    suite: str = "small",
    seeds: int = 30,
    budget: int | None = None,
    folder: str | os.PathLike[str] = "outputs/benchmark",
    workers: int | None = None,
    *,
    key: str = "",
    seconds: float | None = None,
    by: By = "loss",
    figures: str = "png",
    listener: Listener = lambda done, of: None,
) -> Results:
    """Run algorithms on instances with given budgets, and write the results.

    A trial that is in the folder already, with the same code, limits, dice, key and engine, is not repeated.

    Args:
        algorithms: one or several: names of reference algorithms, and a user's own as `mine.py:MyAlgorithm` or as the
            class itself, which works in this process, where the rules of entry are not enforced; all reference
            algorithms by default.
        suite: names of instances and suites, separated by commas.
        seeds: the number of trials of each algorithm on each instance: seeds 0, 1, 2, ...
        budget: the budget of each trial, in evaluations or games; by default the instance's usual one.
        folder: the folder of the trials; tables, pictures and IOHprofiler's files go to `results/` in it, in a folder
            for each combination of arguments. Only pigevo's own files are touched.
        workers: processes, all cores by default; results do not depend on it.
        key: a secret text on which the dice of answers depend, beside the seed; without it they depend on the seed
            alone, which algorithms know.
        seconds: the time limit of a trial, without the referee's time; results are then not reproducible. None for no
            limit.
        by: the figure of the champion whose areas order the algorithms.
        figures: the format of pictures: png, pdf or svg.
        listener: called after each trial.

    Raises:
        InputError: a word or number is wrong, an algorithm fails, or the folder contains foreign files.

    Example:
        >>> import tempfile
        >>> from pigevo.experiments.benchmark import benchmark
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     both = ["random_search", "hill_climber"]
        ...     results = benchmark(both, "t10-d2-c2-exact", 2, budget=200, folder=folder, workers=1)
        >>> sorted(one.algorithm for one in results.standings)
        ['hill_climber', 'random_search']
    """
    refuse_while_importing("benchmark")
    if not is_integer(seeds) or not 1 <= seeds <= MOST_SEEDS:
        raise InputError(
            f"seeds = {short_repr(seeds)}: a benchmark has a whole number of them, from 1 to {MOST_SEEDS:,}."
        )
    if seconds is not None and not (is_real(seconds) and 0 < seconds < math.inf):
        raise InputError(f"seconds = {short_repr(seconds)}: a trial may take a number of them above 0.")
    if not isinstance(key, str):
        raise InputError(f"key = {short_repr(key)}: the key of the dice is a text.")
    if by not in MEASURES:
        raise unknown("figure", str(by), MEASURES, " to order by")
    if workers is not None and not (is_integer(workers) and workers >= 1):
        raise InputError(f"workers = {short_repr(workers)}: a benchmark has a whole number of them, at least 1.")
    words = [algorithms] if isinstance(algorithms, str) or callable(algorithms) else list(algorithms)
    entered, tasks_of = entrants(words or list(ALGORITHMS)), instances(suite)
    tasks = [
        Task(one, place, seed, place.problem(seed, budget).budget, seconds, key)
        for seed in range(seeds)
        for place in tasks_of
        for one in entered
    ]
    place = Path(folder)
    with locked(place, "benchmark"):
        trials = _all_of(place, tasks, workers or available_cores(), listener)
        results = _results(
            entered, tasks_of, trials, by, _results_folder(place, tasks, len(entered), len(tasks_of), by)
        )
        write_results(results, {one.name: one for one in entered}, figures)
    return results


def _results_folder(folder: Path, tasks: Sequence[Task], algorithms: int, places: int, by: By) -> Path:
    """The folder for the tables of these trials: another one for other arguments or other code."""
    digest = hashlib.sha256("\n".join(task.file for task in tasks).encode()).hexdigest()[:8]
    return folder / f"results/{by}-{algorithms}x{places}x{len(tasks) // (algorithms * places)}-{digest}"


def _all_of(folder: Path, tasks: Sequence[Task], workers: int, listener: Listener) -> list[Trial]:
    """The trials of all tasks, in order: those in the folder are read, the others are executed."""
    trials = {task.file: trial for task in tasks if (trial := find(folder, task)) is not None}
    left = [task for task in tasks if task.file not in trials]
    remove_partials(folder, [task.file for task in left])
    listener(len(tasks) - len(left), len(tasks))

    def on_trial(task: Task, trial: Trial) -> None:
        save(folder, task, trial)
        trials[task.file] = trial
        listener(len(trials), len(tasks))

    do_all(left, workers, on_trial)
    return [trials[task.file] for task in tasks]


def _results(
    entered: Sequence[Entrant], places: Sequence[Instance], trials: Sequence[Trial], by: By, folder: Path
) -> Results:
    grouped: dict[str, dict[str, list[Trial]]] = {one.name: {place.name: [] for place in places} for one in entered}
    for trial in trials:
        grouped[trial.algorithm][trial.instance].append(trial)
    return Results(grouped, {place.name: place for place in places}, by, folder)


IOH_VERSION = "0.3.22"
"""Of IOHexperimenter, whose files have this form; IOHanalyzer reads another form where it is below 0.3.3."""

FUNCTION_NUMBERS = 60_000
"""Numbers that instances beyond those of the suites may have; readers keep them in 16 bits."""


def function_id(instance: Instance) -> int:
    """The number of an instance: its place in the suites, from 1, or beyond 1000 one that follows from its name."""
    known = list(dict.fromkeys(name for names in reversed(SUITES.values()) for name in names))
    if instance.name in known:
        return known.index(instance.name) + 1
    return 1001 + crc32(instance.name.encode()) % FUNCTION_NUMBERS


def ioh_files(
    trials: Sequence[Trial], instance: Instance, by: By, source: str = "", zero: float = 0.0
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an algorithm's files for an instance, the table first; `raw_y` is `by` minus `zero`.

    The trials are in the order of their seeds.
    """
    number, genes = function_id(instance), instance.grid.genes
    table = f"data_f{number}_{instance.name}/IOHprofiler_f{number}_DIM{genes}.dat"
    yield table, "".join(_rows(trial, by, zero) for trial in trials).encode()
    record: dict[str, Any] = {
        "version": IOH_VERSION,
        "suite": "pigevo",
        "function_id": number,
        "function_name": instance.name,
        "maximization": False,
        "algorithm": {"name": trials[0].algorithm, "info": source or trials[0].algorithm},
        "experiment_attributes": [{"pigevo": __version__}, {"unit": instance.unit}, {"measure": by}],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": genes, "path": table, "runs": [_run(trial, by, zero) for trial in trials]}],
    }
    yield f"IOHprofiler_f{number}_{instance.name}.json", (to_json(record, indent=1) + "\n").encode()


def _rows(trial: Trial, by: By, zero: float) -> str:
    return "evaluations raw_y\n" + "".join(f"{spent} {value:.10f}\n" for spent, value in _points(trial, by, zero))


def _run(trial: Trial, by: By, zero: float) -> dict[str, Any]:
    at, best = min(_points(trial, by, zero), key=lambda point: point[1])
    return {"instance": 1, "evals": int(trial.spent[-1]), "best": {"evals": at, "y": best, "x": []}}


def _points(trial: Trial, by: By, zero: float) -> list[tuple[int, float]]:
    """The amounts spent, and the figure above the zero at each, from evaluation 1 on."""
    figures = np.maximum(0.0, getattr(trial, by) - zero)
    points = list(zip(trial.spent.tolist(), figures.tolist(), strict=True))
    return points[1:] if points[1][0] == 1 else [(1, points[0][1]), *points[1:]]


DPI = 110

STANDINGS, ENDINGS, TIMES, RECORD = "standings.csv", "endings.csv", "times.csv", "summary.json"


def write_results(results: Results, entered: Mapping[str, Entrant], figures: str) -> None:
    """Write everything derived from the trials; `entered` has the algorithms, `figures` is the pictures' format."""
    from pigevo.figures.axes import figure_of, save_figure

    folder = results.folder
    if folder is None:
        return
    _write_ioh(folder, results, entered)
    for name, rows in ((STANDINGS, results.standings), (ENDINGS, results.endings), (TIMES, results.times())):
        lines = [asdict(row) for row in rows]
        write_bytes(path_in(folder, name), csv_bytes([lines[0], *(line.values() for line in lines)]))
    write_bytes(path_in(folder, RECORD), (to_json(summary(results), indent=1) + "\n").encode())
    for name, axes in _pictures(results):
        save_figure(path_in(folder, f"figures/{name}.{figures}"), figure_of(axes), DPI)


def summary(results: Results) -> dict[str, Any]:
    """The standings, endings and early trials as plain values, with what was asked."""
    return {
        "by": results.by,
        "instances": list(results.instances),
        "seeds": results.areas.shape[2],
        "zeros": results.zeros,
        "standings": [asdict(one) for one in results.standings],
        "endings": [asdict(one) for one in results.endings],
        "early": [asdict(one) for one in results.early],
    }


def _write_ioh(folder: Path, results: Results, entered: Mapping[str, Entrant]) -> None:
    for algorithm, of in results.trials.items():
        one = entered[algorithm]
        for name, trials in of.items():
            for by in MEASURES:
                for file, content in ioh_files(
                    trials, results.instances[name], by, one.source, results.zeros[name][by]
                ):
                    write_bytes(path_in(folder, f"ioh/{by}/{one.folder}/{file}"), content)


def _pictures(results: Results) -> list[tuple[str, Any]]:
    from ..common.spent import anytime_data, ecdf_data, plot_anytime, plot_ecdf

    order, figures = [one.algorithm for one in results.standings], []
    samples = resampled(results.areas.shape[2])
    for by in MEASURES:
        ecdf = {name: ecdf_data(results.shares(name, by), samples) for name in order}
        figures.append((f"ecdf_{by}", plot_ecdf(ecdf)))
    for place, instance in results.instances.items():
        curves = {
            name: anytime_data([t.spent for t in of], [getattr(t, results.by) for t in of])
            for name in order
            for of in [results.trials[name][place]]
        }
        figures.append((f"{results.by}_{place}", plot_anytime(curves, instance.unit, results.by)))
    return figures
