"""The lineage of a run: the parents of members, and the gain by each operator in win probability by the referee.

Every member of a population has at most one nearest parent: the parent with which it shares more genes.  The line of a
champion leads from nearest parent to nearest parent back to generation 0.

The change of a population's mean from one generation to the next is the sum of the gains by the operators (Price 1970;
for evolutionary algorithms: Bassett, Potter & De Jong 2004).  Three values are known for each child: the mean win
probability of its parents, its own before mutation, and its own.  The gains are:

- selection: the mean of the parents, over all members, minus the mean of the previous population;
- crossover: the change from the parents' mean to the child before mutation;
- mutation: the change from the child before mutation to the child;
- arrivals: members without parents, minus the mean of the previous population.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.evolution.evaluation import referee
from pigevo.evolution.loop import Generation
from pigevo.evolution.plan import Birth
from pigevo.strategies import Members

OPERATORS = ("selection", "crossover", "mutation", "arrivals")  # the causes of a change of a population's mean
GAINS = tuple(f"gain_{name}" for name in OPERATORS)  # their columns in `metrics.csv`


@dataclass(frozen=True, eq=False)
class Descent:
    """The members of a recorded generation and their ancestors.

    Args:
        generation: number of the generation.
        line: index of each member's ancestor in the previous recorded generation, from nearest parent to nearest
            parent, shape (n,); -1 if it has no ancestor there.
        parents: indices into the previous generation, shape (n, 2), as in `Birth.parents`.
        values: exact overall win probabilities against the optimum, shape (n, 4): the mean of the previous population,
            the mean of the parents, the member before mutation, and the member; NaN if there is no such value.
    """

    generation: int
    line: Ints
    parents: Ints
    values: Floats

    @property
    def children(self) -> Floats:
        """The gain by crossover and the gain by mutation of each child of two parents, shape (children, 2)."""
        return np.diff(self.values[self.parents[:, 1] >= 0, 1:], axis=1)

    @property
    def gains(self) -> Floats:
        """The gain in the population's mean by each of `OPERATORS`, shape (4,); the sum is the whole change."""
        arrived = np.isnan(self.values[:, 1])
        before, *_, own = self.values.T
        brought = [*np.diff(self.values[~arrived], axis=1).T, (own - before)[arrived]]
        return np.array([differences.sum() for differences in brought]) / len(self.values)


@dataclass
class Lineage:
    """The lineage of a run so far: its recorded generations, and the lines since the last recorded generation."""

    recorded: list[Descent] = field(default_factory=list)
    line: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def follow(self, generation: Generation) -> None:
        """Continue the lines to the next generation, whether or not it is recorded."""
        birth, n = generation.state.birth, len(generation.genomes)
        if birth is None:
            self.line = np.full(n, -1)
        else:
            near = birth.nearest(generation.genomes)
            self.line = np.where(near >= 0, self.line[near], -1)

    def record(self, generation: Generation) -> dict[str, float]:
        """Record the generation that was followed last, and return the gains by column of the metrics."""
        birth, own, n = generation.state.birth, generation.exact, len(generation.genomes)
        line, self.line = self.line, np.arange(n)
        if birth is None:
            values = np.stack([np.full(n, np.nan)] * 3 + [own], axis=1)
            self.recorded.append(Descent(generation.number, line, np.full((n, 2), -1), values))
            return {}
        before, crossed = _judged(generation, birth)
        first, second = birth.parents.T
        middle = np.where(second >= 0, (before[first] + before[second]) / 2, before[first])
        values = np.stack([np.full(n, before.mean()), middle, crossed, own], axis=1)
        values[first < 0, 1:3] = np.nan
        descent = Descent(generation.number, line, birth.parents, values)
        self.recorded.append(descent)
        return dict(zip(GAINS, descent.gains.tolist(), strict=True))

    def ancestors(self, member: int) -> list[tuple[int, int]]:
        """The line of a member of the last generation as pairs of generation and member, the newest first."""
        line = []
        for record in reversed(self.recorded):
            if member < 0:
                break
            line.append((record.generation, member))
            member = int(record.line[member])
        return line

    def lines(self) -> dict[int, int]:
        """For each recorded generation, the number of its members that are ancestors of the last generation."""
        counts, members = {}, np.arange(len(self.recorded[-1].line))
        for record in reversed(self.recorded):
            counts[record.generation] = len(members)
            members = np.unique(record.line[members])
            members = members[members >= 0]
        return counts


def _judged(generation: Generation, birth: Birth) -> tuple[Floats, Floats]:
    """The exact win probabilities of the previous population, and of this population before mutation."""
    plan, grid = generation.plan, generation.grid
    with plan.clock("referee"):
        before, crossed = (
            referee(plan.game, Members(grid, genomes), plan.workers) for genomes in (birth.before, birth.crossed)
        )
    return before, crossed
