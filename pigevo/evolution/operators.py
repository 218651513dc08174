"""The operators of an evolution: data and a context in, data out.

A plain function is enough for every kind.  The parameters after `context` in its signature
are its options:

    def crossover(first, second, context, share=0.5): ...  # (children, genes) twice -> once
    def mutation(genomes, context): ...                    # (n, genes) -> (n, genes)
    def selection(scores, context, opponents=1): ...       # (n,) -> indices of the survivors
    def fitness(tables, context): ...                      # (n, own, opponent, turn total) -> (n,) scores
    def replacement(survivors, context): ...               # (m, genes) -> members that stay in the population
    def population(size, context): ...                     # -> (size, genes)

Genomes are arrays of zeros and ones (uint8); tables of decisions are arrays of booleans.

An operator that also chooses pairs, plays games or keeps a state is a class.  It inherits
from the class of its kind below, and its instances are called with the same arguments.
Its options are the parameters of its `__init__`; a frozen dataclass is enough.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, read_only
from pigevo.core.checked_values import JsonObject, is_integer
from pigevo.core.machine import Progress, available_cores
from pigevo.core.registry import unbound
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair, some_pairs
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Members

Remembered = Mapping[str, NDArray[Any]]
"""What one operator remembers from one generation to the next: arrays by name."""

Memory = Mapping[str, Remembered]
"""What all operators remember, by kind."""


class ReadOnlyState(dict[str, NDArray[Any]]):
    """An operator's state, which only what `remember` returns replaces; a copy of it is a plain dictionary."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("context.state can only be read: change a copy, dict(context.state), and return it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self),)


@dataclass(frozen=True, eq=False)
class Context:
    """What an operator is passed in addition to its data: it may read the arrays, and cannot change them.

    Args:
        draw: random numbers of the operator's own stream in this generation.
        grid: the cube grid of the genomes; `grid.strategy(genome)` returns the strategy of a genome.
        generation: the number of the population, from 0.
        scores: for a crossover the scores of the parents, shape (2, children); for `couples` the scores of the
            survivors; for every other operator the scores of the whole population, shape (n,), or an empty array
            before it is evaluated.
        state: the state that this operator remembered, arrays by name; empty for `couples`.
        rate: the setting `mutation`, the probability that a gene flips, for mutators that use it.
        pairs: for a fitness, the pairs of members that meet, indices of shape (m, 2).
        evaluation: for a selection and for `remember`, the evaluation of the population.
        fresh: for a fitness and for `remember`, the number of newly made members, at the end of the population.
        arrived: for `remember`, the number of those that have no parents: immigrants and migrants, which come last.
        parents: for a mutator and for `inherit`, the parents of each genome, indices into the previous population,
            shape (n, 2). A child has two parents; a member that stayed has its own index and -1; an immigrant has -1
            and -1.
        in_place: for a mutator, whether it may change the array of genomes that it is passed, because no other code
            reads that array.
        workers: number of threads that may be used, by default all cores; no result may depend on it.
        progress: a function that long work should call with the number of games or pairs done since the last call.

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
    state: Remembered = field(default_factory=dict)
    rate: float = 0.0
    pairs: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    evaluation: Evaluation | None = None
    fresh: int = 0
    arrived: int = 0
    parents: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    in_place: bool = False
    workers: int = field(default_factory=available_cores)
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for name in ("scores", "pairs", "parents"):
            if isinstance(array := getattr(self, name), np.ndarray):
                object.__setattr__(self, name, read_only(array))
        read_only_arrays = {
            name: read_only(array) if isinstance(array, np.ndarray) else array for name, array in self.state.items()
        }
        object.__setattr__(self, "state", ReadOnlyState(read_only_arrays))

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self.__post_init__()

    @property
    def game(self) -> Game:
        """The game."""
        return self.grid.game


@dataclass(frozen=True)
class Plays:
    """Which games a fitness plays.

    Args:
        members: whether members play each other, in the pairs that the selection chooses.
        games: number of simulated games in a match, or for each member if members do not play each other; 0 if the
            fitness simulates no games.
        paired: whether games 2n and 2n + 1 of a match have the same dice, with the seats swapped.
        set_size: number of games that decide one result together; a score is a mean of results.
        relative: whether scores compare members with each other, as they always do if members play each other, so that
            those of two generations cannot be compared.

    Example:
        >>> import pigevo
        >>> pigevo.Plays(members=True, games=100).members
        True
    """

    members: bool = False
    games: int = 0
    paired: bool = False
    set_size: int = 1
    relative: bool = False

    def __post_init__(self) -> None:
        if not is_integer(self.set_size) or self.set_size < 1:
            raise InputError(f"set_size = {short_repr(self.set_size)}: a set has a whole number of games, at least 1.")
        object.__setattr__(self, "relative", bool(self.relative or self.members))


F = TypeVar("F", bound=Callable[..., object])


def lazy(function: F) -> F:
    """Decorator: declare that an operator's function or method takes a lazy object in place of a large array.

    A crossover or a replacement is then passed its rows as `pigevo.evolution.population.Chosen`, a fitness its tables
    as `pigevo.strategies.Members`.  Called with arrays, the function must return the same bits.
    """
    vars(function)["lazy"] = True
    return function


def declares(**attributes: Callable[[JsonObject], object]) -> Callable[[F], F]:
    """Decorator: give a function attributes of its kind's class, each computed from all options of the function."""

    def declare(function: F) -> F:
        vars(function)["declares"] = attributes
        return function

    return declare


