"""What made a run: versions, streams and machine, for every record."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pigevo
from pigevo.dice import STREAM_VERSION

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "deap", "hydra-core", "omegaconf", "matplotlib")


def versions() -> dict[str, Any]:
    """Versions of pigevo, its random streams, Python and the packages that results can depend on."""
    found: dict[str, Any] = {
        "pigevo": pigevo.__version__,
        "streams": STREAM_VERSION,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
