"""The DEAP toolbox: population, evaluation, selection, mating and mutation of a plan.

`mate` and `mutate` take and return populations as arrays of shape (n, genes); `select`
returns the indices of the survivors.  Each tool draws from its own stream at the generation
that it works on, so its result does not depend on earlier calls.  A user's own loop needs
only these calls:

    genomes = toolbox.population()
    for generation in range(100):
        evaluation = toolbox.evaluate(genomes, generation)
        chosen = toolbox.select(evaluation, generation)
        survivors, scores = genomes[chosen], evaluation.scores[chosen]
        children = toolbox.mate(survivors, scores, len(genomes), generation)
        genomes = toolbox.mutate(children, evaluation.scores, generation)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from deap import base
from numpy.typing import ArrayLike

from pigevo.core.arrays import Bytes, Floats, Ints, refuse_masked
from pigevo.core.checked_values import is_integer
from pigevo.core.machine import Progress
from pigevo.core.text import kind_of, short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import operator_calls
from pigevo.evolution.evaluation import Evaluation, with_round
from pigevo.evolution.operators import KINDS, Context, Memory, Selection, remembers
from pigevo.evolution.plan import Plan
from pigevo.evolution.population import Chosen
from pigevo.strategies import CubeGrid, Members

NO_MEMORY: Memory = MappingProxyType({})  # the operators' memory at the start: empty

NO_SCORES = np.empty(0)
NO_PARENTS = np.empty((0, 2), np.int64)
NO_GENOMES = np.empty((0, 0), np.uint8)

MOST_ROUNDS = 10_000  # the most rounds of matches in a generation; more count as an endless loop in the selection

REMEMBERING = ("fitness", "selection", "crossover", "mutator", "replacement")
"""The kinds of operators that may remember a state, in the order in which their `remember` is called."""


TOOL_NAMES = ("population", "pairs", "evaluate", "truth", "remember", "select", "keep", "arrive", "parents", "mate",
         "mutate", "inherit")  # fmt: skip
"""The methods of `Tools` that a DEAP toolbox gets."""


def inheriting_kinds(plan: Plan) -> list[str]:
    """The kinds whose operator remembers something about each member."""
    return [kind for kind in REMEMBERING if getattr(plan, kind).inherits]


def make_toolbox(plan: Plan, grid: CubeGrid, kind: type[Tools] | None = None) -> base.Toolbox:
    """The tools of a plan on one cube grid: a `deap.base.Toolbox` with the methods of `Tools`."""
    tools, toolbox = (kind or Tools)(plan, grid), base.Toolbox()
    for name in TOOL_NAMES:
        toolbox.register(name, getattr(tools, name))
    return toolbox


@lru_cache(maxsize=16)
def toolbox_of(plan: Plan, wave: int) -> base.Toolbox:
    """The tools of a wave of a plan, cached because each generation needs them several times."""
    return make_toolbox(plan, plan.waves[wave].grid)


@dataclass(frozen=True)
class Tools:
    """The tools, as functions of arrays, a generation and the operators' memory."""

    plan: Plan
    grid: CubeGrid

    def population(self) -> Bytes:
        """The first genomes, shape (n, genes)."""
        return operator_calls.population(self.plan, self._context("population", 0, {}), self.plan.size)

    def pairs(self, size: int, generation: int, memory: Memory = NO_MEMORY) -> Ints:
        """The pairs that meet, out of `size` members, chosen by the selection, indices of shape (m, 2)."""
        return operator_calls.pairs(self.plan, size, self._context("selection", generation, memory))

    def evaluate(
        self, genomes: Bytes, generation: int, memory: Memory = NO_MEMORY, pairs: Ints | None = None,
        fresh: int | None = None, progress: Progress | None = None,
    ) -> Evaluation:  # fmt: skip
        """Evaluate each genome, in the pairs that the selection chooses, round by round, or in `pairs` if given.

        The last `fresh` genomes are newly made; None means all.
        """
        new = len(genomes) if fresh is None else fresh
        first = self.pairs(len(genomes), generation, memory) if pairs is None else pairs
        context = self._context("fitness", generation, memory, pairs=first, fresh=new, progress=progress)
        evaluation = operator_calls.evaluate(self.plan, Members(self.grid, genomes), context)
        if pairs is None and type(self.plan.selection).next_pairs is not Selection.next_pairs:
            return self._further_rounds(genomes, evaluation, context, memory)
        return evaluation

    def _further_rounds(self, genomes: Bytes, evaluation: Evaluation, context: Context, memory: Memory) -> Evaluation:
        """The evaluation after all further rounds of matches; each match has its own dice."""
        size, tables = len(genomes), Members(self.grid, genomes)
        for _ in range(MOST_ROUNDS):
            known = self._context(
                "selection", context.generation, memory, scores=evaluation.scores, evaluation=evaluation
            )
            pairs = operator_calls.pairs(self.plan, size, known)
            if not len(pairs):
                return evaluation
            if self.plan.fitness.plays.members:
                draw = context.draw.at(pair=len(evaluation.pairs))
                more = replace(context, pairs=pairs, draw=draw)
                evaluation = with_round(evaluation, operator_calls.evaluate(self.plan, tables, more))
            else:
                every = np.concatenate([evaluation.pairs, pairs])
                evaluation = replace(evaluation, pairs=every, wins=evaluation.scores[every])
        raise InputError(f"{self.plan.called('selection')} asked for more than {MOST_ROUNDS} rounds of matches.")

    def truth(
        self, genomes: Bytes, generation: int, memory: Memory, pairs: Ints, members: Ints, fresh: int | None = None
    ) -> Floats | None:
        """The scores of some members without luck, shape (m,); None if the fitness does not give them."""
        new = len(genomes) if fresh is None else fresh
        context = self._context("fitness", generation, memory, pairs=pairs, fresh=new)
        return operator_calls.truth(self.plan, Members(self.grid, genomes), context, members)

    def remember(
        self, genomes: Bytes, scores: Floats, fresh: int, generation: int, memory: Memory = NO_MEMORY,
        evaluation: Evaluation | None = None, arrived: int = 0,
    ) -> Memory:  # fmt: skip
        """The operators' memory after a generation; its last `fresh` members are new, `arrived` have no parents."""
        remembered = {kind: memory[kind] for kind in REMEMBERING if memory.get(kind)}
        for kind in filter(lambda name: remembers(getattr(self.plan, name)), REMEMBERING):
            context = self._context(
                kind, generation, memory, scores=scores, fresh=fresh, evaluation=evaluation, arrived=arrived
            )
            if state := operator_calls.remember(self.plan, kind, genomes, context):
                remembered[kind] = state
        return remembered

    def select(self, evaluation: Evaluation, generation: int, memory: Memory = NO_MEMORY) -> Ints:
        """The indices of the survivors."""
        context = self._context("selection", generation, memory, scores=evaluation.scores, evaluation=evaluation)
        return operator_calls.select(self.plan, evaluation, context)

    def keep(self, survivors: Bytes | Chosen, scores: Floats, generation: int, memory: Memory = NO_MEMORY) -> Bytes:
        """The survivors that stay in the population, given the scores of all members."""
        context = self._context("replacement", generation, memory, scores=scores)
        return operator_calls.keep(self.plan, survivors, context, len(scores))

    def arrive(
        self, slots: int, scores: Floats, generation: int, memory: Memory = NO_MEMORY, migrants: Bytes = NO_GENOMES
    ) -> Bytes:
        """Immigrants for the free slots, given all members' scores; migrants from other islands come last."""
        context = self._context("replacement", generation, memory, scores=scores)
        migrants = migrants[:slots]
        immigrants = operator_calls.arrive(self.plan, context, slots - len(migrants))
        return np.concatenate([immigrants, migrants]) if len(migrants) else immigrants

    def parents(self, scores: Floats, rows: Ints, generation: int) -> Ints:
        """The parents of the child in each row, as positions among survivors with these scores, (children, 2)."""
        draw = self.plan.draw("crossover", generation).at(part=1)
        context = self._context("selection", generation, NO_MEMORY, scores=scores, draw=draw)
        return operator_calls.parents(self.plan, scores, rows, context)

    def mate(
        self, survivors: Bytes | Chosen, scores: Floats, children: int, generation: int, memory: Memory = NO_MEMORY,
        parents: Ints | None = None,
    ) -> Bytes:  # fmt: skip
        """Children of survivors with these scores, `children` in number; `parents` are drawn unless they are given."""
        first, second = (self.parents(scores, np.arange(children), generation) if parents is None else parents).T
        context = self._context("crossover", generation, memory, scores=np.stack([scores[first], scores[second]]))
        rows = Chosen.of(survivors, first), Chosen.of(survivors, second)
        return operator_calls.mate(self.plan, *rows, context)

    def mutate(
        self, genomes: Bytes, scores: Floats, generation: int, memory: Memory = NO_MEMORY, in_place: bool = False,
        parents: Ints = NO_PARENTS,
    ) -> Bytes:  # fmt: skip
        """Mutated genomes, given the scores of the parents' population; `in_place` allows the same array."""
        context = self._context("mutator", generation, memory, scores=scores, in_place=in_place, parents=parents)
        return operator_calls.mutate(self.plan, genomes, context)

    def inherit(self, parents: Ints, scores: Floats, generation: int, memory: Memory = NO_MEMORY) -> Memory:
        """The operators' memory for the new population, given the parents of its members."""
        remembered = dict(memory)
        for kind in inheriting_kinds(self.plan):
            remembered[kind] = operator_calls.inherit(
                self.plan, kind, self._context(kind, generation, memory, scores=scores, parents=parents)
            )
        return remembered

    def _context(
        self, kind: str, generation: int, memory: Memory, scores: Floats = NO_SCORES, draw: Draw | None = None,
        **more: Any,
    ) -> Context:  # fmt: skip
        assert kind in KINDS
        return Context(
            draw or self.plan.draw(kind, generation), self.grid, generation, scores, memory.get(kind, {}),
            rate=self.plan.rate, workers=self.plan.workers, **more,
        )  # fmt: skip


