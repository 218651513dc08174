"""How well a reading of the program fits the published curves: figures of runs, and their predictive law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Bools, Floats
from pigevo.dice import Draw

from .program import SIZE, Course

READING_ERROR = 0.005 / 3**0.5
"""Standard deviation of a figure that is read off a picture to .005."""

GAMES = 100
"""Games of a member against the optimum, from which the report estimated its win rate."""


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a population.

    Args:
        take: the win probability from the seats, shape (points, n, 2), and who survives, shape (points, n).
        games: the games from which it was estimated.
        scale: the share of it that was written down.
        average: whether the average of all records until then was written down.
    """

    take: Callable[[Floats, Bools], Floats]
    games: int = SIZE * GAMES
    scale: float = 1.0
    average: bool = False


def _population(seats: Floats, _: Bools) -> Floats:
    return np.asarray(seats.mean(axis=(1, 2)))


def _survivors(seats: Floats, survive: Bools) -> Floats:
    return np.asarray((seats.mean(axis=2) * survive).sum(axis=1) / survive.sum(axis=1))


RECORDED = {
    "mean": Recorded(_population),
    "half": Recorded(_population, scale=0.5),
    "moving first": Recorded(lambda seats, _: seats[:, :, 0].mean(axis=1)),
    "moving second": Recorded(lambda seats, _: seats[:, :, 1].mean(axis=1)),
    "first of both": Recorded(lambda seats, _: seats[:, :, 0].mean(axis=1), SIZE * GAMES // 2, 0.5),
    "survivors": Recorded(_survivors, SIZE * GAMES // 2),
    "survivors of all": Recorded(_survivors, SIZE * GAMES // 2, 0.5),
    "best": Recorded(lambda seats, _: seats.mean(axis=2).max(axis=1), GAMES),
    "worst": Recorded(lambda seats, _: seats.mean(axis=2).min(axis=1), GAMES),
    "one member": Recorded(lambda seats, _: seats[:, 0].mean(axis=1), GAMES),
    "average so far": Recorded(_population, average=True),
}
"""What may have been recorded after the first population: the mean over members; half of it; wins moving first or
second alone; wins moving first among all games; the survivors, or their sum among all members; one member; the average
so far."""


def curve(course: Course, recorded: Recorded, place: int, seed: int) -> Floats:
    """A recorded curve with the luck of its games; the first population is recorded as it is, shape (points,)."""
    chances = recorded.take(course.seats, course.survive)
    luck = Draw(seed, "validation", 2, place).uniforms(len(chances))
    found = stats.binom.ppf(luck, recorded.games, chances) / recorded.games * recorded.scale
    found[0] = stats.binom.ppf(luck[0], SIZE * GAMES, course.seats[0].mean()) / (SIZE * GAMES)
    if recorded.average:
        found[1:] = np.cumsum(found[1:]) / np.arange(1, len(found))
    return np.asarray(found)


def figure(name: str, values: Floats) -> float:
    """The figure of a curve by its name in `published.yaml`."""
    word, _, place = name.partition(" ")
    if word == "at":
        return float(values[int(place)])
    rest = values[int(place) :]
    return float({"level": rest.mean(), "highest": rest.max(), "lowest": rest.min()}[word])


PRIOR_SPREAD, PRIOR_RUNS = 0.02, 4
"""The spread of a figure over seeds that is assumed beside few runs, and the number of runs that it counts for."""


def density(ours: Floats, published: float, prior_runs: int = 0) -> Floats:
    """The logarithm of the predictive density of a published figure, from that of some runs, shape (..., runs)."""
    away, scale, freedom = _standardised(ours, published, prior_runs)
    return np.asarray(stats.t.logpdf(away, freedom) - np.log(scale))


def two_sided(ours: Floats, published: float) -> float:
    """The probability that a figure of another run is as far from the mean of these as the published one."""
    away, _, freedom = _standardised(ours, published)
    return float(2 * stats.t.sf(abs(away), freedom))


def _standardised(ours: Floats, published: float, prior_runs: int = 0) -> tuple[Floats, Floats, int]:
    """The published figure in units of its predictive law, their size, and the degrees of freedom of Student's law.

    Figures of runs are taken as normal; the picture of the published one is read with an error.
    """
    n, mean = ours.shape[-1], ours.mean(axis=-1)
    freedom = n - 1 + prior_runs
    spread = (((ours - mean[..., None]) ** 2).sum(axis=-1) + prior_runs * PRIOR_SPREAD**2) / freedom
    scale = np.sqrt(spread * (1 + 1 / n) + READING_ERROR**2)
    return (published - mean) / scale, scale, freedom


def log_share(true: Bools) -> Floats:
    """The logarithm of the estimated probability that a sentence is true of a run (Jeffreys' prior)."""
    return np.asarray(np.log((true.sum(axis=-1) + 0.5) / (true.shape[-1] + 1)))
