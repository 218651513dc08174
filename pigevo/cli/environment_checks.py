"""Checks of the working folder and the environment: what libraries read there is refused if it would spoil the work.

Numba reads `.numba_config.yaml` and matplotlib reads `matplotlibrc` in the present folder, and numba reads variables of
the environment, all of it while they are imported, where nobody could say what was wrong.
"""

from __future__ import annotations

import os
from typing import Any

from pigevo.errors import InputError

NUMBA_FILE, MATPLOTLIB_FILE = ".numba_config.yaml", "matplotlibrc"
WHOLE = {"NUM_THREADS": 1, "OPT": 0, "DISABLE_JIT": 0, "BOUNDSCHECK": 0}
"""Settings of numba that are whole numbers, each with the least."""


def check_surroundings() -> None:
    """Refuse surroundings in which nothing can be done rightly.

    Raises:
        InputError: the present folder is gone, a file of it or a variable would change or break what libraries do.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise InputError("the present folder has been removed: go to another one.") from error
    if os.path.lexists(MATPLOTLIB_FILE) and not _is_text(MATPLOTLIB_FILE):
        raise InputError(f"{MATPLOTLIB_FILE} in the present folder is no file of settings for pictures: move it away.")
    _check_numba({name: os.environ.get(f"NUMBA_{name}") for name in WHOLE}, "NUMBA_{name}={value!r} in the environment")
    _check_numba(_numba_file(), f"{{shown}}: {{value!r}} in {NUMBA_FILE}")


def _check_numba(settings: dict[str, Any], place: str) -> None:
    """Refuse values with which numba ends in a trace."""
    for name, least in WHOLE.items():
        value = settings.get(name)
        word = str(int(value) if isinstance(value, bool) else value)
        fits = (word.isascii() and word.isdigit() and int(word) >= least) or (name == "OPT" and word == "max")
        if value is not None and not fits:
            said = place.format(name=name, shown=name.lower(), value=value)
            raise InputError(f"{said} must be a whole number of at least {least}.")


def _numba_file() -> dict[str, Any]:
    """What the file of the present folder sets, by names in capitals."""
    if not os.path.isfile(NUMBA_FILE):
        return {}
    from pigevo.storage.records import from_yaml, read_bytes

    try:
        found = from_yaml(read_bytes(NUMBA_FILE))
    except ValueError:
        found = []
    if found is not None and not (isinstance(found, dict) and all(isinstance(name, str) for name in found)):
        raise InputError(f"{NUMBA_FILE} in the present folder is no file of settings for numba: move it away.")
    return {name.upper(): value for name, value in (found or {}).items()}


def _is_text(path: str) -> bool:
    from pigevo.storage.records import decoded, read_bytes

    try:
        decoded(read_bytes(path))
    except ValueError:  # an InputError is one too
        return False
    return True
