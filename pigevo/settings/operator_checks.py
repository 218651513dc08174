"""The laws that an operator or a game must satisfy, and the check of a user's own.

An operator is tried on small populations.  Its results are valid for its kind, for any size of population and genome,
without a division by zero.  They depend on its arguments only, so that a run can be repeated to the bit.  Its random
numbers depend on seed and generation, and each is used once.  It does not change its arguments or the state of other
random generators.  A game always has the same rules, can be made again from its record, and is simulated as it is
solved.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import operator_calls
from pigevo.evolution.dry_run import random_state, trial_generation
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.operators import KINDS, Context, as_operator
from pigevo.evolution.plan import STOP, Plan, StopRule
from pigevo.evolution.stop import as_stop_rule
from pigevo.exact import optimal, win_probability
from pigevo.games import GAMES, Game, Pig, Race, game_from_record, game_to_record
from pigevo.games.game_record import bound_game, says_it_is_a_game
from pigevo.settings.schema import CUSTOM
from pigevo.settings.selected_option import kind_of_parameters, read_choice
from pigevo.settings.settings import Settings
from pigevo.simulation import play_match
from pigevo.strategies import CubeGrid, Strategy, hold_at
from pigevo.strategies.parse import strategy_of
from pigevo.user_code.identity import names_in
from pigevo.user_code.limits import TimeIsUp, hidden_output, limit_of, limited
from pigevo.user_code.loading import UserCode, failure, file_and_line

GAME = Pig(target=12)
STRATEGY, A_GAME = "strategy", "game"
SIZES = (8, 3, 2)
GRIDS = (CubeGrid(GAME, 4), CubeGrid(GAME, 1), CubeGrid(GAME, 12))
SHOWN_MEMBERS, SHOWN_GRID, SHOWN_RATE, SHOWN_CALLS = 20, CubeGrid(Pig(target=100), 20), 0.01, 100
"""What the effect of a mutator is measured on, as an average over some calls."""

KEPT = "gives what its kind must give, for any size"
SAME = "gives the same for the same arguments"
WORKERS = "gives the same on one thread and on two"
INPUTS = "leaves its arguments as they are"
OTHERS = "draws from its context, and leaves the random numbers of others alone"
NUMBERS = "neither divides by zero nor makes invalid numbers"
VARIED = "where it draws, draws anew for every seed and generation"
ONCE = "draws the same random numbers only once"
UNTOUCHED = "leaves the random numbers of others alone"
LAWS = (KEPT, NUMBERS, OTHERS, VARIED, ONCE, SAME, WORKERS, INPUTS)

IS_GAME = "is a game whose options have defaults, and whose throws can be played"
SAME_RULES = "has the same rules whenever it is asked"
MADE_AGAIN = "is made again from its record, as runs and saved strategies need it"
SOLVED = "is solved: what the optimum wins is known to 1e-9"
PLAYED = "is played as it is solved, in 20,000 games"


def laws_of(kind: str) -> tuple[str, ...]:
    """The laws for an operator, a strategy or a stop rule; those of games are in `_game_laws`."""
    return (KEPT,) if kind == STRATEGY else (KEPT, NUMBERS, UNTOUCHED, SAME) if kind == STOP else LAWS


DATA = Draw(0, "population")  # the random numbers from which test populations are made
VARIATIONS = {
    "seed": [Draw(seed, "validation", generation=1) for seed in range(4)],
    "generation": [Draw(0, "validation", generation) for generation in range(1, 5)],
}
GENERATORS = {"default_rng", "Generator", "RandomState", "Random", "SystemRandom", "PCG64", "PCG64DXSM", "MT19937",
              "Philox", "SFC64", "Draw"}  # fmt: skip
"""Random generators other than `context.draw`."""
DRAWN = {"words", "uniforms", "normals", "bits", "permutation", "positions", "rolls"}
"""The methods of a `Draw` that return random numbers."""


@dataclass(frozen=True)
class Effect:
    """What a mutator does to random genomes at a mutation rate: the shares of genes and of members that it changes."""

    members: int
    genes: int
    rate: float
    of_genes: float
    of_members: float


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the kind that was tried, other possible kinds, and the laws that are broken.

    `all_pairs_meet` is whether it is a selection without pairs of its own; `copies` is whether it is a crossover all of
    whose children are copies of a parent, which mostly means that it cuts the list of children; `tried` are the laws
    that were checked, for a game up to the first broken one; `effect` is that of a mutator which breaks none.
    """

    name: str
    place: str
    kind: str
    others: tuple[str, ...]
    broken: dict[str, str]
    all_pairs_meet: bool = False
    copies: bool = False
    tried: tuple[str, ...] = ()
    effect: Effect | None = None


