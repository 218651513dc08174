"""Launchers of sweeps: worker processes of this machine, a Ray cluster, or Slurm.

`hydra/launcher=NAME` chooses a file of conf/hydra/launcher; the `name` in it chooses a
function here, and the other settings are its options.

On other machines, runs are submitted and followed until they end. All machines must share the same folders, which
contain results, checkpoints and locks; a run that lost its machine continues from its checkpoint on another.
"""

from __future__ import annotations

import importlib
import itertools
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Protocol

from pigevo.core.checked_values import Within
from pigevo.core.imports import working_folder_last
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.runs.progress import Interruption
from pigevo.storage.cache_dirs import own_folder
from pigevo.sweeps.job import (
    FAILED,
    FINISHED,
    INTERRUPTED,
    Answer,
    Job,
    JobOutcome,
    JobRecord,
    do,
    first_line,
    job_record,
)
from pigevo.sweeps.run_sweep import Launcher, SweepBar

if TYPE_CHECKING:
    from submitit.helpers import DelayedSubmission

LOG = logging.getLogger(__name__)

LAUNCHERS = Registry("launcher", 3)

AtLeastOne = Annotated[int, Within(1)]
OnOutcome = Callable[[JobOutcome], object]
Arguments = Mapping[str, object]

POLL_SECONDS = 0.5  # seconds between two polls for finished work
STOP_SECONDS = 30.0  # seconds to wait for runs that were asked to stop

WORKING_FOLDER_LAST = "PYTHONSAFEPATH"
"""The option of Python that keeps the working folder from preceding installed modules."""

NO_TOKEN = (
    "Ray's token is missing: with RAY_AUTH_MODE=token, `ray get-auth-token --generate` makes one in ~/.ray/auth_token, "
    "which all machines must have; RAY_AUTH_MODE=disabled does without, for a cluster that nobody else can reach."
)


def launcher_of(choice: object, home: Path) -> Launcher:
    """The launcher that `hydra.launcher` describes: a `name`, and its options."""
    if isinstance(choice, Mapping) and "_target_" in choice:
        plugin = str(choice["_target_"]).rpartition(".")[2]
        raise InputError(
            f"{plugin} is a launcher of Hydra's, and not one of pigevo's: leave hydra/launcher out, and write "
            "hydra.launcher.workers=N for N runs at a time on this machine; for others there are "
            "hydra/launcher=ray_cluster and submitit_slurm."
        )
    if not isinstance(choice, Mapping) or "name" not in choice:
        raise InputError(
            "hydra.launcher names no launcher: write hydra/launcher=pigevo, ray_cluster or submitit_slurm."
        )
    entry = LAUNCHERS[str(choice["name"])]
    typed = {str(key): value for key, value in choice.items() if key != "name"}
    options = entry.completed(entry.check(typed, "hydra.launcher"))

    def launch(jobs: Sequence[Job], *, on_outcome: OnOutcome) -> list[JobOutcome]:
        outcomes: list[JobOutcome] = entry.bind(options)(jobs, on_outcome, home)
        return outcomes

    return launch


@LAUNCHERS.register()
def pool(jobs: Sequence[Job], on_outcome: OnOutcome, home: Path, workers: AtLeastOne = 1) -> list[JobOutcome]:
    """Worker processes of this machine, which survive failing runs.

    Args:
        jobs: the runs.
        on_outcome: called with each outcome.
        home: the folder of all sweeps.
        workers: runs at the same time.
    """
    from pigevo.sweeps.run_sweep import run_jobs

    return run_jobs(jobs, workers, on_outcome=on_outcome)


