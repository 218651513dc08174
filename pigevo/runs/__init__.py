"""A run on disk: its folder, metrics, checkpoints, provenance and result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {"progress": ["Interrupted"], "runner": ["run"]}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.runs.progress import Interrupted as Interrupted
    from pigevo.runs.runner import run as run
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
