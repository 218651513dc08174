"""What an operator is: data and a context in, data out.

A plain function is enough for every kind.  What follows the context in its signature are
its options:

    def crossover(first, second, context, share=0.5): ...  # (children, genes) twice -> once
    def mutation(genomes, context): ...                    # (n, genes) -> (n, genes)
    def selection(scores, context, opponents=1): ...       # (n,) -> indices of the survivors
    def fitness(tables, context): ...                      # (n, own, opponent, turn total) -> (n,) scores
    def replacement(survivors, context): ...               # (m, genes) -> those who stay
    def population(size, context): ...                     # -> (size, genes)

Genomes are arrays of zeros and ones (uint8), tables of decisions arrays of booleans.  One
that must also say who meets whom, what it plays, or what it remembers is a class: it
inherits from the class of its kind below, its instances are called with the same
arguments, and its options are those of its `__init__` (a frozen dataclass does).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.threads import Progress, available_cores
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair, some_pairs
from pigevo.games import Game
from pigevo.strategies import CubeGrid

State = Mapping[str, NDArray[Any]]
"""What one operator remembers: arrays by name."""

Memory = Mapping[str, State]
"""What the operators remember, by kind."""


@dataclass(frozen=True, eq=False)
class Context:
    """What an operator is given beside its data.

    Args:
        draw: random numbers of the operator's own stream in this generation.
        grid: where the genomes live; `grid.strategy(genome)` is the strategy of one.
        generation: the number of the population, from 0.
        scores: for a crossover those of the parents, shape (2, children); for `couples` those of the survivors; for
            every other operator that works after evaluation those of the whole population, shape (n,); empty before.
        state: what this operator remembered, arrays by name; empty for `couples`.
        rate: the setting `mutation`, the probability that a gene flips, for mutations that use it.
        pairs: for a fitness, who meets whom, indices of shape (m, 2).
        evaluation: for a selection and for `remember`, all that is known of the population.
        fresh: how many members, at the end of the population, are newly made; for a fitness and for `remember`.
        parents: for a mutation and for `inherit`, whom each genome comes from, indices of the population before, shape
            (n, 2): a child has both its parents, a member that stays its own index and -1, an immigrant -1 and -1.
        in_place: for a mutation, whether it may change the very genomes that it is handed, which nobody else reads.
        workers: threads that may be used, by default all cores; no result may depend on it.
        progress: is to be called, where work takes long, with the number of games or pairs that are done.

    Example:
        >>> import pigevo
        >>> from pigevo.evolution.operators import Context
        >>> context = Context(draw=pigevo.dice.Draw(1, "mutation"), grid=pigevo.CubeGrid(pigevo.Pig(target=12), 4))
        >>> context.game.target, context.grid.genes
        (12, 18)
        >>> context.draw.bits(2, 3)
        array([[1, 0, 0],
               [0, 1, 1]], dtype=uint8)
    """

    draw: Draw
    grid: CubeGrid
    generation: int = 0
    scores: Floats = field(default_factory=lambda: np.empty(0))
    state: State = field(default_factory=dict)
    rate: float = 0.0
    pairs: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    evaluation: Evaluation | None = None
    fresh: int = 0
    parents: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    in_place: bool = False
    workers: int = field(default_factory=available_cores)
    progress: Progress | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.grid.game


@dataclass(frozen=True)
class Plays:
    """What a fitness plays.

    Args:
        members: whether members meet each other, in the pairs of the selection.
        games: simulated games of a match, or of a member where members do not meet; 0 if it plays none.
        paired: whether games 2n and 2n + 1 of a match meet the same dice, seats swapped.

    Example:
        >>> import pigevo
        >>> pigevo.Plays(members=True, games=100).members
        True
    """

    members: bool = False
    games: int = 0
    paired: bool = False


class Operator:
    """Any operator: it may remember something from one generation to the next."""

    def remember(self, genomes: Bytes, context: Context) -> State:
        """What to remember of a generation that was just evaluated; arrays of the same names are replaced.

        Args:
            genomes: the population, shape (n, genes).
            context: with the population's scores, and how many members are fresh.
        """
        return {}

    inherits = False
    """Whether it remembers something of each member, which `inherit` hands on to the next population."""

    def inherit(self, context: Context) -> State:
        """What to remember of a population that was just born; arrays of the same names are replaced.

        Args:
            context: as that of the work of this generation, with the parents of the whole new population.
        """
        return {}

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Memory beside genomes and tables that it takes for so many members and pairs; a run is refused by it."""
        return 0

    def __call__(self, *data: Any) -> Any:
        """Do the work: the arguments are those of a plain function of the kind."""
        raise NotImplementedError


