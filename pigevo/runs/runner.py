"""One run, from a checked config and a folder to the files that the folder shall hold."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.evolve.books import Books
from pigevo.evolve.loop import State, evolve, first_state
from pigevo.evolve.plan import Plan, plan_from
from pigevo.runs.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from pigevo.runs.lock import locked
from pigevo.runs.metrics import write_metrics
from pigevo.runs.naming import config_hash
from pigevo.runs.progress import Interruption, progress_bar, show
from pigevo.runs.result import conclude, read_result, summary, write_finish, write_result

LOG = logging.getLogger(__name__)


class Interrupted(KeyboardInterrupt):
    """The user stopped the run; its folder holds a checkpoint to go on from."""


def run(config: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Do the run that a config describes, or what is left of it.

    Args:
        config: the composed and checked config, plain values.
        folder: the run's folder; finished before, it is shown and left alone, unless
            `config["force"]` is set.

    Returns:
        The content of `result.json`.

    Raises:
        InputError: the folder is in use, cannot be written, or is another run's.
        Interrupted: the user stopped it.
    """
    plan = plan_from(config)
    key = config_hash(config)
    with locked(folder):
        if config["force"]:
            _clear(folder)
        before = read_result(folder)
        if before is not None:
            _refuse_other(folder, before, key)
            LOG.info("finished before (force=true runs it again)\n%s\nfolder            %s", summary(before), folder)
            return before
        record = _finish(plan, config, key, folder, _evolve(plan, config, key, folder))
    LOG.info("%s\nfolder            %s", summary(record), folder)
    return record


def _evolve(plan: Plan, config: Mapping[str, Any], key: str, folder: Path) -> Checkpoint:
    point = _begin(plan, key, folder)
    spent, started = point.seconds, time.perf_counter()

    def now(state: State) -> Checkpoint:
        return Checkpoint(state, point.books, spent + time.perf_counter() - started)

    with Interruption() as stop, progress_bar(point.state.generation, plan.generations) as bar:
        if not point.books.logbook:
            show(bar, point.books.record(plan, point.state, spent))
        for state in evolve(plan, point.state):
            ends_wave = state.generation in plan.wave_ends
            if ends_wave or state.generation % config["record_every"] == 0:
                row = point.books.record(plan, state, now(state).seconds)
                show(bar, row)
                if ends_wave:
                    LOG.info(_wave_line(row))
            bar.update()
            point = now(state)
            if stop.requested or ends_wave or state.generation % config["checkpoint_every"] == 0:
                _save(folder, key, point)
            if stop.requested and state.generation < plan.generations:
                raise Interrupted(f"stopped after generation {state.generation}; the same command goes on from there.")
    return point


def _begin(plan: Plan, key: str, folder: Path) -> Checkpoint:
    from pigevo.compiled import is_compiled

    point, refused = load_checkpoint(folder, key)
    for sentence in refused:
        LOG.warning(sentence)
    if not is_compiled():
        LOG.info("compiling the kernels, which takes half a minute, once")
    if point is None:
        LOG.info("%s, %d generations, population of %d, seed %d", plan.game, plan.generations, plan.size, plan.seed)
        return Checkpoint(first_state(plan), Books(), 0.0)
    LOG.info("going on after generation %d of %d", point.state.generation, plan.generations)
    return point


def _save(folder: Path, key: str, point: Checkpoint) -> None:
    save_checkpoint(folder, key, point)
    write_metrics(folder, point.books.logbook)


def _finish(plan: Plan, config: Mapping[str, Any], key: str, folder: Path, point: Checkpoint) -> dict[str, Any]:
    from pigevo.runs.pictures import draw_run

    _save(folder, key, point)
    finish = conclude(plan, config, key, point)
    write_finish(folder, plan, point, finish)
    draw_run(folder, plan, point, finish)
    write_result(folder, finish.record)
    return finish.record


def _wave_line(row: Mapping[str, Any]) -> str:
    return (
        f"generation {row['generation']}, end of wave {row['wave']} (cubes of {row['cube_size']}): "
        f"best {row['best']:.4f}, mean {row['mean']:.4f} against the optimum"
    )


def _clear(folder: Path) -> None:
    """Remove what an earlier run left, the result first: a folder without it is unfinished."""
    for name in ("result.json", "checkpoint.npz", "checkpoint.before.npz", "metrics.csv", "champion.npz"):
        (folder / name).unlink(missing_ok=True)
    (folder / "population.npz").unlink(missing_ok=True)
    shutil.rmtree(folder / "figures", ignore_errors=True)


def _refuse_other(folder: Path, before: Mapping[str, Any], key: str) -> None:
    if before.get("config_hash") != key:
        raise InputError(f"{folder} holds a run of another config: choose another folder.")
