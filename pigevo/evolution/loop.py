"""The generation loop: from one population to the next, wave after wave; and which member of one is the champion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.threads import Progress
from pigevo.evolution import operator_calls
from pigevo.evolution.births import Birth, origins, parentage
from pigevo.evolution.evaluation import Evaluation, every_pair, mean_of, ranking, referee
from pigevo.evolution.game_allocation import in_order
from pigevo.evolution.island_model import island_plan, join, joined, memories, migrants, split
from pigevo.evolution.plan import STOP, Plan, State
from pigevo.evolution.tables import Chosen, tables_of
from pigevo.evolution.toolbox import heirs, make_toolbox, toolbox_of
from pigevo.strategies import CubeGrid, Strategy

Bar = Callable[[Plan], AbstractContextManager[Progress | None]]
"""Opens a progress bar over the evaluation that names the champion."""


def no_bar(plan: Plan) -> AbstractContextManager[None]:
    """No progress bar."""
    return nullcontext()


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation of a run, evaluated, to be looked at.

    `state` is on the grid on which it was made, `evaluated` on that on which it was evaluated: at the end of a wave,
    that of the next.  In its `evaluation` by the run's own fitness members met as selection pairs them, each on its
    island; in the last generation of the plan as the champion is named (`final_evaluation`).  `islands` are generations
    of runs of their own; none where the population is one.  `order` is what `final_order` says, where it is known.
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
        """Where its genomes live."""
        return self.plan.waves[self.state.wave].grid

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Its members."""
        return tuple(self.grid.strategy(genome, f"member {n}") for n, genome in enumerate(self.genomes))

    @property
    def scores(self) -> Floats:
        """How good each member is by the run's own fitness, shape (n,)."""
        return read_only(self.evaluation.scores)

    @cached_property
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        with self.plan.clock("referee"):
            return referee(self.plan.game, tables_of(self.grid, self.genomes), self.plan.workers)

    @cached_property
    def is_last(self) -> bool:
        """Whether the run ends with it: it is as long as planned, or its stop rule says so."""
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
        return read_only(self.final_order[1].scores)


