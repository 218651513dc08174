"""The package of the studies, wherever their folder is, and how to load one.

A study is a folder of `experiments/` with a `study.py` that has a function `run(folder, seeds, workers)`: it executes
the runs that are missing, and writes tables and pictures.  If it has a long part, `run_full` with the same arguments
executes that, too.  `SINGLE_FIGURES` has functions with the same arguments that return single figures of its
publication, by number, as matplotlib figures.  The folder is loaded as a package: `study.py` imports the modules beside
it with `from .iterations import watch`, and what studies share with `from ..common.tables import table`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.storage.files import LOCK_FILE, mark_of

STUDY_FILE = "study.py"


def experiments_folder() -> Path:
    """The folder experiments/: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "experiments", package.parent / "experiments"):
        if any(folder.glob(f"*/{STUDY_FILE}")):
            return folder
    raise InputError(f"the folder experiments/ is neither in {package} nor beside it: install pigevo again.")


def study_names() -> list[str]:
    """The names of all studies, sorted."""
    return sorted(path.parent.name for path in experiments_folder().glob(f"*/{STUDY_FILE}"))


def has_tables_of(name: str, folder: Path) -> bool:
    """Whether a folder that bears no name of a study has tables of this one, and of no other."""
    mark = _content(folder / LOCK_FILE)
    if mark not in (b"", mark_of("study")):  # the mark of all studies alike, in folders of earlier versions
        return False
    if mark and folder.name == name:
        return True
    tables = [path for path in folder.glob("[!.]*") if path.suffix in (".md", ".csv")]
    return bool(tables) and all(_heads(path) <= _heads(experiments_folder() / name / path.name) for path in tables)


def _heads(path: Path) -> set[bytes]:
    """The head of each section's first table with the section's name; the first line of a file without sections."""
    text = _content(path).replace(b"\r\n", b"\n")
    sections = re.findall(rb"^## \w+\n(?:(?!## |\|).*\n)*\|.*$", text, re.MULTILINE)
    return set(sections) if sections else {text.partition(b"\n")[0]}


def _content(path: Path) -> bytes:
    """The content of a file, or nothing if it is not there or cannot be read."""
    with suppress(OSError):
        return path.read_bytes()
    return b""


def load_study(name: str) -> ModuleType:
    """The module `pigevo.experiments.NAME.study`."""
    if name not in study_names():
        raise unknown("study", name, study_names())
    return importlib.import_module(f"{__name__}.{name}.study")


def figure_drawer(name: str, figure: str) -> Callable[[Path, int, int], Path]:
    """A function with the arguments of a study's `run` that draws one of its figures and returns its file."""
    figures = getattr(load_study(name), "SINGLE_FIGURES", {})
    if not figures:
        raise InputError(f"{name} draws no figure alone: leave --figure out, and it makes everything.")
    if figure not in figures:
        known = ", ".join(sorted(figures, key=lambda number: (not number.isdecimal(), number.zfill(3))))
        raise InputError(f"{name} draws no figure {short_repr(figure)}; there are: {known}.")

    def draw(folder: Path, seeds: int, workers: int) -> Path:
        from pigevo.figures.axes import save_figure

        stem = f"figure_{int(figure):02}" if figure.isdecimal() else figure
        return save_figure(folder / f"{stem}_alone.png", figures[figure](folder, seeds, workers))

    return draw


__path__ = [str(experiments_folder())]
"""Python looks for `pigevo.experiments.NAME` here: a checkout has the folder beside the package."""
