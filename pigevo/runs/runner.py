"""One run, from its settings to the files in its folder."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pigevo.core.arrays import own_errors
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import for_shell
from pigevo.errors import GenerationFailed
from pigevo.evolution.plan import Plan
from pigevo.runs.checkpoint import (
    NOTHING_WRITTEN,
    Checkpoint,
    changed_versions,
    load_checkpoint,
    save_checkpoint,
    set_aside,
    versions,
)
from pigevo.runs.folder import (
    clear,
    from_python,
    keep_settings,
    lacks_pictures,
    picture_command,
    picture_names,
    refuse_other,
    refuse_strangers,
    run_lock,
    sealed_names,
    tidy,
)
from pigevo.runs.metrics import METRICS
from pigevo.runs.progress import Estimate, Interrupted, Interruption, RunBar, going_on
from pigevo.runs.result import RESULT_FILE, conclude, read_result, time_spent, with_cubes, write_finish, write_result
from pigevo.runs.stepper import OnGeneration, beginning, refuse_too_large, steps
from pigevo.settings.schema import ON_GENERATION
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.files import path_in

LOG = logging.getLogger(__name__)


@own_errors
def run(
    settings: Settings,
    folder: Path,
    overrides: Sequence[str] | None = None,
    on_generation: OnGeneration | None = None,
    began: float | None = None,
) -> JsonObject:
    """Execute a run, or the rest of it, in its folder; returns the content of `result.json`.

    A finished run in the folder is not touched, unless `settings.force` is set. `overrides` are the settings as typed,
    for the record in `.hydra/`; `on_generation` is called with each generation; `began` is the time of `perf_counter`
    from which the user has waited, by default now.
    """
    began = time.perf_counter() if began is None else began
    from pigevo.compiled.cache import compile_ahead
    from pigevo.exact.solve import TURNS, VISITS, WIN

    settings.refuse_unidentified()
    if finished := _finished(settings, folder):  # without the lock, so that it works in a read-only folder
        return finished
    refuse_too_large(settings)
    with run_lock(folder):
        tidy(folder)
        if settings.force:
            clear(folder)
        if finished := _finished(settings, folder):
            return finished
        refuse_other(folder, None, settings)
        if settings.callback and not settings.on_generation and on_generation is None:
            raise from_python(ON_GENERATION, folder)
        keep_settings(folder, settings, overrides)
        if settings.plan.game.one_die:
            # This process first needs kernels of games and of the optimum, which take as long.
            compile_ahead(WIN | TURNS | (VISITS if picture_names(settings.figures) else {}))
        try:
            return _finish(settings, folder, _evolve(settings, folder, on_generation, began))
        except Interrupted:
            raise
        except KeyboardInterrupt as stop:
            raise Interrupted(f"stopped at its last checkpoint; {going_on(folder, settings.force)}") from stop


def _finished(settings: Settings, folder: Path) -> JsonObject | None:
    """The result in the folder if it is for these settings and need not be repeated."""
    refuse_strangers(folder)
    path_in(folder, RESULT_FILE)
    result = None if settings.force else read_result(folder)
    if result is not None:
        refuse_other(folder, result, settings)
        again = ""
        if lacks_pictures(folder, settings.figures):
            again = f"; {picture_command(for_shell(display_path(folder)), settings.figures)} draws its pictures"
        LOG.info("finished before (force=true runs it again)%s", again)
    return result


def _evolve(settings: Settings, folder: Path, on_generation: OnGeneration | None, began: float) -> Checkpoint:
    point, written = _begin(settings, folder), NOTHING_WRITTEN
    estimate, kept = Estimate(settings), point.state.generation
    with (
        Interruption() as stop,
        RunBar(point.state, settings.plan.generations) as bar,
        _telling(lambda: kept, folder, settings),
    ):
        for step in steps(settings, point, on_generation, began, str(folder)):
            point, number = step.point, step.point.state.generation
            bar.step(point.state, step.row)
            if sentence := estimate.step(point, step.row is not None):
                LOG.info(sentence)
            if step.ends_wave and step.row and number:
                LOG.info(_wave_line(step.row))
            ends = stop.requested or step.ends_wave or point.stopped
            if ends or (number and number % settings.checkpoint_every == 0):
                written, kept = save_checkpoint(folder, settings.hash, point, written), number
            if stop.requested:
                _stop(settings, folder, point)
        if point.stopped:
            bar.end(point.state)
            LOG.info("ended with generation %d of %d", point.state.generation, settings.plan.generations)
    return point


@contextmanager
def _telling(kept: Callable[[], int], folder: Path, settings: Settings) -> Iterator[None]:
    """A `with` block in which the error of a user's operator says what of the run is kept, and how to go on."""
    try:
        yield
    except GenerationFailed as error:
        if not kept():
            raise
        raise GenerationFailed(
            f"{str(error).rstrip('.')}. Generations up to {kept()} are kept: {going_on(folder, settings.force)} "
            "After an edit of the file the command begins another run."
        ) from error


