"""The location of the studies, some of whose tables the package reads."""

from __future__ import annotations

from pathlib import Path

from pigevo.errors import InputError

STUDY_FILE = "study.py"


def experiments_folder() -> Path:
    """The folder experiments/: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for place in (package / "experiments", package.parent / "experiments"):
        if any(place.glob(f"*/{STUDY_FILE}")):
            return place
    raise InputError(f"the folder experiments/ is neither in {package} nor beside it: install pigevo again.")