def _declared(function: Callable[..., object]) -> dict[str, object]:
    """The attributes that a function declares, computed from the options that it is bound to."""
    declared = getattr(unbound(function)[0], "declares", {})
    options = _options(function) if declared else {}
    values = {name: attribute(options) for name, attribute in declared.items()}
    return {name: staticmethod(value) if callable(value) else value for name, value in values.items()}


def _options(function: Callable[..., object]) -> dict[str, object]:
    """The parameters of a function that have a value: those that it is bound to, and defaults."""
    inner, given = unbound(function)
    parameters = inspect.signature(inner).parameters.items()
    defaults = {name: item.default for name, item in parameters if item.default is not inspect.Parameter.empty}
    return defaults | given


class Operator:
    """Base class of all operators; an operator may remember a state from one generation to the next."""

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Return the arrays to remember after a generation was evaluated; they replace arrays of the same names.

        Args:
            genomes: the population, shape (n, genes).
            context: contains the population's scores and the number of fresh members.
        """
        return {}

    inherits = False
    """Whether the operator remembers something about each member, which `inherit` passes on to the next population."""

    def inherit(self, context: Context) -> Remembered:
        """Return the arrays to remember for a new population; they replace arrays of the same names.

        Args:
            context: the context of the operator's call in this generation, with the parents of the whole new
                population.
        """
        return {}

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Bytes of memory that the operator needs in addition to genomes and tables.

        A run that would need too much memory is refused.

        Args:
            game: the game.
            size: number of members.
            pairs: number of pairs of members.
        """
        return 0

    def __call__(self, *data: Any, **options: Any) -> Any:  # `*data, **options: Any` lets subclasses have any signature
        """Do the operator's work; the arguments are those of a plain function of its kind."""
        raise NotImplementedError


def remembers(operator: Operator) -> bool:
    """Whether an operator's class or instance defines `remember`."""
    return type(operator).remember is not Operator.remember or "remember" in vars(operator)


