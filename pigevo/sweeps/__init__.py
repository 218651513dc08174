"""Many runs: done by worker processes that may die, gathered, ranked and compared."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Job": "pigevo.sweeps.pool",
    "Outcome": "pigevo.sweeps.pool",
    "run_jobs": "pigevo.sweeps.pool",
}

__all__ = ["Job", "Outcome", "run_jobs"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pigevo.sweeps' has no attribute {name!r}")
