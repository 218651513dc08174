"""What the words on the command line mean, and how an error is told.

Nothing heavy is imported before it is known that it is needed: help, a typo and a
composed config start fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pigevo import __version__
from pigevo.errors import InputError

WRONG_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words say.

    Args:
        argv: the words after the program's name; those of this process by default.

    Returns:
        The exit status: 0, 2 for a wrong input (told in one line), 130 for Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _dispatch(words)
        sys.stdout.flush()  # here, so that a reader who has left is noticed inside the try
        return status
    except InputError as error:
        if traces_wanted():
            raise
        print(f"pigevo: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt as stop:
        if traces_wanted():
            raise
        print(f"pigevo: {stop or 'interrupted.'}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more at exit: give it a place to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED


def traces_wanted() -> bool:
    """Whether the user asked for full traces of errors."""
    return os.environ.get("HYDRA_FULL_ERROR") == "1"


def _dispatch(words: list[str]) -> int:
    if words == ["--version"]:
        print(f"pigevo {__version__}")
        return 0
    from pigevo.cli.commands import command_names, run_command

    if words and words[0] in command_names():
        return run_command(words)
    if not words or {"--help", "-h"} & set(words) or words == ["help"]:
        from pigevo.cli.help import overview

        print(overview())
        return 0
    from pigevo.cli.hydra_run import run_hydra

    return run_hydra(words)
