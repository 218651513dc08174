"""Calls of operators, with checks of their return values; a run calls operators only through these functions.

A user's operator may return anything.  Too few rows, a gene of 7 or a score of NaN must not
lead to a figure that looks like a result.  So shape, type, zeros and ones, and finite numbers
are checked here, and the error message names the operator.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, read_only
from pigevo.core.checked_values import is_integer, is_real
from pigevo.core.text import counted, kind_of
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Context, Outcome, Plays, Remembered, is_lazy
from pigevo.evolution.plan import STOP, Evaluated, Plan
from pigevo.evolution.population import Chosen, decisions_of
from pigevo.strategies import Members
from pigevo.user_code.loading import failure

PHASES = {
    "population": "vary", "fitness": "play", "selection": "select", "crossover": "vary", "mutator": "vary",
    "replacement": "vary",
}  # fmt: skip
"""The phase to which the time of an operator's calls is added, by its kind; a stop rule has none of its own."""

LARGEST_RESULT = 1e12  # the largest allowed result of a pair: sums of larger ones may overflow


@contextmanager
def calling(plan: Plan, kind: str, phase: str = "") -> Iterator[None]:
    """A `with` block that calls an operator: its time is counted, and a user's error becomes one sentence."""
    with plan.clock(phase or PHASES[kind]) if kind != STOP else nullcontext():
        try:
            yield
        except (Exception, SystemExit) as error:
            if kind not in plan.user_code:
                raise
            if isinstance(error, InputError):
                raise InputError(f"{plan.called(kind)}: {error}") from error
            raise InputError(f"{plan.called(kind)} failed: {failure(error, plan.user_code[kind].path)}") from error


def population(plan: Plan, context: Context, size: int) -> Bytes:
    """The first genomes of a plan's population, shape (size, genes)."""
    with calling(plan, "population"):
        returned = plan.population(size, context)
    return _genomes(plan, "population", returned, (size, context.grid.genes))


def pairs(plan: Plan, size: int, context: Context) -> Ints:
    """The pairs that meet, out of `size` members, chosen by the plan's selection, indices of shape (m, 2).

    If the context has an evaluation, these are the pairs of the next round of matches, which may be empty.
    """
    method = "pairs" if context.evaluation is None else "next_pairs"
    with calling(plan, "selection"):
        returned = getattr(plan.selection, method)(size, context)
    return read_only(_pairs(plan, returned, None, size, method))


def parents(plan: Plan, scores: Floats, rows: Ints, context: Context) -> Ints:
    """The parents of each child by the plan's selection, as positions among the survivors with these scores."""
    with calling(plan, "selection", "vary"):
        returned = plan.selection.couples(read_only(scores), read_only(rows), context)
    return _pairs(plan, returned, len(rows), len(scores), "couples")


def _pairs(plan: Plan, returned: object, count: int | None, size: int, method: str) -> Ints:
    """Check pairs of indices below `size` from a method of the plan's selection; `count` None allows any number."""
    indices = _array(returned)
    rows = len(indices) if count is None and indices.ndim else count
    if indices.shape != (rows, 2) or indices.dtype.kind not in "iu":
        shape = f"({'m' if count is None else count}, 2)"
        raise _wrong(plan, "selection", returned, f"pairs of indices of shape {shape} from `{method}`")
    if indices.size and not 0 <= indices.min() <= indices.max() < size:
        raise _wrong(plan, "selection", returned, f"pairs of indices from 0 to {size - 1} from `{method}`")
    return indices.astype(np.int64)


