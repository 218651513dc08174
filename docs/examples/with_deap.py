"""An algorithm for `pigevo benchmark` from DEAP: its tournament, two-point crossover and bit flips."""

import random

import numpy as np
from deap import base, creator, tools

from pigevo.experiments.benchmark import Problem, Question

creator.create("Wins", base.Fitness, weights=(1.0,))
creator.create("Genome", list, fitness=creator.Wins)


class Deap:
    """Twenty individuals, each of which meets five others; the next twenty are the children of tournaments."""

    def __init__(self, problem: Problem) -> None:
        random.seed(problem.seed)  # DEAP draws from Python's own generator
        self.members = [creator.Genome(row) for row in problem.start(20).tolist()]
        self.best, self.rate = self.members[0], 1 / problem.genes

    def ask(self) -> Question:
        """Everyone meets the next five on a ring."""
        self.pairs = np.array([[a, (a + step) % 20] for a in range(20) for step in range(1, 6)])
        return Question(np.array(self.members), self.pairs)

    def tell(self, wins: np.ndarray) -> None:
        """Fitness is the mean of the ten matches that an individual had; then it breeds."""
        first, second = (np.bincount(column, w, 20) for column, w in zip(self.pairs.T, (wins, 1 - wins), strict=True))
        for member, score in zip(self.members, (first + second) / 10, strict=True):
            member.fitness.values = (score,)
        self.best = max(self.members, key=lambda member: member.fitness.values)
        self.members = [creator.Genome(m) for m in tools.selTournament(self.members, 20, tournsize=3)]
        for one, other in zip(self.members[::2], self.members[1::2], strict=True):
            tools.cxTwoPoint(one, other)
        for member in self.members:
            tools.mutFlipBit(member, indpb=self.rate)

    champion = property(lambda self: np.array(self.best))