def remembers(operator: Operator) -> bool:
    """Whether an operator's class or instance defines `remember`."""
    return inspect.getattr_static(operator, "remember") is not Operator.remember


class Population(Operator):
    """Makes the first genomes: `(size, context)` to zeros and ones of shape (size, genes).

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> def all_rolling(size, context):
        ...     return np.ones((size, context.grid.genes), np.uint8)
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "mutation=0", population=all_rolling)
        >>> run.champion == pigevo.roll_to_win(run.champion.game)
        True
    """


class Fitness(Operator):
    """Says how good members are: `(tables, context)` to an array, or to an `Evaluation`.

    Without meetings of members the array holds a score each, shape (n,); with them the win
    probability, or share of games won, of the first and the second of each of the context's
    pairs, shape (m, 2).

    Example:
        >>> import pigevo
        >>> def near_the_optimum(tables, context):
        ...     best = pigevo.optimal(context.game).strategy.roll
        ...     return (tables == best).mean(axis=(1, 2, 3))
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", fitness=near_the_optimum)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """

    @property
    def plays(self) -> Plays:
        """What it plays, which is nothing unless a class says otherwise."""
        return Plays()

    def truth(self, tables: Any, context: Context, members: Ints) -> Floats | None:
        """The scores that members would have without luck: exact win probabilities in the place of games.

        The population does not know it; it is recorded beside the scores.

        Args:
            tables: the decisions of all, as when they are evaluated.
            context: that of their evaluation.
            members: whose scores, indices of shape (m,).

        Returns:
            Scores, shape (m,); None where this is not known, unless a class says otherwise.
        """
        return None


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a selection has to say of a population beside who survives.

    Args:
        columns: figures of a recorded generation, for `metrics.csv`: those that its `outcome_columns` names.
        record: of the last generation, in `result.json` under the selection's `outcome_name`: plain numbers and text.
        arrays: of the last generation, by name: the run's `archive.npz`.
    """

    columns: Mapping[str, float]
    record: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


class Selection(Operator):
    """Says who meets whom and who survives: `(scores, context)` to indices, in any order, some maybe twice.

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> def upper_half(scores, context):
        ...     return np.argsort(-scores, kind='stable')[: len(scores) // 2]
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", selection=upper_half)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """

    opponents: int | None = None
    """How many others each member meets, drawn anew in each generation; None: all. A function has a parameter of that
    name."""

    outcome_name = ""
    """The field of `result.json` that has what `outcome` says; without a name it is never asked.  The picture of
    `archive.npz` is registered under that name in `pigevo/figures/`, its part of a report in `pigevo/web/report/`."""

    outcome_columns: tuple[str, ...] = ()
    """The columns of `metrics.csv` that `outcome` fills."""

    def outcome(self, genomes: Bytes, context: Context, wins: Callable[[Ints], Floats]) -> Outcome:
        """What there is to say of a population, on which the run's way does not depend.

        Args:
            genomes: the population, shape (n, genes).
            context: with the population's scores.
            wins: gives exact win probabilities of some members, indices of shape (m,), against the optimal strategy.
        """
        raise NotImplementedError

    def pairs(self, size: int, context: Context) -> Ints:
        """Who meets whom, if members meet, shape (m, 2): as many as `opponents` says, unless a class says otherwise."""
        if self.opponents is None:
            return every_pair(size)
        if not isinstance(self.opponents, int | np.integer) or self.opponents < 1:
            raise InputError(
                f"opponents = {self.opponents!r} must say how many others each member meets, at least 1; None is all."
            )
        return some_pairs(size, int(self.opponents), context.draw.at(pair=1))  # an operator's own draws are of pair 0

    def next_pairs(self, size: int, context: Context) -> Ints:
        """Who meets next, given the evaluation of all matches so far, in tournaments of several rounds; none ends them.

        The evaluation has all pairs that have met, in order, and their results; where members do not meet, their scores
        are compared.
        """
        return np.empty((0, 2), np.int64)

    def couples(self, scores: Floats, rows: Ints, context: Context) -> Ints:
        """Who are the parents of each child, places among the survivors, shape (children, 2).

        Survivors are paired at random, unless a class says otherwise, and children spread evenly over the pairs.

        Args:
            scores: those of the survivors, in the order in which they were selected.
            rows: which row of the next population each child will be, shape (children,).
            context: with random numbers for the mating.
        """
        return pair_parents(len(scores), len(rows), context.draw)

    @property
    def meets_everyone(self) -> bool:
        """Whether every pair meets, if members meet."""
        return type(self).pairs is Selection.pairs and self.opponents is None


def pair_parents(survivors: int, children: int, draw: Draw) -> Ints:
    """The parents of each child, shape (children, 2).

    Survivors are paired at random, and children spread evenly over the pairs.  With an odd number of survivors the
    last one is paired with the first; one alone is both parents.  Four children a pair replace a population of which
    half survived.
    """
    order = draw.permutation(survivors)
    ring = np.append(order, order[0]) if survivors % 2 else order
    pairs = ring.reshape(-1, 2)
    return pairs[np.arange(children) % len(pairs)]


class Crossover(Operator):
    """Makes children: `(first, second, context)`, the parents of each child, to their genomes.

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> class FirstHalf(pigevo.Crossover):
        ...     def __call__(self, first, second, context):
        ...         half = first.shape[1] // 2
        ...         return np.concatenate([first[:, :half], second[:, half:]], axis=1)
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", crossover=FirstHalf)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """


class Mutation(Operator):
    """Changes genomes: `(genomes, context)` to as many.

    Example:
        >>> import pigevo
        >>> def every_second(genomes, context):
        ...     changed = genomes.copy()
        ...     changed[::2] ^= context.draw.bits(*changed[::2].shape)
        ...     return changed
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", mutator=every_second)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """


class Replacement(Operator):
    """Says which genomes stay beside the children: `(survivors, context)` to some of the population, mostly survivors.

    Example:
        >>> import pigevo
        >>> def best_two(survivors, context):
        ...     return survivors[:2]
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", replacement=best_two)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """

    def arrivals(self, places: int, context: Context) -> Bytes:
        """Immigrants: new genomes that take slots which children would fill; none, unless a class says otherwise.

        Args:
            places: how many slots are free.
            context: with the scores of the population that is replaced.

        Returns:
            Genomes, at most so many, shape (m, genes); they count as newly made, and are not mutated.
        """
        return np.empty((0, context.grid.genes), np.uint8)


KINDS: Mapping[str, type[Operator]] = {
    "population": Population,
    "fitness": Fitness,
    "selection": Selection,
    "crossover": Crossover,
    "mutator": Mutation,
    "replacement": Replacement,
}
"""The kinds of operators, by the group of settings that chooses one."""


def as_operator(kind: str, made: Any) -> Operator:
    """An instance of the kind's class as it is, a plain function as the only method of one.

    Refuses an instance of another kind's class, and one of no kind's class that has methods a function cannot have.
    """
    base = KINDS[kind]
    inner = made.func if isinstance(made, functools.partial) else made  # bound to its options
    if isinstance(inner, base):
        return inner
    methods = {name for one in (Operator, *KINDS.values()) for name in vars(one) if not name.startswith("_")}
    if isinstance(inner, Operator) or any(hasattr(type(inner), name) for name in methods):
        raise InputError(f"{type(inner).__name__} cannot be a {kind}: its class must inherit from {base.__name__}.")
    plain: Operator = type(f"Plain{base.__name__}", (_Plain, base), {})(made)
    if isinstance(plain, Selection):
        plain.opponents = getattr(made, "keywords", {}).get("opponents")
    return plain


class _Plain:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *data: Any) -> Any:
        return self._function(*data)
