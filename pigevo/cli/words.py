"""Words that are no `key=value`: told before Hydra sees them."""

from __future__ import annotations

import argparse
import difflib
from dataclasses import fields

from pigevo.cli.commands import command_names
from pigevo.cli.help import choices
from pigevo.config import GROUPS, Config
from pigevo.errors import InputError


def check_words(arguments: argparse.Namespace) -> None:
    """Refuse a bare word, with a suggestion of what was meant.

    Raises:
        InputError: a word without `=` that is no deletion (`~key`).
    """
    words = list(arguments.overrides)
    for place, word in enumerate(words):
        if "=" not in word and not word.startswith("~"):
            raise InputError(_suggestion(word, words, place))
        if word.startswith("="):
            raise InputError(f"{word!r} sets nothing: write key=value without spaces.")


def _suggestion(word: str, words: list[str], place: int) -> str:
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
    near = difflib.get_close_matches(word, command_names(), n=3)
    if near:
        return f"there is no command {word!r}; did you mean {' or '.join(near)}?"
    nearest = difflib.get_close_matches(word, choices("experiment"), n=1)
    if nearest:
        return f"there is no command {word!r}; did you mean experiment={nearest[0]}?"
    return f"there is no command {word!r}; there are: {', '.join(command_names())}. Settings are written key=value."