class UsersTools(Tools):
    """The tools for a loop of a user's own, with checks of what it passes: genomes, scores and generation.

    Genomes may be zeros and ones of any type, in an array or in lists.
    """

    def evaluate(self, genomes: ArrayLike, generation: int, *more: Any, **named: Any) -> Evaluation:
        """Evaluate each genome."""
        return super().evaluate(self.grid.as_genomes(genomes), _counted(generation), *more, **named)

    def remember(
        self, genomes: ArrayLike, scores: ArrayLike, fresh: int, generation: int, *more: Any, **named: Any
    ) -> Memory:
        """The operators' memory after a generation."""
        population = self.grid.as_genomes(genomes)
        of_all = _scores(scores, len(population))
        return super().remember(population, of_all, fresh, _counted(generation), *more, **named)

    def select(self, evaluation: Evaluation, generation: int, *more: Any, **named: Any) -> Ints:
        """The indices of the survivors."""
        if not isinstance(evaluation, Evaluation):
            raise InputError(f"select takes the result of evaluate, not {kind_of(evaluation)}.")
        return super().select(evaluation, _counted(generation), *more, **named)

    def keep(self, survivors: ArrayLike, scores: ArrayLike, generation: int, *more: Any, **named: Any) -> Bytes:
        """The survivors that stay."""
        return super().keep(self.grid.as_genomes(survivors), _scores(scores), _counted(generation), *more, **named)

    def mate(
        self, survivors: ArrayLike, scores: ArrayLike, children: int, generation: int, *more: Any, **named: Any
    ) -> Bytes:
        """Children of survivors with these scores."""
        parents = self.grid.as_genomes(survivors)
        if not is_integer(children) or children < 0:
            raise InputError(f"children = {short_repr(children)} must be a whole number, at least 0.")
        return super().mate(parents, _scores(scores, len(parents)), children, _counted(generation), *more, **named)

    def mutate(self, genomes: ArrayLike, scores: ArrayLike, generation: int, *more: Any, **named: Any) -> Bytes:
        """Mutated genomes."""
        return super().mutate(self.grid.as_genomes(genomes), _scores(scores), _counted(generation), *more, **named)


def _scores(scores: ArrayLike, size: int | None = None) -> Floats:
    """Finite scores, one for each of `size` members, as floats."""
    refuse_masked("scores", scores)
    wrong = InputError(f"scores must be numbers, one for each {'member' if size is None else f'of {size} members'}.")
    try:
        array = np.asarray(scores)
    except ValueError as error:  # lists of different lengths
        raise wrong from error
    if array.ndim != 1 or array.dtype.kind not in "biuf" or size not in (None, len(array)):
        raise wrong
    if not np.isfinite(array).all():
        raise InputError(f"a score is {array[~np.isfinite(array)][0]}: scores must be finite.")
    return array.astype(np.float64)


def _counted(generation: int) -> int:
    if not is_integer(generation) or not 0 <= generation < 1 << 63:
        raise InputError(f"generation = {short_repr(generation)} must be a whole number, at least 0.")
    return int(generation)
