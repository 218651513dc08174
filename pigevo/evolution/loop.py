"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, read_only
from pigevo.core.threads import Progress
from pigevo.evolution.evaluation import Evaluation, every_pair, mean_of, ranking
from pigevo.evolution.game_allocation import in_order
from pigevo.evolution.island_model import island_plan, join, joined, memories, migrants, split
from pigevo.evolution.plan import Plan
from pigevo.evolution.referee import referee
from pigevo.evolution.run_state import State as State
from pigevo.evolution.run_state import origins, parentage
from pigevo.evolution.tables import Chosen, tables_of
from pigevo.evolution.toolbox import heirs, make_toolbox
from pigevo.strategies import CubeGrid, Strategy

STOP = "stop"
"""The kind under which the stop rule remembers."""


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation of a run, to be looked at.

    Args:
        plan: the run's.
        state: the population and the counts, on the grid on which it was made.
    """

    plan: Plan
    state: State

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
        return self.evaluation.scores

    @cached_property
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        return referee(self.plan.game, tables_of(self.grid, self.genomes), self.plan.workers)

    @cached_property
    def evaluated(self) -> State:
        """The state on the grid on which its population is evaluated: at the end of a wave, that of the next."""
        wave = self.plan.wave_at(min(self.number + 1, self.plan.generations))
        return self.state if wave == self.state.wave else enter_wave(self.plan, self.state, wave)

    @cached_property
    def islands(self) -> tuple[Generation, ...]:
        """Each island as a generation of a run of its own; where there are none, itself."""
        if self.plan.islands.count == 1:
            return (self,)
        states = split(self.plan, self.state)
        return tuple(Generation(island_plan(self.plan, number), state) for number, state in enumerate(states))

    @cached_property
    def evaluation(self) -> Evaluation:
        """What the run's fitness says of it, members meeting as selection pairs them; in the last, everyone.

        Members meet those of their own island alone.
        """
        if len(self.islands) > 1:
            return joined([island.evaluation for island in self.islands])
        return self._evaluate(self.evaluated, self.meetings, self.state.fresh)

    @cached_property
    def is_last(self) -> bool:
        """Whether the run ends with it: it is as long as planned, or its stop rule says so."""
        remembered = self.state.memory.get(STOP, {})
        return self.number >= self.plan.generations or self.plan.stop.ends(self, remembered)

    @property
    def meetings(self) -> Ints:
        """Who meets whom when it is evaluated, indices of shape (m, 2)."""
        return self.finals if self.number >= self.plan.generations else self._paired

    @property
    def finals(self) -> Ints:
        """Who meets whom to name the champion, indices of shape (m, 2).

        All members do; of a large population (`Plan.everyone_meets`) the best do, those with the highest scores when
        all meet as selection pairs them.
        """
        return self._finals[0]

    @cached_property
    def _finals(self) -> tuple[Ints, Evaluation | None]:
        """Who meets whom to name the champion, and the evaluation that has chosen them, if it was needed."""
        if self.plan.everyone_meets:
            return every_pair(len(self.genomes)), None
        before = self._met(self._paired)
        best = np.sort(self._order(before.scores)[: self.plan.finalists])
        return best[every_pair(len(best))], before

    @cached_property
    def _paired(self) -> Ints:
        """Who meets whom as selection pairs them, on each island by itself."""
        if len(self.islands) > 1:
            return np.concatenate([one._paired + n * one.plan.size for n, one in enumerate(self.islands)])
        seen = self.evaluated
        met: Ints = self._tools(seen).pairs(len(self.genomes), self.number, seen.memory)
        return met

    def _met(self, pairs: Ints, progress: Progress | None = None) -> Evaluation:
        """What the run's fitness says of the members when they meet in pairs, whatever their island."""
        seen = [replace(self.state, memory=memory) for memory in memories(self.plan, self.state)]
        return mean_of([self._evaluate(state, pairs, progress=progress) for state in seen])

    def _tools(self, seen: State) -> Any:
        return _toolbox(self.plan, seen.wave)

    def _evaluate(
        self, seen: State, pairs: Ints, fresh: int | None = None, progress: Progress | None = None
    ) -> Evaluation:
        tools = self._tools(seen)
        found: Evaluation = tools.evaluate(seen.genomes, self.number, seen.memory, pairs, fresh, progress)
        return found

    @cached_property
    def best(self) -> int:
        """The index of its champion: the best member by the run's own fitness, as if the run ended here.

        Where the evaluation that selection reads says who it is, nothing is evaluated once more; where members
        have not met everyone yet, they do, and that counts nowhere.
        """
        return int(self.judged[0][0])

    @property
    def final_scores(self) -> Floats:
        """How good each member is by the run's own fitness, by the matches that name the champion, shape (n,)."""
        return self.judged[1].scores

    @cached_property
    def judged(self) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst by the run's own fitness, and the evaluation that says so."""
        known = (
            self.evaluated is self.state
            and self.plan.islands.count == 1
            and (not self.plan.fitness.plays.members or np.array_equal(self.meetings, every_pair(len(self.genomes))))
        )
        return (self._order(self.scores), self.evaluation) if known else self.ranked()

    @property
    def champion(self) -> Strategy:
        """The best member by the run's own fitness, which the run would hand over if it ended here."""
        return self.grid.strategy(self.genomes[self.best], f"generation {self.number}")

    def ranked(self, progress: Progress | None = None) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst by the run's own fitness, as at the end of the run.

        Returns:
            Indices, the champion first, and the evaluation, in which all members or the best of them met each other
            (`finals`); it counts all games that were spent.
        """
        pairs, before = self._finals
        found = self._met(pairs, progress)
        if before is not None:
            among = np.isin(np.arange(len(self.genomes)), pairs)
            scores = in_order(np.where(among, found.scores, before.scores), among.astype(np.int64))
            found = replace(found, scores=scores, games=found.games + before.games)
        return self._order(found.scores), found

    def truth(self, pairs: Ints, members: Ints) -> Floats | None:
        """What the run's fitness would say of some members without luck, shape (m,); None where it does not know.

        Args:
            pairs: who met whom.
            members: indices, shape (m,).
        """
        truth = self._tools(self.state).truth
        found = [truth(self.genomes, self.number, known, pairs, members) for known in memories(self.plan, self.state)]
        return None if any(one is None for one in found) else np.asarray(np.mean(found, axis=0))

    def _order(self, scores: Floats) -> Ints:
        return ranking(scores, self.plan.draw("selection", self.number).at(part=2))


def first_state(plan: Plan) -> State:
    """Generation 0."""
    if plan.islands.count > 1:
        return join([first_state(island_plan(plan, number)) for number in range(plan.islands.count)])
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def generations(plan: Plan, state: State) -> Iterator[Generation]:
    """The generation of `state` and all after it, to the end of the plan, or until it is stopped."""
    while True:
        generation = Generation(plan, state)
        yield generation
        if generation.is_last:
            return
        state = next_state(generation)


def next_state(generation: Generation) -> State:
    """One generation, on each island: evaluate, remember, select, mate, mutate; and what the stop rule remembers."""
    guests = migrants(generation.plan, [(one.evaluated.genomes, one) for one in generation.islands], generation.number)
    born = [_next(one, coming) for one, coming in zip(generation.islands, guests, strict=True)]
    state = born[0] if len(born) == 1 else join(born, generation.state)
    if remembered := generation.plan.stop.remember(generation, generation.state.memory.get(STOP, {})):
        state = replace(state, memory={**state.memory, STOP: remembered})
    return state


def _next(generation: Generation, guests: Bytes) -> State:
    """The next generation of a population, to which guests come in the places of as many children."""
    state, number, evaluation = generation.evaluated, generation.number, generation.evaluation
    toolbox: Any = _toolbox(generation.plan, state.wave)
    genomes, scores = state.genomes, evaluation.scores
    memory = toolbox.remember(genomes, scores, state.fresh, number, state.memory, evaluation)
    chosen = toolbox.select(evaluation, number, memory)
    survivors = Chosen(read_only(genomes), chosen)  # rows of the population itself
    kept = toolbox.keep(survivors, scores, number, memory)
    guests = guests[: len(genomes) - len(kept)]
    arrived = toolbox.arrive(len(genomes) - len(kept) - len(guests), scores, number, memory)
    arrived = np.concatenate([arrived, guests]) if len(guests) else arrived
    places = len(genomes) - len(kept) - len(arrived)
    pairs = toolbox.parents(len(chosen), places, number)
    children = toolbox.mate(survivors, scores[chosen], places, number, memory, pairs)
    parents = chosen[pairs]
    children = toolbox.mutate(children, scores, number, memory, in_place=True, parents=parents)
    if heirs(generation.plan):
        stayed = origins(kept, genomes, scores, chosen)
        memory = toolbox.inherit(parentage(stayed, parents, len(arrived)), scores, number, memory)
    return State(
        number + 1,
        state.wave,
        np.concatenate([kept, children, arrived]) if len(kept) or len(arrived) else children,
        len(children) + len(arrived),
        state.evaluations + state.fresh,
        state.games + evaluation.games,
        memory,
    )


@lru_cache(maxsize=16)
def _toolbox(plan: Plan, wave: int) -> Any:
    """The tools of a wave; they are asked for several times in each generation."""
    return make_toolbox(plan, plan.waves[wave].grid)


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of another wave."""
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))
