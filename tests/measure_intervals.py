"""How often intervals of means and their verdicts are right: the tables of docs/explanation/intervals.md, measured.

`python -m tests.measure_intervals` prints them (a few minutes); `tests/core/test_intervals.py` holds the page to them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pigevo.core.intervals import CONFIDENCE, mean_interval, mean_p
from pigevo.studies.tables import table
from pigevo.sweeps.statistics import more_seeds, seeds_for

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
NOISE = 0.05
"""The standard deviation around each of two places that are 1 apart."""


def two_places(share: float) -> Draw:
    """Values near 1, and with the probability `share` near 0."""
    return lambda rng, shape: (rng.uniform(size=shape) >= share) + NOISE * rng.normal(size=shape)


LAWS: dict[str, tuple[Draw, float, float]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0, 1.0),
    "uniform": (lambda rng, shape: rng.uniform(size=shape), 0.5, 12**-0.5),
    "difference of two exponentials": (
        lambda rng, shape: rng.exponential(size=shape) - rng.exponential(size=shape), 0.0, 2**0.5
    ),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), 1.0, 1.0),
    "lognormal": (lambda rng, shape: rng.lognormal(size=shape), np.exp(0.5), float(np.sqrt(np.e * (np.e - 1)))),
    "half and half": (two_places(0.5), 0.5, (0.25 + NOISE**2) ** 0.5),
    "four to one": (two_places(0.2), 0.8, (0.16 + NOISE**2) ** 0.5),
}  # fmt: skip
"""How each law is drawn, its mean and its standard deviation."""

SEEDS = (3, 5, 10, 20, 30)
TOGETHER = 24
EFFECTS = (2.0, 1.5, 1.0, 0.8, 0.5)
OPEN = ((0.5, 10), (0.8, 5), (0.8, 10), (1.5, 5))
"""True effects, and how many seeds there are, of comparisons that are open."""

MOST_MORE = 2000
SAMPLES = 10_000
"""Of each figure; a tenth of that where several intervals are read together, or seeds are added."""


def coverage(law: str, seeds: int, samples: int, together: int = 1, seed: int = 1) -> float:
    """How often all of some intervals, widened as `report` does it, hold the true mean at once."""
    draw, mean, _ = LAWS[law]
    rng, level = np.random.default_rng(seed), 1 - (1 - CONFIDENCE) / together
    return float(np.mean([
        all(_holds(values, level, mean) for values in draw(rng, (together, seeds))) for _ in range(samples)
    ]))  # fmt: skip


def power(law: str, effect: float, samples: int, seed: int = 1) -> float:
    """How often a single comparison finds a true effect with as many seeds as `compare` asks for.

    Of an effect to the side of the longer tail and one to the other side it is the rarer.
    """
    draw, mean, sd = LAWS[law]
    around = draw(np.random.default_rng(seed), (samples, seeds_wanted(effect))) - mean
    return float(min(
        np.mean([mean_p(values + way * effect * sd) <= 1 - CONFIDENCE for values in around]) for way in (1, -1)
    ))  # fmt: skip


def seeds_wanted(effect: float) -> int:
    """All seeds that `compare` asks for where an effect is as found."""
    wanted = seeds_for(effect, 1 - CONFIDENCE, 0)
    assert wanted is not None
    return wanted


def settled(effect: float, seeds: int, samples: int, seed: int = 1) -> float:
    """How often an open comparison of normal differences is settled by as many more seeds as `compare` asks for."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < samples:
        values = rng.normal(effect, 1, seeds)
        if mean_p(values) > 1 - CONFIDENCE:
            more = more_seeds(float(values.mean() / values.std(ddof=1)), 1 - CONFIDENCE, seeds)[0]
            added = rng.normal(effect, 1, min(more or MOST_MORE, MOST_MORE))
            found.append(mean_p(np.concatenate([values, added])) <= 1 - CONFIDENCE)
    return float(np.mean(found))


def _holds(values: np.ndarray, level: float, mean: float) -> bool:
    low, high = mean_interval(values, level)
    return low is None or high is None or low <= mean <= high


def as_markdown(samples: int) -> str:
    """All tables of the page.

    Args:
        samples: of each figure.
    """
    alone = [(law, *(f"{coverage(law, n, samples):.2f}" for n in SEEDS)) for law in LAWS]
    few = max(samples // 10, 1)
    together = [(law, *(f"{coverage(law, n, few, TOGETHER):.2f}" for n in SEEDS)) for law in LAWS]
    found = [
        (effect, seeds_wanted(effect), *(f"{power(law, effect, samples):.2f}" for law in LAWS)) for effect in EFFECTS
    ]
    opened = [(effect, n, f"{settled(effect, n, few):.2f}") for effect, n in OPEN]
    heads = [f"{n} seeds" for n in SEEDS]
    return "\n".join([
        table(["one interval", *heads], alone),
        table([f"{TOGETHER} at once", *heads], together),
        table(["effect", "seeds", *LAWS], found),
        table(["true effect", "seeds that left it open", "settled by as many more as were asked for"], opened),
    ])  # fmt: skip


if __name__ == "__main__":
    print(as_markdown(SAMPLES))
