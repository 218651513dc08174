"""Many runs: executed by worker processes that may die, collected, ranked and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from pigevo.core.imports import exported_names, lazy_getattr

METRICS = {
    "champion": "the champion's win probability against the optimum",
    "peak_mean": "the largest mean of a population against the optimum",
    "last_mean": "the mean of the last population against the optimum",
    "best_seen": "the best member that was recorded, against the optimum",
}
"""The figures of a finished run by which settings are ranked and compared, in words."""

CURVES = {
    "best": "best of the population, win probability",
    "mean": "population mean, win probability",
    "worst": "worst of the population, win probability",
    "diversity": "genes in which two members differ",
}
"""The columns of `metrics.csv` that are drawn, in words."""

AXES = {
    "generation": "generation",
    "evaluations": "strategies evaluated",
    "games": "games simulated",
    "seconds": "time, s",
}
"""The possible axes of a curve, in words."""

Standing = Literal["finished", "running", "failed", "interrupted", "missing"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)  # of the runs of a sweep

_HOMES = {"job": ["Job", "JobOutcome"], "run_sweep": ["run_jobs"]}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.sweeps.job import Job as Job, JobOutcome as JobOutcome
    from pigevo.sweeps.run_sweep import run_jobs as run_jobs
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
