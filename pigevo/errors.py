"""The one exception that pigevo raises for a wrong input.

Its message is one sentence for the person who typed the input: what was wrong
and what would be right.  The command line prints it and exits with status 2.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from pigevo.core.text import short_repr


class InputError(ValueError):
    """The error for a wrong game, strategy, number, name or file; its message is one sentence.

    Example:
        >>> import pigevo
        >>> try:
        ...     pigevo.Pig(target=0)
        ... except pigevo.InputError as error:
        ...     print(error)
        a target of 0 cannot be played: it must be a whole number from 1 to 1000.
    """


class GenerationFailed(InputError):
    """A user's operator failed in a generation that the message names."""


class CodeNotLoaded(InputError):
    """A record names a user's class that this process has not loaded: code named by records is not executed."""


def did_you_mean(name: str, known: Iterable[str], most: int = 3, written: str = "{}") -> str:
    """The question whether one of the `known` names was meant; empty where none is like `name`.

    Args:
        name: what was typed.
        known: the existing names.
        most: how many are suggested.
        written: how a name is typed, with {} in its place ("experiment={}").
    """
    near = difflib.get_close_matches(name, sorted(known), n=most)
    return f"did you mean {' or '.join(map(written.format, near))}?" if near else ""


def with_point(word: str) -> str:
    """The question whether a decimal point was meant by the comma in `key=0,005`; empty for other words."""
    decimal = re.fullmatch(r"(.*=-?\d+),(\d+)", word)
    return f"did you mean {decimal[1]}.{decimal[2]}?" if decimal else ""


def unknown(what: str, name: str, known: Iterable[str], where: str = "", lister: str = "") -> InputError:
    """The error for a `name` that is not among the `known` ones, with the nearest of them.

    Args:
        what: the kind of thing that was named ("strategy").
        name: what was typed.
        known: the existing names.
        where: where it was looked for, if it was named (" in ops.py").
        lister: what lists the names, if they are too many for a sentence ("`pigevo strategies` lists them").
    """
    names = sorted(known)
    listed = f"{lister}." if lister else f"there are: {', '.join(names) or 'none'}."
    hint = did_you_mean(name, names) or listed
    return InputError(f"there is no {what} {short_repr(name)}{where}; {hint}")
