"""What a benchmark found: who holds most targets at any time, how champions end, and after how long targets are hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE

from .instances import Instance
from .statistics import (
    FEWEST_TIMES,
    MEASURES,
    TARGETS,
    By,
    area,
    bounded_interval,
    hits,
    running_times,
)
from .trial import Trial
from .zeros import zero

NEAR = 0.001
"""Of three trials of each reference algorithm on each instance of the suite `small`, none came so near to the optimum
for fewer than twice as many pairs as it has genes."""


@dataclass(frozen=True)
class Standing:
    """An algorithm over all instances; its figures do not depend on who else takes part.

    Args:
        algorithm: its name.
        area: the share of targets that its champions hold, averaged over a logarithmic budget: the first ten pairs
            count as much as the next ninety. Targets are counted from the best genome known of the instance, which
            has an area of 1 if it is the champion from the first pair on.
        area_low, area_high: 95 % interval of that over seeds, by Student's t; None below 6 seeds.
        hit: the share of (target, instance, seed) that it hit before its budget ended.
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
        algorithm: its name.
        instance: the task.
        unit: what it spent: evaluations or games.
        spent: how much, the mean over seeds.
        loss: what its champions lose against the optimum, the mean over seeds.
        loss_low, loss_high: 95 % interval of that mean, from 0 to 0.5 at most; None below 6 seeds, and where it is
            undetermined.
        loss_zero: what the best genome known loses, from which targets are counted.
        exploitability: what best responses win against its champions, less a half, the mean over seeds.
        exploitability_low, exploitability_high: 95 % interval of that mean, in the same range.
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
        algorithm: its name.
        instance: the task.
        by: which figure of the champion has a target: loss or exploitability.
        target: the figure that is to be hit, counted from that of the best genome known.
        hit: how many seeds hit it.
        seeds: how many there are.
        time: all that the seeds spent until they hit it or ended, for each that hit it; None where none did.
        low: the lower end of its 95 % interval over seeds (Fieller 1954); None where it is infinite, where all seeds
            are alike, and below 20 seeds.
        high: the upper end; None in the same cases.
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
