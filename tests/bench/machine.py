"""What a benchmark says of the machine and the versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

PEERS = ("pigevo", "numpy", "numba", "llvmlite", "deap", "open_spiel")


def machine() -> str:
    """The processor's model, its cores and their load, Python and the system."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as facts:
            name = next(line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{load}, Python {platform.python_version()}, {platform.system()}"


def versions() -> str:
    """Those of what is measured."""
    return ", ".join(f"{name} {_version(name)}" for name in PEERS)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not here)"
