"""What a benchmark found, with intervals over seeds, and the reference results beside it.

A target is *hit* when the champion's figure first comes to it or below (Hansen, Auger, Ros, Mersmann, Tušar & Brockhoff
2021, COCO). Noise may bring a champion to a target by luck, and the next one may have lost it: an algorithm that
changes its champion often hits much and holds little. So running times are of hits, and areas of what is held.

Reference results are trials of all reference algorithms on all suites, which the study `benchmark` has made. An entrant
is set beside them without doing them again, where instances and budgets are the same.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from scipy import special

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.intervals import CONFIDENCE, SHARE, Range, mean_interval
from pigevo.dice import Draw
from pigevo.experiments import experiments_folder
from pigevo.storage.files import csv_bytes

from .instances import Instance
from .trial import Trial
from .zeros import zero

By = Literal["loss", "exploitability"]
MEASURES: tuple[By, By] = ("loss", "exploitability")

TARGETS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001)
"""Losses, or exploitabilities, beyond those of the best genome, whose hits are counted."""

ERROR = 1e-12
"""Of the exact evaluator at most: a figure so little above a target has it."""

SAMPLES = 1000
"""Of a bootstrap, which the bands of pictures are."""

FEWEST = 6
"""Seeds from which an area has an interval: `n` values all lie on one side of the median with a chance of 2^(1-n)."""

FEWEST_TIMES = 20
"""Seeds from which a running time has an interval.  Times are skewed: on exponential and log-normal laws, of which all
trials, nine tenths or half end before the budget, it holds the true one in 87 to 96 % of cases with 20 seeds, and in 81
to 97 % with 6, where a bootstrap holds it in 76 to 92 %."""


def hits(trials: Sequence[Trial], by: By, targets: Sequence[float] = TARGETS, zero: float = 0.0) -> Floats:
    """What each trial had spent when it first came to each target, shape (n, m); infinite where it never did.

    Targets are counted from `zero`, the figure of the best genome.
    """
    first_hits = np.full((len(trials), len(targets)), np.inf)
    for row, trial in zip(first_hits, trials, strict=True):
        reached = _excess(trial, by, zero) <= np.asarray(targets)
        first = reached.argmax(axis=0)
        row[:] = np.where(reached.any(axis=0), np.maximum(trial.spent[first], 1), np.inf)
    return first_hits


def running_time(hit: Floats, ends: Floats) -> Floats:
    """Expected running time: all that trials spent until they hit a target or ended, for each hit (Hansen and others).

    `hit` is from `hits`, shape (..., n, m), `ends` what each trial spent in all; infinite where no trial hits.
    """
    reached = np.isfinite(hit)
    spent = np.where(reached, hit, ends[..., None]).sum(axis=-2)
    with np.errstate(divide="ignore"):
        times: Floats = spent / reached.sum(axis=-2)
    return times


def running_times(
    trials: Sequence[Trial], by: By, targets: Sequence[float] = TARGETS, zero: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Expected running times, and the ends of their intervals over seeds, each of shape (m,)."""
    hit, ends = hits(trials, by, targets, zero), np.array([float(trial.spent[-1]) for trial in trials])
    low, high = np.array([ratio_interval(np.where(np.isfinite(one), one, ends), np.isfinite(one)) for one in hit.T]).T
    return running_time(hit, ends), low, high


def ratio_interval(spent: Floats, hit: Bools) -> tuple[float, float]:
    """The interval of the mean of `spent` over the share of `hit`, by Student's t (Fieller 1954, JRSS B 16).

    It has all ratios `r` for which the mean of `spent - r * hit` is not told from 0.  The upper end is infinite where
    the share is not told from 0, and both ends are where nothing was hit; where all values are alike they are nan.
    """
    n, share = len(spent), float(hit.mean())
    if n < 2 or not share:
        return np.inf, np.inf
    (vs, c), (_, vh) = np.cov(spent, hit) * special.stdtrit(n - 1, (1 + CONFIDENCE) / 2) ** 2 / n
    if vs == vh == 0:
        return np.nan, np.nan
    mean = float(spent.mean())
    a, b, d = share**2 - vh, mean * share - c, mean**2 - vs  # of a r^2 - 2 b r + d = 0
    root = max(0.0, b * b - a * d) ** 0.5
    if a <= 0:
        return (max(0.0, (b - root) / a) if a else max(0.0, d / (2 * b))), np.inf
    return max(0.0, (b - root) / a), (b + root) / a


def _excess(trial: Trial, by: By, zero: float) -> Floats:
    """The figure at each record beyond the best genome's, shape (records, 1)."""
    excess: Floats = getattr(trial, by)[:, None] - zero - ERROR
    return excess


