"""Runs from Python: evolve a population, look at each generation, sweep settings.

    run = pigevo.evolve("cube_random", mutation=0.005, seed=3)
    for generation in pigevo.generations("rediscover", seed=1): ...
    sweep = pigevo.sweep("cube_random", mutation=[0.001, 0.01], seed=range(10))

The first word is the name of an experiment; others are settings as on the command line,
`"fitness.games=25"`, or arguments by name.  A game, an operator and a stop rule may be your own class or
function: `crossover=my_crossover`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pigevo.core.arrays import own_errors
from pigevo.core.imports import NO_FOLDER, working_folder
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.evolution import loop
from pigevo.evolution.loop import Generation
from pigevo.evolution.plan import kind_in_words
from pigevo.runs.load import Run, load_run
from pigevo.runs.metrics import columns_of
from pigevo.runs.progress import RunBar
from pigevo.runs.result import conclude
from pigevo.runs.stepper import OnGeneration, beginning, refuse_too_large, steps
from pigevo.settings.compose import Composer, as_overrides
from pigevo.settings.schema import ON_GENERATION
from pigevo.settings.settings import Settings
from pigevo.user_code.loading import (
    changed_since_import,
    identity_of_object,
    load,
    note_changes,
    refuse_unidentified,
    refuse_while_importing,
)

if TYPE_CHECKING:
    from pigevo.sweeps.load import Sweep

LOG = logging.getLogger(__name__)


@own_errors
def evolve(
    *overrides: str,
    folder: str | os.PathLike[str] | None = None,
    on_generation: OnGeneration | str | None = None,
    **values: object,
) -> Run:
    """Do a run: in memory, or in a folder as the command does.

    Args:
        *overrides: the name of an experiment, and settings as on the command line.
        folder: the run's folder; an unfinished run in it is resumed, and a finished one is returned.
        on_generation: a function, or its reference (`"watch.py:every"`), that is called with each `Generation`; it may
            return further columns for the metrics by name, and `{"stop": True}` to end the run with this generation.
        **values: settings by name; your own function as the operator of a kind, or as the stop rule.

    Returns:
        The run, with `champion`, `champions`, `population`, `metrics`, `result` and `plot()`.

    Raises:
        InputError: the settings, an operator or the folder are wrong.

    Example:
        >>> import pigevo
        >>> run = pigevo.evolve("cube_random", "debug=fast", "game.target=20", mutation=0.005, seed=1, baseline="none")
        >>> run.champion.game.target, len(run.population)
        (20, 20)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """
    refuse_while_importing("pigevo.evolve")
    if isinstance(on_generation, str):
        values, on_generation = {**values, ON_GENERATION: on_generation}, None
    settings = Settings.of(*overrides, **values)
    words, functions = as_overrides(overrides, values)
    handed_over = [code for kind in functions if (code := settings.choices[kind].user_code)]
    if on_generation is not None:
        if not callable(on_generation):
            raise InputError(f"{ON_GENERATION} = {short_repr(on_generation)} must be a function, or its reference.")
        if settings.on_generation:
            raise InputError(
                f"{ON_GENERATION} is given twice: as a function, and as {settings.on_generation['function']}."
            )
        watcher = identity_of_object(on_generation)
        settings = replace(settings, callback=watcher.identity)
        handed_over.append(watcher)
        if folder is not None:
            refuse_unidentified(f"the on_generation {watcher.name}", watcher)
    _warn_of_edited(settings)
    try:
        if folder is None:
            return _in_memory(settings, on_generation)
        from pigevo.runs import run

        run(settings, Path(folder), words, on_generation=on_generation)
        return replace(load_run(folder), known=settings)
    finally:
        note_changes(handed_over)


def _in_memory(settings: Settings, on_generation: OnGeneration | None) -> Run:
    point = beginning(settings)
    with RunBar(point.state, settings.plan.generations) as bar:
        for step in steps(settings, point, on_generation):
            point = step.point
            bar.step(point.state, step.row)
        bar.end(point.state)
    finish = conclude(settings, point)
    return Run(finish.record, columns_of(list(point.logbook.rows)), finish=finish, known=settings)


def generations(*overrides: str, **values: object) -> Iterator[Generation]:
    """The generations of a run, one after the other, each computed when it is asked for.

    Args:
        *overrides: the name of an experiment, and settings as on the command line.
        **values: settings by name; your own function as the operator of a kind.

    Yields:
        Each generation, with `number`, `genomes`, `strategies`, `scores` and the `champion` by the run's own fitness,
        and the `exact` win probabilities against the optimum.

    Raises:
        InputError: the settings are wrong.

    Example:
        >>> import pigevo
        >>> few = pigevo.generations("debug=fast", "game.target=9", baseline="none")
        >>> [(generation.number, generation.genomes.shape) for generation in few][:2]
        [(0, (20, 324)), (1, (20, 324))]
    """
    refuse_while_importing("pigevo.generations")
    watched = values.pop(ON_GENERATION, None) is not None
    settings = Settings.of(*overrides, **values)
    if watched or settings.on_generation:
        raise InputError(f"{ON_GENERATION} changes nothing here: pigevo.generations hands you each generation itself.")
    _warn_of_edited(settings)
    refuse_too_large(settings)
    return loop.generations(settings.plan, loop.first_state(settings.plan))


def sweep(
    *overrides: str, outputs: str | os.PathLike[str] = "outputs", workers: int | None = None, **values: object
) -> Sweep:
    """Do a run for every combination of values, in worker processes; finished runs are not repeated.

    Args:
        *overrides: the name of an experiment, and settings as on the command line, `"mutation=0.001,0.01"`.
        outputs: the folder of runs and sweeps.
        workers: runs at the same time; all cores by default.
        **values: settings by name; a list, a range or an array is swept, and a list of lists where the setting
            is itself a list.  Your own functions, alone or in lists, must be in files, from which the workers load
            them.

    Returns:
        The sweep, as `load_sweep` reads it.

    Raises:
        InputError: the settings are wrong.
        SomeFailed: runs failed; the message lists them.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> with tempfile.TemporaryDirectory() as outputs:
        ...     same = dict(baseline="none", outputs=outputs, workers=1)
        ...     sweep = pigevo.sweep("debug=fast", "game.target=9", mutation=[0, 0.1], **same)
        ...     sorted(sweep.settings), len(sweep.finished)
        (['mutation=0', 'mutation=0.1'], 2)
    """
    from pigevo.core.machine import available_cores
    from pigevo.sweeps.launchers import launcher_of
    from pigevo.sweeps.load import load_sweep
    from pigevo.sweeps.run_sweep import combinations, drive, plan_jobs

    refuse_while_importing("pigevo.sweep")
    if not working_folder():
        raise InputError(NO_FOLDER)
    home = Path(outputs).absolute()
    typed, _ = as_overrides(overrides, values, _reference)
    jobs = plan_jobs(combinations(typed), Composer(), lambda _, chosen, __: chosen.folder_in(home))
    at_once = available_cores() if workers is None else workers
    launcher = launcher_of({"name": "pool", "workers": at_once}, home / "sweeps")
    return load_sweep(drive(jobs, typed, home / "sweeps", launcher))


def _reference(kind: str, function: Callable[..., object]) -> str:
    """The reference by which the workers of a sweep find a function: its file and its name there."""
    code = identity_of_object(function)
    if code.path is None or "<" in code.name:
        raise InputError(
            f"{kind}: the workers of a sweep load functions from files by name: write {code.name} into a file, at its "
            "top level, and pass what it captures as options."
        )
    refuse_unidentified(f"the {kind_in_words(kind)} {code.name}", code)
    if load(reference := f"{code.path}:{code.name}").identity != code.identity:
        raise InputError(
            f"{kind}: the workers of a sweep load {code.name} from {code.path}, where it is another function: "
            + (
                f"{changed_since_import(code)}."
                if code.edited
                else "pass the function of that name in the file, and other values as options."
            )
        )
    return reference


def _warn_of_edited(settings: Settings) -> None:
    """Warn of operators that differ from their files: they run as they were imported."""
    for kind, code in settings.plan.user_code.items():
        if code.edited:
            LOG.warning("the %s runs as it was imported: %s.", kind_in_words(kind), changed_since_import(code))
