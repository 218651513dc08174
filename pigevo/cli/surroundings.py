"""Where a command finds itself: what libraries read there, unasked, is refused where it would spoil the work.

Numba reads `.numba_config.yaml` and matplotlib reads `matplotlibrc` in the present folder, and numba reads variables of
the environment, all of it while they are imported, where nobody could say what was wrong.
"""

from __future__ import annotations

import os

from pigevo.errors import InputError

NUMBA_FILE, MATPLOTLIB_FILE = ".numba_config.yaml", "matplotlibrc"
WHOLE = ("NUMBA_NUM_THREADS", "NUMBA_OPT", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
"""Variables of the environment that are whole numbers; the first one at least 1."""


def check_surroundings() -> None:
    """Refuse surroundings in which nothing can be done rightly.

    Raises:
        InputError: the present folder is gone, a file of it or a variable would change or break what libraries do.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise InputError("the present folder has been removed: go to another one.") from error
    if os.path.lexists(NUMBA_FILE):
        raise InputError(f"{NUMBA_FILE} in the present folder would change how numba compiles: move it away.")
    if os.path.lexists(MATPLOTLIB_FILE) and not _is_text(MATPLOTLIB_FILE):
        raise InputError(f"{MATPLOTLIB_FILE} in the present folder is no file of settings for pictures: move it away.")
    for name in WHOLE:
        value, least = os.environ.get(name, "1"), 1 if name == WHOLE[0] else 0
        if not (value.isascii() and value.isdigit() and int(value) >= least):
            raise InputError(f"{name}={value!r} in the environment must be a whole number of at least {least}.")


def _is_text(path: str) -> bool:
    from pigevo.records import decoded, read_bytes

    try:
        decoded(read_bytes(path))
    except ValueError:  # an InputError is one too
        return False
    return True
