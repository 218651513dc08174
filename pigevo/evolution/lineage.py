"""The lineage of a run: whom members come from, and what each operator brought, by the referee.

Every member of a population has at most one nearest parent: of its two that with which it shares more genes.  The line
of a champion goes from nearest parent to nearest parent back to generation 0.

The change of a population's mean from one generation to the next is the sum of what the operators brought (Price 1970;
Bassett, Potter & De Jong 2004 of evolutionary algorithms).  A child counts by the mean win probability of its parents,
by its own before mutation, and by its own:

- selection: the mean of the parents, over all members, less the mean of the population before;
- crossover and mutation: what each made of the children;
- arrivals: members from nowhere, less the mean of the population before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.evolution.births import Birth
from pigevo.evolution.evaluation import referee
from pigevo.evolution.generation import Generation
from pigevo.evolution.tables import tables_of

OPERATORS = ("selection", "crossover", "mutation", "arrivals")
"""What a population's mean changes by."""

GAINS = tuple(f"gain_{name}" for name in OPERATORS)
"""The columns of `metrics.csv`."""


@dataclass(frozen=True, eq=False)
class Descent:
    """The members of a recorded generation and whom they come from.

    Args:
        generation: its number.
        line: the member of the recorded generation before from which each comes, from nearest parent to nearest
            parent, shape (n,); -1 of who comes from nobody there.
        parents: indices in the generation before, shape (n, 2), as `Birth.parents` has them.
        values: exact overall win probabilities against the optimum, shape (n, 4): the mean of the population before,
            the mean of the parents, that before mutation, and the member's own; NaN where there are none.
    """

    generation: int
    line: Ints
    parents: Ints
    values: Floats

    @property
    def children(self) -> Floats:
        """What crossover and what mutation brought to each child of two parents, shape (children, 2)."""
        return np.diff(self.values[self.parents[:, 1] >= 0, 1:], axis=1)

    @property
    def gains(self) -> Floats:
        """What each of `OPERATORS` brought to the population's mean, shape (4,); they add up to its whole change."""
        arrived = np.isnan(self.values[:, 1])
        before, *_, own = self.values.T
        brought = [*np.diff(self.values[~arrived], axis=1).T, (own - before)[arrived]]
        return np.array([one.sum() for one in brought]) / len(self.values)


@dataclass
class Lineage:
    """The lineage of a run as far as it has gone: its recorded generations, and the lines since the last of these."""

    recorded: list[Descent] = field(default_factory=list)
    line: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def follow(self, generation: Generation) -> None:
        """Go on to the next generation, which need not be recorded."""
        birth, n = generation.state.birth, len(generation.genomes)
        if birth is None:
            self.line = np.full(n, -1)
        else:
            near = birth.nearest(generation.genomes)
            self.line = np.where(near >= 0, self.line[near], -1)

    def record(self, generation: Generation) -> dict[str, float]:
        """Record the generation that was followed last; what each operator brought to it, by column of the metrics."""
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
        """The line of a member of the last generation: generation and member, the newest first."""
        line = []
        for one in reversed(self.recorded):
            if member < 0:
                break
            line.append((one.generation, member))
            member = int(one.line[member])
        return line

    def lines(self) -> dict[int, int]:
        """In how many members of each recorded generation the lines of the last generation's members meet."""
        counts, members = {}, np.arange(len(self.recorded[-1].line))
        for one in reversed(self.recorded):
            counts[one.generation] = len(members)
            members = np.unique(one.line[members])
            members = members[members >= 0]
        return counts


def _judged(generation: Generation, birth: Birth) -> tuple[Floats, Floats]:
    """The exact win probabilities of the population before, and of this one before mutation."""
    plan, grid = generation.plan, generation.grid
    with plan.clock("referee"):
        before, crossed = (
            referee(plan.game, tables_of(grid, one), plan.workers) for one in (birth.before, birth.crossed)
        )
    return before, crossed
