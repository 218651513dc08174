"""A run on disk: its folder, metrics, checkpoints, provenance and result."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["Interrupted", "load_population", "run"]

_HOMES = {
    "Interrupted": "pigevo.runs.interruption",
    "load_population": "pigevo.runs.population",
    "run": "pigevo.runs.runner",
}


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pigevo.runs' has no attribute {name!r}")