def evaluate(plan: Plan, tables: Bytes | Members, context: Context) -> Evaluation:
    """Evaluate strategies, given as bytes in the game's layout or as `Members`."""
    decisions, n = _tables(plan, "__call__", tables, context), len(tables)
    with calling(plan, "fitness"):
        returned = plan.fitness(decisions, context)
    if isinstance(returned, Evaluation):
        return _evaluation(plan, returned, n, context)
    with calling(plan, "fitness"):
        plays = plan.fitness.plays
    if not isinstance(plays, Plays) or not _is_count(plays.games):
        raise _wrong(plan, "fitness", plays, "a `Plays` with a number of games, at least 0, from the property `plays`")
    if plays.members:
        wins = _numbers(plan, returned, (len(context.pairs), 2), "the results of each pair")
        if np.abs(wins).max(initial=0) > LARGEST_RESULT:
            raise _wrong(plan, "fitness", returned, f"results of at most {LARGEST_RESULT:g}")
        return Evaluation.of_matches(n, context.pairs, wins, int(plays.games) * len(wins))
    scores = _numbers(plan, returned, (n,), "a score for each strategy")
    return Evaluation.of_scores(scores, context.pairs, games=int(plays.games) * n, played=np.full(n, int(plays.games)))


def truth(plan: Plan, tables: Bytes | Members, context: Context, members: Ints) -> Floats | None:
    """The scores of some members without luck, shape (m,), or None if the plan's fitness does not give them."""
    decisions = _tables(plan, "truth", tables, context)
    with calling(plan, "fitness", "referee"):
        returned = plan.fitness.truth(decisions, context, members)
    if returned is None:
        return None
    return _numbers(plan, returned, members.shape, "a true score for each member")


def select(plan: Plan, evaluation: Evaluation, context: Context) -> Ints:
    """The indices of the survivors by the plan's selection."""
    with calling(plan, "selection"):
        returned = plan.selection(evaluation.scores.copy(), context)
    indices, size = _array(returned), len(evaluation.scores)
    if indices.dtype == np.bool_:
        raise _wrong(plan, "selection", returned, "the indices of the survivors: np.flatnonzero turns a mask into them")
    if indices.ndim != 1 or not indices.size or indices.dtype.kind not in "iu":
        raise _wrong(plan, "selection", returned, "the indices of the survivors, at least one whole number")
    if indices.min() < 0 or indices.max() >= size:
        raise _wrong(plan, "selection", indices, f"indices from 0 to {size - 1}")
    return indices.astype(np.int64)


