"""A generation of a run as data, and the choice of its champion."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.machine import Progress
from pigevo.evolution import operator_calls
from pigevo.evolution.evaluation import Evaluation, every_pair, mean_of, ranking, referee
from pigevo.evolution.game_allocation import in_order
from pigevo.evolution.island_model import island_plan, memories, split
from pigevo.evolution.plan import Plan, State
from pigevo.evolution.toolbox import toolbox_of
from pigevo.strategies import CubeGrid, Members, Strategy

Bar = Callable[[Plan], AbstractContextManager[Progress | None]]
"""Opens a progress bar for the evaluation that finds the champion."""


def no_bar(plan: Plan) -> AbstractContextManager[None]:
    """No progress bar."""
    return nullcontext()


@dataclass(frozen=True, eq=False)
class Generation:
    """An evaluated generation of a run, for inspection.

    Args:
        plan: the plan of the run.
        state: the population as it was bred.
        evaluated: the same population as it was evaluated: at the end of a wave on the finer grid of the next wave,
            otherwise `state` itself.
        evaluation: the evaluation by the run's own fitness. Members met in the pairs that the selection chose, within
            each island; in the last generation of the plan they met as in `final_evaluation`.
        islands: each island as a generation; empty without islands.
        order: the result of `final_order`, if it is already known.
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
        """The population, shape (n, genes), read-only because the run continues from it."""
        return read_only(self.state.genomes)

    @property
    def grid(self) -> CubeGrid:
        """The grid of cuboids that the genes represent."""
        return self.plan.waves[self.state.wave].grid

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The members as strategies."""
        return tuple(self.grid.strategy(genome, f"member {n}") for n, genome in enumerate(self.genomes))

    @property
    def scores(self) -> Floats:
        """The score of each member by the run's own fitness, shape (n,)."""
        return self.evaluation.scores

    @cached_property
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        with self.plan.clock("referee"):
            return referee(self.plan.game, Members(self.grid, self.genomes), self.plan.workers)

    @cached_property
    def is_last(self) -> bool:
        """Whether this is the last generation of the plan, or the stop rule ends the run with it."""
        return self.number >= self.plan.generations or operator_calls.ends(self.plan, self)

    @cached_property
    def final_order(self) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst, as if the run ended here, and the evaluation that ranks them."""
        return self.order or final_order(self)

    @property
    def best(self) -> int:
        """The index of the champion: the best member by the run's own fitness, as if the run ended here."""
        return int(self.final_order[0][0])

    @property
    def champion(self) -> Strategy:
        """The best member by the run's own fitness, which would be the run's result if it ended here."""
        return self.grid.strategy(self.genomes[self.best], f"generation {self.number}")

    @property
    def final_scores(self) -> Floats:
        """The score of each member by the run's own fitness, from the matches that find the champion, shape (n,)."""
        return self.final_order[1].scores


def final_order(generation: Generation, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The members from the best to the worst by the run's own fitness, and the evaluation that ranks them.

    If the generation's evaluation is a final one already, it is used; otherwise the members are evaluated by
    `final_evaluation`, whose games count only if the run ends here.
    """
    plan, state = generation.plan, generation.state
    evaluation = generation.evaluation if _has_final_evaluation(generation) else final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def final_order_of_state(plan: Plan, state: State, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """Like `final_order`, for a population without an evaluation, for example of a run killed before its result."""
    evaluation = final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def _has_final_evaluation(generation: Generation) -> bool:
    if generation.number >= generation.plan.generations:
        return True
    if generation.islands or generation.evaluated is not generation.state:
        return False
    if not generation.plan.fitness.plays.members:
        return True
    size, pairs = len(generation.genomes), generation.evaluation.pairs
    return len(pairs) == size * (size - 1) // 2 and np.array_equal(pairs, every_pair(size))  # made only if it can be so


def final_evaluation(plan: Plan, state: State, bar: Bar = no_bar) -> Evaluation:
    """The evaluation that finds the champion.

    If `Plan.everyone_meets`, all members meet each other.  In a larger population members first meet in the pairs that
    the selection chooses, and then the best `Plan.finalists` meet each other; the games of both parts are counted.
    """
    if plan.everyone_meets:
        with bar(plan) as progress:
            return _evaluate_pairs(plan, state, every_pair(plan.size if plan.pairs_finalists else 0), progress)
    before = _evaluate_pairs(plan, state, _as_selection_pairs(plan, state))
    finalists = np.sort(_best_first(plan, state, before)[: plan.finalists])
    with bar(plan) as progress:
        last = _evaluate_pairs(plan, state, finalists[every_pair(len(finalists))], progress)
    among = np.isin(np.arange(len(state.genomes)), finalists)
    scores = in_order(np.where(among, last.scores, before.scores), among.astype(np.int64))
    return replace(last, scores=scores, games=last.games + before.games)


def true_scores(plan: Plan, state: State, pairs: Ints, members: Ints) -> Floats | None:
    """Fitness values of some members without sampling error, shape (m,); None if the fitness has no such values."""
    tools = toolbox_of(plan, state.wave)
    truths = [tools.truth(state.genomes, state.generation, one, pairs, members) for one in memories(plan, state)]
    return None if any(one is None for one in truths) else np.asarray(np.mean(truths, axis=0))


def _evaluate_pairs(plan: Plan, state: State, pairs: Ints, progress: Progress | None = None) -> Evaluation:
    """The evaluation of members that meet in the given pairs, across islands; the mean over the islands' memories."""
    tools = toolbox_of(plan, state.wave)
    return mean_of([
        tools.evaluate(state.genomes, state.generation, memory, pairs, progress=progress)
        for memory in memories(plan, state)
    ])  # fmt: skip


def _as_selection_pairs(plan: Plan, state: State) -> Ints:
    """The pairs that the selection chooses, on each island separately."""
    if plan.islands.count > 1:
        islands = [_as_selection_pairs(island_plan(plan, n), one) for n, one in enumerate(split(plan, state))]
        return np.concatenate([pairs + n * (plan.size // len(islands)) for n, pairs in enumerate(islands)])
    pairs: Ints = toolbox_of(plan, state.wave).pairs(len(state.genomes), state.generation, state.memory)
    return pairs


def _best_first(plan: Plan, state: State, evaluation: Evaluation) -> Ints:
    return ranking(
        evaluation.scores, plan.draw("selection", state.generation).at(part=2)
    )  # the ties of the final order
