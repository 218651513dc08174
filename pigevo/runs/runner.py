"""One run, from a checked config and a folder to the files that the folder shall hold."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pigevo.evolution.books import Books
from pigevo.evolution.loop import State, evolve, first_state
from pigevo.evolution.plan import Plan, plan_from
from pigevo.files import remove_partials
from pigevo.runs.checkpoint import Checkpoint, load_checkpoint, save_checkpoint, set_aside
from pigevo.runs.digests import write_digests
from pigevo.runs.folder import clear, keep_config, refuse_other, shown
from pigevo.runs.interruption import Interrupted, Interruption, going_on
from pigevo.runs.lock import locked
from pigevo.runs.metrics import write_metrics
from pigevo.runs.naming import config_hash
from pigevo.runs.progress import RunBar
from pigevo.runs.provenance import changes, versions
from pigevo.runs.result import conclude, read_result, summary, write_finish, write_result

LOG = logging.getLogger(__name__)


def run(
    config: Mapping[str, Any],
    folder: Path,
    words: Sequence[str] | None = None,
    hydra: str | None = None,
    pictures: bool = True,
) -> dict[str, Any]:
    """Do the run that a config describes, or what is left of it.

    Args:
        config: the composed and checked config, plain values.
        folder: the run's folder; finished before, it is shown and left alone, unless
            `config["force"]` is set.
        words: the settings that were typed, for the record in `.hydra/`.
        hydra: Hydra's own config as YAML, for the same.
        pictures: whether its pictures are drawn at the end.

    Returns:
        The content of `result.json`.

    Raises:
        InputError: the folder is in use, cannot be written, or is another run's.
        Interrupted: the user stopped it.
    """
    from pigevo.compiled import before_compiling

    plan = plan_from(config)
    key = config_hash(config)
    with (
        locked(folder),
        before_compiling(lambda: LOG.info("compiling kernels, which takes up to a minute; they are kept")),
    ):
        remove_partials(folder)
        if config["force"]:
            clear(folder)
        before = read_result(folder)
        refuse_other(folder, before, key)
        if before is not None:
            LOG.info(
                "finished before (force=true runs it again)\n%s\nfolder            %s", summary(before), shown(folder)
            )
            return before
        keep_config(folder, config, words, hydra)
        try:
            record = _finish(plan, config, key, folder, _evolve(plan, config, key, folder), pictures)
        except Interrupted:
            raise
        except KeyboardInterrupt as stop:
            raise Interrupted(f"stopped at its last checkpoint; {going_on(folder, config['force'])}") from stop
    LOG.info("%s\nfolder            %s", summary(record), shown(folder))
    return record


def _evolve(plan: Plan, config: Mapping[str, Any], key: str, folder: Path) -> Checkpoint:
    point = _begin(plan, key, folder)
    spent, started = point.seconds, time.perf_counter()

    def now(state: State) -> Checkpoint:
        return replace(point, state=state, seconds=spent + time.perf_counter() - started)

    with Interruption() as stop, RunBar(point.state, plan.generations) as bar:
        if not point.books.logbook:
            bar.show(point.books.record(plan, point.state, spent))
        for state in evolve(plan, point.state):
            ends_wave = state.generation in plan.wave_ends
            if ends_wave or state.generation % config["record_every"] == 0:
                row = point.books.record(plan, state, now(state).seconds)
                bar.show(row)
                if ends_wave:
                    LOG.info(_wave_line(row))
            bar.step(state)
            point = now(state)
            if stop.requested or ends_wave or state.generation % config["checkpoint_every"] == 0:
                _save(folder, key, point)
            if stop.requested:
                _stop(folder, point, config["force"])
    return point


def _begin(plan: Plan, key: str, folder: Path) -> Checkpoint:
    point, refused = load_checkpoint(folder, key)
    for sentence in refused:
        LOG.warning(sentence)
    if refused:
        set_aside(folder)
    if point is None:
        LOG.info("%s, %d generations, population of %d, seed %d", plan.game, plan.generations, plan.size, plan.seed)
        return Checkpoint(first_state(plan), Books(), 0.0)
    LOG.info("going on after generation %d of %d", point.state.generation, plan.generations)
    if changed := changes(point.versions, versions()):
        LOG.warning("this run began with %s", "; ".join(changed))
    return point


def _save(folder: Path, key: str, point: Checkpoint) -> None:
    save_checkpoint(folder, key, point)
    write_metrics(folder, point.books.logbook)
    write_digests(folder, point.books.logbook)


def _stop(folder: Path, point: Checkpoint, forced: bool) -> None:
    """Leave the files of a stopped run as useful as they can be, and say how to go on."""
    from pigevo.runs.pictures import draw_so_far

    draw_so_far(folder, point)
    raise Interrupted(f"stopped after generation {point.state.generation}; {going_on(folder, forced)}")


def _finish(
    plan: Plan, config: Mapping[str, Any], key: str, folder: Path, point: Checkpoint, pictures: bool
) -> dict[str, Any]:
    if plan.generations == 0:
        save_checkpoint(folder, key, point)
    write_metrics(folder, point.books.logbook)
    write_digests(folder, point.books.logbook)
    finish = conclude(plan, config, key, point)
    write_finish(folder, plan, point, finish)
    if pictures:
        from pigevo.runs.pictures import draw_run

        draw_run(folder, plan, point, finish)
    write_result(folder, finish.record)
    return finish.record


def _wave_line(row: Mapping[str, Any]) -> str:
    return (
        f"generation {row['generation']}, end of wave {row['wave']} (cubes of {row['cube_size']}): "
        f"best {row['best']:.4f}, mean {row['mean']:.4f} against the optimum"
    )
