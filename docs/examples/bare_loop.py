"""An algorithm of one's own for `pigevo benchmark`, with numpy alone: (1,10) with a match against the champion."""

import numpy as np

from pigevo.experiments.benchmark import Problem, Question


class OneCommaTen:
    """Ten mutants meet the champion, and the one that wins most against it takes its place."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.step = problem, 0
        self.best = problem.start(1)[0]  # zeros and ones, one for each gene

    def ask(self) -> Question:
        """Rows 0 to 9 are the mutants, row 10 is the champion; each mutant meets the champion."""
        self.step += 1
        coins = self.problem.draw("mutation", self.step).uniforms(10 * self.problem.genes)
        self.mutants = self.best ^ (coins.reshape(10, -1) < 1 / self.problem.genes)
        return Question(np.vstack([self.mutants, self.best]), np.array([[row, 10] for row in range(10)]))

    def tell(self, wins: np.ndarray) -> None:
        """What each mutant won against the champion."""
        self.best = self.mutants[wins.argmax()]

    @property
    def champion(self) -> np.ndarray:
        """What would be handed over now."""
        return self.best