def outcome(plan: Plan, genomes: Bytes, context: Context, wins: Callable[[Ints], Floats]) -> Outcome:
    """The report on a population by the plan's selection, which has an `outcome_name`."""
    selection = plan.selection
    with calling(plan, "selection", "referee"):
        returned = selection.outcome(read_only(genomes), context, wins)
    if not isinstance(returned, Outcome):
        raise _wrong(plan, "selection", returned, "an `Outcome` from `outcome`")
    columns, record, names = returned.columns, returned.record, selection.outcome_columns
    if not isinstance(columns, Mapping) or set(columns) != set(names) or not all(map(is_real, columns.values())):
        raise _wrong(plan, "selection", returned, f"numbers for the columns {', '.join(names) or 'none'}")
    if not isinstance(record, Mapping):
        raise _wrong(plan, "selection", returned, "a record with entries by name")
    try:
        json.dumps(dict(record), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _wrong(plan, "selection", returned, f"a record that JSON can hold ({error})") from error
    _state(plan, "selection", returned.arrays, "outcome", "biufSU")
    return returned


def mate(plan: Plan, first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Bytes:
    """Children of two arrays of parents by the plan's crossover."""
    given = _rows(plan, "crossover", first), _rows(plan, "crossover", second)
    with calling(plan, "crossover"):
        returned = plan.crossover(*given, context)
    return _genomes(plan, "crossover", returned, first.shape)


def mutate(plan: Plan, genomes: Bytes, context: Context) -> Bytes:
    """Genomes changed by the plan's mutator."""
    with calling(plan, "mutator"):
        returned = plan.mutator(genomes, context)
    return _genomes(plan, "mutator", returned, genomes.shape)


def keep(plan: Plan, survivors: Bytes | Chosen, context: Context, most: int) -> Bytes:
    """The survivors that stay, at most `most`, by the plan's replacement."""
    given = _rows(plan, "replacement", survivors)
    with calling(plan, "replacement"):
        returned = plan.replacement(given, context)
    genomes = _at_most(plan, returned, most, context)
    return genomes if len(genomes) else np.empty(genomes.shape, np.uint8)  # a view would keep its array in memory


def arrive(plan: Plan, context: Context, slots: int) -> Bytes:
    """Immigrants for at most `slots` free slots, by the plan's replacement."""
    with calling(plan, "replacement"):
        returned = plan.replacement.arrivals(slots, context)
    return _at_most(plan, returned, slots, context)


def _at_most(plan: Plan, returned: object, most: int, context: Context) -> Bytes:
    """Check at most `most` genomes from the replacement, and return them."""
    count = len(returned) if isinstance(returned, np.ndarray) and returned.ndim else -1
    if not 0 <= count <= most:
        raise _wrong(plan, "replacement", returned, f"at most {most} genomes, one in each row")
    return _genomes(plan, "replacement", returned, (count, context.grid.genes))


def remember(plan: Plan, kind: str, genomes: Bytes, context: Context) -> Remembered:
    """The operator's state after a generation; new arrays replace those of the same name."""
    with calling(plan, kind, "vary"):
        returned = getattr(plan, kind).remember(read_only(genomes), context)
    return {**context.state, **_state(plan, kind, returned, "remember")}


def inherit(plan: Plan, kind: str, context: Context) -> Remembered:
    """The operator's state after it has inherited for a new population."""
    with calling(plan, kind, "vary"):
        returned = getattr(plan, kind).inherit(context)
    return {**context.state, **_state(plan, kind, returned, "inherit")}


def ends(plan: Plan, generation: Evaluated) -> bool:
    """Whether the plan's stop rule ends the run after a generation."""
    with calling(plan, STOP):
        returned = plan.stop.ends(generation, _remembered(generation))
    if not isinstance(returned, bool | np.bool_):
        raise _wrong(plan, STOP, returned, "True or False; to look at generations only, use on_generation=FILE.py:NAME")
    return bool(returned)


def remember_to_stop(plan: Plan, generation: Evaluated) -> Remembered:
    """The state that the plan's stop rule remembers after a generation."""
    with calling(plan, STOP):
        returned = plan.stop.remember(generation, _remembered(generation))
    return _state(plan, STOP, returned, "remember")


def _remembered(generation: Evaluated) -> Remembered:
    """What the stop rule remembers, read-only as what an operator is given."""
    return {name: read_only(array) for name, array in generation.state.memory.get(STOP, {}).items()}


def _state(plan: Plan, kind: str, returned: object, method: str, types: str = "biufS") -> Remembered:
    """Check and return an operator's arrays by name."""
    if not isinstance(returned, Mapping) or not all(
        isinstance(name, str)
        and name.isidentifier()
        and isinstance(array, np.ndarray)
        and array.dtype.kind in types
        and not isinstance(array, np.ma.MaskedArray)  # a checkpoint has no masks
        for name, array in returned.items()
    ):
        raise _wrong(plan, kind, returned, f"arrays of numbers by name from `{method}`, without masks")
    if kind not in plan.user_code:
        return returned
    return {name: np.array(array, order="C") for name, array in returned.items()}  # plain ones, as in a checkpoint


def _rows(plan: Plan, kind: str, rows: Bytes | Chosen) -> Bytes | Chosen:
    """Rows as the operator takes them: an array, which it may change, unless it is declared `lazy`."""
    if isinstance(rows, Chosen):
        return rows if is_lazy(getattr(plan, kind)) else rows[:]
    return read_only(rows) if is_lazy(getattr(plan, kind)) else rows.copy()


def _tables(plan: Plan, method: str, tables: Bytes | Members, context: Context) -> Bools | Members:
    """Decisions as a method of the fitness takes them: an array, unless it is declared `lazy`."""
    if not isinstance(tables, Members):
        return decisions_of(tables, context.game)
    return tables if is_lazy(plan.fitness, method) else decisions_of(tables[:], context.game)


def _evaluation(plan: Plan, returned: Evaluation, size: int, context: Context) -> Evaluation:
    """Check and return an evaluation from the fitness."""
    pairs, cases, played = context.pairs, returned.cases, returned.played
    scores = _numbers(plan, returned.scores, (size,), "a score for each strategy")
    wins = _numbers(plan, returned.wins, pairs.shape, "the results of each pair")
    if not np.array_equal(_array(returned.pairs), pairs):
        raise _wrong(plan, "fitness", returned.pairs, "the pairs of the context in its evaluation")
    if not _is_count(returned.games):
        raise _wrong(plan, "fitness", returned.games, "a number of games, at least 0, in its evaluation")
    if cases is not None:
        shape = (size, np.shape(cases)[1] if np.ndim(cases) == 2 else 1)
        cases = _numbers(plan, cases, shape, "a result of each strategy in each case")
    if played is not None:
        played = _numbers(plan, played, (size,), "the games behind each score").astype(np.int64)
    return replace(
        returned, scores=scores, pairs=pairs, wins=wins, games=int(returned.games), cases=cases, played=played
    )


def _is_count(value: object) -> bool:
    return is_integer(value) and value >= 0


def _array(returned: object) -> NDArray[Any]:
    """An operator's return value as an array; rows of different lengths, and a masked array, fail every check."""
    if isinstance(returned, np.ma.MaskedArray):  # the values below its mask would count
        return np.empty((), np.object_)
    try:
        return np.asarray(returned)
    except ValueError:
        return np.empty((), np.object_)


def _genomes(plan: Plan, kind: str, returned: object, shape: tuple[int, ...]) -> Bytes:
    """Check genomes of a shape from an operator, and return them as bytes."""
    array = _array(returned)
    if array.shape != shape:
        meaning = f", for {counted(shape[0], 'member')} of {counted(shape[1], 'gene')}"
        of_strategies = ", as context.grid.from_strategies(strategies) gives them" if kind == "population" else ""
        raise _wrong(plan, kind, returned, f"genomes of shape {shape}{meaning}{of_strategies}")
    if array.dtype not in (np.uint8, np.bool_):
        if array.dtype.kind not in "iufc":
            raise _wrong(plan, kind, returned, "zeros and ones as uint8")
        if (others := array[(array != 0) & (array != 1)]).size:
            raise _wrong(plan, kind, returned, f"zeros and ones, and one of its genes is {others[0]}")
        sure = "" if array.dtype.kind in "iu" else "if it never makes a fraction, "
        raise _wrong(plan, kind, returned, f"zeros and ones as uint8: {sure}write .astype(np.uint8)")
    if kind in plan.user_code:  # who may write to it again
        array = array.copy()
    genomes: Bytes = np.ascontiguousarray(array).view(np.uint8)
    if genomes.size and genomes.max() > 1:
        raise _wrong(plan, kind, returned, f"zeros and ones, and one of its genes is {genomes.max()}")
    return genomes


def _numbers(plan: Plan, returned: object, shape: tuple[int, ...], what: str) -> Floats:
    """Check finite numbers of a shape from a fitness, and return them as floats; `what` names them in messages."""
    array = _array(returned)
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise _wrong(plan, "fitness", returned, f"{what}, numbers of shape {shape}")
    numbers: Floats = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise _wrong(plan, "fitness", returned, f"{what}, and one of them is {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _wrong(plan: Plan, kind: str, returned: object, needed: str) -> InputError:
    """The error for a return value that is not what an operator of the kind must return."""
    what = kind_of(returned)
    if isinstance(returned, np.ndarray):
        what = f"an array of {returned.dtype} and shape {returned.shape}"
    return InputError(f"{plan.called(kind)} returned {what}; it must return {needed}.")
