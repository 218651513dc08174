"""When and from where modules are imported: a search path without surprises, and names and views loaded on first use.

A file `queue.py` in the working folder must not replace Python's own module.  Libraries do not search the working
folder for plugins, which a folder beside a package's code announces.  This file imports only modules that Python has
loaded at its start.

Names of packages are loaded on first use (PEP 562), so that importing the package imports nothing heavy.  numpy takes
more time than the help or the answer to a typo: what they import takes `numpy` from here.  The views of
records in notebooks are in `pigevo.web.notebook`, which the rooms of these records may not import: the package sets its
name here.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType


if TYPE_CHECKING:
    import numpy as numpy
else:

    class NumpyOnFirstUse(type(sys)):
        """numpy, imported when one of its names is first used.

        Names are looked up each time, since a test may replace them for a while.
        """

        module = None

        def __getattribute__(self, name: str) -> object:
            if name in ("__class__", "__reduce_ex__"):
                return super().__getattribute__(name)
            kind = type(self)
            kind.module = kind.module or importlib.import_module("numpy")
            return getattr(kind.module, name)

        def __setattr__(self, name: str, value: object) -> None:
            setattr(importlib.import_module("numpy"), name, value)

        def __delattr__(self, name: str) -> None:
            delattr(importlib.import_module("numpy"), name)

        def __reduce_ex__(self, protocol: int) -> tuple[object, ...]:
            return importlib.import_module, ("numpy",)

    numpy = NumpyOnFirstUse("numpy")

NO_FOLDER = "the present folder has been removed: go to another one."


def working_folder_last(*folders: str) -> None:
    """Move the given folders, then the working folder, to the end of the search path, after all installed packages."""
    last = [folder for folder in dict.fromkeys((*folders, working_folder())) if folder]
    sys.path[:] = [folder for folder in sys.path if folder and folder not in last] + last


def without_working_folder(load: Callable[[], object]) -> None:
    """Call `load`, which searches for a library's plugins, with the working folder off the search path."""
    before, here = sys.path[:], working_folder()
    sys.path[:] = [folder for folder in before if folder and folder != here]
    try:
        load()
    finally:
        sys.path[:] = before


def working_folder() -> str:
    """The path of the working folder; empty if it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def collect_less_often() -> None:
    """Look for garbage in cycles less often in a process of pigevo's own: else it takes a tenth of the time of a start.

    Of the packages more than a hundred thousand objects stay; hundreds of looks at them find next to nothing.
    """
    gc.set_threshold(20_000, 10, 10)


def leave_garbage() -> None:
    """Leave what is in memory to the end of the process.

    To look for garbage among the objects of all packages takes a quarter of a second.
    """
    gc.freeze()


def is_the_command() -> bool:
    """Whether this process is `python -m pigevo` or the script `pigevo`, and ends with it."""
    words = sys.orig_argv
    is_script = len(words) > 1 and os.path.basename(words[1]) == "pigevo"
    return not sys.flags.interactive and (is_script or words[1:3] == ["-m", "pigevo"])


class RememberedInterrupt:
    """Python's own handling of Ctrl-C, which remembers that it came.

    A package that is interrupted while it is imported may raise another error, or none.
    """

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise a KeyboardInterrupt."""
        from signal import default_int_handler

        self.came = True
        default_int_handler(number, frame)


def lazy_getattr(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The `__getattr__` of a package whose names are loaded from the given modules when first used."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = importlib.import_module(f"{package}.{home_of[name]}")
        except AttributeError as error:  # Python would report the name as missing
            raise ImportError(f"{package}.{home_of[name]} cannot be imported: {error}") from error
        return getattr(module, name)

    return load


def exported_names(homes: Mapping[str, Sequence[str]]) -> list[str]:
    """All exported names of a package, sorted."""
    return sorted(name for names in homes.values() for name in names)


VIEWS: list[str] = []  # the module whose function `view_of` makes the views; `pigevo/__init__.py` sets it


def figure_png(figure: object) -> bytes | None:
    """A matplotlib figure as PNG for a notebook; None if it cannot be drawn."""
    png: bytes | None = importlib.import_module(VIEWS[-1]).png(figure)
    return png


class NotebookDisplay:
    """A record with a notebook view, chosen by the name of its class."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The view by MIME type: HTML, and the picture alone for viewers without HTML."""
        views: dict[str, str] = importlib.import_module(VIEWS[-1]).view_of(self)
        return views

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]
