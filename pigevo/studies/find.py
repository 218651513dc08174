"""The location of the studies, and how to run one.

A study is a folder of `experiments/` with a `study.py` that has a function
`run(folder, seeds, workers)`, which executes missing runs and writes tables and pictures.  If it
has a long part, `run_full` with the same arguments executes that, too.  The folder is loaded as a
package, so that `study.py` can import the modules beside it: `from .iterations import watch`.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from pigevo.errors import unknown
from pigevo.storage.experiments import STUDY_FILE, experiments_folder

__all__ = ["experiments_folder", "load_study", "study_names"]


def study_names() -> list[str]:
    """The names of all studies, sorted."""
    return sorted(path.parent.name for path in experiments_folder().glob(f"*/{STUDY_FILE}"))


def load_study(name: str) -> ModuleType:
    """The `study.py` of a study, loaded once as the package `pigevo_study_NAME`."""
    if name not in study_names():
        raise unknown("study", name, study_names())
    package = f"pigevo_study_{name}"
    if package in sys.modules:
        return sys.modules[package]
    folder = experiments_folder() / name
    spec = importlib.util.spec_from_file_location(
        package, folder / STUDY_FILE, submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module  # relative imports need it while it is executed
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[package]
        raise
    return module
