"""Random search with the budget of a run and with the same luck in its choice.

A run finds its champion by matches that are partly decided by luck.  For a fair comparison
random search works in the same way: it is the run without evolution.

1. Draw as many random strategies as the run evaluated, in groups of the population's size.
2. Evaluate each group like a generation of the run: same pairs, fitness and number of games.
3. The `size` strategies with the highest scores (fewer if the population is large) all meet
   each other, like the members of a run's last generation.  The best of them is the result.

Only this strategy is evaluated exactly.  The sample of `baseline=random_search`, which all runs on a grid share, shows
how good the best of thousands of random strategies is by the referee, which a run may not use.

Every seed has its own random search: strategies, pairs and games are drawn with the run's seed.  So the runs of a sweep
are compared with an equal number of independent searches, whose mean has an interval.  With seed 0 they are the
first strategies of that sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry
from pigevo.dice import Draw
from pigevo.evolution.evaluation import Evaluation, every_pair, ranking, referee
from pigevo.evolution.island_model import island_plan, join_evaluations
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
        strategies: number of strategies that the run evaluated; as many are drawn, in whole groups, but at
            most `MOST_STRATEGIES`, and fewer if more than `MOST_GAMES` or `MOST_MEETINGS` would be needed.
        track: takes the numbers of the groups and returns them one by one, like `tqdm`.
    """
    from pigevo.evolution.toolbox import make_toolbox  # loads DEAP, which commands without a run do not need

    size, count = plan.size, plan.islands.count
    islands = [make_toolbox(island_plan(plan, number), grid) for number in range(count)]

    def evaluate_group(number: int) -> Evaluation:  # evaluated like a generation of the run
        parts = random_genomes(grid, size, number, plan.seed).reshape(count, size // count, grid.genes)
        return join_evaluations([tools.evaluate(part, number) for tools, part in zip(islands, parts, strict=True)])

    first = evaluate_group(0)
    matches = len(first.pairs) if plan.fitness.plays.members else 0
    if first.games:
        most_groups = MOST_GAMES // first.games
    else:
        most_groups = MOST_MEETINGS // matches if matches else MOST_STRATEGIES
    groups = max(1, min(-(-strategies // size), MOST_STRATEGIES // size, most_groups))
    scores, games = [], 0
    for number in track(range(groups)):
        evaluation = first if number == 0 else evaluate_group(number)
        scores.append(evaluation.scores)
        games += evaluation.games
    best = ranking(np.concatenate(scores), plan.draw("selection", groups).at(part=2))[: plan.finalists]
    finalists, (of_group, members) = np.empty((len(best), grid.genes), np.uint8), np.divmod(best, size)
    for number in np.unique(of_group).tolist():
        chosen = of_group == number
        finalists[chosen] = random_genomes(grid, size, number, plan.seed)[members[chosen]]
    everyone = make_toolbox(plan, grid)
    last = everyone.evaluate(finalists, groups, pairs=every_pair(len(finalists) if plan.finalists_play else 0))
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