def area(trials: Sequence[Trial], by: By, cost: int, zero: float = 0.0) -> Floats:
    """How many targets each champion held, averaged over a logarithmic budget, from the price of a pair to its end.

    It is 1 for one that holds all targets after the first pair, and 0 for one that never holds any, whoever else takes
    part.  Targets are counted from `zero`, the figure of the best genome.  A target that was
    hit by luck and lost again counts for as long as it was held.
    """
    areas = np.empty(len(trials))
    for n, trial in enumerate(trials):
        held = (_excess(trial, by, zero) <= np.asarray(TARGETS)).mean(axis=1)
        until = np.log(np.clip(np.append(trial.spent, trial.budget), cost, trial.budget))
        areas[n] = (held * np.diff(until)).sum() / np.log(trial.budget / cost)
    return areas


def bounded_interval(values: Floats, within: Range) -> tuple[float | None, float | None]:
    """Student's interval of the mean of values that have bounds; None with too few seeds (`FEWEST`).

    Values that are all alike have no spread, but others may be rarer than one in n: then it is what the mean can be if
    as large a share of them as n seeds miss with a chance of 2.5 % is at either bound (Clopper & Pearson 1934).
    """
    if len(values) < FEWEST:
        return None, None
    if np.ptp(values) > 0:
        return mean_interval(values, within=within)
    missed, middle = 1 - ((1 - CONFIDENCE) / 2) ** (1 / len(values)), float(values[0])
    return middle - missed * (middle - within[0]), middle + missed * (within[1] - middle)


def resampled(count: int) -> Ints:
    """Which seeds each sample of a bootstrap takes, shape (SAMPLES, count): always the same for the same count."""
    words = Draw(0, "validation").words(SAMPLES * count)
    return (words % np.uint64(count)).astype(np.int64).reshape(SAMPLES, count)


NEAR = 0.001
"""Of three trials of each reference algorithm on each instance of the suite `small`, none came so near to the optimum
for fewer than twice as many pairs as it has genes."""


@dataclass(frozen=True)
class Standing:
    """An algorithm over all instances; its figures do not depend on who else takes part.

    Args:
        algorithm: the algorithm's name.
        area: the share of targets that its champions hold, averaged over a logarithmic budget: the first ten pairs
            count as much as the next ninety. Targets are counted from the best genome known of the instance, which
            has an area of 1 if it is the champion from the first pair on.
        area_low, area_high: the 95 % interval of `area` over seeds, by Student's t; None below 6 seeds.
        hit: the share of (target, instance, seed) that the algorithm hit before its budget ended.
    """

    algorithm: str
    area: float
    area_low: float | None
    area_high: float | None
    hit: float


@dataclass(frozen=True)
class Ending:
    """An algorithm on one instance, when its budget has ended.

    Args:
        algorithm: the algorithm's name.
        instance: the name of the task.
        unit: what a trial spends: evaluations or games.
        spent: how much a trial has spent, the mean over seeds.
        loss: what the algorithm's champions lose against the optimum, the mean over seeds.
        loss_low, loss_high: the 95 % interval of `loss`, from 0 to 0.5 at most; None below 6 seeds, and where it is
            undetermined.
        loss_zero: what the best genome known loses, from which targets are counted.
        exploitability: what best responses win against the algorithm's champions, less a half, the mean over seeds.
        exploitability_low, exploitability_high: the 95 % interval of `exploitability`, in the range of that of `loss`.
        exploitability_zero: the smallest exploitability of a genome that is known.
    """

    algorithm: str
    instance: str
    unit: str
    spent: float
    loss: float
    loss_low: float | None
    loss_high: float | None
    loss_zero: float
    exploitability: float
    exploitability_low: float | None
    exploitability_high: float | None
    exploitability_zero: float


@dataclass(frozen=True)
class Time:
    """The expected running time of an algorithm to a target.

    Args:
        algorithm: the algorithm's name.
        instance: the name of the task.
        by: which figure of the champion has a target: loss or exploitability.
        target: the figure that is to be hit, counted from that of the best genome known.
        hit: the number of seeds that hit the target.
        seeds: the number of seeds.
        time: all that the seeds spent until they hit the target or ended, for each that hit it; None where none did.
        low: the lower end of the 95 % interval of `time` over seeds (Fieller 1954); None where it is infinite, where
            all seeds are alike, and below 20 seeds.
        high: the upper end of the 95 % interval of `time`; None where it is infinite, where all seeds are alike, and
            below 20 seeds.
    """

    algorithm: str
    instance: str
    by: str
    target: float
    hit: int
    seeds: int
    time: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Early:
    """Trials that were as good as the optimum sooner than answers can well tell: whoever judges should look how.

    A champion's loss was within `NEAR` of that of the best genome known, for fewer pairs than a genome has
    genes.

    Args:
        algorithm: its name.
        instance: the task.
        seeds: how many of its trials.
        pairs: the fewest that one of them had paid for.
        genes: of a genome.
    """

    algorithm: str
    instance: str
    seeds: int
    pairs: int
    genes: int


