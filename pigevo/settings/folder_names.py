"""Settings as parts of the names of folders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST = 80
"""Characters of the readable part of a folder's name, at most."""


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values with dots in their keys instead of dicts inside: `fitness.games`; a choice stands under `fitness`."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield (prefix.rstrip(".") if key == "name" and prefix else f"{prefix}{key}"), value


def shortened(settings: str) -> str:
    """The settings, at most `LONGEST` characters, cut between two settings: half a number would be another one."""
    if len(settings) <= LONGEST:
        return settings
    whole, comma, _ = settings[: LONGEST + 1].rpartition(",")
    return (whole if comma else settings[:LONGEST]).rstrip(",.+-")


def spelled(value: Any) -> str:
    """A value as one would type it; a list with + between its items."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "+".join(spelled(item) for item in value)
    return str(value)


def clean(text: str) -> str:
    """The text with nothing in it that is special in the name of a file."""
    return re.sub(r"[^A-Za-z0-9._=,+-]", "_", text)


def replaced(value: Any, others: Mapping[str, Any]) -> Any:
    """A word, or the words of a list, with others in their place."""
    if isinstance(value, list | tuple):
        return type(value)(replaced(item, others) for item in value)
    return others.get(value, value) if isinstance(value, str) else value
