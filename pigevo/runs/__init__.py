"""A run on disk: its folder, metrics, checkpoints, provenance and result."""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {"progress": ["Interrupted"], "result": ["load_population"], "runner": ["run"]}

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
