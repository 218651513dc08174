"""What trials come to: running times to targets, how much was hit and how early, and ranks, with intervals over seeds.

A target is *hit* when the champion's figure first comes to it or below (Hansen, Auger, Ros, Mersmann, Tušar &
Brockhoff 2021, COCO).  Noise may bring a champion to a target by luck, and the next one may have lost it: an algorithm
that changes its champion often hits much and holds little.  So running times are of hits, and ranks by what is held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.stats import rankdata

from pigevo.benchmark.trial import Trial
from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import CONFIDENCE
from pigevo.dice import Draw

By = Literal["loss", "exploitability"]
MEASURES: tuple[By, By] = ("loss", "exploitability")

TARGETS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001)
"""Losses, or exploitabilities, whose hits are counted."""

SAMPLES = 1000
"""Of a bootstrap."""

FEWEST = 6
"""Seeds from which there are bootstrap intervals.  They lie within the range of the values, and `n` values all lie on
one side of the median with a chance of 2^(1-n), which is below 5 % from 6 on; of two seeds it is a half."""


def hits(trials: Sequence[Trial], by: By, targets: Sequence[float] = TARGETS) -> Floats:
    """What each trial had spent when it first came to each target, shape (n, m); infinite where it never did."""
    found = np.full((len(trials), len(targets)), np.inf)
    for row, trial in zip(found, trials, strict=True):
        reached = getattr(trial, by)[:, None] <= np.asarray(targets)
        first = reached.argmax(axis=0)
        row[:] = np.where(reached.any(axis=0), np.maximum(trial.spent[first], 1), np.inf)
    return found


def running_time(hit: Floats, ends: Floats) -> Floats:
    """Expected running time: all that trials spent until they hit a target or ended, for each hit (Hansen and others).

    `hit` is from `hits`, shape (..., n, m), `ends` what each trial spent in all; infinite where no trial hits.
    """
    reached = np.isfinite(hit)
    spent = np.where(reached, hit, ends[..., None]).sum(axis=-2)
    with np.errstate(divide="ignore"):
        times: Floats = spent / reached.sum(axis=-2)
    return times


def running_times(trials: Sequence[Trial], by: By, targets: Sequence[float] = TARGETS) -> tuple[Floats, Floats, Floats]:
    """Expected running times, and the ends of their bootstrap intervals over seeds, each of shape (m,)."""
    hit, ends = hits(trials, by, targets), np.array([float(trial.spent[-1]) for trial in trials])
    drawn = resampled(len(trials))
    low, high = percentiles(running_time(hit[drawn], ends[drawn]))
    return running_time(hit, ends), low, high


def area(trials: Sequence[Trial], by: By, cost: int) -> Floats:
    """How many targets each champion held, averaged over a logarithmic budget, from the price of a pair to its end.

    It is 1 for one that holds all targets after the first pair, and 0 for one that never holds any.  A target that was
    hit by luck and lost again counts for as long as it was held.
    """
    found = np.empty(len(trials))
    for n, trial in enumerate(trials):
        held = (getattr(trial, by)[:, None] <= np.asarray(TARGETS)).mean(axis=1)
        until = np.log(np.clip(np.append(trial.spent, trial.budget), cost, trial.budget))
        found[n] = (held * np.diff(until)).sum() / np.log(trial.budget / cost)
    return found


def ranks(areas: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean ranks over instances, and the ends of their bootstrap intervals over seeds, each of shape (algorithms,).

    `areas` have shape (algorithms, instances, seeds); all algorithms have the same seeds, which are drawn together.
    """
    drawn = resampled(areas.shape[2])
    means = np.stack([areas[:, :, chosen].mean(axis=2) for chosen in drawn])
    low, high = percentiles(_ranked(means))
    return _ranked(areas.mean(axis=2)), low, high


def _ranked(means: Floats) -> Floats:
    """Ranks of means, shape (..., algorithms, instances), averaged over instances; equal ones share theirs."""
    found: Floats = rankdata(-np.round(means, 12), axis=-2).mean(axis=-1)
    return found


def resampled(count: int) -> Ints:
    """Which seeds each sample of a bootstrap takes, shape (SAMPLES, count): always the same for the same count."""
    words = Draw(0, "validation").words(SAMPLES * count)
    return (words % np.uint64(count)).astype(np.int64).reshape(SAMPLES, count)


def percentiles(samples: Floats, level: float = CONFIDENCE) -> tuple[Floats, Floats]:
    """The ends of a bootstrap's interval, of samples along the first axis: both edges, which may be infinite."""
    low, high = np.quantile(samples, ((1 - level) / 2, (1 + level) / 2), axis=0, method="nearest")
    return low, high