def final_order(generation: Generation, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The members from the best to the worst by the run's own fitness, and the evaluation that says so.

    Members who have not met everyone when the generation was evaluated do so now, and that counts nowhere before the
    end of the run.
    """
    plan, state = generation.plan, generation.state
    found = generation.evaluation if _all_have_met(generation) else final_evaluation(plan, state, bar)
    return _best_first(plan, state, found), found


def final_order_of_state(plan: Plan, state: State, bar: Bar = no_bar) -> tuple[Ints, Evaluation]:
    """The ranking of a population that was not evaluated yet, as at the end of the run."""
    evaluation = final_evaluation(plan, state, bar)
    return _best_first(plan, state, evaluation), evaluation


def _all_have_met(generation: Generation) -> bool:
    if generation.number >= generation.plan.generations:
        return True
    if generation.islands or generation.evaluated is not generation.state:
        return False
    everyone = every_pair(len(generation.genomes))
    return not generation.plan.fitness.plays.members or np.array_equal(generation.evaluation.pairs, everyone)


def final_evaluation(plan: Plan, state: State, bar: Bar = no_bar) -> Evaluation:
    """The evaluation that names the champion: all members meet each other.

    Of a large population (`Plan.everyone_meets`) the best do, those with the highest scores when all meet as selection
    pairs them; its games count those matches, too.
    """
    if plan.everyone_meets:
        with bar(plan) as progress:
            return _met(plan, state, every_pair(len(state.genomes)), progress)
    before = _met(plan, state, _as_selection_pairs(plan, state))
    finalists = np.sort(_best_first(plan, state, before)[: plan.finalists])
    with bar(plan) as progress:
        found = _met(plan, state, finalists[every_pair(len(finalists))], progress)
    among = np.isin(np.arange(len(state.genomes)), finalists)
    scores = in_order(np.where(among, found.scores, before.scores), among.astype(np.int64))
    return replace(found, scores=scores, games=found.games + before.games)


def true_scores(plan: Plan, state: State, pairs: Ints, members: Ints) -> Floats | None:
    """Fitness values of some members without sampling error, shape (m,); None where the fitness has none."""
    tools = toolbox_of(plan, state.wave)
    found = [tools.truth(state.genomes, state.generation, known, pairs, members) for known in memories(plan, state)]
    return None if any(one is None for one in found) else np.asarray(np.mean(found, axis=0))


def _met(plan: Plan, state: State, pairs: Ints, progress: Progress | None = None) -> Evaluation:
    """The evaluation of members that meet in the given pairs, across islands."""
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
    met: Ints = toolbox_of(plan, state.wave).pairs(len(state.genomes), state.generation, state.memory)
    return met


def _best_first(plan: Plan, state: State, evaluation: Evaluation) -> Ints:
    return ranking(evaluation.scores, plan.draw("selection", state.generation).at(part=2))


def generations(plan: Plan, state: State, bar: Bar = no_bar) -> Iterator[Generation]:
    """The generation of `state` and all after it, to the end of the plan, or until it is stopped."""
    while True:
        generation = evaluate(plan, state, bar)
        yield generation
        if generation.is_last:
            return
        state = next_state(generation)


def first_state(plan: Plan) -> State:
    """Generation 0."""
    if plan.islands.count > 1:
        return join([first_state(island_plan(plan, number)) for number in range(plan.islands.count)])
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def evaluate(plan: Plan, state: State, bar: Bar = no_bar) -> Generation:
    """Let the members meet as selection pairs them; in the last generation of the plan, as the champion is named."""
    number = state.generation
    if number >= plan.generations:
        return Generation(plan, state, state, final_evaluation(plan, state, bar))
    wave = plan.wave_at(number + 1)
    seen = state if wave == state.wave else enter_wave(plan, state, wave)
    if plan.islands.count > 1:
        parts = split(plan, state)
        islands = tuple(evaluate(island_plan(plan, place), part) for place, part in enumerate(parts))
        return Generation(plan, state, seen, joined([one.evaluation for one in islands]), islands)
    tools = toolbox_of(plan, wave)
    return Generation(plan, state, seen, tools.evaluate(seen.genomes, number, seen.memory, fresh=seen.fresh))


def next_state(generation: Generation) -> State:
    """The next state, bred on each island separately, with the memory of the stop rule."""
    plan, state = generation.plan, generation.state
    if islands := generation.islands:
        coming = migrants(plan, [(one.plan, one.evaluated.genomes, one.scores) for one in islands], generation.number)
        born = join([breed(one, guests) for one, guests in zip(islands, coming, strict=True)], state)
    else:
        born = breed(generation)
    remembered = operator_calls.remembered_to_stop(plan, generation)
    return replace(born, memory={**born.memory, STOP: remembered}) if remembered else born


def breed(generation: Generation, guests: Bytes | None = None) -> State:
    """One step of breeding: remember, select, mate, mutate and replace; migrants take the place of some children."""
    plan, state, evaluation, number = generation.plan, generation.evaluated, generation.evaluation, generation.number
    tools: Any = toolbox_of(plan, state.wave)
    genomes, scores = state.genomes, evaluation.scores
    memory = tools.remember(genomes, scores, state.fresh, number, state.memory, evaluation)

    chosen = tools.select(evaluation, number, memory)
    survivors = Chosen(read_only(genomes), chosen)  # rows of the population itself
    kept = tools.keep(survivors, scores, number, memory)
    guests = genomes[:0] if guests is None else guests[: len(genomes) - len(kept)]
    strangers = tools.arrive(len(genomes) - len(kept) - len(guests), scores, number, memory)
    arrived = np.concatenate([strangers, guests]) if len(guests) else strangers

    places = len(genomes) - len(kept) - len(arrived)
    pairs = tools.parents(scores[chosen], len(kept) + np.arange(places), number)
    children = tools.mate(survivors, scores[chosen], places, number, memory, pairs)
    crossed = children.copy() if plan.lineage else children
    parents = chosen[pairs]
    children = tools.mutate(children, scores, number, memory, in_place=True, parents=parents)

    birth = None
    if heirs(plan) or plan.lineage:
        parents = parentage(origins(kept, genomes, scores, chosen), parents, len(arrived))
        memory = tools.inherit(parents, scores, number, memory)
        birth = Birth(genomes, parents, np.concatenate([kept, crossed, arrived])) if plan.lineage else None
    return State(
        number + 1,
        state.wave,
        np.concatenate([kept, children, arrived]) if len(kept) or len(arrived) else children,
        len(children) + len(arrived),
        state.evaluations + state.fresh,
        state.games + evaluation.games,
        memory,
        birth,
    )


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of another wave."""
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))
