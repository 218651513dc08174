"""Settings as parts of folder names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST = 80
"""The largest number of characters in the readable part of a folder's name."""


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values flattened to dotted keys: `fitness.games`; the name of a choice has the key `fitness`."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield (prefix.rstrip(".") if key == "name" and prefix else f"{prefix}{key}"), value


def shortened(settings: str) -> str:
    """The settings in at most `LONGEST` characters, cut between two settings: half a number is another number."""
    if len(settings) <= LONGEST:
        return settings
    whole, comma, _ = settings[: LONGEST + 1].rpartition(",")
    return (whole if comma else settings[:LONGEST]).rstrip(",.+-")


def spelled(value: Any) -> str:
    """A value as typed, with + between the items of a list."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "+".join(spelled(item) for item in value)
    return str(value)


def clean(text: str) -> str:
    """The text without characters that are special in file names."""
    return re.sub(r"[^A-Za-z0-9._=,+-]", "_", text)


def replaced(value: Any, others: Mapping[str, Any]) -> Any:
    """A word, or the words of a list, with replacements."""
    if isinstance(value, list | tuple):
        return type(value)(replaced(item, others) for item in value)
    return others.get(value, value) if isinstance(value, str) else value
