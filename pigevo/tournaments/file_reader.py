"""Strategies of Python files, each made in a process of its own, which may fail, hang or die without harm to others."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pigevo.errors import InputError
from pigevo.games import Game, game_to_record
from pigevo.storage.records import decoded, read_bytes
from pigevo.strategies import Strategy, load_strategy
from pigevo.strategies.strategy import refuse_other_answers
from pigevo.tournaments.file_reader_process import ANSWER, MADE, STACK
from pigevo.workers.entry import words_of

PATIENCE = 10
"""How many times its processor time a function may take by the clock: it may sleep, and the machine may be busy."""

GRACE_SECONDS = 60.0
"""What a process has beyond that for starting, and for noting where it stood when its time was up."""

LARGEST_SOURCE = 2**22
LARGEST_ANSWER = 2**22


@dataclass(frozen=True)
class Functions:
    """The public functions that a file defines, found without running it.

    Args:
        lines: of those that are strategies by their arguments, by name.
        wrong: the others by name, each with what is wrong.
    """

    lines: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)


def functions_of(path: Path, game: Game) -> Functions:
    """The public functions that a file defines; what it imports and what begins with `_` is left out.

    Args:
        path: the file; one that is no Python has none.
        game: the game: a rule may also take an argument for each axis of its array.

    Raises:
        InputError: it cannot be read.
    """
    try:
        tree = ast.parse(decoded(read_bytes(path, LARGEST_SOURCE)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # importing it will tell
        return Functions()
    found = Functions()
    for node in tree.body:
        for name, arguments in _defined(node):
            found.lines.pop(name, None)  # a later definition replaces an earlier one
            found.wrong.pop(name, None)
            if _is_strategy(arguments, len(game.axes)):
                found.lines[name] = node.lineno
            elif not name.startswith("_"):
                found.wrong[name] = _no_strategy(arguments, game, f"{path.name}, line {node.lineno}")
    return Functions({name: line for name, line in found.lines.items() if not name.startswith("_")}, found.wrong)


def _defined(node: ast.stmt) -> list[tuple[str, ast.arguments]]:
    """The functions that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [(node.name, node.args)]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return [(target.id, node.value.args) for target in node.targets if isinstance(target, ast.Name)]
    return []


def _needed(arguments: ast.arguments) -> list[str]:
    """The names of the arguments that must be given."""
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [*names[: len(names) - len(arguments.defaults)], *(one.arg for one, default in by_name if default is None)]


def _is_strategy(arguments: ast.arguments, axes: int) -> bool:
    needed = _needed(arguments)
    return None not in arguments.kw_defaults and (needed == ["game"] or len(needed) in (3, axes))


def _no_strategy(arguments: ast.arguments, game: Game, place: str) -> str:
    axes = "" if len(game.axes) == 3 else f", the {len(game.axes)} of ({', '.join(axis.name for axis in game.axes)})"
    return (
        f"it takes ({', '.join(_needed(arguments))}), and a strategy takes (i, j, k){axes} or (game) ({place}); "
        "let the name of a function that is no strategy begin with an underscore"
    )


def strategy_apart(reference: str, function: str, game: Game, seconds: float, line: int | None = None) -> Strategy:
    """The strategy of a function of a file, whatever that does; made twice, in fresh processes, and compared.

    Args:
        reference: the path of the file, or the name of a module of Python's path.
        function: its name.
        game: the game it shall play.
        seconds: processor time that the file and the function may take, each of the two times.
        line: where the function begins, if that is known.

    Raises:
        InputError: what is wrong with it.
    """
    first, again = (_made(reference, function, game, seconds, line) for _ in range(2))
    try:
        refuse_other_answers(first, again)
    except InputError as error:
        place = f" ({Path(reference).name}, line {line})" if line else ""
        raise InputError(f"{str(error).rstrip('.')}{place}") from error
    return first


def _made(reference: str, function: str, game: Game, seconds: float, line: int | None) -> Strategy:
    """The strategy, made in a process."""
    with tempfile.TemporaryDirectory(prefix="pigevo-apart-") as place:
        folder = Path(place)
        order = {"reference": f"{reference}:{function}", "game": game_to_record(game), "seconds": seconds,
                 "patience": PATIENCE * seconds, "folder": place}  # fmt: skip
        try:
            status = _run(json.dumps(order), PATIENCE * seconds + GRACE_SECONDS)
        except OSError as error:
            raise InputError(f"no process could be started: {error.strerror}") from error
        if not (folder / ANSWER).is_file():
            raise InputError(_death(folder, status, reference, seconds, line))
        try:
            wrong = json.loads(decoded(read_bytes(folder / ANSWER, LARGEST_ANSWER)))
            if not isinstance(wrong, str):
                raise TypeError
            strategy = None if wrong else load_strategy(folder / MADE)
        except (ValueError, TypeError) as error:  # the file has written there itself
            raise InputError("its process gave an answer that cannot be read") from error
        if strategy is None or strategy.game.rules != game.rules:
            raise InputError(wrong or "its process gave an answer that cannot be read")
        return strategy


def _run(order: str, seconds: float) -> int | None:
    """The exit status of a child; None where it had to be killed."""
    process = subprocess.Popen(
        words_of("pigevo.tournaments.file_reader_process"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
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


def _death(folder: Path, status: int | None, reference: str, seconds: float, line: int | None) -> str:
    """Why a child gave no answer, with the line at which it was, or else that of the function."""
    stack = ""
    with suppress(InputError, ValueError):
        stack = decoded(read_bytes(folder / STACK, LARGEST_ANSWER))
    own = Path(os.path.realpath(os.path.expanduser(reference)))
    lines = [number for file, number in re.findall(r'File "(.*)", line (\d+)', stack) if Path(file) == own]
    at = next((f", in {own.name}, line {number}" for number in (*lines[:1], *filter(None, [line]))), "")
    if status == -getattr(signal, "SIGPROF", 0) and status:
        return f"it takes more than {seconds:g} s of processor time{at}"
    if status is None or stack.startswith("Timeout"):
        return f"it takes more than {PATIENCE * seconds:g} s{at}"
    if status < 0:
        return f"its process was ended by signal {-status} ({signal.strsignal(-status)}){at if lines else ''}"
    return f"its process ended with status {status}{at if lines else ''}"
