"""The generation loop: a generation as data, the choice of its champion, and the next population, through all waves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, own_errors, read_only
from pigevo.core.machine import Progress
from pigevo.errors import GenerationFailed, InputError
from pigevo.evolution import operator_calls
from pigevo.evolution.evaluation import Evaluation, every_pair, mean_of, ranking, referee
from pigevo.evolution.game_allocation import ranked_by_tier
from pigevo.evolution.island_model import island_plan, join_evaluations, join_states, memories, migrations, split_state
from pigevo.evolution.plan import STOP, Birth, Plan, State, origins, parentage
from pigevo.evolution.population import Chosen
from pigevo.evolution.toolbox import NO_GENOMES, inheriting_kinds, make_toolbox, toolbox_of
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
        """The grid of cubes that the genes represent."""
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
    @own_errors
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        with self.plan.clock("referee"):
            return read_only(referee(self.plan.game, Members(self.grid, self.genomes), self.plan.workers))

    @cached_property
    def is_last(self) -> bool:
        """Whether this is the last generation of the plan, or the stop rule ends the run with it."""
        return self.number >= self.plan.generations or operator_calls.ends(self.plan, self)

    @cached_property
    def final_order(self) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst, as if the run ended here, and the evaluation that ranks them."""
        order, evaluation = self.order or final_order(self)
        return read_only(order), evaluation

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


