"""Which commit of pigevo is at work, where it runs from a checkout of its repository."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TypedDict

import pigevo

SECONDS = 10
"""After which git is given up."""


class Checkout(TypedDict):
    """The commit, and whether the package or its configs differ from it."""

    commit: str
    changed: bool


@cache
def checkout() -> Checkout | None:
    """The checkout that pigevo runs from; None where it is installed, or git cannot tell."""
    return checkout_of(Path(pigevo.__file__).resolve().parents[1])


def checkout_of(root: Path) -> Checkout | None:
    """The commit of a repository's folder, and whether its `pigevo/` or `conf/` were changed since."""
    if not (root / ".git").exists():
        return None
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "--no-optional-locks", "status", "--porcelain", "--", "pigevo", "conf")
    return None if not commit or changed is None else {"commit": commit, "changed": bool(changed)}


def _git(root: Path, *words: str) -> str | None:
    """What git prints; None where it fails."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words], env=own, capture_output=True, text=True, check=True, timeout=SECONDS
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None
    return done.stdout.strip()
