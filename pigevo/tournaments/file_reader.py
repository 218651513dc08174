"""Strategies of Python files, each made in a process of its own that may fail, hang or die without affecting others."""

from __future__ import annotations

import ast
import base64
import faulthandler
import math
import os
import re
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np

from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.games import Game, game_from_record, game_to_record
from pigevo.strategies import Strategy
from pigevo.strategies.parse import strategy_of, taken_instead, takes_states_or_game
from pigevo.strategies.strategy import refuse_different_answers
from pigevo.user_code.limits import OF_PROCESSOR, PATIENCE, limit_of, too_long
from pigevo.user_code.loading import load
from pigevo.user_code.source import compiled, public_functions
from pigevo.workers.pool import Worker, WorkerDied
from pigevo.workers.sandbox import private_folder

GRACE_SECONDS = 60.0  # additional seconds for starting the process, and for reporting where it was when its time was up

DUMPED_LETTERS = 500  # what `faulthandler` writes of a path

NO_STRATEGY = "begin the name of a function that is not a strategy with an underscore"

LARGEST_SOURCE = 2**22
MOST_MEMORY = 2**34


@dataclass(frozen=True)
class FileFunctions:
    """The public functions that a file defines, found without running it.

    By name: `lines`, the lines of functions whose arguments are those of strategies; `wrong`, the reasons why others
    are not; `replaced`, advice about those that a later function of the same name replaces.
    """

    lines: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)


def functions_of(path: Path, content: bytes, game: Game) -> FileFunctions:
    """The public functions that a file's content defines, without imported ones and names that begin with `_`."""
    tree, _ = compiled(path, content)
    functions = FileFunctions()
    for name, arguments, line in public_functions(tree):
        functions.wrong.pop(name, None)
        if (before := functions.lines.pop(name, None)) is not None:
            where = f"{path.name}, line {before}"
            functions.replaced[name] = f"line {line} defines {name} again: give one of them another name ({where})"
        if takes_states_or_game(_needed(arguments), game):
            functions.lines[name] = line
        else:
            functions.wrong[name] = _no_strategy(arguments, game, f"{path.name}, line {line}")
    if not functions.lines and len(functions.wrong) == 1:  # the file's only function is meant
        ((name, why),) = functions.wrong.items()
        axes = "i, j, k" if len(game.axes) == 3 else ", ".join(axis.name for axis in game.axes)
        functions.wrong[name] = why.replace(NO_STRATEGY, f"write def {name}({axes})")
    return functions


def _needed(arguments: ast.arguments) -> list[str]:
    """The required arguments, those by name as `k=...`."""
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [
        *names[: len(names) - len(arguments.defaults)],
        *(f"{argument.arg}=..." for argument, default in by_name if default is None),
    ]


def _no_strategy(arguments: ast.arguments, game: Game, where: str) -> str:
    return f"it {taken_instead(_needed(arguments), game)} ({where}); {NO_STRATEGY}"


def strategy_apart(
    reference: str, function: str, content: bytes, game: Game, seconds: float, line: int | None = None
) -> Strategy:
    """The strategy of a function in a file; made twice, in fresh processes, and compared.

    Each time file and function may take `seconds` of processor time; `content` is the file's, as it was read before any
    entrant was run; `line` is the function's first line, if known.
    """
    first, second = (_made(reference, function, content, game, seconds, line) for _ in range(2))
    try:
        refuse_different_answers(first, second)
    except InputError as error:
        where = f" ({Path(reference).name}, line {line})" if line else ""
        raise InputError(f"{str(error).rstrip('.')}{where}") from error
    return first


