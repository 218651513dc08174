"""Rows of figures by setting and seed, kept in a file, and what they say: means, differences, and verdicts on claims.

Only the rows that are missing are computed.
"""

from __future__ import annotations

import csv
import io
import pickle
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

import numpy as np
from scipy.special import stdtrit

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, SHARE, Range, mean_interval
from pigevo.storage.files import write_bytes
from pigevo.sweeps.job import SomeFailed
from pigevo.workers.pool import Done, Worker, WorkerDied
from pigevo.workers.pool import work as in_processes

from ..common.tables import finite, mean_of, read_rows

Key = tuple[str | int | float, ...]
Figures = Mapping[str, float]
Rows = dict[tuple[str, ...], dict[str, float]]
"""The figures by name for each key, whose parts are texts."""

FIRST = 1000
"""The first of the seeds on which nothing was chosen; those below 1000 were looked at before the claims were fixed."""

SLOW = 30
"""Seeds at most of the parts that take long."""


def fresh(seeds: int, most: int = 40) -> range:
    """So many seeds on which nothing was chosen, and `most` of them at most."""
    return range(FIRST, FIRST + min(seeds, most))


def kept(
    path: Path, names: Sequence[str], keys: Iterable[Key], work: Callable[[Key], Figures], workers: int = 1
) -> Rows:
    """The figures of all keys, in their order; what the file has is read, what it lacks is computed and added to it.

    Args:
        path: a CSV file.
        names: of the parts of a key.
        keys: what is wanted.
        work: computes the figures of a key; a function of a module, so that other processes find it.
        workers: processes.
    """
    wanted = {tuple(map(str, key)): key for key in keys}
    found = _read(path, names) if path.exists() else {}
    missing = [key for texts, key in wanted.items() if texts not in found]
    order = [*found, *(tuple(map(str, key)) for key in missing)]

    def add(key: Key, figures: Figures) -> None:
        found[tuple(map(str, key))] = dict(figures)
        write_bytes(path, _written({texts: found[texts] for texts in order if texts in found}, names).encode())

    _compute(work, missing, workers, add)
    return {texts: found[texts] for texts in wanted}


def _compute(
    work: Callable[[Key], Figures], keys: Sequence[Key], workers: int, add: Callable[[Key, Figures], None]
) -> None:
    """Call `add` with the figures of each key as soon as they are there."""
    if min(workers, len(keys)) < 2:
        for key in keys:
            add(key, work(key))
        return

    def on_done(done: Done) -> None:
        if isinstance(done.error, WorkerDied):
            raise SomeFailed(f"{keys[done.number]}: {done.error}; the same command goes on with what is left.")
        if done.error is not None:
            raise done.error
        add(keys[done.number], cast(Figures, done.answer))

    sent = b64encode(pickle.dumps(work)).decode()
    crew = [Worker() for _ in range(min(workers, len(keys)))]
    in_processes(f"{__name__}:figures_in_process", [[sent, *key] for key in keys], crew, on_done)


def figures_in_process(task: Sequence[str | int | float], _: Callable[[object], object]) -> dict[str, float]:
    """The figures of a key in a worker, which is sent the function and the key."""
    work: Callable[[Key], Figures] = pickle.loads(b64decode(str(task[0])))
    return {name: float(figure) for name, figure in work(tuple(task[1:])).items()}


def _read(path: Path, names: Sequence[str]) -> Rows:
    def of_row(row: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, float]]:
        figures = {name: finite(text) for name, text in row.items() if name not in names and text}
        if not figures:  # some rows lack some of them
            raise ValueError(f"the row of {', '.join(row[name] for name in names)} has no figures")
        return tuple(row[name] for name in names), figures

    return dict(read_rows(path, names, of_row))


def _written(found: Rows, names: Sequence[str]) -> str:
    text = io.StringIO()
    columns = dict.fromkeys(name for figures in found.values() for name in figures)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *columns])
    for key, figures in found.items():
        writer.writerow([*key, *(repr(float(figures[name])) if name in figures else "" for name in columns)])
    return text.getvalue()


HOLDS, FAILS, UNDECIDED = "holds here", "does not hold here", "cannot be decided"

LOSS: Range = (0.0, 0.5)
"""What a loss or an exploitability can be."""

INTEREST = 0.01
"""The smallest effect of interest, in win probability: what a match of 10,000 games can just tell from nothing."""

Verdict = tuple[str, str, str]
"""What is claimed, who claims it, and the verdict with what each setting says."""

OURS = "our question"

Claimed = Literal["less", "more", "same"]
"""What a claim says of a difference: that it is below 0, above 0, or smaller than the smallest effect of interest."""


class Answer(NamedTuple):
    """Whether a mean difference is `less` or `more` than 0, or `open`, and the difference with its interval."""

    said: str
    told: str


Settings = dict[tuple[str, ...], dict[str, Floats]]
"""Figures by name, an array over seeds each, for each setting."""


