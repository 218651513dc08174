"""Many runs: executed by worker processes that may die, collected, ranked and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {"job": ["Job", "Outcome"], "run_sweep": ["run_jobs"]}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.sweeps.job import Job as Job, Outcome as Outcome
    from pigevo.sweeps.run_sweep import run_jobs as run_jobs
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