@own_errors
def final_order(generation: Generation, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The members from the best to the worst by the run's own fitness, and the evaluation that ranks them.

    If the generation's evaluation is a final one already, it is used; otherwise the members are evaluated by
    `final_evaluation`, whose games count only if the run ends here.
    """
    plan, state = generation.plan, generation.state
    evaluation = generation.evaluation if _has_final_evaluation(generation) else final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


@own_errors
def final_order_of_state(plan: Plan, state: State, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """Like `final_order`, for a population without an evaluation, for example of a run killed before its result."""
    evaluation = final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def _has_final_evaluation(generation: Generation) -> bool:
    """Whether the generation's own evaluation is what `final_evaluation` would return."""
    if generation.number >= generation.plan.generations:
        return True
    if generation.islands or generation.evaluated is not generation.state:
        return False
    if not generation.plan.fitness.plays.members:
        return True
    size, pairs = len(generation.genomes), generation.evaluation.pairs
    count = size * (size - 1) // 2  # compared first, since a large population has many pairs
    return len(pairs) == count and np.array_equal(pairs, every_pair(size))


def final_evaluation(plan: Plan, state: State, bar: Bar = no_bar) -> Evaluation:
    """The evaluation that finds the champion.

    If scores compare members although the selection does not choose whom they meet, each island is evaluated alone.
    If `Plan.all_are_finalists`, all members meet each other, or nobody if the fitness scores each alone.  In a larger
    population members first meet in the pairs that the selection chooses, and then the best `Plan.finalists` meet each
    other; the games of both parts are counted.
    """
    if _meet_on_their_islands(plan):
        parts = enumerate(split_state(plan, state))
        return join_evaluations([final_evaluation(island_plan(plan, number), part, bar) for number, part in parts])
    if plan.all_are_finalists:
        with bar(plan) as progress:
            return _evaluate_pairs(plan, state, every_pair(plan.size if plan.finalists_play else 0), progress)
    before = _evaluate_pairs(plan, state, _selection_pairs(plan, state))
    finalists = np.sort(_best_first(plan, state, before)[: plan.finalists])
    with bar(plan) as progress:
        last = _evaluate_pairs(plan, state, finalists[every_pair(len(finalists))], progress)
    among = np.isin(np.arange(len(state.genomes)), finalists)
    scores = ranked_by_tier(np.where(among, last.scores, before.scores), among.astype(np.int64))
    return replace(last, scores=scores, games=last.games + before.games)


def true_scores(plan: Plan, state: State, pairs: Ints, members: Ints) -> Floats | None:
    """Fitness values of some members without sampling error, shape (m,); None if the fitness has no such values."""
    if _meet_on_their_islands(plan):
        island, rows = np.divmod(members, plan.size // plan.islands.count)
        found = np.empty(len(members))
        for number, part in enumerate(split_state(plan, state)):
            own = island == number
            scores = true_scores(island_plan(plan, number), part, pairs, rows[own])
            if scores is None:
                return None
            found[own] = scores
        return found
    tools = toolbox_of(plan, state.wave)
    truths = [
        tools.truth(state.genomes, state.generation, memory, pairs, members, _new_ones(plan, state))
        for memory in memories(plan, state)
    ]
    return None if any(truth is None for truth in truths) else np.asarray(np.mean(truths, axis=0))


def _evaluate_pairs(plan: Plan, state: State, pairs: Ints, progress: Progress | None = None) -> Evaluation:
    """The evaluation of members that meet in the given pairs, across islands; the mean over the islands' memories."""
    tools = toolbox_of(plan, state.wave)
    return mean_of([
        tools.evaluate(state.genomes, state.generation, memory, pairs, _new_ones(plan, state), progress)
        for memory in memories(plan, state)
    ])  # fmt: skip


def _meet_on_their_islands(plan: Plan) -> bool:
    """Whether members of an island meet in pairs that the fitness chooses, such as twins."""
    plays = plan.fitness.plays
    return plan.islands.count > 1 and plays.relative and not plays.members


def _new_ones(plan: Plan, state: State) -> int | None:
    """The number of newly made members at the end of the population; None if each island has its own."""
    return state.fresh if plan.islands.count == 1 else None


def _selection_pairs(plan: Plan, state: State) -> Ints:
    """The pairs that the selection chooses, on each island separately."""
    if plan.islands.count > 1:
        islands = [_selection_pairs(island_plan(plan, n), part) for n, part in enumerate(split_state(plan, state))]
        return np.concatenate([pairs + n * (plan.size // len(islands)) for n, pairs in enumerate(islands)])
    pairs: Ints = toolbox_of(plan, state.wave).pairs(len(state.genomes), state.generation, state.memory)
    return pairs


def _best_first(plan: Plan, state: State, evaluation: Evaluation) -> Ints:
    """The members from the best to the worst score; the selection stream breaks ties."""
    ties = plan.draw("selection", state.generation).at(part=2)
    return ranking(evaluation.scores, ties)


def generations(plan: Plan, state: State, bar: Bar = no_bar) -> Iterator[Generation]:
    """Yield the generation of `state` and all later ones, until the plan or the stop rule ends the run."""
    while True:
        with _naming(plan, state.generation):
            generation = evaluate(plan, state, bar)
        yield generation
        with _naming(plan, generation.number):
            if generation.is_last:
                return
            state = next_state(generation)


@contextmanager
def _naming(plan: Plan, number: int) -> Iterator[None]:
    """A `with` block in which the error of a user's operator is told with the number of the generation.

    Errors of a kind of their own, such as a file that cannot be read, keep it.
    """
    try:
        yield
    except InputError as error:
        if type(error) is not InputError or not plan.user_code:
            raise
        raise GenerationFailed(f"in generation {number}, {error}") from error


@own_errors
def first_state(plan: Plan) -> State:
    """The first population, on its islands, not evaluated yet."""
    if plan.islands.count > 1:
        return join_states([first_state(island_plan(plan, number)) for number in range(plan.islands.count)])
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


@own_errors
def evaluate(plan: Plan, state: State, bar: Bar = no_bar) -> Generation:
    """Evaluate a population in the pairs that the selection chooses; the last one by `final_evaluation`."""
    number = state.generation
    if number >= plan.generations:
        return Generation(plan, state, state, final_evaluation(plan, state, bar))
    entered = enter_wave(plan, state, plan.wave_at(number + 1))  # its children belong to the next generation's wave
    if plan.islands.count > 1:
        return _evaluate_islands(plan, state, entered)
    tools = toolbox_of(plan, entered.wave)
    evaluation = tools.evaluate(entered.genomes, number, entered.memory, fresh=entered.fresh)
    return Generation(plan, state, entered, evaluation)


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of a wave."""
    if wave == state.wave:
        return state
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))


@own_errors
def next_state(generation: Generation) -> State:
    """Breed the next population, and let the stop rule update its memory."""
    born = _breed_islands(generation) if generation.islands else breed(generation)
    stop_memory = operator_calls.remember_to_stop(generation.plan, generation)
    return replace(born, memory={**born.memory, STOP: stop_memory}) if stop_memory else born


def breed(generation: Generation, migrants: Bytes = NO_GENOMES) -> State:
    """One step: remember, select, choose members that stay and arrive, then mate and mutate to fill the other slots.

    Each migrant from another island takes the slot of a child.
    """
    plan, state, evaluation, number = generation.plan, generation.evaluated, generation.evaluation, generation.number
    tools = toolbox_of(plan, state.wave)
    genomes, scores = state.genomes, evaluation.scores
    memory = tools.remember(genomes, scores, state.fresh, number, state.memory, evaluation, sum(state.arrived))

    chosen = tools.select(evaluation, number, memory)
    survivors = Chosen(read_only(genomes), chosen)  # rows of the population, copied only when they are read
    staying = tools.keep(survivors, scores, number, memory)
    arriving = tools.arrive(len(genomes) - len(staying), scores, number, memory, migrants)
    free = len(genomes) - len(staying) - len(arriving)
    couples = tools.parents(scores[chosen], len(staying) + np.arange(free), number)
    crossed = tools.mate(survivors, scores[chosen], free, number, memory, couples)
    parents = chosen[couples]
    young = crossed.copy() if plan.lineage else crossed  # mutated in place; the lineage needs them unmutated
    children = tools.mutate(young, scores, number, memory, in_place=True, parents=parents)

    born = State(
        number + 1, state.wave,
        np.concatenate([staying, children, arriving]) if len(staying) or len(arriving) else children,
        len(children) + len(arriving), state.evaluations + state.fresh, state.games + evaluation.games, memory,
        arrived=(len(arriving),) if len(arriving) else (),
    )  # fmt: skip
    if not (inheriting_kinds(plan) or plan.lineage):
        return born
    all_parents = parentage(origins(staying, genomes, scores, chosen), parents, len(arriving))
    memory = tools.inherit(all_parents, scores, number, memory)
    birth = Birth(genomes, all_parents, np.concatenate([staying, crossed, arriving])) if plan.lineage else None
    return replace(born, memory=memory, birth=birth)


def _evaluate_islands(plan: Plan, state: State, entered: State) -> Generation:
    parts = enumerate(split_state(plan, state))
    islands = tuple(evaluate(island_plan(plan, number), part) for number, part in parts)
    return Generation(plan, state, entered, join_evaluations([island.evaluation for island in islands]), islands)


def _breed_islands(generation: Generation) -> State:
    """Breed each island separately, with migrants from its neighbours."""
    plan, islands = generation.plan, generation.islands
    populations = [(island.plan, island.evaluated.genomes, island.scores) for island in islands]
    arriving = migrations(plan, populations, generation.number)
    return join_states(
        [breed(island, migrants) for island, migrants in zip(islands, arriving, strict=True)], generation.state
    )
