"""The settings of a run: the schema of conf/, composed by Hydra and checked, as one frozen value."""

from __future__ import annotations

from pigevo.core.lazy_exports import names_of, opened

_HOMES = {"settings": ["Settings"]}

__all__ = names_of(_HOMES)
__getattr__ = opened(__name__, _HOMES)