class Population(Operator):
    """Makes the first genomes: takes `(size, context)` and returns zeros and ones of shape (size, genes).

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
    """Evaluates members: takes `(tables, context)` and returns an array or an `Evaluation`.

    If members do not play each other, the array contains the score of each member, shape (n,).
    If they do, it contains the results of each pair of the context, shape (m, 2): the win
    probability, or share of games won, of the first and of the second member of the pair.

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
        """The games that the fitness plays; none unless a class overrides this."""
        return Plays()

    @lazy
    def truth(self, tables: Bools | Members, context: Context, members: Ints) -> Floats | None:
        """The scores that members would have without luck: from exact win probabilities instead of games.

        They are recorded beside the scores and have no influence on the evolution.

        Args:
            tables: the decisions of all members, as in their evaluation.
            context: the context of their evaluation.
            members: indices of the members to score, shape (m,).

        Returns:
            Scores, shape (m,); None if they are not known, which is the default.
        """
        return None


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a selection reports about a population in addition to the survivors.

    Args:
        columns: figures of a recorded generation for `metrics.csv`, by the names in `outcome_columns`.
        record: plain numbers and text about the last generation, written to `result.json` under the selection's
            `outcome_name`.
        arrays: arrays of the last generation by name, written to the run's `archive.npz`.
    """

    columns: Mapping[str, float]
    record: Mapping[str, object]
    arrays: Mapping[str, NDArray[Any]]


Growth = Callable[[float, int], float]
"""`growth(share, size)`: the share of survivors that come from the best `share` of a population of a size."""


class Selection(Operator):
    """Chooses pairs and survivors: takes `(scores, context)` and returns the survivors' indices.

    The indices may be in any order, and an index may be repeated.

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
    """Number of opponents that each member meets, drawn anew in each generation; None means all other members.  A
    selection that is a function has a parameter of that name instead."""

    outcome_name = ""
    """The field of `result.json` with the record of `outcome`; if it is empty, `outcome` is never called.  The picture
    of `archive.npz` is registered under this name in `pigevo/figures/`, its part of a report in `pigevo/web/report/`.
    """

    outcome_columns: tuple[str, ...] = ()
    """The columns of `metrics.csv` that `outcome` fills."""

    by_score = False
    """Whether the chance of a member to survive is proportional to its score."""

    @property
    def growth(self) -> Growth | None:
        """The share of the best among the survivors, by theory; None if it is not known, which is the default."""
        return None

    def outcome(self, genomes: Bytes, context: Context, wins: Callable[[Ints], Floats]) -> Outcome:
        """Return a report on a population, which has no influence on the run.

        Args:
            genomes: the population, shape (n, genes).
            context: contains the population's scores.
            wins: returns the exact win probabilities of members against the optimal strategy, given the members'
                indices of shape (m,).
        """
        raise NotImplementedError

    def pairs(self, size: int, context: Context) -> Ints:
        """The pairs of members that meet, shape (m, 2); by default each member meets `opponents` others."""
        if self.opponents is None:
            return every_pair(size)
        if not is_integer(self.opponents) or self.opponents < 1:
            raise InputError(
                f"opponents = {self.opponents!r} must be the number of others that each member meets, at least 1; "
                "None means all."
            )
        return some_pairs(size, int(self.opponents), context.draw.at(pair=1))  # an operator's own draws are of pair 0

    def next_pairs(self, size: int, context: Context) -> Ints:
        """The pairs of the next round, given the evaluation of all matches so far; no pairs end the tournament.

        Only tournaments of several rounds need this method.  The evaluation contains all pairs that have met, in order,
        and their results.  If the fitness plays no members against each other, their scores are compared instead.
        """
        return np.empty((0, 2), np.int64)

    def couples(self, scores: Floats, rows: Ints, context: Context) -> Ints:
        """The parents of each child, as positions among the survivors, shape (children, 2).

        By default survivors are paired at random, and children are spread evenly over the pairs.

        Args:
            scores: scores of the survivors, in the order in which they were selected.
            rows: the row of each child in the next population, shape (children,).
            context: contains the random numbers for the mating.
        """
        return pair_parents(len(scores), len(rows), context.draw)

    @property
    def all_pairs_meet(self) -> bool:
        """Whether every pair of members meets, if members play each other."""
        return type(self).pairs is Selection.pairs and self.opponents is None


