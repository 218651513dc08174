"""The commands: each file of this folder has a click `command` of its name, or several commands (`SHARED`).

`three_player.py` is the command `three-player`.  `@purpose` names its heading in the help, one of `ORDER` in
`pigevo.cli.entry`.  A study that has a `command.py` has a command of its own, too.  The
files are found by listing the folders, so a new command is one new file.  Heavy imports are inside the commands.
"""

from __future__ import annotations

import importlib
import itertools
import logging
import os
import pkgutil
import re
import sys
from collections.abc import Sequence

import click

from pigevo.cli.output import remark
from pigevo.errors import InputError
from pigevo.experiments import experiments_folder
from pigevo.user_code.loading import Consent, consenting

SHARED = {
    "describe": ("describe", "strategies"),
    "one_strategy": ("reach", "show", "turns"),
    "play": ("page", "play"),
    "report": ("film", "report"),
    "runs": ("lineage", "replay", "resume", "verify"),
    "solving": ("respond", "solve"),
    "sweeps": ("compare", "status", "study", "tune"),
    "two_strategies": ("duel", "explain", "fair-test"),
}
"""Files with several commands; for example, `fair-test` is `fair_test_command`."""


def command_names() -> list[str]:
    """The names of all commands, sorted; no command is imported."""
    files = {module.name for module in pkgutil.iter_modules(__path__)} - SHARED.keys()
    names = [*files, *itertools.chain.from_iterable(SHARED.values()), *studies_with_commands()]
    return sorted(name.replace("_", "-") for name in names)


def studies_with_commands() -> set[str]:
    """The names of the studies that have a command of their own."""
    return {path.parent.name for path in experiments_folder().glob("*/command.py")}


def load_command(name: str) -> click.Command:
    """The click command of that name."""
    word = name.replace("-", "_")
    file = next((file for file, commands in SHARED.items() if name in commands), word)
    path = f"pigevo.experiments.{file}.command" if file in studies_with_commands() else f"{__name__}.{file}"
    module = importlib.import_module(path)
    command: click.Command = module.command if file == word else getattr(module, f"{word}_command")
    return command


def tell_of_compiling() -> None:
    """Show on a terminal when kernels are being compiled, unless the command has a log of its own."""
    if sys.stderr.isatty() and logging.lastResort:
        logging.getLogger("pigevo.compiled.kernel").setLevel(logging.INFO)
        logging.lastResort.setLevel(logging.INFO)


def run_command(words: Sequence[str]) -> int:
    """Run the command that the first word names with the words after it."""
    name, *rest = words
    try:
        command = load_command(name)
        if any(parameter.name == "allow_pass" for parameter in command.params):  # a command about games
            from pigevo.cli.options import as_flags

            rest = as_flags(rest)
        refuse_placeholders(command, rest)
        tell_of_compiling()
        # click's `main` would end the process. Code that a folder names is refused here; commands with `code_options`
        # allow it if the user agrees.
        with command.make_context(f"pigevo {name}", rest) as context, consenting(Consent(code=False)):
            status = command.invoke(context)
    except click.exceptions.Exit as end:  # after --help
        return end.exit_code
    except KeyboardInterrupt:
        remark("")  # ends the line on which the terminal has shown ^C
        raise
    except click.ClickException as error:
        sentence = error.format_message().rstrip(".")
        if extra := re.search(r"extra arguments? \((.*)\)", sentence):
            arguments = [part.human_readable_name for part in command.params if isinstance(part, click.Argument)]
            sentence = f"it takes {' '.join(arguments) or 'options'}, and not {extra[1]}, too{_how_to_write(words[1:])}"
        raise InputError(f"{name}: {sentence}; `pigevo {name} --help` shows how to use it.") from error
    return status if isinstance(status, int) else 0


STANDS_FOR = {
    "RUN": "the folder of a run, outputs/EXPERIMENT/SETTINGS",
    "SWEEP": "the folder of a sweep, outputs/sweeps/NAME",
    "FOLDER": "the path of a folder",
    "STRATEGY": "a strategy, such as hold_at:20 or optimal",
    "A": "a strategy, such as hold_at:20 or optimal",
    "B": "a strategy, such as hold_at:20 or optimal",
    "FILE": "the path of a file",
    "FILE.py:FUNCTION": "a function in a file, such as mine.py:rule",
    "FILE.py:NAME": "a function in a file, such as mine.py:rule",
}
"""The placeholders in the help, and what the user writes instead."""


def refuse_placeholders(command: click.Command, words: Sequence[str]) -> None:
    """Refuse a word of the help, as in `show RUN`, that was typed as it stands there, unless a file has this name."""
    with_value = {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.is_flag
        for name in parameter.opts
    }
    for before, word in zip(["", *words], words, strict=False):
        if word in STANDS_FOR and before not in with_value and not os.path.lexists(word):
            raise InputError(f"{word} stands for {STANDS_FOR[word]}: write that instead.")


def _how_to_write(words: Sequence[str]) -> str:
    """A hint for a user who has typed more words than the command takes."""
    if any(word.isdecimal() for word in words):
        return ": a number follows its name after a colon, as in hold_at:20"
    if sum(map(os.path.exists, words)) > 1:
        return ": give each alone"
    return ": a path with spaces stands in quotes"
