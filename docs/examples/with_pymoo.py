"""An algorithm for `pigevo benchmark` from pymoo (pip install pymoo): its genetic algorithm, by ask and tell."""

import numpy as np
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.evaluator import Evaluator
from pymoo.core.problem import Problem as Task
from pymoo.core.termination import NoTermination
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.operators.sampling.rnd import BinaryRandomSampling
from pymoo.problems.static import StaticProblem

from pigevo.experiments.benchmark import Problem, Question


class Pymoo:
    """Fitness is the mean result against a panel of five random strategies, since pymoo keeps what it has evaluated."""

    def __init__(self, problem: Problem) -> None:
        self.panel, self.task = problem.start(5), Task(n_var=problem.genes, n_obj=1, vtype=bool)
        operators = {"crossover": UniformCrossover(), "mutation": BitflipMutation()}
        self.search = GA(pop_size=20, sampling=BinaryRandomSampling(), **operators)
        self.search.setup(self.task, termination=NoTermination(), seed=problem.seed, verbose=False)

    def ask(self) -> Question:
        """Everyone that pymoo wants to know of meets everyone of the panel."""
        self.asked = self.search.ask()
        genomes, size = self.asked.get("X").astype(np.uint8), len(self.asked)
        pairs = np.array([[a, size + b] for a in range(size) for b in range(5)])
        return Question(np.vstack([genomes, self.panel]), pairs)

    def tell(self, wins: np.ndarray) -> None:
        """Pymoo minimises."""
        losses = -wins.reshape(-1, 5).mean(axis=1)
        Evaluator().eval(StaticProblem(self.task, F=losses[:, None]), self.asked)
        self.search.tell(infills=self.asked)

    champion = property(lambda self: self.search.opt.get("X")[0].astype(np.uint8))
