"""What the words on the command line mean, and how an error is told.

Nothing heavy is imported before it is known that it is needed: help, a typo and a
composed config start fast.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Sequence

from pigevo import __version__
from pigevo.cli.environment_checks import check_surroundings
from pigevo.cli.output import complain, end_stream, lost_output, open_streams, say
from pigevo.errors import InputError

WRONG_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

NEEDED = {
    "click": "click", "deap": "deap", "hydra": "hydra-core", "matplotlib": "matplotlib", "numba": "numba",
    "numpy": "numpy", "scipy": "scipy", "tqdm": "tqdm",
}  # fmt: skip
"""The modules that pigevo cannot do without, and the packages that they come in."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words say.

    Args:
        argv: the words after the program's name; those of this process by default.

    Returns:
        The exit status: 0, 2 for a wrong input, where memory is short or where nothing can be shown (told
        in one line), 130 for Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    os.environ["MPLBACKEND"] = "agg"  # pictures go to files, wherever else the user's own programs draw
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # it would send colours to any terminal
    open_streams()
    if sys.stdout is None:  # as in `pigevo ... >&-`
        return _complain("standard output is closed: send it to a file, or to /dev/null.")
    try:
        check_surroundings()
        _check_packages(NEEDED)
        status = _dispatch(words)
        sys.stdout.flush()  # here, so that a reader who has left and a full disk are noticed inside the try
        return status
    except InputError as error:
        if traces_wanted():
            raise
        return _complain(lost_output() or str(error))
    except KeyboardInterrupt as stop:
        if traces_wanted():
            raise
        _complain(str(stop) or "interrupted.")
        return INTERRUPTED
    except MemoryError as error:
        if traces_wanted():
            raise
        return _complain(
            f"there is not enough memory{_asked_memory(error)}: choose a smaller population, target or sample."
        )
    except BrokenPipeError:
        end_stream(sys.stdout)
        return PIPE_CLOSED
    except ModuleNotFoundError as error:  # what a needed package needs itself
        if traces_wanted() or not (sentence := _lacking([(error.name or "pigevo").partition(".")[0]])):
            raise
        return _complain(sentence)
    except OSError:
        lost = None if traces_wanted() else lost_output("\n")
        if lost is None:
            raise
        return _complain(lost)


def _asked_memory(error: MemoryError) -> str:
    """How much memory was asked for in vain, if the error says so."""
    found = re.search(r"Unable to allocate ([0-9.]+ \w+)", str(error))
    return f" ({found[1]} were asked for)" if found else ""


def _complain(sentence: str) -> int:
    complain(sentence)
    return WRONG_INPUT


def _check_packages(modules: dict[str, str]) -> None:
    """Refuse to begin in an environment without what pigevo needs.

    Raises:
        InputError: some of it is missing.
    """
    if sentence := _lacking(modules):
        raise InputError(sentence)


def _lacking(modules: Sequence[str] | dict[str, str]) -> str | None:
    """The sentence about those modules that this Python does not have."""
    missing = [NEEDED.get(name, name) for name in modules if name != "pigevo" and not _is_there(name)]
    if not missing:
        return None
    *most, last = missing
    names = f"{', '.join(most)} and {last}" if most else last
    return (
        f"{sys.executable or 'this Python'} lacks {names}: activate the environment that has pigevo "
        "(`source .venv/bin/activate`), or do `pip install .` in the folder of its source."
    )


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # imported by hand, without what Python notes of a module
        return True


def traces_wanted() -> bool:
    """Whether the user asked for full traces of errors."""
    return os.environ.get("HYDRA_FULL_ERROR") == "1"


def _dispatch(words: list[str]) -> int:
    from pigevo.cli.commands import command_names, run_command

    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if words and words[0] in command_names():
        return run_command(words)
    if "--version" in words:
        say(f"pigevo {__version__}")
        return 0
    if not words or {"--help", "-h"} & set(words):
        from pigevo.cli.help import overview

        say(overview())
        return 0
    from pigevo.cli.hydra_run import run_hydra

    return run_hydra(words)
