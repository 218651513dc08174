"""The settings of a run: the schema of conf/, composed by Hydra and checked, as one frozen value."""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {"settings": ["Settings"]}

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
