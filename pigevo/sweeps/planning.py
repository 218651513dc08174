"""Plans the jobs of a sweep: each run is composed, checked and given a folder before any run begins."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from hydra.core.override_parser.types import Override, RangeSweep

from pigevo.core.progress_bar import ProgressBar
from pigevo.errors import InputError
from pigevo.settings.compose import LARGEST_SWEEP, Composed, Composer, explained, parsed
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import Job

_NUMBER = re.compile(r"(?P<key>[a-z_]+(\.[a-z_]+)?)=(?P<value>(0|[1-9][0-9]*)(\.[0-9]+)?(e-?[0-9]+)?)")
"""A setting that is a plain number, as Hydra and Python read it alike."""

UNTOLD = 10**12
"""Larger numbers of runs are reported as more than this number."""


def combinations(overrides: Sequence[str]) -> list[list[str]]:
    """Every combination of the values in overrides such as `mutation=0.1,0.2`, with one value each."""
    values = []
    with explained():
        read = parsed(overrides)
        _refuse_too_many(math.prod(_count(one) for one in read))
        for word, one in zip(overrides, read, strict=True):
            if one.is_sweep_override():
                key = one.get_key_element()
                values.append([f"{key}={value}" for value in one.sweep_string_iterator()])
            else:
                values.append([word])
    _refuse_too_many(math.prod(map(len, values)))
    runs = [list(run) for run in itertools.product(*values)]
    if not runs:
        raise InputError("the sweep has no runs: a list or a range of values is empty.")
    return runs


def _count(one: Override) -> int:
    """The number of values of a range, computed without listing them; 1 for anything else."""
    value = one.value()
    if not isinstance(value, RangeSweep) or not value.step:
        return 1
    assert value.start is not None
    assert value.stop is not None
    steps = (value.stop - value.start) / value.step
    return max(1, math.ceil(min(steps, UNTOLD))) if not math.isnan(steps) else 1


def _refuse_too_many(runs: int) -> None:
    if runs > LARGEST_SWEEP:
        count = f"{runs:,}" if runs < UNTOLD else f"more than {UNTOLD:,}"
        raise InputError(f"the sweep has {count} runs: the largest has {LARGEST_SWEEP:,}, so make several of it.")


def plan_jobs(
    runs: Sequence[Sequence[str]],
    composer: Composer,
    folder_of: Callable[[Composed, Settings, int], Path],
) -> list[Job]:
    """The job of each run, in order; several may be the same run.

    `folder_of` is called with a run's config, settings and number. Runs that differ only in numbers are composed once;
    those that differ only in their seed are checked and planned once. Pictures are drawn only if `figures` is given.
    """
    alike: dict[tuple[str, ...], Composed] = {}
    first: dict[tuple[str, ...], Settings] = {}
    jobs: list[Job] = []
    warned: set[str] = set()  # what files set in vain is reported once
    for number, overrides in enumerate(ProgressBar(runs, "planning", unit="run", delay=2, leave=False, disable=None)):
        words, numbers = _without_numbers(overrides)
        known = alike.get(words)
        quick = known.with_numbers(overrides, numbers) if known else None
        composed = quick or composer(overrides)
        alike.setdefault(words, composed)
        same = (*words, *(f"{key}={value!r}" for key, value in numbers.items() if key != "seed"))
        if quick and same in first and "seed" in numbers:
            settings = first[same].with_(seed=numbers["seed"])
        else:
            written = {key: text for key, text in composed.written.items() if text not in warned}
            warned.update(written.values())
            settings = Settings.read(composed.values, composed.typed, composed.base, written=written).with_(workers=1)
            if settings.figures == "auto":  # drawing takes ten times as long as the rest of a small run
                settings = settings.with_(figures="none")
            settings.refuse_unknown()
            settings.refuse_impossible()
            first.setdefault(same, settings)
        jobs.append(Job(settings, folder_of(composed, settings, number), tuple(overrides)))
    return jobs


def _without_numbers(overrides: Sequence[str]) -> tuple[tuple[str, ...], dict[str, int | float]]:
    """The overrides but for the numbers in them, and these by their keys; a key that stands twice keeps them."""
    texts = {one["key"]: one["value"] for word in overrides if (one := _NUMBER.fullmatch(word))}
    keys = [word.partition("=")[0] for word in overrides]
    numbers: dict[str, int | float] = {
        key: int(text) if text.isdecimal() else float(text) for key, text in texts.items() if keys.count(key) == 1
    }
    words = tuple(f"{key}=" if key in numbers else word for key, word in zip(keys, overrides, strict=True))
    return words, numbers