def pair_parents(survivors: int, children: int, draw: Draw) -> Ints:
    """The parents of each child, shape (children, 2).

    Survivors are paired at random, and children are spread evenly over the pairs.  With an odd number of survivors the
    last one is paired with the first; a single survivor is both parents.  If half of a population survived, four
    children of each pair replace it.
    """
    order = draw.permutation(survivors)
    ring = np.append(order, order[0]) if survivors % 2 else order
    pairs = ring.reshape(-1, 2)
    return pairs[np.arange(children) % len(pairs)]


class Crossover(Operator):
    """Makes children: takes `(first, second, context)`, with the two parents of each child, and returns their genomes.

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

    drawn_share = 0.0
    """The share of genes that it chooses by a list of drawn positions, for the estimate of memory."""


class Mutation(Operator):
    """Changes genomes: takes `(genomes, context)` and returns the same number of genomes.

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
    """Chooses the genomes that stay beside the children: takes `(survivors, context)` and returns members that stay.

    These are members of the population, mostly survivors.

    Example:
        >>> import pigevo
        >>> def best_two(survivors, context):
        ...     return survivors[:2]
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", replacement=best_two)
        >>> 0 < run.result['champion']['overall'] <= 0.5
        True
    """

    def arrivals(self, slots: int, context: Context) -> Bytes:
        """Immigrants: new genomes that take slots which children would otherwise fill; none by default.

        Args:
            slots: number of free slots.
            context: contains the scores of the population that is replaced.

        Returns:
            At most `slots` genomes, shape (m, genes).  They count as newly made and are not mutated.
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
"""The kinds of operators, by the group of settings that chooses the operator."""


def as_operator(kind: str, operator: Callable[..., object]) -> Operator:
    """Return an instance of the kind's class unchanged, or wrap a plain function in such an instance.

    Refuses an instance of another kind's class.  Also refuses an instance of any other class if that class has methods
    of an operator, which a function cannot have.
    """
    base = KINDS[kind]
    inner, options = unbound(operator)
    if isinstance(inner, base):
        return _with_options(kind, inner, options) if options else inner
    methods = {name for class_ in (Operator, *KINDS.values()) for name in vars(class_) if not name.startswith("_")}
    if isinstance(inner, Operator) or any(hasattr(type(inner), name) for name in methods):
        raise InputError(f"{type(inner).__name__} cannot be a {kind}: its class must inherit from {base.__name__}.")
    members = {"__call__": staticmethod(operator), **_declared(operator)}  # a call needs no frame more
    plain: Operator = type(f"Plain{base.__name__}", (_Plain, base), members)(kind, operator)
    if isinstance(plain, Selection):
        opponents: Any = _options(operator).get("opponents")  # `pairs` checks it
        plain.opponents = opponents
    return plain


def _with_options(kind: str, operator: Operator, options: Mapping[str, object]) -> Operator:
    """A copy of an operator that is called with options, as `functools.partial` would call it."""
    own: Any = type(operator)

    @functools.wraps(own.__call__)
    def call(self: Operator, *arguments: object, **named: object) -> object:
        return own.__call__(self, *arguments, **{**options, **named})

    def reduced(self: Operator) -> tuple[object, ...]:
        return as_operator, (kind, functools.partial(operator, **options))

    bound = copy.copy(operator)
    bound_class = type(own.__name__, (own,), {"__slots__": (), "__call__": call, "__reduce__": reduced})
    object.__setattr__(bound, "__class__", bound_class)  # past that of a frozen dataclass
    return bound


class _Plain:
    """The part of an operator made of a plain function that pickles it: by the function and the kind."""

    def __init__(self, kind: str, function: Callable[..., object]) -> None:
        self._kind, self.function = kind, function

    def __reduce__(self) -> tuple[object, ...]:
        return as_operator, (self._kind, self.function)


def is_lazy(operator: Operator, method: str = "__call__") -> bool:
    """Whether an operator's method is declared `lazy`; a subclass that overrides the method must declare it again."""
    function = getattr(type(operator), method)
    return getattr(unbound(function)[0], "lazy", False)
