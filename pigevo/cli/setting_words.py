"""Words that are settings and options, read before Hydra is imported, so that a typo is answered fast."""

from __future__ import annotations

import argparse
import difflib
import os
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

from pigevo.cli.commands import command_names
from pigevo.core.text import for_shell
from pigevo.errors import InputError, did_you_mean, with_point
from pigevo.settings.schema import CHOICES, GROUPS, Config, choices, unknown_choice

_ELSEWHERE = {
    "show": "plot draw picture view display surface",
    "film": "animate animation movie video gif",
    "page": "web site serve server browser",
    "duel": "fight match versus vs",
    "experiment=cube_random": "run evolve start train",
}
_MEANT = {word: name for name, words in _ELSEWHERE.items() for word in words.split()}
"""Names that commands have in other programs, for suggestions that similar spelling cannot find."""

DEFAULT_CONFIG = "config"

NOT_HERE = {
    "--info": "`pigevo --cfg all` shows what was composed, `pigevo --help` what can be chosen",
    "-i": "`pigevo --cfg all` shows what was composed, `pigevo --help` what can be chosen",
    "--resolve": "`pigevo --cfg job` shows values that are resolved",
    "--package": "`pigevo --cfg job` shows all settings of a run",
    "-p": "`pigevo --cfg job` shows all settings of a run",
    "--config-path": "`--config-dir FOLDER` adds a folder of your own configs",
    "-cp": "`--config-dir FOLDER` adds a folder of your own configs",
    "--hydra-help": "`pigevo --cfg hydra` shows Hydra's settings",
    "--experimental-rerun": "`pigevo resume RUN` does a run's settings again, and `pigevo verify RUN` compares",
}
"""Options of Hydra's command line that pigevo does not have, and what to use instead."""


def check_words(words: Sequence[str]) -> None:
    """Refuse words that cannot be settings, with a suggestion."""
    given: dict[str, str] = {}
    for index, word in enumerate(words):
        key, equals, value = word.partition("=")
        if word.startswith("~"):
            continue
        if not equals:
            before = words[index - 1] if index else ""
            raise InputError(_another_value(before, word) or _suggestion(word, words[index + 1 : index + 3]))
        if not key.partition("@")[0].strip("+ "):
            raise InputError(f"{word!r} sets nothing: write key=value without spaces.")
        if re.fullmatch(r"-?\d+,0\d+", value):  # nobody writes 05 for a second value: 0,05 means 0.05
            if Config.__annotations__.get(key) == "int":
                raise InputError(f"{word} has a comma: write {key}={value.replace(',', '')}.")
            if re.fullmatch(r"[1-9]\d{0,2},\d{3}", value):
                whole, fraction = value.replace(",", ""), value.replace(",", ".")
                raise InputError(f"{word} has a comma: write {key}={whole}, or {key}={fraction} if it is a fraction.")
            raise InputError(f"{word} has a comma where numbers have a point: {with_point(word)}")
        if given.setdefault(key, value) != value:
            raise InputError(f"{key} is given twice, as {given[key]} and as {value}: give it once.")


def check_choices(words: Sequence[str]) -> None:
    """Refuse a setting such as `selection=NAME` whose name is not in conf/.

    Call it only if the words add no config folder, since such a folder may have more names.
    """
    for word in words:
        group, _, name = word.partition("=")
        if group in CHOICES and re.fullmatch(r"[a-z]\w*", name) and name not in ("none", "null", *choices(group)):
            raise unknown_choice(group, name, choices(group))


def _another_value(before: str, word: str) -> str:
    """The sentence about a number after a setting that is a number; empty for other words."""
    key, _, value = before.rstrip(",").partition("=")
    if not (value and all(re.fullmatch(r"-?[\d.]+(e-?\d+)?", number) for number in (value.split(",")[-1], word))):
        return ""
    return (
        f"{word!r} is apart from {before}: for several values write -m {key}={value},{word}, with a comma and no space."
    )


def _suggestion(word: str, following: Sequence[str]) -> str:
    """A suggestion for a word without `=`, given the words after it."""
    if following and following[0].startswith("="):
        value = following[0].lstrip("=") or "".join(following[1:]) or "VALUE"
        return f"{word!r} and {following[0]!r} are apart: write {word}={value} without spaces."
    if word.split(".")[0] in {f.name for f in fields(Config)}:
        return f"{word!r} has no value: write {word}=VALUE."
    if word in command_names():
        return f"{word!r} is a command, which comes first: pigevo {word} ..."
    from pigevo.strategies import STRATEGIES  # heavy and rarely needed
    from pigevo.strategies.combined import WRITTEN

    group = next((group for group in ("experiment", *GROUPS) if word in choices(group)), "")
    if not group and word.partition(":")[0] in (*STRATEGIES, *WRITTEN):
        return f"{word!r} is a strategy: write pigevo show {for_shell(word)}."
    if (spelled := re.fullmatch(r"([a-z_]+?)(\d+)", word)) and spelled[1] in STRATEGIES:
        return f"{word!r} is a strategy without its colon: write pigevo show {spelled[1]}:{spelled[2]}."
    meant = f"{group}={word}" if group else _MEANT.get(word.lower(), "")
    hint = f"did you mean {meant}?" if meant else did_you_mean(word, command_names())
    if not hint and (near := difflib.get_close_matches(word.lower(), _MEANT, 1)):
        hint = f"did you mean {_MEANT[near[0]]}?"
    hint = hint or did_you_mean(word, choices("experiment"), 1, "experiment={}")
    hint = hint or "`pigevo --help` lists all. Settings are written key=value."
    return f"there is no command {word!r}; {hint}"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        if "unrecognized" in message:
            raise InputError(f"{message}; settings are written key=value, without dashes.")
        raise InputError(f"{message}; see `pigevo --help`.")


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("it is empty: write a folder")
    return Path(os.path.expanduser(text))


def parse(words: list[str]) -> argparse.Namespace:
    """The options, and the settings as `overrides`."""
    refuse_options(words)
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
    if arguments.cfg and arguments.as_json:
        raise InputError("--cfg prints YAML: --json has no effect, leave it out.")
    return arguments


def refuse_options(words: Sequence[str]) -> None:
    """Refuse Hydra options that pigevo does not have."""
    for word in words:
        if hint := NOT_HERE.get(word.partition("=")[0]):
            raise InputError(f"{word.partition('=')[0]} is not an option of pigevo: {hint}.")
