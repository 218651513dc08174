"""Many runs: executed by worker processes that may die, collected, ranked and compared."""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {"job": ["Job", "Outcome"], "pool": ["run_jobs"]}

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
