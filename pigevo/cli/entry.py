"""The entry of the command line: interprets the words, prints the help, and prints errors.

Heavy imports happen only when needed: help, a typo and a composed config start fast.
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import logging
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from pigevo import __version__
from pigevo.cli.output import complain, end_stream, lost_output, open_streams, remark, say, wrapped
from pigevo.core.imports import NO_FOLDER, RememberedInterrupt, collect_less_often, is_the_command, leave_garbage
from pigevo.core.machine import is_lack_of_memory, is_little_address_space, refuse_little_address_space
from pigevo.core.text import reason
from pigevo.errors import InputError

WRONG_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

NEEDED = {
    "click": "click", "deap": "deap", "hydra": "hydra-core", "matplotlib": "matplotlib", "numba": "numba",
    "numpy": "numpy", "scipy": "scipy", "tqdm": "tqdm",
}  # fmt: skip
"""The modules that pigevo needs, and the packages that contain them."""

BACKEND, UNCOLORED = "MPLBACKEND", "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
"""The variables of the environment that are set while a command is executed."""

HELP = {"--help", "-h", "--version"}  # words that ask for a text and no work

FREE_MEMORY = "close other programs, or raise the limit (`ulimit -v`)"
"""The advice if memory does not suffice even for the packages and threads that every command needs."""

PACKAGE_SETTINGS = {
    "numba": "NUMBA_... in the environment and .numba_config.yaml in the present folder",
    "matplotlib": "matplotlibrc in the present folder",
}
"""Where the users' settings of packages that are imported late are; a wrong setting can make the import fail."""

STUDIES = "Studies and help"
ORDER = (
    "Play", "Look at a strategy", "Solve the game", "Many strategies", "Runs", "Sweeps and settings", STUDIES,
)  # fmt: skip
"""The headings of commands in the help, in their order; a study's command is below the last one."""

_TOP = """\
pigevo: what does evolution find for the dice game Pig?  With an exact referee.

Run an experiment, with any setting changed (key=value, in any order);
quickly, to see that it works; or with several values (-m: every combination, a
sweep). Or show all settings and run nothing:
  python -m pigevo experiment=cube_random mutation=0.005 seed=3
  python -m pigevo experiment=cube_random debug=fast
  python -m pigevo -m experiment=cube_random 'seed=range(9)' mutation=0.001,0.01
  python -m pigevo --cfg job experiment=cube_random

Or give a command (`pigevo duel --help` explains its arguments):"""

_BOTTOM = """\
`pigevo` and `python -m pigevo` are the same.  Hydra composes the settings:
`--config-dir` adds configs of your own, `hydra.run.dir` sets a run's folder,
`--shell-completion install=bash` completes words.  `pigevo describe WORD` says
what a choice, a setting, a column or a word such as champion or cube means."""


@contextmanager
def _given_back() -> Iterator[None]:
    """Give back what belongs to the whole process: a notebook goes on after `%run -m pigevo`."""
    environment = {name: os.environ.get(name) for name in (BACKEND, UNCOLORED)}
    imported, handlers = "matplotlib" in sys.modules, [*logging.root.handlers]
    loggers = [logging.getLogger("pigevo"), logging.getLogger("pigevo.compiled.kernel"), logging.lastResort]
    levels = [(logger, logger.level) for logger in loggers if logger]
    thresholds = gc.get_threshold()
    streams = [stream for stream in (sys.stdin, sys.stdout, sys.stderr) if hasattr(stream, "reconfigure")]
    errors = [stream.errors for stream in streams]
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        for stream, before in zip(streams, errors, strict=True):
            if stream.errors != before:
                with suppress(OSError, ValueError):  # a full disk, a stream that has been closed
                    stream.reconfigure(errors=before)
        for handler in [*logging.root.handlers]:
            if handler not in handlers and type(handler).__module__.startswith("pigevo."):
                logging.root.removeHandler(handler)
                with suppress(OSError):  # a full disk
                    handler.close()
        for logger, level in levels:
            logger.setLevel(level)
        for name, value in environment.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})
        if not imported and (matplotlib := sys.modules.get("matplotlib")):
            # Not by `rcParams` itself, which keeps a backend where none is chosen any more.
            backend = environment[BACKEND]
            dict.__setitem__(matplotlib.rcParams, "backend", backend or dict.get(matplotlib.rcParamsOrig, "backend"))


def command() -> int:
    """`main` with the words of this process."""
    if is_the_command():  # a notebook goes on after `%run -m pigevo`
        atexit.register(leave_garbage)
        if not {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"} & os.environ.keys():
            os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's threads find nothing to do, and wait busily for it
    return main()


@_given_back()
def main(argv: Sequence[str] | None = None) -> int:
    """Execute the command given by words, by default those of this process, and return the exit status.

    It is 0; 2 for a wrong input, too little memory or output that cannot be written (one line each); 130 for Ctrl-C.
    """
    began = time.perf_counter()
    if argv is None:
        began -= time.process_time()  # Python has started, and imported this
    words = list(sys.argv[1:] if argv is None else argv)
    os.environ[BACKEND] = "agg"  # pictures go to files, whatever backend the user's programs use
    os.environ.setdefault(UNCOLORED, "1")  # numba would send colours to every terminal
    collect_less_often()
    open_streams()
    if sys.stdout is None:  # as in `pigevo ... >&-`
        complain("standard output is closed: send it to a file, or to /dev/null.")
        return WRONG_INPUT
    interrupt = RememberedInterrupt()
    try:
        if sentence := _lacking(NEEDED):
            raise InputError(sentence)
        _refuse_removed_folder()
        with _handled_by(interrupt):
            status = _dispatch(words, began)
        sys.stdout.flush()  # flush here, so that a closed pipe and a full disk are noticed inside the try
        return status
    except BrokenPipeError:
        end_stream(sys.stdout)
        return PIPE_CLOSED
    except (Exception, KeyboardInterrupt) as raised:
        error = (
            KeyboardInterrupt() if interrupt.came and not isinstance(raised, InputError | KeyboardInterrupt) else raised
        )
        if os.environ.get("HYDRA_FULL_ERROR") == "1" or not (sentence := _sentence(error)):
            raise
        complain(sentence)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) and not is_little_address_space() else WRONG_INPUT


