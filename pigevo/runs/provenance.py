"""What made a run: versions, streams and machine, for every record."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pigevo
from pigevo.dice import STREAM_VERSION
from pigevo.exact import ENGINE_VERSION

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "deap", "hydra-core", "omegaconf", "matplotlib")


def versions() -> dict[str, Any]:
    """Versions of pigevo, its random streams, Python and the packages that results can depend on."""
    found: dict[str, Any] = {
        "pigevo": pigevo.__version__,
        "streams": STREAM_VERSION,
        "engine": ENGINE_VERSION,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What has another version now than then: `numba 0.61.0, now 0.62.1`."""
    return [f"{name} {then[name]}, now {now[name]}" for name in now if name in then and then[name] != now[name]]
