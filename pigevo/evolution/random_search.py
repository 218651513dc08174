"""Random search with the budget of a run and with the same luck in its choice; and a run's rank among random figures.

A run finds its champion by matches that are partly decided by luck.  For a fair comparison
random search works in the same way: it is the run without evolution.

1. Draw as many random strategies as the run evaluated, in groups of the population's size.
2. Evaluate each group like a generation of the run: same pairs, fitness and number of games.
3. The `size` strategies with the highest scores (fewer if the population is large) all meet
   each other, like the members of a run's last generation.  The best of them is the result.

Only this strategy is evaluated exactly.  How good the best of a thousand random strategies is by the referee, which a
run may not use, is shown by the sample of `random_search`, which all runs on a grid share.

Every seed has its own random search: strategies, pairs and games are drawn with the run's seed.  So the runs of a sweep
are compared with an equal number of independent searches, whose mean has an interval.  With seed 0 the strategies are
a continuation of the sample of `random_search`.

How rare a run's figure is among random ones, as far as a sample can show: suppose that `r` of `n` random figures are at
least as large.  The chance that a random figure is as large lies in the interval of Clopper & Pearson (1934).  If
`r = 0`, the sample gives only a bound: `p < 1 - 0.05 ** (1 / n)` with 95 % confidence, about `3 / n`.  A distribution
fitted to the tail of the sample would give smaller bounds, but is not used: with 300 normal values it estimates a
chance of one in a thousand as 0 in 45 % of cases.  For the mean of a population a smaller bound is possible, because
the mean is over `size` members, and the sample contains many members: `bound_of_means`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.checked_values import JsonObject, Within
from pigevo.core.intervals import CONFIDENCE, share_interval
from pigevo.core.registry import Registry
from pigevo.dice import Draw
from pigevo.evolution.evaluation import Evaluation, every_pair, ranking, referee
from pigevo.evolution.plan import Plan
from pigevo.strategies import CubeGrid, Members

BASELINES = Registry("baseline", 4)

Track = Callable[[Iterable[int]], Iterable[int]]

MOST_STRATEGIES = 10_000  # the largest number of strategies in a search, so that it takes seconds
MOST_GAMES = 1_000_000  # the largest number of games in a search
MOST_MEETINGS = 20_000  # the largest number of pairs in a search if no games are played
BYTES_AT_ONCE = 32 << 20  # the most bytes of genomes that are evaluated together


@dataclass(frozen=True)
class SearchResult:
    """The result of a random search.

    Args:
        cubes: the cube size of the genomes.
        seed: the seed of the search.
        strategies: number of strategies that were drawn.
        games: number of games that were simulated.
        by_matches: the exact win probability against the optimum of the strategy that the run's own fitness ranked
            first.
    """

    cubes: str
    seed: int
    strategies: int
    games: int
    by_matches: float


def random_genomes(grid: CubeGrid, size: int, number: int, seed: int = 0) -> Bytes:
    """The members of the random population with a given number, shape (size, genes)."""
    return Draw(seed, "validation", number).bits(size, grid.genes)


def random_values(
    grid: CubeGrid, size: int, numbers: Sequence[int], workers: int, track: Track = iter, seed: int = 0
) -> Floats:
    """Exact values of the members of random populations against the optimum, shape (populations, size).

    Several populations are evaluated together, so that the threads wait for each other less often.
    """
    together = max(1, BYTES_AT_ONCE // max(1, size * grid.genes))  # a game to one point has no genes
    values, waiting = [np.empty(0)], []
    for count, number in enumerate(track(numbers), 1):
        waiting.append(random_genomes(grid, size, number, seed))
        if len(waiting) == together or count == len(numbers):
            values.append(referee(grid.game, Members(grid, np.concatenate(waiting)), workers))
            waiting = []
    return np.concatenate(values).reshape(-1, size)


def search(plan: Plan, grid: CubeGrid, strategies: int, track: Track = iter) -> SearchResult:
    """Search at random as the run did: the same number of strategies, and the same way to choose.

    Args:
        plan: the plan of the run.
        grid: the grid of the genomes.
        strategies: number of strategies that the run evaluated; as many are drawn, in whole groups, within the limits
            above.
        track: takes the numbers of the groups and returns them one by one, like `tqdm`.
    """
    from pigevo.evolution.toolbox import make_toolbox  # loads DEAP, which commands without a run do not need

    size, evaluate = plan.size, make_toolbox(plan, grid).evaluate

    def group(number: int) -> Evaluation:  # evaluated like a generation of the run
        evaluation: Evaluation = evaluate(random_genomes(grid, size, number, plan.seed), number)
        return evaluation

    first = group(0)
    meetings = len(first.pairs) if plan.fitness.plays.members else 0
    dearest = MOST_GAMES // first.games if first.games else MOST_MEETINGS // meetings if meetings else MOST_STRATEGIES
    groups = max(1, min(-(-strategies // size), MOST_STRATEGIES // size, dearest))
    scores, games = [], 0
    for number in track(range(groups)):
        evaluation = first if number == 0 else group(number)
        scores.append(evaluation.scores)
        games += evaluation.games
    best = ranking(np.concatenate(scores), plan.draw("selection", groups).at(part=2))[: plan.finalists]
    finalists, (of_group, members) = np.empty((len(best), grid.genes), np.uint8), np.divmod(best, size)
    for number in np.unique(of_group).tolist():
        chosen = of_group == number
        finalists[chosen] = random_genomes(grid, size, number, plan.seed)[members[chosen]]
    last = evaluate(finalists, groups, pairs=every_pair(len(finalists) if plan.finalists_play else 0))
    winner = ranking(last.scores, plan.draw("selection", groups).at(part=3))[:1]
    value = float(referee(grid.game, Members(grid, finalists[winner]))[0])
    return SearchResult(grid.label, plan.seed, groups * size, games + last.games, value)


@BASELINES.register(name="none")
def no_baseline(grid: CubeGrid, size: int, workers: int, track: Track) -> Floats:
    """An empty sample: the run is not compared with random genomes."""
    return np.empty((0, size))


@BASELINES.register(source="Exeter 2016, section 4.3.1 and figure 10")
def random_search(
    grid: CubeGrid, size: int, workers: int, track: Track, populations: Annotated[int, Within(2, 10**6)] = 300
) -> Floats:
    """Exact win probabilities of random genomes against the optimum.

    The sample is the same for every run: it belongs to the validation stream of seed 0.

    Args:
        populations: the number of populations that are drawn.
    """
    return random_values(grid, size, range(populations), workers, track)


TELLING = 0.05  # larger upper bounds of a chance are not reported
STEEPEST = 5000.0  # the largest exponent tried in a bound; every exponent gives a valid bound
NARROW = 0.001  # the width at which the search for the best exponent ends
APART = 1.25  # the ratio of the numbers of larger members at two neighbouring points of the tail


@dataclass(frozen=True)
class Placement:
    """A figure among random figures.

    Args:
        value: the run's figure.
        sample: number of random figures.
        reached: number of random figures that are at least as large as the run's.
        low: the lower end of the 95 % interval of the chance that a random figure is at least as large.
        high: the upper end of the interval, or of the one-sided interval if `reached` is 0.
        largest: the largest random figure.
    """

    value: float
    sample: int
    reached: int
    low: float
    high: float
    largest: float

    @staticmethod
    def read(record: JsonObject) -> Placement:
        """Read a placement from a record; the bounds are computed anew, since old records have others."""
        counts = int(record["reached"]), int(record["sample"])
        return Placement(record["value"], counts[1], counts[0], *_interval(*counts), record["largest"])

    @property
    def share(self) -> float:
        """The share of random figures that are at least as large."""
        return self.reached / self.sample

    def __str__(self) -> str:
        if self.reached:
            return f"{self.reached:,} of {self.sample:,}"
        rare = f", fewer than 1 in {int(1 / self.high):,} (95 %)" if self.high <= TELLING else ""
        return f"none of {self.sample:,}{rare}"


def placement_of(value: float, sample: Floats) -> Placement:
    """The placement of `value` among the random figures in `sample`."""
    flat = np.asarray(sample, dtype=np.float64).ravel()
    reached = int((flat >= value).sum())
    return Placement(float(value), len(flat), reached, *_interval(reached, len(flat)), float(flat.max()))


def _interval(reached: int, n: int) -> tuple[float, float]:
    return share_interval(reached, n, CONFIDENCE if reached else 2 * CONFIDENCE - 1)  # one-sided, if none


def bound_of_means(members: Floats, size: int, value: float, top: float = 0.5) -> float:
    """An upper bound of the chance that the mean of `size` random members reaches `value`, valid in 95 % of samples.

    Let F be the distribution function of a member, and F_n that of the n members in the sample.

    1. With 97.5 %, F >= F_n - sqrt(log(40) / 2n) everywhere (Dvoretzky, Kiefer & Wolfowitz 1956; Massart 1990).
    2. With 97.5 %, F(x_i) >= the 0.025 / m quantile of Beta(i, n + 1 - i) at m chosen points x_i of the ordered sample,
       since F(x_i) is at least the i-th of n uniform numbers; the m error probabilities add up at most. The points are
       chosen by rank, close together at the upper end, where this bound is stronger than the first.
    3. So with 95 % F >= G everywhere, where G is the larger of both bounds, and 1 at `top`, which no member exceeds: a
       member is stochastically at most a variable with distribution G, and so is the mean of `size` of them.
    4. For any s >= 0, the chance that a mean of G reaches v is at most (E exp(s (Y - v))) ** size (Chernoff 1952).
       G does not depend on s, so the s with the smallest bound may be chosen.

    Nothing is assumed about F. The price: rare good members, which no sample can rule out, count with a chance of about
    3 / n.

    Args:
        members: values of random members, any shape.
        size: number of members in a population.
        value: the mean to be reached.
        top: a value that no member exceeds.
    """
    from scipy import special

    x = np.sort(np.asarray(members, dtype=np.float64).ravel())
    n, top = len(x), max(top, float(x[-1]))
    error = (1 - CONFIDENCE) / 2
    law = np.arange(1, n + 1) / n - np.sqrt(np.log(1 / error) / (2 * n))
    larger = np.unique(np.floor(APART ** np.arange(np.log(max(n / 5, 1)) / np.log(APART))).astype(np.int64)) - 1
    at = n - 1 - larger
    law[at] = np.maximum(law[at], special.betaincinv(n - larger, larger + 1, error / len(at)) if len(at) else 0)
    law = np.clip(np.maximum.accumulate(law), 0, 1)
    y, weights = np.append(x, top), np.diff(law, prepend=0, append=1)

    low, high, bound = 0.0, STEEPEST, 0.0
    while high - low > NARROW:  # the logarithm of the bound is convex
        s = np.linspace(low, high, 12)
        logarithms = size * special.logsumexp(np.multiply.outer(s, y - value), b=weights, axis=1)
        best = int(logarithms.argmin())
        low, high, bound = float(s[max(0, best - 1)]), float(s[min(len(s) - 1, best + 1)]), float(logarithms[best])
    return float(np.exp(min(0.0, bound)))


def bound_of_best(bound: float, tries: int) -> float:
    """A bound of the chance that at least one of `tries` tries succeeds, if `bound` is a bound for a single try."""
    return min(1.0, tries * bound)
