"""What Hydra finds of pigevo: a sweeper that checks every run first, and a launcher that outlives its runs.

Hydra imports this file at every start, so it imports nothing that Hydra has not.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.utils import JobReturn, JobStatus, configure_log
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf

from pigevo.errors import InputError


class JobLauncher(Launcher):
    """Does runs that are composed and checked; those below say where."""

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Remember what composes a config."""
        self.context, self.config = hydra_context, config

    def run_jobs(self, jobs: Sequence[Any], *, note: Callable[[Any], object]) -> list[Any]:
        """Do them, and call `note` with each outcome."""
        raise NotImplementedError

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        """What another sweeper than ours calls."""
        from pigevo.sweeps.job import FINISHED
        from pigevo.sweeps.planning import plan_jobs

        returns = []
        for outcome in self.run_jobs(plan_jobs(job_overrides, loader(self.context, self.config)), note=lambda _: None):
            done = JobReturn(overrides=list(outcome.job.overrides), working_dir=str(outcome.job.folder))
            done.status = JobStatus.COMPLETED if outcome.state == FINISHED else JobStatus.FAILED
            done.return_value = None if outcome.state == FINISHED else RuntimeError(outcome.error)
            returns.append(done)
        return returns


class Pool(JobLauncher):
    """Worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = at_least_one("workers", workers)

    def run_jobs(self, jobs: Sequence[Any], *, note: Callable[[Any], object]) -> list[Any]:
        """Do them, as `pigevo.sweeps.run_jobs` does."""
        from pigevo.sweeps import run_jobs

        outcomes: list[Any] = run_jobs(jobs, self._workers, note=note)
        return outcomes


class RayCluster(JobLauncher):
    """A Ray cluster."""

    def __init__(self, init: Any, remote: Any) -> None:
        self._init, self._remote = plain(init), plain(remote)

    def run_jobs(self, jobs: Sequence[Any], *, note: Callable[[Any], object]) -> list[Any]:
        """Do them, as `pigevo.sweeps.cluster.on_ray` does."""
        from pigevo.sweeps.cluster import on_ray

        return on_ray(jobs, self._init, self._remote, note)


class Slurm(JobLauncher):
    """An array of Slurm."""

    def __init__(self, runs_per_task: int, timeouts: int, **parameters: Any) -> None:
        self._timeouts = timeouts
        self._runs_per_task = at_least_one("runs_per_task", runs_per_task)
        self._parameters = {key: plain(value) for key, value in parameters.items()}

    def run_jobs(self, jobs: Sequence[Any], *, note: Callable[[Any], object]) -> list[Any]:
        """Do them, as `pigevo.sweeps.cluster.on_slurm` does."""
        from pigevo.sweeps.cluster import on_slurm

        folder = Path(self.config.hydra.sweep.dir).absolute() / "sweeps" / ".submitit"
        return on_slurm(jobs, folder, self._runs_per_task, self._timeouts, self._parameters, note)


class Grid(BasicSweeper):
    """Every combination, all of them composed and checked before the first is run, by whatever launcher."""

    def sweep(self, arguments: list[str]) -> Any:
        """Check all runs, write the sweep's record, and have done what is not finished."""
        from pigevo.sweeps.drive import drive, through_hydra
        from pigevo.sweeps.planning import plan_jobs

        assert self.config is not None
        assert self.launcher is not None
        assert self.hydra_context is not None
        words = [*self._parse_config(), *arguments]
        overrides = OverridesParser.create(config_loader=self.hydra_context.config_loader).parse_overrides(words)
        (runs,) = self.split_arguments(overrides, None)
        if not runs:
            raise InputError("the sweep has no runs: a list or a range of values is empty.")
        jobs = plan_jobs(runs, loader(self.hydra_context, self.config))
        configure_log(self.config.hydra.hydra_logging, self.config.hydra.verbose)
        launcher = self.launcher
        runner = getattr(launcher, "run_jobs", None) or through_hydra(lambda lists: launcher.launch(lists, 0))
        return drive(jobs, words, Path(self.config.hydra.sweep.dir).absolute() / "sweeps", runner)


def loader(context: HydraContext, config: DictConfig) -> Callable[[list[str]], DictConfig]:
    """What composes the config of one run from its settings."""
    return lambda words: context.config_loader.load_sweep_config(config, words)


def plain(value: Any) -> Any:
    """A value of the config without the machinery of OmegaConf."""
    return OmegaConf.to_container(value, resolve=True) if OmegaConf.is_config(value) else value


def at_least_one(name: str, value: Any) -> int:
    """The value, a whole number of 1 or more."""
    if not isinstance(value, int) or value < 1:
        raise InputError(f"hydra.launcher.{name} = {value}: it must be a whole number, at least 1.")
    return value