@LAUNCHERS.register()
def ray_cluster(
    jobs: Sequence[Job], on_outcome: OnOutcome, home: Path, init: Arguments | None = None,
    remote: Arguments | None = None,
) -> list[JobOutcome]:  # fmt: skip
    """A running Ray cluster.

    Args:
        jobs: the runs.
        on_outcome: called with each outcome.
        home: the folder of all sweeps.
        init: arguments of `ray.init`.
        remote: options of the remote function.
    """
    init = init or {}
    os.environ.setdefault("RAY_AUTH_MODE", "token")  # Ray reads it when it is imported
    ray = _imported("ray", "ray>=2.56")
    try:
        function = ray.remote(**(remote or {}))(_by_value())
    except (ValueError, TypeError) as error:
        raise InputError(f"hydra.launcher.remote: {first_line(error).rstrip('.')}.") from error
    try:
        ray.init(**init)
    except ray.exceptions.AuthenticationError as error:
        raise InputError(NO_TOKEN) from error
    except ConnectionError as error:
        reason = first_line(error).rstrip(".")
        raise InputError(
            f"no Ray cluster at {init.get('address')} lets this machine in ({reason}): start one with `ray start`; "
            "both must have the same RAY_AUTH_MODE and token."
        ) from error
    except (ValueError, TypeError, RuntimeError) as error:
        raise InputError(f"hydra.launcher.init: {first_line(error).rstrip('.')}.") from error
    try:
        refs = [function.remote([job_record(job)]) for job in jobs]
        begun = [([job], ref.future()) for job, ref in zip(jobs, refs, strict=True)]
        return follow(begun, lambda: [ray.cancel(ref) for ref in refs], on_outcome)
    finally:
        ray.shutdown()


def _by_value() -> Callable[[object], list[Answer]]:
    """A function that calls `work`, which Ray sends as code, not by its name; Ray puts the working folder first."""
    working_folder = os.getcwd()

    def begin(runs: object) -> list[Answer]:
        sys.path[:] = [*(folder for folder in sys.path if folder not in ("", working_folder)), working_folder]
        answers: list[Answer] = importlib.import_module("pigevo.sweeps.launchers").work(runs)
        return answers

    return begin


@LAUNCHERS.register()
def slurm(
    jobs: Sequence[Job], on_outcome: OnOutcome, home: Path, runs_per_task: AtLeastOne = 1,
    timeouts: Annotated[int, Within(0)] = 10, timeout_min: AtLeastOne = 60, job_name: str = "pigevo",
    cpus_per_task: AtLeastOne = 1, mem_gb: Annotated[float, Within(0, 10**6)] = 2, slurm_partition: str | None = None,
    slurm_account: str | None = None, slurm_array_parallelism: AtLeastOne = 256,
    slurm_additional_parameters: Arguments | None = None,
) -> list[JobOutcome]:  # fmt: skip
    """A Slurm job array; the options from `timeout_min` on are those of submitit's executor.

    Args:
        jobs: the runs.
        on_outcome: called with each outcome.
        home: the folder of all sweeps.
        runs_per_task: the number of runs of one task of the array, done one after the other.
        timeouts: how many times a task is queued again after its time limit.
        timeout_min: the time limit of a task, in minutes.
        job_name: the name of the array.
        cpus_per_task: cores of a task.
        mem_gb: memory of a task, GiB.
        slurm_partition: the partition.
        slurm_account: the account.
        slurm_array_parallelism: the largest number of tasks at the same time.
        slurm_additional_parameters: further options of sbatch.
    """
    parameters = {
        "timeout_min": timeout_min, "name": job_name, "cpus_per_task": cpus_per_task, "mem_gb": mem_gb,
        "slurm_partition": slurm_partition, "slurm_account": slurm_account,
        "slurm_array_parallelism": slurm_array_parallelism, "slurm_additional_parameters": slurm_additional_parameters,
    }  # fmt: skip
    submitit = _imported("submitit", "submitit>=1.5")
    folder = home / ".submitit"  # of scripts, which are executed, so that nobody else may write there
    try:
        scripts = own_folder(home, folder.name)
    except OSError as error:
        raise InputError(f"Slurm would execute what lies in {folder}, and {error.strerror or error}.") from error
    try:
        executor = submitit.AutoExecutor(folder=scripts, cluster="slurm", slurm_max_num_timeout=timeouts)
        chosen = {key: value for key, value in parameters.items() if value is not None}
        executor.update_parameters(**chosen, slurm_setup=[f"export {WORKING_FOLDER_LAST}=1"])
    except RuntimeError as error:
        raise InputError("there is no Slurm here: sbatch is not found.") from error
    except NameError as error:
        raise InputError(f"hydra.launcher: {first_line(error)}.") from error
    parts = [jobs[start : start + runs_per_task] for start in range(0, len(jobs), runs_per_task)]
    try:
        tasks = executor.map_array(SlurmTask(), [[job_record(job) for job in part] for part in parts])
    except (submitit.core.utils.FailedJobError, AssertionError, TypeError, ValueError) as error:
        raise InputError(f"Slurm does not take hydra.launcher as it is: {first_line(error).rstrip('.')}.") from error
    return follow(list(zip(parts, tasks, strict=True)), lambda: [task.cancel() for task in tasks], on_outcome)


