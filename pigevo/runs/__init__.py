"""A run on disk: its folder, metrics, checkpoints, provenance and result."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["Interrupted", "run"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("pigevo.runs.runner"), name)
    raise AttributeError(f"module 'pigevo.runs' has no attribute {name!r}")
