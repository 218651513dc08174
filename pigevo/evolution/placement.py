"""How rare a run's figure is among random ones, with what the sample can and cannot say.

Of `n` random figures, `r` reach the run's figure.  The chance `p` that one random figure
does is then `r / n`, inside the interval of Clopper & Pearson (1934).  If none does, the
sample gives only a bound: `p < 1 - 0.05 ** (1 / n)` with 95 % confidence, about `3 / n`.
The best of `m` random figures reaches it with chance `1 - (1 - p) ** m`.  A tail model (a
generalised Pareto law fitted to the largest tenth, Pickands 1975) goes beyond the sample,
and is called a model wherever it is shown.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats

from pigevo.arrays import Floats

TAIL = 0.1


@dataclass(frozen=True)
class Placement:
    """A figure among random ones.

    Args:
        value: the run's figure.
        sample: how many random figures there are.
        reached: how many of them are at least as large.
        chance: share of the sample that reaches the figure.
        bound: upper end of the one-sided 95 % interval for the chance of one random figure.
        tries: how many figures the run had itself.
        best_of_tries: chance that the best of as many random figures reaches it, from `chance`.
        best_of_tries_bound: the same from `bound`; all that can be said if `reached` is 0.
        tail_model: the same chance by the tail model; None if it cannot be fitted.
        largest: the largest random figure.
    """

    value: float
    sample: int
    reached: int
    chance: float
    bound: float
    tries: int
    best_of_tries: float
    best_of_tries_bound: float
    tail_model: float | None
    largest: float

    def record(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        if self.reached:
            return f"{self.reached:,} of {self.sample:,}"
        return f"none of {self.sample:,} (the best of them {self.largest:.4f})"


def place(value: float, sample: Floats, tries: int) -> Placement:
    """Where `value` stands among the random figures in `sample`.

    Args:
        value: the run's figure.
        sample: random figures, any shape, at least one.
        tries: how many figures the run produced, of which `value` is the best.
    """
    flat = np.sort(np.asarray(sample, dtype=np.float64).ravel())
    n = len(flat)
    reached = int(n - np.searchsorted(flat, value, side="left"))
    chance = reached / n
    bound = float(stats.binomtest(reached, n, alternative="less").proportion_ci(0.95, method="exact").high)
    return Placement(
        value=float(value),
        sample=n,
        reached=reached,
        chance=chance,
        bound=bound,
        tries=tries,
        best_of_tries=_best_of(chance, tries),
        best_of_tries_bound=_best_of(bound, tries),
        tail_model=_tail_model(value, flat),
        largest=float(flat[-1]),
    )


def _best_of(chance: float, tries: int) -> float:
    return float(-np.expm1(tries * np.log1p(-chance))) if chance < 1 else 1.0


def _tail_model(value: float, ordered: Floats) -> float | None:
    """Chance that one random figure reaches `value`, by a law fitted to the largest tenth."""
    threshold = float(np.quantile(ordered, 1 - TAIL))
    above = ordered[ordered > threshold] - threshold
    if len(above) < 20 or value <= threshold:
        return None
    shape, _, scale = stats.genpareto.fit(above, floc=0)
    return float(len(above) / len(ordered) * stats.genpareto.sf(value - threshold, shape, 0, scale))