def _made(reference: str, function: str, content: bytes, game: Game, seconds: float, line: int | None) -> Strategy:
    """The strategy, made in a process; its decisions come through the pipe of that process, and are in no file."""
    order = {"reference": f"{reference}:{function}", "content": base64.b64encode(content).decode(),
             "game": game_to_record(game), "seconds": seconds, "patience": PATIENCE * seconds}  # fmt: skip
    with (
        private_folder() as folder,
        Worker(one_thread=True, keep_errors=True, sandbox=folder, environment=_folders(folder)) as worker,
    ):  # with several threads a library would wait on the time of the entrant
        try:
            answer = worker.call(
                "pigevo.tournaments.file_reader:make", order, seconds=PATIENCE * seconds + GRACE_SECONDS
            )
        except WorkerDied as died:
            raise InputError(_death(died, reference, seconds, line)) from None
    try:
        name, kind, text = answer
        values = np.frombuffer(base64.b64decode(text, validate=True), {"bits": np.uint8, "chances": np.float64}[kind])
        bits = np.unpackbits(values, count=game.cells).astype(np.bool_) if kind == "bits" else values
        if kind == "bits" and len(values) != -(-game.cells // 8):
            raise ValueError("too many or too few decisions")
        return Strategy(game, bits.reshape(game.shape), str(name))
    except (ValueError, TypeError, LookupError) as error:  # the file itself has written an answer
        raise InputError("its process gave an answer that cannot be read") from error


def _folders(private: str) -> dict[str, str]:
    """The variables by which an entrant finds a folder for what it compiles, and the kernels of this process."""
    from pigevo.compiled.cache import KERNELS_FOLDER, kernels_folder  # numba, which the entrant's process need not load

    variables = {"NUMBA_CACHE_DIR": private}
    with suppress(OSError):  # no folder is safe: it compiles its own
        variables[KERNELS_FOLDER] = str(kernels_folder())
    return variables


def _death(died: WorkerDied, reference: str, seconds: float, line: int | None) -> str:
    """The reason why a process gave no answer, with the line that it had reached, or else the function's."""
    own = Path(os.path.realpath(os.path.expanduser(reference)))
    written = _as_in_dump(str(own))
    lines = [number for file, number in re.findall(r'File "(.*)", line (\d+)', died.errors) if file == written]
    at = next((f", in {own.name}, line {number}" for number in (*lines[:1], *filter(None, [line]))), "")
    if died.status == -getattr(signal, "SIGPROF", 0) and died.status:
        return too_long(seconds, f"{OF_PROCESSOR}{at}")
    if died.late or re.search(r"^Timeout \(", died.errors, re.MULTILINE):
        return too_long(PATIENCE * seconds, at)
    status = died.status or 0
    if status < 0:
        return f"its process was ended by signal {-status} ({signal.strsignal(-status)}){at if lines else ''}"
    return f"its process ended with status {status}{at if lines else ''}"


def _as_in_dump(path: str) -> str:
    """A path as `faulthandler` writes it: in ASCII, with escapes, and cut."""
    cut = path[:DUMPED_LETTERS].encode("ascii", "backslashreplace").decode()
    return cut if len(path) <= DUMPED_LETTERS else f"{cut}..."


def make(order: JsonObject, _: object) -> tuple[str, str, str]:
    """Make a strategy in a process of its own; returns its name, the kind of its decisions, and these as text.

    The function is called for every state.  Output of the file is discarded.  If its time is up, or it crashes, the
    process reports its position on standard error and ends.
    """
    stack = open(os.dup(2), "w")  # noqa: SIM115
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    faulthandler.enable(stack, all_threads=False)
    faulthandler.dump_traceback_later(order["patience"], exit=True, file=stack)
    _limit_processor_time(order["seconds"], stack)
    _limit_memory()
    game = game_from_record(order["game"], by_user=True)
    with limit_of(math.inf):  # the process has limits of its own
        own = load(order["reference"], base64.b64decode(order["content"]))
        strategy = strategy_of(own, order["reference"], game)
    faulthandler.cancel_dump_traceback_later()
    kind, values = ("chances", strategy.roll) if strategy.is_mixed else ("bits", np.packbits(strategy.roll))
    return strategy.name, kind, base64.b64encode(np.array(values).tobytes()).decode()


def _limit_processor_time(seconds: float, stack: TextIO) -> None:
    """Make this process end and report its position after a processor time, where the system supports such a limit."""
    if hasattr(signal, "setitimer"):
        faulthandler.register(signal.SIGPROF, file=stack, all_threads=False, chain=True)  # the signal ends the process
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory() -> None:
    """Limit memory to what a strategy can need, where the system supports it, so that Python reports the line."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
