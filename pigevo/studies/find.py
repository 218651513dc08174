"""Where the studies lie, and how one is run.

A study is a folder of `experiments/` with a `study.py` that has a function
`run(folder, seeds, workers)`: it does what is missing and writes tables and pictures.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from pigevo.errors import InputError, unknown

ENTRY = "study.py"


def experiments_folder() -> Path:
    """The folder experiments/: inside the package where it was installed, beside it in a checkout.

    Raises:
        InputError: it is at neither place, so the installation is incomplete.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package / "experiments", package.parent / "experiments"):
        if any(place.glob(f"*/{ENTRY}")):
            return place
    raise InputError(f"the folder experiments/ is neither in {package} nor beside it: install pigevo again.")


def study_names() -> list[str]:
    """The names of all studies, sorted."""
    return sorted(path.parent.name for path in experiments_folder().glob(f"*/{ENTRY}"))


def load_study(name: str) -> ModuleType:
    """The module of a study.

    Raises:
        InputError: there is no study of that name.
    """
    if name not in study_names():
        raise unknown("study", name, study_names())
    path = experiments_folder() / name / ENTRY
    spec = importlib.util.spec_from_file_location(f"pigevo_study_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
