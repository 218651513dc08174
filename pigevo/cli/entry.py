"""What the words on the command line mean, the help, and how an error is printed.

Nothing heavy is imported before it is known that it is needed: help, a typo and a composed config start fast.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from pigevo import __version__
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

NUMBA_FILE, MATPLOTLIB_FILE = ".numba_config.yaml", "matplotlibrc"
WHOLE = {"NUM_THREADS": 1, "OPT": 0, "DISABLE_JIT": 0, "BOUNDSCHECK": 0}
"""Settings of numba that are whole numbers, each with the least."""

_TOP = """\
pigevo: what does evolution find for the dice game Pig?  With an exact referee.

Run an experiment, with any setting changed (key=value, in any order):
  python -m pigevo experiment=cube_random mutation=0.005 seed=3
  python -m pigevo -m experiment=cube_random 'seed=range(10)' mutation=0.001,0.01    every combination: a sweep
  python -m pigevo --cfg job experiment=cube_random     show all settings, run nothing
  python -m pigevo experiment=cube_random debug=fast    a few seconds, to see that it works

Or give a command (`pigevo duel --help` tells its arguments):"""

_BOTTOM = """\
`pigevo` and `python -m pigevo` are the same.  Hydra composes the settings: `--config-dir` adds configs of your own,
`hydra.run.dir` says where a run lies, `--shell-completion install=bash` completes words.
`pigevo describe WORD` says what a choice, a setting, a column or a word such as champion or cuboid means."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words say, those of this process by default, and return the exit status.

    It is 0, 2 for a wrong input, where memory is short or where nothing can be shown (said in one line), 130 for
    Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    os.environ["MPLBACKEND"] = "agg"  # pictures go to files, wherever else the user's own programs draw
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # it would send colours to any terminal
    open_streams()
    if sys.stdout is None:  # as in `pigevo ... >&-`
        return _complain("standard output is closed: send it to a file, or to /dev/null.")
    try:
        check_surroundings()
        if sentence := _lacking(NEEDED):
            raise InputError(sentence)
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
            f"there is not enough memory{_requested_memory(error)}: choose a smaller population, target or sample."
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


def _requested_memory(error: MemoryError) -> str:
    """How much memory was asked for in vain, if the error says so."""
    found = re.search(r"Unable to allocate ([0-9.]+ \w+)", str(error))
    return f" ({found[1]} were asked for)" if found else ""


def _complain(sentence: str) -> int:
    complain(sentence)
    return WRONG_INPUT


def _lacking(modules: Iterable[str]) -> str | None:
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
        say(overview())
        return 0
    from pigevo.cli.hydra_run import run_hydra

    return run_hydra(words)


def overview() -> str:
    """The help: the two ways to call pigevo, and all that can be chosen."""
    from pigevo.cli.commands import command_names, load_command
    from pigevo.cli.glossary import GROUPS
    from pigevo.settings import schema

    names = command_names()
    commands = [f"  {name:{max(map(len, names))}}  {load_command(name).get_short_help_str(90)}" for name in names]
    lines = [_TOP, *commands]
    for head, group in (("Experiments:", "experiment"), ("Sweeps (sweep=name):", "sweep")):
        lines += [
            "",
            head,
            *(f"  {name:20}  {''.join(schema.comments(group, name)[:1])}" for name in schema.choices(group)),
        ]
    lines += ["", "Choices (group=name; their options as group.option=value):"]
    width = max(map(len, schema.GROUPS))
    for group in schema.GROUPS:
        first = GROUPS[group].split(". ")[0].rstrip(".")
        lines += [f"  {group:{width}}  {', '.join(schema.choices(group))}", f"  {'':{width}}    {first}."]
    return "\n".join([*lines, "", _BOTTOM])


def check_surroundings() -> None:
    """Refuse a present folder that is gone, and what libraries would read in it or in the environment and fail.

    Numba reads `.numba_config.yaml` and matplotlib reads `matplotlibrc` in the present folder while they are imported,
    where nobody could say what was wrong.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise InputError("the present folder has been removed: go to another one.") from error
    if os.path.lexists(MATPLOTLIB_FILE):
        from pigevo.storage.records import decoded, read_bytes

        try:
            decoded(read_bytes(MATPLOTLIB_FILE))
        except ValueError as error:  # an InputError is one too
            raise InputError(
                f"{MATPLOTLIB_FILE} in the present folder cannot be read by matplotlib: mend it, or move it away."
            ) from error
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
        found = from_yaml(read_bytes(NUMBA_FILE)) or {}
        return {name.upper(): value for name, value in found.items()}
    except (ValueError, AttributeError) as error:  # not YAML, no values by name, or a name that is not a word
        raise InputError(
            f"{NUMBA_FILE} in the present folder cannot be read by numba: mend it, or move it away."
        ) from error