def by_setting(rows: Rows, parts: int) -> Settings:
    """The figures of all seeds of each setting.

    Args:
        rows: figures by key; the last part of a key is the seed.
        parts: how many parts of a key are the setting.
    """
    found: dict[tuple[str, ...], list[dict[str, float]]] = {}
    for key, figures in rows.items():
        found.setdefault(key[:parts], []).append(figures)
    return {
        setting: {name: np.array([one[name] for one in several]) for name in several[0]}
        for setting, several in found.items()
    }


def spread(values: Floats, form: str = ".4f", within: Range = SHARE) -> str:
    """The mean over seeds with its own 95 % interval.

    Args:
        values: one for each seed.
        form: how a figure is printed.
        within: what it can be at least and at most.
    """
    return mean_of(values, form, within)


def apart(values: Floats, of: int, form: str = "+.4f", most: float = LOSS[1]) -> Answer:
    """Whether a mean difference is less or more than 0, and its interval, which belongs to that answer.

    Args:
        values: a difference for each seed.
        of: how many such questions are asked together. The intervals of all are simultaneous, at 95 %, by
            Bonferroni's inequality: each has the level 1 - .05 / of.
        form: how a figure is printed.
        most: how large a difference can be.
    """
    low, high = mean_interval(values, 1 - (1 - CONFIDENCE) / of, (-most, most), by_signs=True)
    settled = low is not None and high is not None and not low <= 0 <= high
    answer = ("more" if np.mean(values) > 0 else "less") if settled else "open"
    ends = "undetermined" if low is None else f"{low:{form}} to {high:{form}}"
    return Answer(answer, f"{np.mean(values):{form}} ({ends})")


class Effect(NamedTuple):
    """A mean difference of one setting, as a verdict needs it.

    Args:
        text: the setting, the difference with its own 95 % interval and its size in standard deviations, and the
            reading of both.
        holds: the interval lies on the side that is claimed; or the difference is smaller than the smallest effect of
            interest, by both one-sided tests at 5 %, if that is claimed.
        refuted: what is claimed is smaller than the smallest effect of interest, tested at 5 % / the claim's number of
            settings; or the difference is larger than that, if it is claimed to be smaller.
        reading: the words at the end of the text.
    """

    text: str
    holds: bool
    refuted: bool
    reading: str


def effect(
    name: str, values: Floats, claimed: Claimed, of: int, form: str = "+.4f", interest: float = INTEREST
) -> Effect:
    """How a difference reads beside the smallest effect of interest (Schuirmann 1987; Lakens 2017).

    Args:
        name: of the setting.
        values: a difference for each seed; of a whole game, where nothing is drawn, one.
        claimed: what the claim says of it.
        of: how many settings the claim has.
        form: how a figure is printed.
        interest: the smallest effect of interest.
    """
    sign = -1.0 if claimed == "less" else 1.0
    n, mean = len(values), float(np.mean(values))
    error = float(np.std(values, ddof=1)) if n > 1 else 0.0
    if not error:
        signed = sign * mean
        exact = f"{name}: {mean:{form}}, {'exact' if n == 1 else f'in all {n} seeds'}"
        reading = _reading(signed, signed, signed, signed, interest)
        return Effect(f"{exact}: {reading}", signed > 0, signed < interest and n == 1, reading)

    def end(level: float) -> float:
        away: float = float(stdtrit(n - 1, level)) * error / n**0.5
        return away

    wide, narrow = end((1 + CONFIDENCE) / 2), end(CONFIDENCE)
    signed = sign * mean
    told = f"{name}: {mean:{form}} ({mean - wide:{form}} to {mean + wide:{form}}), d = {mean / error:+.2f}"
    if claimed == "same":
        alike = abs(mean) + narrow < interest
        beyond = abs(mean) - end(1 - (1 - CONFIDENCE) / of / 2) > interest
        reading = "equivalent, as claimed" if alike else "apart" if beyond else "undecided"
        return Effect(f"{told}: {reading}", alike, beyond, reading)
    reading = _reading(signed - wide, signed + wide, signed - narrow, signed + narrow, interest)
    text = f"{told}: {reading}"
    return Effect(text, signed - wide > 0, signed + end(1 - (1 - CONFIDENCE) / of) < interest, reading)


def _reading(low: float, high: float, inner_low: float, inner_high: float, interest: float) -> str:
    """What the 95 % interval says, and the 90 % one, which is both one-sided tests of equivalence at 5 %."""
    small = -interest < inner_low and inner_high < interest
    if low > 0:
        return "as claimed, and large enough" if low >= interest else "as claimed, and small" if small else "as claimed"
    if high < 0:
        return "the opposite, and small" if small else "the opposite"
    return "equivalent" if small else "undecided"


def claim_verdict(effects: Sequence[Effect]) -> str:
    """A verdict on a claim that is made for every setting, and what each setting says.

    It holds if it does in every one (an intersection of tests, which needs no correction, Berger 1982); it does not
    if in one the effect is smaller than what is of interest (tested at 5 % / settings).
    """
    n = len(effects)
    if all(one.holds for one in effects):
        said = HOLDS if n == 1 else f"{HOLDS}, in all {n} settings"
    elif any(one.refuted for one in effects):
        said = FAILS if n == 1 else f"{FAILS} in general"
    else:
        said = UNDECIDED
    return f"{said} | {'; '.join(one.text for one in effects)}"