@contextmanager
def _handled_by(interrupt: RememberedInterrupt) -> Iterator[None]:
    """Let it handle Ctrl-C instead of Python, if Python does."""
    if threading.current_thread() is not threading.main_thread() or (
        signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _sentence(error: BaseException) -> str | None:
    """The sentence for an error that is not a bug of pigevo; None for any other."""
    match error:
        case InputError():
            return lost_output() or str(error)
        case KeyboardInterrupt() if is_little_address_space():  # OpenBLAS sends it where its threads cannot start
            return f"there is not enough memory: {FREE_MEMORY}."
        case KeyboardInterrupt():
            return str(error) or "interrupted."
        case Exception() if is_lack_of_memory(error):
            size = re.search(r"Unable to allocate ([0-9.]+ \w+)", str(error))
            wanted = f" ({size[1]} were asked for)" if size else ""
            instead = "choose a smaller population, target or sample" if isinstance(error, MemoryError) else FREE_MEMORY
            return f"there is not enough memory{wanted}: {instead}."
        case ModuleNotFoundError():  # a dependency of a needed package
            return _lacking([(error.name or "pigevo").partition(".")[0]])
        case ImportError() if isinstance(error.__cause__ or error, ImportError):  # a broken installation
            return None
        case OSError() if lost := lost_output("\n"):
            return lost
    traces = [raised.__traceback__ for raised in (error, error.__cause__) if raised]
    frames = [frame for trace in traces for frame, _ in traceback.walk_tb(trace)]
    modules = {frame.f_globals.get("__name__") for frame in frames if frame.f_code.co_name == "<module>"}
    package = next((name for name in PACKAGE_SETTINGS if name in modules), None)
    return package and f"{package} cannot start with its settings, {PACKAGE_SETTINGS[package]}: {reason(error)}."


def _lacking(modules: Iterable[str]) -> str | None:
    """The sentence about modules that are not installed."""
    missing = [NEEDED.get(name, name) for name in modules if name != "pigevo" and not _is_installed(name)]
    if not missing:
        return None
    *most, last = missing
    names = f"{', '.join(most)} and {last}" if most else last
    return (
        f"{sys.executable or 'this Python'} lacks {names}: activate the environment that has pigevo "
        "(`source .venv/bin/activate`), or do `pip install .` in the folder of its source."
    )


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # imported by hand, without a module spec
        return True


def _dispatch(words: list[str], began: float) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if sys.flags.optimize > 1 and (words[:1] in ([], ["describe"]) or {"--help", "-h"} & set(words)):
        remark("pigevo: Python runs with -OO (PYTHONOPTIMIZE=2), without most texts of this help: run it without that.")
    if words and not HELP & set(words):
        refuse_little_address_space()  # before numpy starts threads: some of its failures end the process
    from pigevo.cli.commands import command_names, run_command

    if words and words[0] in command_names():
        return run_command(words)
    if "--version" in words:
        say(f"pigevo {__version__}")
        return 0
    if not words or {"--help", "-h"} & set(words):
        say(overview())
        return 0
    from pigevo.cli.setting_words import DEFAULT_CONFIG, check_choices, check_words, parse

    arguments = parse(words)
    if not arguments.shell_completion:
        check_words(arguments.overrides)
        own_configs = arguments.config_dir or arguments.config_name != DEFAULT_CONFIG
        if not own_configs and not any("hydra.searchpath" in word for word in arguments.overrides):
            check_choices(arguments.overrides)
    from pigevo.cli.hydra_run import run_hydra

    return run_hydra(arguments, began)


def overview() -> str:
    """The help: the two ways to call pigevo, and all choices."""
    from pigevo.cli.commands import command_names, load_command
    from pigevo.cli.glossary import GROUPS
    from pigevo.settings import schema

    names = command_names()
    commands = {name: load_command(name) for name in names}
    titles = {name: getattr(command, "purpose", STUDIES) for name, command in commands.items()}
    lines, width = [_TOP], max(map(len, names))
    for title in dict.fromkeys(sorted(titles.values(), key=ORDER.index)):
        lines += ["", f"{title}:"]
        for name in (name for name in names if titles[name] == title):
            lines += wrapped(commands[name].get_short_help_str(10**4), f"  {name:{width}}  ", " " * (width + 4))
    for head, group in (("Experiments:", "experiment"), ("Sweeps (sweep=name):", "sweep")):
        lines += [
            "",
            head,
            *(
                line
                for name in schema.choices(group)
                for line in wrapped("".join(schema.comments(group, name)[:1]), f"  {name:22}  ", " " * 26)
            ),
        ]
    lines += ["", "Choices (group=name; their options as group.option=value):"]
    width = max(map(len, schema.GROUPS))
    for group in schema.GROUPS:
        first = GROUPS[group].split(". ")[0].rstrip(".")
        lines += wrapped(", ".join(schema.choices(group)), f"  {group:{width}}  ", " " * (width + 4))
        lines += wrapped(f"{first}.", " " * (width + 6))
    return "\n".join([*lines, "", _BOTTOM])


def _refuse_removed_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise InputError(NO_FOLDER) from error
