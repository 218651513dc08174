"""A reading beside all that is published of a group of curves: figures of its runs, sentences, and their likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.dice import Draw

from .courses import course_of, read
from .likelihood import RECORDED, curve, density, figure, log_share, two_sided
from .sentences import NINE, of_figure_9, true_of

SIGNIFICANCE = 0.05
"""The level of all verdicts, for all readings of a group at once."""

RESAMPLED = 1000
"""Samples of the seeds, from which the interval of a difference is taken."""


@dataclass(frozen=True)
class Reading:
    """A program in words, and what it recorded, a key of `RECORDED`."""

    name: str
    program: str
    recorded: str = "mean"


@dataclass(frozen=True, eq=False)
class Scored:
    """A reading and a group of curves.

    Args:
        reading: the reading.
        seeds: of its runs.
        figures: figures of the runs by curve and name, shape (seeds,).
        published: the published ones.
        sentences: of which seeds the sentences on figure 9 are true, shape (seeds,).
    """

    reading: Reading
    seeds: Sequence[int]
    figures: Mapping[tuple[str, str], Floats]
    published: Mapping[tuple[str, str], float]
    sentences: Mapping[str, Bools]

    def every_sentence(self) -> dict[str, Bools]:
        """Of which seeds each sentence of section 4 is true."""
        return {**self.sentences, **true_of(self.figures)}

    def likelihood(self, prior_runs: int = 0, every_sentence: bool = False) -> float:
        """The sum of the logarithms of the predictive densities and of the probabilities of the sentences."""
        said = self.every_sentence() if every_sentence else self.sentences
        rows = (float(density(ours, self.published[key], prior_runs)) for key, ours in self.figures.items())
        return sum(rows) + sum(float(log_share(true)) for true in said.values())

    def cautious(self, without: tuple[str, str] | None = None, every_sentence: bool = False) -> float:
        """The same if the figures of a curve say no more than one of them, and all sentences no more than one."""
        return float(self.cautious_of(np.arange(len(self.seeds)), without, every_sentence))

    def cautious_of(self, seeds: Ints, without: tuple[str, str] | None = None, every_sentence: bool = False) -> Floats:
        """The cautious likelihood by samples of the seeds, of shape (..., seeds)."""
        curves: dict[str, list[Floats]] = {}
        for key, ours in self.figures.items():
            if key != without:
                curves.setdefault(key[0], []).append(density(ours[seeds], self.published[key]))
        sentences = self.every_sentence() if every_sentence else self.sentences
        said = [log_share(true[seeds]) for true in sentences.values()]
        means = [np.mean(own, axis=0) for own in [*curves.values(), *([said] if said else [])]]
        return np.asarray(np.sum(means, axis=0))

    def farthest(self) -> tuple[tuple[str, str], float]:
        """The figure that is least probable, and its probability for all figures of the group at once."""
        found = {key: two_sided(ours, self.published[key]) for key, ours in self.figures.items()}
        key = min(found, key=lambda one: found[one])
        return key, min(1.0, found[key] * len(found))


def scored(reading: Reading, group: str, folder: Path, seeds: Sequence[int]) -> Scored:
    """Score a reading by its runs, which are made where they are missing."""
    curves: dict[str, list[Floats]] = {}
    figures: dict[tuple[str, str], Floats] = {}
    published: dict[tuple[str, str], float] = {}
    for place, (name, said) in enumerate(read("published.yaml")[group].items()):
        courses = (course_of(folder, reading.program, said["setting"], seed) for seed in seeds)
        recorded = RECORDED[reading.recorded]
        curves[name] = [curve(course, recorded, place, seed) for course, seed in zip(courses, seeds, strict=True)]
        for row, value in said["rows"].items():
            figures[name, row] = np.array([figure(row, one) for one in curves[name]])
            published[name, row] = float(value)
    true: dict[str, Bools] = {}
    if set(NINE) <= set(curves):
        said_true = [of_figure_9({name: curves[name][n] for name in NINE}) for n in range(len(seeds))]
        true = {sentence: np.array([one[sentence] for one in said_true]) for sentence in said_true[0]}
    return Scored(reading, seeds, figures, published, true)


def behind(best: Scored, other: Scored) -> tuple[float, float, float]:
    """How far a reading's cautious likelihood is behind that of the best, with a 95 % interval over resampled seeds."""
    low, high = np.quantile(resampled(best) - resampled(other), (0.025, 0.975)).tolist()
    return best.cautious() - other.cautious(), low, high


def resampled(judgement: Scored, part: int = 0) -> Floats:
    """The cautious likelihood in samples of the seeds, the same for all readings; those of one seed alone are left out.

    Args:
        judgement: a reading and its runs.
        part: of the dice, by which samples are independent of others.
    """
    count = len(judgement.seeds)
    draws = Draw(0, "validation", 3).at(part=part).uniforms(RESAMPLED * count).reshape(RESAMPLED, count)
    rows = np.sort((draws * count).astype(np.int64), axis=1)
    return judgement.cautious_of(rows[rows[:, 0] < rows[:, -1]])


def beside(low: float, luck: float) -> str:
    """How a reading stands beside the best one, by the lower end of how far it is behind, and what may be luck."""
    return "not told apart" if low <= 0 else "far behind" if low > luck else "behind"


def luck_of(readings: int) -> float:
    """The log likelihood ratio that the best of all wrong readings exceeds with a chance of `SIGNIFICANCE` at most.

    The ratio of a wrong reading to the true one is at most 1 on average (then Markov's inequality).  This also holds
    for a geometric mean of ratios, whatever their dependence (Hölder's inequality), and for products over independent
    curves; but laws are estimated here, and sentences depend on curves.
    """
    return float(np.log(readings / SIGNIFICANCE))


def hardest(own: Sequence[Scored]) -> tuple[str, str]:
    """The published figure that all readings together give worst."""
    first = own[0]
    return min(first.figures, key=lambda key: sum(density(one.figures[key], one.published[key]) for one in own))
