"""The settings of a run: the schema of conf/, composed by Hydra and checked, as one frozen value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {"settings": ["Settings"]}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.settings.settings import Settings as Settings
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
