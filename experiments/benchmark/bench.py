"""Runs a benchmark: algorithms on instances with many seeds, in a folder; finished trials are not repeated."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from pigevo.core.checked_values import is_integer, is_real
from pigevo.core.machine import available_cores
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.storage.files import locked, remove_partials
from pigevo.user_code.loading import refuse_while_importing

from .algorithms import ALGORITHMS
from .entrants import Entrant, entrants
from .instances import Instance, instances
from .output_files import write_results
from .protocol import Make
from .results import Results
from .statistics import MEASURES, By
from .tasks import Task, do_all, find, save
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
