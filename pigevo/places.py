"""Where pigevo keeps what it can make again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from platformdirs import user_cache_path


def user_cache() -> Path:
    """The user's cache folder for pigevo, which may not exist and need not be writable.

    A user without a home, as in many containers, has one among the temporary files.
    """
    try:
        place = user_cache_path("pigevo", appauthor=False)
    except RuntimeError:
        place = Path("~")
    return place if place.is_absolute() else Path(tempfile.gettempdir()) / "pigevo"


def shown(path: Path) -> Path:
    """A path as one would type it: from the present folder, if it lies below."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):  # the present folder may have been removed
        return path
