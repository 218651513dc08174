"""Who does the runs of a sweep: worker processes of this machine, a Ray cluster, or Slurm.

`hydra/launcher=NAME` chooses a file of conf/hydra/launcher; the `name` in it chooses a
function here, and the other settings are its options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.sweeps.job import Job, Outcome
from pigevo.sweeps.run_sweep import Launcher

LAUNCHERS = Registry("launcher", 3)

AtLeastOne = Annotated[int, Within(1)]
OnOutcome = Callable[[Outcome], object]
Many = Mapping[str, Any]


@LAUNCHERS.register()
def pool(jobs: Sequence[Job], on_outcome: OnOutcome, home: Path, workers: AtLeastOne = 1) -> list[Outcome]:
    """Worker processes of this machine, which outlive runs that fail.

    Args:
        jobs: the runs.
        on_outcome: is called with each outcome.
        home: the folder of all sweeps.
        workers: runs at the same time.
    """
    from pigevo.sweeps.pool import run_jobs

    return run_jobs(jobs, workers, on_outcome=on_outcome)


@LAUNCHERS.register()
def ray_cluster(
    jobs: Sequence[Job], on_outcome: OnOutcome, home: Path, init: Many | None = None, remote: Many | None = None
) -> list[Outcome]:
    """A Ray cluster that is running.

    Args:
        jobs: the runs.
        on_outcome: is called with each outcome.
        home: the folder of all sweeps.
        init: arguments of `ray.init`.
        remote: options of the remote function.
    """
    from pigevo.sweeps.cluster import on_ray

    return on_ray(jobs, init or {}, remote or {}, on_outcome)


@LAUNCHERS.register()
def slurm(
    jobs: Sequence[Job],
    on_outcome: OnOutcome,
    home: Path,
    runs_per_task: AtLeastOne = 1,
    timeouts: Annotated[int, Within(0)] = 10,
    timeout_min: AtLeastOne = 60,
    job_name: str = "pigevo",
    cpus_per_task: AtLeastOne = 1,
    mem_gb: float = 2,
    slurm_partition: str | None = None,
    slurm_account: str | None = None,
    slurm_array_parallelism: AtLeastOne = 256,
    slurm_additional_parameters: Many | None = None,
) -> list[Outcome]:
    """An array of Slurm; the options from `timeout_min` on are those of submitit's executor.

    Args:
        jobs: the runs.
        on_outcome: is called with each outcome.
        home: the folder of all sweeps.
        runs_per_task: how many runs one task of the array does, one after the other.
        timeouts: how often a task whose time is up is queued again.
        timeout_min: the time of a task, minutes.
        job_name: of the array.
        cpus_per_task: cores of a task.
        mem_gb: memory of a task, GiB.
        slurm_partition: the partition.
        slurm_account: the account.
        slurm_array_parallelism: tasks at the same time, at most.
        slurm_additional_parameters: whatever else sbatch takes.
    """
    from pigevo.sweeps.cluster import on_slurm

    parameters = {
        "timeout_min": timeout_min, "name": job_name, "cpus_per_task": cpus_per_task, "mem_gb": mem_gb,
        "slurm_partition": slurm_partition, "slurm_account": slurm_account,
        "slurm_array_parallelism": slurm_array_parallelism, "slurm_additional_parameters": slurm_additional_parameters,
    }  # fmt: skip
    return on_slurm(jobs, home / ".submitit", runs_per_task, timeouts, parameters, on_outcome)


def launcher_of(choice: Any, home: Path) -> Launcher:
    """The launcher that `hydra.launcher` describes: a `name`, and its options."""
    if not isinstance(choice, Mapping) or "name" not in choice:
        raise InputError(
            "hydra.launcher names no launcher: write hydra/launcher=pigevo, ray_cluster or submitit_slurm."
        )
    entry = LAUNCHERS[str(choice["name"])]
    given = {str(key): value for key, value in choice.items() if key != "name"}
    options = entry.completed(entry.check(given, "hydra.launcher"))

    def launch(jobs: Sequence[Job], *, on_outcome: OnOutcome) -> list[Outcome]:
        outcomes: list[Outcome] = entry.bind(options)(jobs, on_outcome, home)
        return outcomes

    return launch
