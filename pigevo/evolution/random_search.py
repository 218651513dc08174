"""Random search with a run's own budget and its own handicap.

A run finds its champion by matches of which luck decides a part.  To be fair, random search
is done in the same way: it is the run without evolution.  As many random strategies as the
run evaluated meet in groups of the population's size, in the pairs, by the fitness and with
the games of one generation; then the `size` of them with the highest scores, of a large
population fewer, meet everyone, as the members of a run's last generation do, and the best of
these is what the search finds.
Beside it stands the best of them all by the referee, which no run may ask.

Every seed has a random search of its own: its strategies, pairs and games are drawn with the run's seed.  So the runs
of a sweep are compared with as many independent searches, whose mean has an interval.  With seed 0 the strategies are
those of the sample of `random_search`, continued.
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
from pigevo.evolution.plan import Plan
from pigevo.strategies import CubeGrid, Members

BASELINES = Registry("baseline", 4)

Track = Callable[[Iterable[int]], Iterable[int]]

MOST_STRATEGIES = 10_000
"""The most strategies of a search, so that it takes seconds."""

MOST_GAMES = 1_000_000
"""The most games of a search."""

MOST_MEETINGS = 20_000
"""The most pairs of a search, where no games are played."""

TOGETHER = 32 << 20
"""The most bytes of genomes that are evaluated together."""


@dataclass(frozen=True)
class SearchResult:
    """What a random search found: the exact values of the best by the run's own fitness, and of the best of all.

    `cubes` is the cube size of its genomes; so many `strategies` were drawn, and `games` simulated.
    """

    cubes: str
    seed: int
    strategies: int
    games: int
    by_matches: float
    by_referee: float


def random_genomes(grid: CubeGrid, size: int, number: int, seed: int = 0) -> Bytes:
    """The members of a random population by its number, shape (size, genes)."""
    return Draw(seed, "validation", number).bits(size, grid.genes)


def random_values(
    grid: CubeGrid,
    size: int,
    numbers: Sequence[int],
    workers: int,
    track: Track = iter,
    seed: int = 0,
) -> Floats:
    """Exact values of the members of random populations against the optimum, shape (populations, size).

    Some populations are judged together, for the threads wait for each other only then.
    """
    together = max(1, TOGETHER // max(1, size * grid.genes))  # a game to one point has no gene
    values, waiting = [np.empty(0)], []
    for place, number in enumerate(track(numbers), 1):
        waiting.append(random_genomes(grid, size, number, seed))
        if len(waiting) == together or place == len(numbers):
            values.append(referee(grid.game, Members(grid, np.concatenate(waiting)), workers))
            waiting = []
    return np.concatenate(values).reshape(-1, size)


def search(plan: Plan, grid: CubeGrid, strategies: int, known: Floats, track: Track = iter) -> SearchResult:
    """Search at random as the run did: the same number of strategies, and the same way to choose.

    As many strategies as the run evaluated are drawn, in whole groups, within the limits above.  `known` are the exact
    values of the first random populations on the grid, of seed 0; `track` is handed the numbers of the groups and gives
    them back one by one, as `tqdm` does.
    """
    from pigevo.evolution.toolbox import make_toolbox  # DEAP, which a command that runs nothing need not load

    size, evaluate = plan.size, make_toolbox(plan, grid).evaluate

    def group(number: int) -> Evaluation:  # evaluated as a generation of the run is
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
    places = [divmod(int(place), size) for place in best]
    finalists = np.stack([random_genomes(grid, size, group, plan.seed)[member] for group, member in places])
    last = evaluate(finalists, groups, pairs=every_pair(len(finalists)))
    chosen = places[ranking(last.scores, plan.draw("selection", groups).at(part=3))[0]]
    known = known[:groups] if plan.seed == 0 else known[:0]
    more = random_values(grid, size, range(len(known), groups), plan.workers, seed=plan.seed)
    values = np.concatenate([known, more])
    return SearchResult(
        grid.label, plan.seed, groups * size, games + last.games, float(values[chosen]), float(values.max())
    )


@BASELINES.register(name="none")
def no_baseline(grid: CubeGrid, size: int, workers: int, track: Track) -> Floats:
    """An empty sample: the run is compared with nothing."""
    return np.empty((0, size))


@BASELINES.register(source="Exeter 2016, section 4.3.1 and figure 10")
def random_search(
    grid: CubeGrid, size: int, workers: int, track: Track, populations: Annotated[int, Within(2, 10**6)] = 300
) -> Floats:
    """Exact win probabilities of random genomes against the optimum.

    The sample is the same for every run: it belongs to the validation stream of seed 0.

    Args:
        populations: how many populations are drawn.
    """
    return random_values(grid, size, range(populations), workers, track)