def check(code: UserCode, kind: str | None = None, strategy_seconds: float | None = None) -> Checked:
    """Check a function as an operator or a strategy, or a class or function as a game.

    Without a kind, the kind is that of its class or of its parameters (named as in the documentation), or else the
    first kind for which its results are valid. `strategy_seconds` is the limit of a strategy, by default that of all
    functions.

    Raises:
        InputError: its kind is unknown, or it takes longer than its limit, which ends the check.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy's warnings have a law of their own
        return _check(code, kind, strategy_seconds)


def _check(code: UserCode, kind: str | None, strategy_seconds: float | None) -> Checked:
    def error_as(kind: str) -> str:
        if kind != STRATEGY:
            return _error_of(code, lambda: _try(code, kind))
        with limit_of(strategy_seconds) if strategy_seconds else nullcontext():
            return _error_of(code, lambda: _as_strategy(code))

    if kind == A_GAME or (kind is None and says_it_is_a_game(code.function)):
        return _check_game(code)
    meant = kind or _by_name(code)
    kinds = [meant] if meant else [kind for kind in (STRATEGY, "crossover", *KINDS) if not error_as(kind)]
    if not kinds:
        errors = [*map(error_as, KINDS)]
        failures = {error.partition(" failed: ")[2] for error in errors if " failed: " in error}
        if len(failures) == 1:  # it fails in the same way with the arguments of every kind
            raise InputError(f"{code.name} ({file_and_line(code.function)}) failed: {failures.pop()}")
        raise InputError(
            f"{code.name} ({file_and_line(code.function)}) is no operator, and no strategy, which takes (i, j, k) or "
            "(game): say what it is meant to be, as in --kind mutator."
        )
    chosen, *alternatives = dict.fromkeys(kinds)
    error = error_as(chosen)
    laws = (
        {}
        if error or chosen == STRATEGY
        else {law: _error_of(code, action) for law, action in _laws(code, chosen).items()}
    )
    broken = {law: sentence for law, sentence in {KEPT: error, **laws}.items() if sentence}
    meets = not broken and chosen == "selection" and next(_trials(code, chosen))[0].selection.all_pairs_meet
    tried = (KEPT,) if KEPT in broken else laws_of(chosen)
    copies = not broken and chosen == "crossover" and _copies(code)
    effects: list[Effect] = []
    if not broken and chosen == "mutator":
        error = _error_of(code, lambda: effects.append(_effect(code)))
        broken = {KEPT: error} if error else {}
    return Checked(
        code.name, file_and_line(code.function), chosen, tuple(alternatives), broken,
        all_pairs_meet=meets, copies=copies, tried=tried, effect=effects[0] if effects else None,
    )  # fmt: skip


def _check_game(code: UserCode) -> Checked:
    tried: list[str] = []
    broken: dict[str, str] = {}
    try:
        for law in _game_laws(code):
            tried.append(law)
    except InputError as error:
        broken = {tried[-1]: str(error)}
    except Exception as error:
        broken = {tried[-1]: f"{code.name} failed: {failure(error, code.path)}."}
    return Checked(code.name, file_and_line(code.function), A_GAME, (), broken, tried=tuple(tried))


def _game_laws(code: UserCode) -> Iterator[str]:
    """Yield each law of a game just before it is checked; an error ends the iteration."""

    def new_game() -> Game:
        entry = GAMES.user_entry(code.name, code.function)
        return bound_game(entry, entry.completed({}), code)

    yield IS_GAME
    for name, parameter in inspect.signature(code.function).parameters.items():
        if parameter.default is parameter.empty:
            raise InputError(f"{code.name} needs a default for {name}, as in {name}: int = 10.")
    game = new_game()
    yield SAME_RULES
    if not game.rules == game.rules == new_game().rules:
        raise InputError(f"{code.name} has other rules when it is asked again: they may depend on its options alone.")
    yield MADE_AGAIN
    reread = game_from_record(game_to_record(game))
    if reread.rules != game.rules if isinstance(game, Race) else reread != game:  # a race's record is its rules
        raise InputError(f"{code.name} comes back from its record as another game: all its fields must be its options.")
    yield SOLVED
    best = optimal(game)
    if best.error > 1e-9:
        raise InputError(f"what the optimum wins in {game} is known to {best.error:.1e} only.")
    yield PLAYED
    player, games = hold_at(game, game.size // 4), 20_000
    exact, match = win_probability(player, best.strategy), play_match(player, best.strategy, games, seed=0)
    draws, stalemates = (exact.draw_first + exact.draw_second) / 2, (exact.stalemate_first + exact.stalemate_second) / 2
    for what, count, chance in (
        ("wins", match.wins, exact.overall - game.draw * draws),
        ("draws", match.draws, draws),
        ("stalemates", match.stalemates, stalemates),
    ):
        if abs(count / games - chance) > 5 * (chance * (1 - chance) / games) ** 0.5 + 1 / games:  # five deviations
            raise InputError(
                f"{player.name} has {count / games:.4f} {what} a game against the optimum, not {chance:.4f}."
            )


def _by_name(code: UserCode) -> str:
    if inspect.isclass(code.function):
        bases = {**KINDS, STOP: StopRule}
        return next((kind for kind, base in bases.items() if issubclass(code.function, base)), "")
    try:
        names = tuple(inspect.signature(code.function).parameters)
    except (TypeError, ValueError):
        return ""
    return kind_of_parameters(names)


def _copies(code: UserCode) -> bool:
    """Whether every child of a crossover is a copy of one of its parents, and not all of the same one."""
    of_first, of_second = [], []
    for plan, context, size in _trials(code, "crossover"):
        first, second = _data(context, "crossover", size)
        children = _call(plan, "crossover", context, size)
        of_first.append((children == first).all(axis=1))
        of_second.append((children == second).all(axis=1))
    of_first_parent, of_second_parent = np.concatenate(of_first), np.concatenate(of_second)
    return bool((of_first_parent | of_second_parent).all() and not of_first_parent.all() and not of_second_parent.all())


def _effect(code: UserCode) -> Effect:
    """What a mutator does to the genomes of the first wave of `experiment=cube_random`."""
    plan, shape = replace(next(_trials(code, "mutator"))[0], rate=SHOWN_RATE), (SHOWN_MEMBERS, SHOWN_GRID.genes)
    changed = np.zeros((SHOWN_CALLS, *shape), np.bool_)
    for number in range(SHOWN_CALLS):
        context = _context(SHOWN_GRID, "mutator", SHOWN_MEMBERS, Draw(number, "validation", generation=1))
        (genomes,) = _data(context, "mutator", SHOWN_MEMBERS)
        changed[number] = _call(plan, "mutator", replace(context, rate=SHOWN_RATE), SHOWN_MEMBERS) != genomes
    return Effect(*shape, SHOWN_RATE, float(changed.mean()), float(changed.any(axis=2).mean()))


def _error_of(code: UserCode, action: Callable[[], object]) -> str:
    try:
        limited(action, code.name)
    except InputError as error:
        if _comes_from_a_time_out(error):
            raise  # its next call would have to be waited for, too
        return str(error)
    except TimeIsUp as error:
        raise InputError(f"{code.name}: {failure(error, code.path)}.") from error
    return ""


def _comes_from_a_time_out(error: BaseException | None) -> bool:
    return error is not None and (isinstance(error, TimeIsUp) or _comes_from_a_time_out(error.__cause__))


def _try(code: UserCode, kind: str) -> None:
    for plan, context, size in _trials(code, kind):
        _call(plan, kind, context, size)


def _as_strategy(code: UserCode) -> Strategy:
    if code.path is None:
        raise InputError(f"{code.name} stands in no file.")
    with hidden_output(str(code.path)):
        return strategy_of(code, f"{code.path.name}:{code.name}", GAME)


def _laws(code: UserCode, kind: str) -> dict[str, Callable[[], None]]:
    trials = list(_trials(code, kind))
    plan, context, size = trials[0]

    def require(holds: bool, problem: str) -> None:
        if not holds:
            raise InputError(f"{plan.called(kind)} {problem}.")

    def numbers() -> None:
        with warnings.catch_warnings(), np.errstate(divide="warn", invalid="warn", over="warn"):
            warnings.simplefilter("error", RuntimeWarning)
            for _, context, members in trials:
                _call(plan, kind, context, members)
                _call(plan, kind, _all_equal(context), members)

    drawing = "a stop rule may draw nothing" if kind == STOP else "draw from context.draw"

    def same() -> None:
        alike = all(_equal(_result(kind, trial), _result(kind, trial)) for trial in trials)  # rare changes show in many
        require(alike, f"gives another result for the same arguments: {drawing}, and remember "
                "nothing but what `remember` returns")  # fmt: skip

    def workers() -> None:
        require(
            _equal(_result(kind, trials[0], 1), _result(kind, trials[0], 2)),
            "gives another result on two threads: it must not depend on them",
        )

    def inputs() -> None:
        data = _data(context, kind, size)
        for given in (data, tuple(map(_turned_over, data))):
            before = copy.deepcopy(given)
            getattr(plan, kind)(*given, _prepared(plan, kind, context, size))
            require(all(map(_equal, before, given)), "changes its arguments: copy them first")

    def global_state() -> None:
        before = random_state()
        _result(kind, trials[0])
        require(before == random_state(), f"draws from Python's or numpy's global generator: {drawing}")

    def varied() -> None:
        if not (_taken(plan, kind, context, size) or GENERATORS & names_in(code.function)):
            return
        argument = _unchanged(kind, trials)
        if argument and _has_option_of_zero(code):  # such as a rate, with which nothing should change
            return
        require(not argument, f"draws, and returns {argument} unchanged in every trial: did you change a copy, "
                "as flatten() makes? (reshape(-1) of a copied array makes no further copy)")  # fmt: skip
        how = "draw from context.draw, or seed a generator by it, as in np.random.default_rng(context.draw.words(4))"
        for what, draws in VARIATIONS.items():
            require(_varies(plan, kind, draws), f"draws, and gives the same for every {what}: {how}")

    def once() -> None:
        taken = _taken(plan, kind, context, size)
        require(len({*taken}) == len(taken), "draws the same random numbers twice: the second time that it draws in "
                "one call, it must draw from another part, context.draw.at(part=1)")  # fmt: skip

    laws = {NUMBERS: numbers, OTHERS: global_state, UNTOUCHED: global_state, VARIED: varied, ONCE: once, SAME: same,
            WORKERS: workers, INPUTS: inputs}  # fmt: skip
    return {law: laws[law] for law in laws_of(kind) if law != KEPT}


Trial = tuple[Plan, Context, int]


def _result(kind: str, trial: Trial, workers: int = 1) -> object:
    """What an operator gives in a trial, with the dice at their beginning."""
    plan, context, size = trial
    return _call(plan, kind, replace(context, workers=workers, draw=copy.copy(context.draw)), size)


def _unchanged(kind: str, trials: Sequence[Trial]) -> str:
    """The argument of a mutator or crossover that is its result in every trial; empty if there is none."""
    arguments = {"mutator": ("its argument",), "crossover": ("first", "second")}.get(kind, ())
    for place, argument in enumerate(arguments):
        if all(_equal(_result(kind, trial), _data(trial[1], kind, trial[2])[place]) for trial in trials):
            return argument
    return ""


def _has_option_of_zero(code: UserCode) -> bool:
    defaults = [parameter.default for parameter in inspect.signature(code.function).parameters.values()]
    return any(isinstance(value, int | float) and not isinstance(value, bool) and value == 0 for value in defaults)


def _varies(plan: Plan, kind: str, draws: list[Draw]) -> bool:
    """Whether the results differ between draws, for members with different scores or with equal ones."""
    grid, size = GRIDS[1], SIZES[0]
    contexts = [_context(grid, kind, size, draw) for draw in draws]
    results = [
        [_call(plan, kind, context, size) for context in some] for some in (contexts, [*map(_all_equal, contexts)])
    ]
    return not all(_equal(first, result) for first, *rest in results for result in rest)


def _taken(plan: Plan, kind: str, context: Context, size: int) -> list[tuple[int, int]]:
    """The pair and the part of each use of the draw in one call of the operator."""
    draw = _Noted(context.draw.seed, context.draw.stream, context.draw.generation)
    prepared = _prepared(plan, kind, context, size)
    getattr(plan, kind)(*_data(context, kind, size), replace(prepared, draw=draw))
    return draw.taken


@dataclass(frozen=True)
class _Noted(Draw):
    taken: list[tuple[int, int]] = field(default_factory=list, compare=False)

    def at(self, *, pair: int = 0, part: int = 0) -> Draw:
        return replace(self, pair=pair, part=part)

    def __getattribute__(self, name: str) -> Any:
        if name not in DRAWN:
            return super().__getattribute__(name)
        self.taken.append((self.pair, self.part))
        return getattr(Draw(self.seed, self.stream, self.generation, self.pair, self.part), name)


def _trials(code: UserCode, kind: str) -> Iterator[tuple[Plan, Context, int]]:
    """Several plans that use the function, each with a context and a population size."""
    choice = read_choice(kind, {"name": CUSTOM, "options": {}}, GAME, code.function)
    plain = Settings.of("game.target=12", "population.size=8", "selection=truncation", "fitness=exact", "workers=1")
    operator = as_stop_rule(choice.bind()) if kind == STOP else as_operator(kind, choice.bind())
    changed: dict[str, Any] = {kind: operator, "user_code": {kind: code}, "names": {kind: code.name}, "rate": 0.3}
    plan = replace(plain.plan, **changed)
    for number, (size, grid) in enumerate((size, grid) for grid in GRIDS for size in SIZES):
        yield plan, _context(grid, kind, size, Draw(number, "validation", generation=1)), size


def _context(grid: CubeGrid, kind: str, size: int, draw: Draw) -> Context:
    scores = DATA.uniforms(size)
    if kind == "crossover":
        scores = np.stack([scores, scores[::-1]])
    parents = np.arange(2 * size).reshape(size, 2) % size if kind == "mutator" else every_pair(0)
    return Context(draw, grid, draw.generation, scores, pairs=every_pair(size), rate=0.3, fresh=size, parents=parents)


def _all_equal(context: Context) -> Context:
    return replace(context, scores=np.full_like(context.scores, 0.5))


def _data(context: Context, kind: str, size: int) -> tuple[Any, ...]:
    genomes = DATA.at(part=1).bits(2, size, context.grid.genes)
    if kind == "population":
        return (size,)
    if kind == "fitness":
        return (context.grid.to_tables(genomes[0]).transpose(0, 1, 3, 2).view(np.bool_),)
    if kind == "selection":
        return (context.scores.copy(),)
    return (genomes[0], genomes[1]) if kind == "crossover" else (genomes[0],)


def _turned_over(value: Any) -> Any:
    """Genes turned over, so that one set to a constant changes in one of both; other data as it is."""
    return 1 - value if isinstance(value, np.ndarray) and value.dtype == np.uint8 else value


def _call(plan: Plan, kind: str, context: Context, size: int) -> NDArray[Any] | bool:
    if kind == STOP:
        return _stop_answer(plan, context)
    context = _prepared(plan, kind, context, size)
    if kind == "population":
        return operator_calls.population(plan, context, size)
    data = _data(context, kind, size)
    if kind == "fitness":
        return operator_calls.evaluate(plan, data[0].view(np.uint8).transpose(0, 1, 3, 2), context).scores
    if kind == "selection":
        assert context.evaluation is not None
        return operator_calls.select(plan, context.evaluation, context)
    if kind == "crossover":
        return operator_calls.mate(plan, data[0], data[1], context)
    if kind == "mutator":
        return operator_calls.mutate(plan, data[0], context)
    return np.concatenate(
        [operator_calls.keep(plan, data[0], context, size), operator_calls.arrive(plan, context, size)]
    )


def _stop_answer(plan: Plan, context: Context) -> bool:
    """The answer of a stop rule for the second of two generations."""
    before = trial_generation(plan, context.grid, context.scores[::-1].copy(), context.generation)
    memory = {STOP: operator_calls.remember_to_stop(plan, before)}
    after = trial_generation(plan, context.grid, context.scores, context.generation + 1)
    return operator_calls.ends(plan, replace(after, state=replace(after.state, memory=memory)))


def _prepared(plan: Plan, kind: str, context: Context, size: int) -> Context:
    """The context as in a run: with the operator's state, and the pairs that met."""
    if kind == "population":
        return context
    genomes, all_scores = DATA.at(part=1).bits(size, context.grid.genes), DATA.uniforms(size)
    state = dict(operator_calls.remember(plan, kind, genomes, replace(context, scores=all_scores)))
    context = replace(context, state=state)
    if kind != "selection":
        return context
    return replace(context, evaluation=Evaluation.of_scores(context.scores, operator_calls.pairs(plan, size, context)))


def _equal(a: object, b: object) -> bool:
    return bool(np.array_equal(np.asarray(a), np.asarray(b)))