def _begin(settings: Settings, folder: Path) -> Checkpoint:
    point, refused = load_checkpoint(folder, settings.hash)
    for sentence in refused:
        LOG.warning(sentence)
    if refused:
        set_aside(folder)
    plan = settings.plan
    if point is None:
        LOG.info("%s, %d generations, population of %d, seed %d", plan.game, plan.generations, plan.size, plan.seed)
        if not plan.all_are_finalists:
            LOG.info(_end_line(plan))
        if plan.selection_lacks_pairs:
            LOG.info(_meeting_line(plan))
        return beginning(settings)
    LOG.info("going on after generation %d of %d", point.state.generation, plan.generations)
    if changed := changed_versions(point.versions, versions()):
        LOG.warning("this run began with %s", "; ".join(changed))
    return point


def _stop(settings: Settings, folder: Path, point: Checkpoint) -> None:
    """Save the files of a stopped run and report how to resume."""
    if picture_names(settings.figures):
        from pigevo.runs.pictures import draw_so_far

        draw_so_far(folder, settings, point)
    raise Interrupted(f"stopped after generation {point.state.generation}; {going_on(folder, settings.force)}")


def _finish(settings: Settings, folder: Path, point: Checkpoint) -> JsonObject:
    METRICS.write(folder, point.logbook.rows)
    finish = conclude(settings, point)
    written = write_finish(folder, finish)
    if picture_names(settings.figures):
        with settings.plan.clock("pictures"):
            from pigevo.runs.pictures import draw_run  # a third of the time of the pictures is that of their library

            draw_run(folder, settings.figures, point.logbook.rows, finish, settings.plan.selection.outcome_name)
    return write_result(folder, finish.record | time_spent(settings.plan), sealed_names(folder, settings, written))


def _meeting_line(plan: Plan) -> str:
    matches = plan.size * (plan.size - 1) // 2
    return (
        f"selection {plan.names['selection']} does not choose pairs, so everyone meets everyone: {matches:,} "
        f"matches a generation, where selection=knockout has {plan.size // 2:,}; with a parameter `opponents: int = 1` "
        "each member meets one"
    )


def _end_line(plan: Plan) -> str:
    matches, games = plan.champion_matches, plan.fitness.plays.games
    cost = f"{matches * games:,} games" if games else f"{matches:,} exact evaluations"
    return (
        f"the population is too large for all members to meet: to find the champion, only the best {plan.finalists} "
        f"of the last generation, by the matches of selection, meet each other, which takes {cost}"
    )


def _wave_line(row: Mapping[str, object]) -> str:
    return (
        f"generation {row['generation']}, the last{with_cubes(str(row['cube_size']))}: "
        f"best {row['best']:.4f}, mean {row['mean']:.4f}"
    )