@dataclass(frozen=True, eq=False)
class Results:
    """The trials of a benchmark, and what they come to.

    Args:
        trials: by algorithm and instance, in the order of their seeds.
        instances: the tasks, by name.
        by: the figure by whose areas the algorithms are ordered.
        folder: where the tables are, if they were written.
    """

    trials: Mapping[str, Mapping[str, Sequence[Trial]]]
    instances: Mapping[str, Instance]
    by: By = "loss"
    folder: Path | None = None

    @cached_property
    def zeros(self) -> dict[str, dict[By, float]]:
        """The figures of the best genomes known, by instance and figure."""
        return {name: {by: zero(one, by).figure for by in MEASURES} for name, one in self.instances.items()}

    @cached_property
    def areas(self) -> Floats:
        """What each trial held, shape (algorithms, instances, seeds)."""
        places = [(name, one.games or 1, self.zeros[name][self.by]) for name, one in self.instances.items()]
        return np.array(
            [[area(of[name], self.by, cost, least) for name, cost, least in places] for of in self.trials.values()]
        )

    @cached_property
    def standings(self) -> list[Standing]:
        """All algorithms, the largest area first."""
        standings = []
        for means, (name, of) in zip(self.areas.mean(axis=1), self.trials.items(), strict=True):
            reached = [np.isfinite(hits(of[one], self.by, zero=self.zeros[one][self.by])) for one in self.instances]
            ends = bounded_interval(means, SHARE)
            standings.append(Standing(name, float(means.mean()), *ends, float(np.mean(reached))))
        return sorted(standings, key=lambda one: -one.area)

    @property
    def endings(self) -> list[Ending]:
        """What was left when budgets had ended, by instance and then in the order of the areas."""
        return [
            Ending(
                one.algorithm, name, instance.unit, float(np.mean([trial.spent[-1] for trial in of])),
                *_mean([trial.loss[-1] for trial in of]), self.zeros[name]["loss"],
                *_mean([trial.exploitability[-1] for trial in of]), self.zeros[name]["exploitability"],
            )
            for name, instance in self.instances.items()
            for one in self.standings
            for of in [self.trials[one.algorithm][name]]
        ]  # fmt: skip

    @cached_property
    def early(self) -> list[Early]:
        """Where algorithms were as good as the optimum for fewer pairs than a genome has genes."""
        early = []
        for name, one in self.instances.items():
            near, genes, cost = self.zeros[name]["loss"] + NEAR, one.grid.genes, one.games or 1
            for algorithm, of in self.trials.items():
                spent = hits([trial for trial in of[name] if trial.loss[0] > near], "loss", [near])
                soon = spent[spent < genes * cost]
                if len(soon):
                    early.append(Early(algorithm, name, len(soon), int(soon.min()) // cost, genes))
        return early

    def shares(self, algorithm: str, by: By) -> Floats:
        """The shares of its budgets at which an algorithm hit its targets, shape (seeds, targets of all instances)."""
        places = [(self.trials[algorithm][name], self.zeros[name][by]) for name in self.instances]
        shares = [hits(of, by, zero=least) / np.array([[one.budget] for one in of]) for of, least in places]
        return np.concatenate(shares, axis=1)

    def times(self, targets: Sequence[float] = TARGETS) -> list[Time]:
        """Expected running times to targets of both figures."""
        rows = []
        for algorithm, of in self.trials.items():
            for name in self.instances:
                for by in MEASURES:
                    least, n = self.zeros[name][by], len(of[name])
                    reached = np.isfinite(hits(of[name], by, targets, least)).sum(axis=0)
                    times = running_times(of[name], by, targets, least)
                    for target, hit, time, low, high in zip(targets, reached, *times, strict=True):
                        middle = float(time) if np.isfinite(time) else None
                        rows.append(Time(algorithm, name, by, target, int(hit), n, middle, *_ends(low, high, n)))
        return rows


def _ends(low: float, high: float, seeds: int) -> tuple[float | None, float | None]:
    """The ends of a running time's interval as far as they are finite; of few seeds none."""
    return (
        float(low) if seeds >= FEWEST_TIMES and np.isfinite(low) else None,
        float(high) if seeds >= FEWEST_TIMES and np.isfinite(high) else None,
    )


def _mean(values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """The mean of losses or exploitabilities, and its interval."""
    return float(np.mean(values)), *bounded_interval(np.array(values), (0.0, 0.5))


@dataclass(frozen=True)
class ReferenceTrial:
    """What a trial came to.

    Args:
        instance: the task.
        algorithm: a reference algorithm.
        seed: of the trial.
        budget: of evaluations, or of games.
        spent: how much of it.
        loss, exploitability: of the champion when the budget had ended.
        area_loss, area_exploitability: the share of targets that champions held, averaged over a logarithmic budget.
        hit_loss, hit_exploitability: the share of targets that were ever hit.
    """

    instance: str
    algorithm: str
    seed: int
    budget: int
    spent: int
    loss: float
    exploitability: float
    area_loss: float
    area_exploitability: float
    hit_loss: float
    hit_exploitability: float


def reference_trials(path: Path | None = None) -> list[ReferenceTrial]:
    """The trials of a table, by default of the one that comes with pigevo."""
    with (path or experiments_folder() / "benchmark" / "trials.csv").open(newline="", encoding="utf-8") as file:
        rows = [list(row.values()) for row in csv.DictReader(file)]
    return [ReferenceTrial(a, b, *map(int, row[:3]), *map(float, row[3:])) for a, b, *row in rows]


def reference_csv(results: Results) -> bytes:
    """The table of trials of a benchmark, which `reference_trials` reads."""
    head = [field.name for field in fields(ReferenceTrial)]
    return csv_bytes([head, *_rows(results)])


def _rows(results: Results) -> Iterator[list[object]]:
    for name, place in results.instances.items():
        for algorithm, of in results.trials.items():
            columns = [
                figure(of[name], by, results.zeros[name][by], place.games or 1)
                for figure in (_areas, _hits) for by in MEASURES
            ]  # fmt: skip
            for trial, *figures in zip(of[name], *columns, strict=True):
                ends = [trial.loss[-1], trial.exploitability[-1], *figures]
                yield [name, algorithm, trial.seed, trial.budget, trial.spent[-1], *(f"{end:.6f}" for end in ends)]


def _areas(trials: Sequence[Trial], by: By, zero: float, cost: int) -> Floats:
    return area(trials, by, cost, zero)


def _hits(trials: Sequence[Trial], by: By, zero: float, _: int) -> Floats:
    shares: Floats = np.isfinite(hits(trials, by, zero=zero)).mean(axis=1)
    return shares


def reference_standings(trials: Sequence[ReferenceTrial], instances: Sequence[str], by: By = "loss") -> list[Standing]:
    """The standings over some instances, the largest area first; of algorithms that lack one there is none."""
    trials_of: dict[str, dict[str, list[ReferenceTrial]]] = {}
    for one in trials:
        trials_of.setdefault(one.algorithm, {}).setdefault(one.instance, []).append(one)
    standings = []
    for algorithm, of in trials_of.items():
        if not instances or not set(instances) <= of.keys():
            continue
        areas = np.array([[getattr(one, f"area_{by}") for one in of[name]] for name in instances]).mean(axis=0)
        hit = float(np.mean([getattr(one, f"hit_{by}") for name in instances for one in of[name]]))
        standings.append(Standing(algorithm, float(areas.mean()), *bounded_interval(areas, SHARE), hit))
    return sorted(standings, key=lambda one: -one.area)


def reference_beside(results: Results) -> list[Standing]:
    """Reference results on the instances of a benchmark, of those algorithms that did not take part themselves.

    Args:
        results: what a benchmark has returned.

    Returns:
        The largest area first; nothing where an instance has no reference results, or trials had another budget.

    Example:
        >>> import tempfile
        >>> from pigevo.experiments.benchmark import benchmark, reference_beside
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     results = benchmark("random_search", "t10-d2-c1-g10", 1, folder=folder, workers=1)
        >>> beside = reference_beside(results)
        >>> len(beside), beside[0].area > results.standings[0].area
        (9, True)
    """
    budgets = {
        (name, trial.budget) for of in results.trials.values() for name, trials in of.items() for trial in trials
    }
    known = [one for one in reference_trials() if (one.instance, one.budget) in budgets]
    if {(one.instance, one.budget) for one in known} != budgets:
        return []
    standings = reference_standings(known, list(results.instances), results.by)
    return [one for one in standings if one.algorithm not in results.trials]
