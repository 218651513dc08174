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
from omegaconf import DictConfig

from pigevo.errors import InputError


class Pool(Launcher):
    """Does the runs in worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Remember what composes a config."""
        if not isinstance(self._workers, int) or self._workers < 1:
            raise InputError(f"hydra.launcher.workers = {self._workers}: it must be a whole number, at least 1.")
        self._context, self._config = hydra_context, config

    def run_jobs(self, jobs: Sequence[Any], **options: Any) -> list[Any]:
        """Do jobs that are composed and checked, as `pigevo.sweeps.run_jobs` does."""
        from pigevo.sweeps import run_jobs

        outcomes: list[Any] = run_jobs(jobs, self._workers, **options)
        return outcomes

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        """What another sweeper than ours calls."""
        from pigevo.sweeps.job import FINISHED
        from pigevo.sweeps.planning import plan_jobs

        jobs = plan_jobs(job_overrides, loader(self._context, self._config))
        returns = []
        for outcome in self.run_jobs(jobs):
            done = JobReturn(overrides=list(outcome.job.overrides), working_dir=str(outcome.job.folder))
            done.status = JobStatus.COMPLETED if outcome.state == FINISHED else JobStatus.FAILED
            done.return_value = None if outcome.state == FINISHED else RuntimeError(outcome.error)
            returns.append(done)
        return returns


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
        jobs = plan_jobs(runs, loader(self.hydra_context, self.config))
        configure_log(self.config.hydra.hydra_logging, self.config.hydra.verbose)
        launcher = self.launcher
        runner = getattr(launcher, "run_jobs", None) or through_hydra(lambda lists: launcher.launch(lists, 0))
        return drive(jobs, words, Path(self.config.hydra.sweep.dir).absolute() / "sweeps", runner)


def loader(context: HydraContext, config: DictConfig) -> Callable[[list[str]], DictConfig]:
    """What composes the config of one run from its settings."""
    return lambda words: context.config_loader.load_sweep_config(config, words)
