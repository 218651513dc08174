"""Strategies of a Python file, made in a process of its own, which may fail, hang or die and harms nothing else."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from pigevo.begin import words_of
from pigevo.errors import InputError
from pigevo.games import Game, game_to_record
from pigevo.own_code import load, place_of
from pigevo.records import decoded, read_bytes
from pigevo.strategies import Strategy, load_strategy

ANSWER, STACK = "answer.json", "stack.txt"

GRACE_SECONDS = 30.0
"""What a process has beyond its time for starting, and for noting where it stood when that was up."""

LARGEST_SOURCE = 2**22
LARGEST_ANSWER = 2**22

Made = tuple[list[tuple[str, Strategy]], list[tuple[str, str]]]
"""Strategies by the names of their functions, and what was wrong with the others."""


def functions_of(path: Path, game: Game) -> list[str]:
    """The functions of a file that are strategies by their signature, without running it.

    Args:
        path: the file.
        game: the game: a rule may also take an argument for each axis of its array.

    Returns:
        Public functions of (i, j, k) or of (game), in their order; of a file that is no Python none.

    Raises:
        InputError: it cannot be read.
    """
    try:
        tree = ast.parse(decoded(read_bytes(path, LARGEST_SOURCE)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # importing it will tell
        return []
    public = (node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"))
    return [node.name for node in public if _is_strategy(node.args, len(game.axes))]


def _is_strategy(arguments: ast.arguments, axes: int) -> bool:
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    needed = names[: len(names) - len(arguments.defaults)]
    free = any(default is None for default in arguments.kw_defaults)
    return not free and (needed == ["game"] or len(needed) in (3, axes))


def strategies_apart(reference: str, functions: list[str], game: Game, seconds: float) -> Made:
    """The strategies of some functions of one file, whatever it does.

    Args:
        reference: the path of the file, or the name of a module of Python's path.
        functions: which of its functions.
        game: the game they shall play.
        seconds: how long the file may take, all its functions together.
    """
    with tempfile.TemporaryDirectory(prefix="pigevo-apart-") as place:
        folder = Path(place)
        order = {"reference": reference, "functions": functions, "game": game_to_record(game), "seconds": seconds,
                 "folder": place}  # fmt: skip
        try:
            status = _run(json.dumps(order), seconds + GRACE_SECONDS)
        except OSError as error:
            return [], [("", f"no process could be started: {error.strerror}")]
        if not (folder / ANSWER).is_file():
            return [], [("", _death(folder, status, reference, seconds))]
        made: list[tuple[str, Strategy]] = []
        failed: list[tuple[str, str]] = []
        try:
            errors = json.loads(decoded(read_bytes(folder / ANSWER, LARGEST_ANSWER)))
            for number, (name, why) in enumerate(zip(functions, errors, strict=True)):
                if why:
                    failed.append((name, str(why)))
                else:
                    made.append((name, load_strategy(folder / f"{number}.npz")))
        except (ValueError, TypeError):  # the file has written there itself
            return [], [("", "its process gave an answer that is none")]
        return made, failed


def _run(order: str, seconds: float) -> int | None:
    """The exit status of a child; None where it had to be killed."""
    process = subprocess.Popen(
        words_of("pigevo.tournaments.child"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        process.communicate(f"{order}\n", seconds)
        return process.returncode
    except subprocess.TimeoutExpired:
        return None
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    """End a child, if it lives, and all that it has begun."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _death(folder: Path, status: int | None, reference: str, seconds: float) -> str:
    """Why a child gave no answer, with the line at which it was, if that is known."""
    stack = ""
    with suppress(InputError, ValueError):
        stack = decoded(read_bytes(folder / STACK, LARGEST_ANSWER))
    own = Path(os.path.realpath(os.path.expanduser(reference)))
    lines = re.findall(r'File "(.*)", line (\d+)', stack)
    at = next((f", in {Path(file).name}, line {line}" for file, line in lines if Path(file) == own), "")
    if status is None or stack.startswith("Timeout"):
        return f"it takes more than {seconds:g} s{at}"
    if status < 0:
        return f"its process was ended by signal {-status} ({signal.strsignal(-status)}){at}"
    return f"its process ended with status {status}{at}"


def with_place(error: str, reference: str) -> str:
    """What is wrong with a function, with the line where it stands unless a line is named already."""
    if re.search(r"\bline [0-9]", error):
        return error
    with suppress(InputError):
        return f"{error.rstrip('.')} ({place_of(load(reference).function)})."
    return error
