"""Packages whose names are loaded when first used (PEP 562), so that importing them imports nothing heavy."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def lazy_getattr(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are loaded from the given modules when first used."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = importlib.import_module(f"{package}.{home_of[name]}")
        except AttributeError as error:  # Python would report the name as missing
            raise ImportError(f"{package}.{home_of[name]} cannot be imported: {error}") from error
        return getattr(module, name)

    return load


def exported_names(homes: Mapping[str, Sequence[str]]) -> list[str]:
    """All exported names of a package, sorted."""
    return sorted(name for names in homes.values() for name in names)
