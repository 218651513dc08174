"""A run on disk: its folder, metrics, checkpoints, provenance and result."""

from __future__ import annotations

from pigevo.core.lazy_exports import names_of, opened

_HOMES = {"interruption": ["Interrupted"], "result": ["load_population"], "runner": ["run"]}

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
