"""Words on the command line that are no `key=value`: options among settings, and help before Hydra sees them."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

from pigevo.cli.commands import command_names
from pigevo.errors import InputError
from pigevo.settings.schema import GROUPS, Config, choices

_NO_NAME = re.compile(r"[-+.\d][-+.\de]*|null|true|false|", re.IGNORECASE)


_OTHERS = {
    "show": "plot draw picture view display surface",
    "film": "animate animation movie video gif",
    "page": "web site serve server browser",
    "duel": "fight match versus vs",
    "experiment=cube_random": "run evolve start train",
}
_MEANT = {other: name for name, others in _OTHERS.items() for other in others.split()}
"""What commands are called elsewhere, which no likeness of letters finds."""


def check_words(words: Sequence[str]) -> None:
    """Refuse what cannot be a setting, with a suggestion of what was meant.

    Raises:
        InputError: a word without `=` that is no deletion (`~key`), a setting given
            twice, or a choice that is no name.
    """
    given: dict[str, str] = {}
    for place, word in enumerate(words):
        key, equals, value = word.partition("=")
        if word.startswith("~"):
            continue
        if not equals:
            raise InputError(_suggestion(word, words, place))
        if not key.partition("@")[0].strip("+ "):
            raise InputError(f"{word!r} sets nothing: write key=value without spaces.")
        if given.setdefault(key, value) != value:
            raise InputError(f"{key} is given twice, as {given[key]} and as {value}: give it once.")
        if key == "experiment" and value in ("none", "null"):
            continue
        if key in ("experiment", *GROUPS) and (_NO_NAME.fullmatch(value) or value.startswith(("[", "{"))):
            raise InputError(f"{word} is no choice: {key} is one of {', '.join(choices(key))}.")


def _suggestion(word: str, words: Sequence[str], place: int) -> str:
    settings = [f.name for f in fields(Config)]
    following = words[place + 1] if place + 1 < len(words) else ""
    if following.startswith("="):
        value = following.lstrip("=") or (words[place + 2] if place + 2 < len(words) else "VALUE")
        return f"{word!r} and {following!r} are apart: write {word}={value} without spaces."
    if word.split(".")[0] in settings:
        return f"{word!r} has no value: write {word}=VALUE."
    if word in command_names():
        return f"{word!r} is a command, which comes first: pigevo {word} ..."
    for group in ("experiment", *GROUPS):
        if word in choices(group):
            return f"there is no command {word!r}; did you mean {group}={word}?"
    if word.partition(":")[0] in _strategies():
        return f"{word!r} is a strategy: write pigevo show {word}."
    if word.lower() in _MEANT:
        return f"there is no command {word!r}; did you mean {_MEANT[word.lower()]}?"
    near = difflib.get_close_matches(word, command_names(), n=3)
    if near:
        return f"there is no command {word!r}; did you mean {' or '.join(near)}?"
    nearest = difflib.get_close_matches(word, choices("experiment"), n=1)
    if nearest:
        return f"there is no command {word!r}; did you mean experiment={nearest[0]}?"
    there = ", ".join(command_names())
    return f"there is no command {word!r}; there are: {there}. Settings are written key=value."


def _strategies() -> list[str]:
    from pigevo.strategies import STRATEGIES  # it is heavy, and rarely asked for

    return list(STRATEGIES)


DEFAULT_CONFIG = "config"
"""The primary config where none is named."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        if "unrecognized" in message:
            raise InputError(f"{message}; settings are written key=value, without dashes.")
        raise InputError(f"{message}; see `pigevo --help`.")


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("it is empty: write a folder")
    return Path(text)


def parse(words: list[str]) -> argparse.Namespace:
    """The options, and the settings as `overrides`.

    Args:
        words: of the command line, in any order.

    Raises:
        InputError: no such option, or options that exclude each other.
    """
    parser = _Parser(prog="pigevo", add_help=False, allow_abbrev=False)
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--multirun", "-m", action="store_true", help="run every combination of values")
    parser.add_argument("--run", "-r", action="store_true", help="run once, which is the default")
    parser.add_argument("--cfg", "-c", choices=["job", "hydra", "all"], help="show the settings, run nothing")
    parser.add_argument("--config-dir", "-cd", type=_folder, help="a folder of your own configs, searched after conf/")
    parser.add_argument("--config-name", "-cn", default=DEFAULT_CONFIG, help="the primary config")
    parser.add_argument("--shell-completion", "-sc", action="store_true", help="install=bash, zsh or fish")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print the result as JSON")
    arguments = parser.parse_intermixed_args(words)
    modes = {"--run": arguments.run, "--multirun": arguments.multirun, "--cfg": arguments.cfg}
    given = [option for option, value in modes.items() if value]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} exclude each other: give one of them.")
    return arguments
