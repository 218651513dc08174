"""A generation of a run as data, and which of its members is the champion."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.threads import Progress
from pigevo.evolution import operator_calls
from pigevo.evolution.evaluation import Evaluation, every_pair, mean_of, ranking, referee
from pigevo.evolution.game_allocation import in_order
from pigevo.evolution.island_model import island_plan, memories, split
from pigevo.evolution.plan import Plan, State
from pigevo.evolution.tables import tables_of
from pigevo.evolution.toolbox import toolbox_of
from pigevo.strategies import CubeGrid, Strategy

Bar = Callable[[Plan], AbstractContextManager[Progress | None]]
"""Opens a progress bar over the evaluation that names the champion."""


def no_bar(plan: Plan) -> AbstractContextManager[None]:
    """No progress bar."""
    return nullcontext()


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation of a run, evaluated, to be looked at.

    `state` is the population as it was bred.  `evaluated` is the same population as it was evaluated: at the end of a
    wave it is already on the finer grid of the next one, else it is `state` itself.  `evaluation` is by the run's own
    fitness: members met as selection pairs them, each on its island; in the last generation of the plan, as
    `final_evaluation` says.  `islands` has each island as a generation of its own, and is empty without islands.
    `order` is what `final_order` returns, where that is known already.
    """

    plan: Plan
    state: State
    evaluated: State
    evaluation: Evaluation
    islands: tuple[Generation, ...] = ()
    order: tuple[Ints, Evaluation] | None = None

    @property
    def number(self) -> int:
        """The number of the generation, from 0."""
        return self.state.generation

    @property
    def genomes(self) -> Bytes:
        """The population, shape (n, genes), not to be written to: the run goes on from it."""
        return read_only(self.state.genomes)

    @property
    def grid(self) -> CubeGrid:
        """The grid of cuboids that its genes stand for."""
        return self.plan.waves[self.state.wave].grid

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Its members."""
        return tuple(self.grid.strategy(genome, f"member {n}") for n, genome in enumerate(self.genomes))

    @property
    def scores(self) -> Floats:
        """How good each member is by the run's own fitness, shape (n,)."""
        return self.evaluation.scores

    @cached_property
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        with self.plan.clock("referee"):
            return referee(self.plan.game, tables_of(self.grid, self.genomes), self.plan.workers)

    @cached_property
    def is_last(self) -> bool:
        """Whether it is the run's last one: the last of the plan, or one at which the stop rule ends the run."""
        return self.number >= self.plan.generations or operator_calls.ended(self.plan, self)

    @cached_property
    def final_order(self) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst, as if the run ended here, and the evaluation that says so."""
        return self.order or final_order(self)

    @property
    def best(self) -> int:
        """The index of its champion: the best member by the run's own fitness, as if the run ended here."""
        return int(self.final_order[0][0])

    @property
    def champion(self) -> Strategy:
        """The best member by the run's own fitness, which the run would hand over if it ended here."""
        return self.grid.strategy(self.genomes[self.best], f"generation {self.number}")

    @property
    def final_scores(self) -> Floats:
        """How good each member is by the run's own fitness, by the matches that name the champion, shape (n,)."""
        return self.final_order[1].scores


def final_order(generation: Generation, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The members from the best to the worst by the run's own fitness, and the evaluation that says so.

    Where they were not evaluated so already, they are evaluated once more, as at the end of the run
    (`final_evaluation`).  The games of that count only if the run does end here.
    """
    plan, state = generation.plan, generation.state
    evaluation = generation.evaluation if _has_final_evaluation(generation) else final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def final_order_of_state(plan: Plan, state: State, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The same of a population without an evaluation, as of a run that was killed before its result."""
    evaluation = final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def _has_final_evaluation(generation: Generation) -> bool:
    if generation.number >= generation.plan.generations:
        return True
    if generation.islands or generation.evaluated is not generation.state:
        return False
    everyone = every_pair(len(generation.genomes))
    return not generation.plan.fitness.plays.members or np.array_equal(generation.evaluation.pairs, everyone)


def final_evaluation(plan: Plan, state: State, bar: Bar = no_bar) -> Evaluation:
    """The evaluation that names the champion.

    All members meet each other (`Plan.everyone_meets`).  Of a large population all meet as selection pairs them, and
    then the best `Plan.finalists` each other; the games of both are counted.
    """
    if plan.everyone_meets:
        with bar(plan) as progress:
            return _evaluate_pairs(plan, state, every_pair(len(state.genomes)), progress)
    before = _evaluate_pairs(plan, state, _as_selection_pairs(plan, state))
    finalists = np.sort(_best_first(plan, state, before)[: plan.finalists])
    with bar(plan) as progress:
        last = _evaluate_pairs(plan, state, finalists[every_pair(len(finalists))], progress)
    among = np.isin(np.arange(len(state.genomes)), finalists)
    scores = in_order(np.where(among, last.scores, before.scores), among.astype(np.int64))
    return replace(last, scores=scores, games=last.games + before.games)


def true_scores(plan: Plan, state: State, pairs: Ints, members: Ints) -> Floats | None:
    """Fitness values of some members without sampling error, shape (m,); None where the fitness has none."""
    tools = toolbox_of(plan, state.wave)
    truths = [tools.truth(state.genomes, state.generation, one, pairs, members) for one in memories(plan, state)]
    return None if any(one is None for one in truths) else np.asarray(np.mean(truths, axis=0))


def _evaluate_pairs(plan: Plan, state: State, pairs: Ints, progress: Progress | None = None) -> Evaluation:
    """The evaluation of members that meet in the given pairs, across islands; the mean of the islands' memories."""
    tools = toolbox_of(plan, state.wave)
    return mean_of([
        tools.evaluate(state.genomes, state.generation, memory, pairs, progress=progress)
        for memory in memories(plan, state)
    ])  # fmt: skip


def _as_selection_pairs(plan: Plan, state: State) -> Ints:
    """Who meets whom as selection pairs them, on each island by itself."""
    if plan.islands.count > 1:
        islands = [_as_selection_pairs(island_plan(plan, n), one) for n, one in enumerate(split(plan, state))]
        return np.concatenate([pairs + n * (plan.size // len(islands)) for n, pairs in enumerate(islands)])
    pairs: Ints = toolbox_of(plan, state.wave).pairs(len(state.genomes), state.generation, state.memory)
    return pairs


def _best_first(plan: Plan, state: State, evaluation: Evaluation) -> Ints:
    return ranking(
        evaluation.scores, plan.draw("selection", state.generation).at(part=2)
    )  # the ties of the final order
