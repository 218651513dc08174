"""Many runs: done by worker processes that may die, gathered, ranked and compared."""

from __future__ import annotations

from pigevo.core.lazy_exports import names_of, opened

_HOMES = {"pool": ["Job", "Outcome", "run_jobs"]}

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
