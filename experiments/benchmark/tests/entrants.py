"""Small algorithms for tests of the benchmark."""

import numpy as np

from pigevo.experiments.benchmark import Problem, Question


class Mutants:
    """Five mutants meet the champion; the mutant with most wins against it replaces it."""

    size = 5

    def __init__(self, problem: Problem) -> None:
        self.problem, self.step, self.heard = problem, 0, []
        self.best = problem.start(1)[0]

    def ask(self):
        self.step += 1
        coins = self.problem.draw("mutation", self.step).uniforms(self.size * self.problem.genes)
        self.fresh = self.best ^ (coins.reshape(self.size, -1) < 0.05)
        return Question(
            np.vstack([self.fresh, self.best]), np.column_stack([np.arange(self.size), np.full(self.size, self.size)])
        )

    def tell(self, wins):
        self.heard.append(wins)
        self.best = self.fresh[wins.argmax()]

    @property
    def champion(self):
        return self.best


def asking(genomes, pairs, times=None):
    """An algorithm whose question is always the same, and has no pairs after `times` of them."""

    class Same:
        def __init__(self, problem):
            self.problem, self.questions, self.heard = problem, 0, []
            Same.made = self

        def ask(self):
            self.questions += 1
            over = times is not None and self.questions > times
            return Question(genomes, np.empty((0, 2), int) if over else np.asarray(pairs))

        def tell(self, wins):
            self.heard.append(wins)

        @property
        def champion(self):
            return genomes[0]

    return Same