class Future(Protocol):
    """The handle of submitted work on a cluster."""

    def done(self) -> bool:
        """Whether it has ended."""

    def result(self) -> list[Answer]:
        """Its return value; raises its error."""


Submitted = Sequence[tuple[Sequence[Job], Future]]


def work(runs: Sequence[JobRecord]) -> list[Answer]:
    """Execute runs one after the other on a machine of a cluster; returns their states, errors and seconds.

    A run is a record of `pigevo.sweeps.job.job_record`; after a stopped run nothing more is done.
    """
    working_folder_last()  # a scheduler may put it first, or leave it out
    answers: list[Answer] = []
    for run in runs:
        answers.append(do(run, redirect=False))
        if answers[-1][0] == INTERRUPTED:
            break
    return answers


class SlurmTask:
    """`work` for Slurm: after the time limit, the rest is queued again, and continues from the checkpoints."""

    def __call__(self, runs: Sequence[JobRecord]) -> list[Answer]:
        """Do the runs."""
        return work(runs)

    def checkpoint(self, runs: object) -> DelayedSubmission:
        """The task to queue again: finished runs are skipped."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self, runs)


def follow(begun: Submitted, cancel: Callable[[], object], on_outcome: OnOutcome) -> list[JobOutcome]:
    """Wait for submitted work on a cluster, given as jobs and futures, with one bar; `cancel` stops all of it."""
    jobs = [job for part, _ in begun for job in part]
    waiting, outcomes = list(begun), {}
    with SweepBar("sweep", jobs, jobs) as bar, Interruption() as stop:
        until = float("inf")
        while waiting and time.monotonic() < until:
            if stop.requested and until == float("inf"):
                until = time.monotonic() + STOP_SECONDS
                cancel()
            ended = [job for job in waiting if _ended(*job)]
            waiting = [job for job in waiting if job not in ended]
            for outcome in itertools.chain.from_iterable(_outcomes(part, future) for part, future in ended):
                stopped = stop.requested and outcome.state == FAILED
                outcomes[outcome.job] = JobOutcome(outcome.job, INTERRUPTED) if stopped else outcome
                bar.done(outcomes[outcome.job])
                on_outcome(outcomes[outcome.job])
            time.sleep(0 if ended else POLL_SECONDS)
    return [outcomes.get(job) or JobOutcome(job, INTERRUPTED) for job in jobs]


def _ended(part: Sequence[Job], future: Future) -> bool:
    """Whether work has ended, according to the cluster or to its results on disk."""
    return future.done() or all(job.is_finished for job in part)


def _outcomes(part: Sequence[Job], future: Future) -> Iterator[JobOutcome]:
    """The outcome of each job, according to the results on disk."""
    answers: list[Answer] = []
    error = "it left no result: do all machines see this folder?"
    if future.done():
        try:
            answers = future.result()
        except Exception as lost:
            LOG.debug("lost by the cluster", exc_info=True)
            error = f"lost by the cluster: {type(lost).__name__}: {first_line(lost)}"
    stopped = INTERRUPTED if answers and answers[-1][0] == INTERRUPTED else None  # then the others were not begun
    for job, answer in itertools.zip_longest(part, answers):
        state, message, seconds = answer or (stopped or FAILED, error, 0.0)
        if job.is_finished:
            yield JobOutcome(job, FINISHED, "", seconds)
        elif state == INTERRUPTED:
            yield JobOutcome(job, INTERRUPTED, message, seconds)
        else:
            yield JobOutcome(job, FAILED, message or error, seconds)


def _imported(module: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"this launcher needs {module}: pip install '{package}'.") from error
