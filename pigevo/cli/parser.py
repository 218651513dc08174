"""The options that may stand between settings on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from pigevo.errors import InputError

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
