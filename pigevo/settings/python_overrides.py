"""Settings given from Python, as overrides on the command line."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pigevo.errors import InputError
from pigevo.evolution.operators import KINDS
from pigevo.settings.schema import CHOICES, CUSTOM

LARGEST_SWEEP = 10_000
"""Runs of a sweep at most; to plan so many takes minutes."""

Functions = dict[str, Callable[..., Any]]


def as_overrides(
    overrides: Iterable[str], values: Mapping[str, Any], swept: bool = False
) -> tuple[list[str], Functions]:
    """Settings as overrides on the command line, and the functions among them by kind.

    Args:
        overrides: the name of an experiment, and settings as on the command line.
        values: settings by name.
        swept: whether a list stands for several values of a setting.

    Raises:
        InputError: something that cannot be a setting.
    """
    found, own = [], {}
    for word in overrides:
        if not isinstance(word, str):
            raise InputError(f"{word!r} is no setting: write 'key=value', or key=value as an argument.")
        found.append(word if "=" in word or word.startswith("~") else f"experiment={word}")
    for key, value in values.items():
        if callable(value):
            if key not in KINDS:
                raise InputError(f"{key} is no kind of operator; a function can be one of {', '.join(KINDS)}.")
            own[key] = value
            found.append(f"{key}={CUSTOM}")
        elif swept and isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            several = [_value(key, one) for one in itertools.islice(value, LARGEST_SWEEP + 1)]
            if len(several) > LARGEST_SWEEP:
                raise InputError(f"{key} has more than {LARGEST_SWEEP:,} values, of which no sweep has more runs.")
            found.append(f"{key}={','.join(several)}")
        else:
            found.append(f"{key}={_value(key, value)}")
    return found, own


def _value(key: str, value: Any) -> str:
    """A value as Hydra's grammar has it."""
    if key in CHOICES and value is not None:
        if not isinstance(value, str):
            raise InputError(
                f"{key} = {value!r} is no choice: it must be a name" + (", or a function." if key in KINDS else ".")
            )
        return value
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, range | tuple):
        plain = list(plain)
    try:
        return json.dumps(plain, ensure_ascii=False)
    except TypeError as error:
        raise InputError(f"{key} = {value!r} is no setting: it must be a number, a word or a list.") from error
