"""The runs of one setting as arrays, and comparisons of settings seed by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import optimize

from pigevo.core.arrays import Floats
from pigevo.core.intervals import ANY, CONFIDENCE, Range
from pigevo.core.text import with_interval
from pigevo.figures.bands import Band, band
from pigevo.runs.load import Run, load_run
from pigevo.strategies import Strategy
from pigevo.sweeps import Job
from pigevo.sweeps.comparison import Budget, budget_of, difference
from pigevo.sweeps.statistics import POWER, Compared, compare_pairs, power

from .tables import table


@dataclass(frozen=True, eq=False)
class Group:
    """All finished runs of a setting, by seed.

    `generation` are the recorded generations, shape (points,), and `mean` the win probabilities of each run's
    population against the optimum, shape (seeds, points).
    """

    name: str
    seeds: tuple[int, ...]
    generation: Floats
    mean: Floats
    runs: tuple[Run, ...] = field(repr=False)

    def at(self, generation: float) -> Floats:
        """Each run's population mean at a generation, shape (seeds,); interpolated between two records."""
        return np.array([np.interp(generation, self.generation, row) for row in self.mean])

    @property
    def peak(self) -> Floats:
        """The largest recorded population mean of each run, shape (seeds,)."""
        return np.asarray(self.mean.max(axis=1))

    @property
    def champion(self) -> Floats:
        """The win probability of each run's champion against the optimum, shape (seeds,)."""
        return np.array([_result(run)["champion"]["overall"] for run in self.runs])

    @property
    def seconds(self) -> float:
        """The total seconds of all runs."""
        return float(sum(_result(run)["seconds"] for run in self.runs))

    @property
    def wave_ends(self) -> list[float]:
        """The last generation of each wave."""
        metrics = self.runs[0].metrics
        return [float(metrics["generation"][metrics["wave"] == wave].max()) for wave in np.unique(metrics["wave"])]

    @property
    def wave_sizes(self) -> list[str]:
        """The size of the cubes of each wave."""
        metrics = self.runs[0].metrics
        return [str(metrics["cube_size"][metrics["wave"] == wave][-1]) for wave in np.unique(metrics["wave"])]

    def band(self, whole: bool = False) -> Band:
        """The population means of all seeds: the middle 90 % of them, or `whole` from the lowest to the highest."""
        middle = band(self.mean, x=self.generation)
        return replace(middle, low=self.mean.min(axis=0), high=self.mean.max(axis=0), level=1.0) if whole else middle

    def by_seed(self, figures: Floats) -> dict[int, float]:
        """Figures of shape (seeds,) by seed."""
        return dict(zip(self.seeds, figures.tolist(), strict=True))

    def budget(self, generation: float | None = None) -> Budget:
        """The budget spent by the median run up to a generation, by default its whole budget."""
        return budget_of(self.runs, generation)

    def strategy(self) -> Strategy:
        """The champion nearest to the median champion."""
        order = np.argsort(self.champion, kind="stable")
        middle = self.runs[int(order[len(order) // 2])]
        return middle.champion


def groups_of(jobs: Mapping[str, Sequence[Job]]) -> dict[str, Group]:
    """The finished runs of each setting, without settings that have none."""
    done = {name: {job.settings.seed: job for job in members if job.is_finished} for name, members in jobs.items()}
    return {
        name: group_of(name, {seed: load_run(job.folder) for seed, job in runs.items()})
        for name, runs in done.items() if runs
    }  # fmt: skip


def group_of(name: str, runs: Mapping[int, Run]) -> Group:
    """Finished runs of one setting, at least one, by seed."""
    seeds = sorted(runs)
    means = np.array([runs[seed].metrics["mean"] for seed in seeds], dtype=float)
    generation = runs[seeds[0]].metrics["generation"].astype(float)
    return Group(name, tuple(seeds), generation, means, tuple(runs[seed] for seed in seeds))


def _result(run: Run) -> Mapping[str, Any]:
    assert run.result is not None
    return run.result


@dataclass(frozen=True)
class Question:
    """Two figures for the same seeds to be compared, in words, and the budgets of their runs, if known."""

    a: str
    b: str
    of_a: Mapping[int, float]
    of_b: Mapping[int, float]
    spent_a: Budget | None = None
    spent_b: Budget | None = None


def answers(questions: Sequence[Question], within: Range = ANY) -> list[Compared]:
    """Make all comparisons, corrected for their number, without those that have no common seed.

    `within` are the smallest and the largest possible value of the figures; no interval of a difference is wider.
    """
    comparable = [q for q in questions if q.of_a.keys() & q.of_b.keys()]
    values = {
        f"{n} {side}": figures for n, q in enumerate(comparable) for side, figures in (("a", q.of_a), ("b", q.of_b))
    }
    pairs = [(f"{n} a", f"{n} b") for n in range(len(comparable))]
    compared = compare_pairs(values, pairs, within) if pairs else []
    return [_renamed(one, q) for one, q in zip(compared, comparable, strict=True)]


def as_markdown(compared: Sequence[Compared], verdict: str = "better") -> str:
    """A table of comparisons, corrected for their number; `verdict` is the word for the larger figure."""
    rows = []
    for one in compared:
        better = {one.a: "A", one.b: "B", None: "open"}[one.better]
        if one.better and one.budgets:
            better += f" ({one.budgets})"
        apart = with_interval(one.difference, one.low, one.high, "+.4f")
        effect = "" if one.effect is None else f"{one.effect:+.2f}"
        rows.append((one.a, one.b, one.seeds, apart, effect, f"{one.corrected:.2g}", better))
    return table(["A", "B", "seeds", "A - B (95 % interval)", "effect d_z", "p", verdict], rows)


def detectable(seeds: int) -> float:
    """The effect d_z that a single comparison with n seeds detects with a power of 80 % at a level of 5 %.

    The differences are assumed to be normal.
    """
    return float(optimize.brentq(lambda effect: power(effect, 1 - CONFIDENCE, seeds) - POWER, 0.01, 30))


def _renamed(one: Compared, question: Question) -> Compared:
    a, b = question.spent_a, question.spent_b
    budgets = difference(a, b) if a and b else ""
    return replace(one, a=question.a, b=question.b, budgets=budgets)
