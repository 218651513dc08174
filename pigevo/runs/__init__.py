"""Stub: the lead's own replaces it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def run(config: dict[str, Any], folder: Path) -> None:
    """Stub of a run on disk."""
    print(f"would run in {folder}")
