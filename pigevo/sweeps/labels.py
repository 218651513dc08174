"""The swept keys: the settings other than the seed in which runs differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pigevo.settings.folder_names import flat as keys_and_values
from pigevo.settings.folder_names import spelled
from pigevo.settings.schema import CUSTOM, CUSTOM_GROUPS, GROUPS, OPTIONAL, VOLATILE, WATCHER

WHOLE = "evolution"
"""The name of the only setting of a sweep, in comparisons with random search."""

SEED = "seed"
FOLDERS = re.compile(r"(?:(?<=[\[,])|^)/(?:[^,\]/]*/)+")
"""The folders of an absolute path, alone or in a list."""


def flat(values: Mapping[str, Any]) -> dict[str, str]:
    """Settings by key as in `key=value`: `mutation`, `cubes` (the choice), `cubes.sizes`, ...

    A user's function is the choice itself, as in `crossover=ops.py:mine`.
    """
    typed = dict.fromkeys(OPTIONAL, "none") | {key: _typed(value) for key, value in keys_and_values(values)}
    typed[WATCHER] = typed.pop(f"{WATCHER}.function", "null")
    for kind in CUSTOM_GROUPS:
        if typed.get(kind) == CUSTOM and f"{kind}.function" in typed:
            typed[kind] = typed.pop(f"{kind}.function")
    return typed


def flat_together(settings: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The same for several settings: files are named without their folders, if the names remain different."""
    together = [flat(one) for one in settings]
    for key in {key for one in together for key in one}:
        short = {one[key]: FOLDERS.sub("", one[key]) for one in together if key in one}
        if len(set(short.values())) == len(short):
            for one in together:
                if key in one:
                    one[key] = short[one[key]]
    return together


def swept(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The fewest keys, without seed and volatile ones, whose values distinguish all different settings.

    An experiment or a choice comes before its options, which usually follow from it.
    """
    values = flat_together(settings)
    keys = dict.fromkeys(key for one in values for key in one if key not in (SEED, *VOLATILE))
    rank = {"experiment": 0, **{group: 1 for group in GROUPS}}
    ordered = sorted(keys, key=lambda key: (rank.get(key, 3 if key == "generations" else 2), key))
    chosen: list[str] = []
    parts = 1
    for key in ordered:
        finer = len({label(one, [*chosen, key]) for one in values})
        if finer > parts:
            chosen, parts = [*chosen, key], finer
    for key in [key for key in chosen if key not in rank]:  # a key made redundant by a later one
        fewer = [other for other in chosen if other != key]
        if len({label(one, fewer) for one in values}) == parts:
            chosen = fewer
    return chosen


def label(values: Mapping[str, str], keys: Sequence[str]) -> str:
    """A run's swept settings (`flat`) as text: `cubes.sizes=[20,10],mutation=0.01`, without keys that it lacks."""
    return ",".join(f"{key}={values[key]}" for key in keys if key in values)


def _typed(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{','.join(map(spelled, value))}]"
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else spelled(value)


def is_number(text: str) -> bool:
    """Whether a value of a label is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
