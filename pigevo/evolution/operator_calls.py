"""Calls of operators, with checks of their return values; no other module calls operators.

A user's operator may return anything.  Too few rows, a gene of 7 or a score of NaN must not
lead to a figure that looks like a result.  So shape, type, zeros and ones, and finite numbers
are checked here, and the error message names the operator.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, read_only
from pigevo.core.checked_values import number
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, absolute, pairwise
from pigevo.evolution.operators import Context, Outcome, Plays, State, is_lazy
from pigevo.evolution.plan import STOP, Evaluated, Plan
from pigevo.evolution.tables import Chosen, LazyTables, unlaid
from pigevo.user_code.loading import failure

LARGEST_RESULT = 1e12
"""The largest allowed result of a pair: sums of larger ones may overflow."""


def made(plan: Plan, context: Context, size: int) -> Bytes:
    """The first genomes of a plan's population, shape (size, genes)."""
    return _genomes(plan, "population", _call(plan, "population", size, context), (size, context.grid.genes))


def paired(plan: Plan, size: int, context: Context) -> Ints:
    """The pairs that meet, out of `size` members, chosen by the plan's selection, indices of shape (m, 2).

    If the context has an evaluation, these are the pairs of the next round of matches, which may be empty.
    """
    method = "pairs" if context.evaluation is None else "next_pairs"
    returned = _guarded(plan, "selection", lambda: getattr(plan.selection, method)(size, context))
    return read_only(_pairs(plan, returned, None, size, method))


def coupled(plan: Plan, scores: Floats, rows: Ints, context: Context) -> Ints:
    """The parents of each child by the plan's selection, as positions among the survivors with these scores."""
    returned = _guarded(plan, "selection", lambda: plan.selection.couples(read_only(scores), read_only(rows), context))
    return _pairs(plan, returned, len(rows), len(scores), "couples")


def _pairs(plan: Plan, returned: Any, count: int | None, size: int, method: str) -> Ints:
    """Check pairs of indices below `size` from a method of the plan's selection; `count` None allows any number."""
    pairs = _array(returned)
    if pairs.ndim != 2 or pairs.shape != (len(pairs) if count is None else count, 2) or pairs.dtype.kind not in "iu":
        shape = f"({'m' if count is None else count}, 2)"
        raise _wrong(plan, "selection", returned, f"pairs of indices of shape {shape} from `{method}`")
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < size:
        raise _wrong(plan, "selection", returned, f"pairs of indices from 0 to {size - 1} from `{method}`")
    return pairs.astype(np.int64)


def evaluated(plan: Plan, tables: Bytes | LazyTables, context: Context) -> Evaluation:
    """Evaluate strategies, given as bytes in the game's layout or as `LazyTables`."""
    returned, n = _call(plan, "fitness", _tables(plan, "__call__", tables, context), context), len(tables)
    if isinstance(returned, Evaluation):
        return _evaluation(plan, returned, n, context)
    plays = _guarded(plan, "fitness", lambda: plan.fitness.plays)
    if not isinstance(plays, Plays) or not _is_count(plays.games):
        raise _wrong(plan, "fitness", plays, "a `Plays` with a number of games, at least 0, from the property `plays`")
    if plays.members:
        wins = _numbers(plan, "fitness", returned, (len(context.pairs), 2), "the results of each pair")
        if np.abs(wins).max(initial=0) > LARGEST_RESULT:
            raise _wrong(plan, "fitness", returned, f"results of at most {LARGEST_RESULT:g}")
        return pairwise(n, context.pairs, wins, int(plays.games) * len(wins))
    scores = _numbers(plan, "fitness", returned, (n,), "a score for each strategy")
    return absolute(scores, context.pairs, games=int(plays.games) * n, played=np.full(n, int(plays.games)))


def true_scores(plan: Plan, tables: Bytes | LazyTables, context: Context, members: Ints) -> Floats | None:
    """The scores of some members without luck, shape (m,), or None if the plan's fitness does not give them."""
    seen = _tables(plan, "truth", tables, context)
    returned = _guarded(plan, "fitness", lambda: plan.fitness.truth(seen, context, members))
    return (
        None if returned is None else _numbers(plan, "fitness", returned, members.shape, "a true score for each member")
    )


def selected(plan: Plan, evaluation: Evaluation, context: Context) -> Ints:
    """The indices of the survivors by the plan's selection."""
    returned = _call(plan, "selection", evaluation.scores.copy(), context)
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
    chosen = plan.selection
    returned = _guarded(plan, "selection", lambda: chosen.outcome(read_only(genomes), context, wins))
    if not isinstance(returned, Outcome):
        raise _wrong(plan, "selection", returned, "an `Outcome` from `outcome`")
    columns, record, names = returned.columns, returned.record, chosen.outcome_columns
    if not isinstance(columns, Mapping) or set(columns) != set(names) or not all(map(number, columns.values())):
        raise _wrong(plan, "selection", returned, f"numbers for the columns {', '.join(names) or 'none'}")
    if not isinstance(record, Mapping):
        raise _wrong(plan, "selection", returned, "a record with entries by name")
    try:
        json.dumps(dict(record), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _wrong(plan, "selection", returned, f"a record that JSON can hold ({error})") from error
    _state(plan, "selection", lambda: returned.arrays, "outcome", "biufSU")
    return returned


def crossed(plan: Plan, first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Bytes:
    """Children of two arrays of parents by the plan's crossover."""
    data = _rows(plan, "crossover", first), _rows(plan, "crossover", second)
    return _genomes(plan, "crossover", _call(plan, "crossover", *data, context), first.shape)


def mutated(plan: Plan, genomes: Bytes, context: Context) -> Bytes:
    """Genomes changed by the plan's mutator."""
    return _genomes(plan, "mutator", _call(plan, "mutator", genomes, context), genomes.shape)


def surviving(plan: Plan, survivors: Bytes | Chosen, context: Context, most: int) -> Bytes:
    """The survivors that stay, at most `most`, by the plan's replacement."""
    genomes = _at_most(plan, _call(plan, "replacement", _rows(plan, "replacement", survivors), context), most, context)
    return genomes if len(genomes) else np.empty(genomes.shape, np.uint8)  # a view would keep its array in memory


def arriving(plan: Plan, context: Context, places: int) -> Bytes:
    """Immigrants for at most `places` free slots, by the plan's replacement."""
    returned = _guarded(plan, "replacement", lambda: plan.replacement.arrivals(places, context))
    return _at_most(plan, returned, places, context)


def _at_most(plan: Plan, returned: Any, most: int, context: Context) -> Bytes:
    count = len(returned) if isinstance(returned, np.ndarray) and returned.ndim else -1
    if not 0 <= count <= most:
        raise _wrong(plan, "replacement", returned, f"at most {most} genomes, one in each row")
    return _genomes(plan, "replacement", returned, (count, context.grid.genes))


def remembered(plan: Plan, kind: str, genomes: Bytes, context: Context) -> State:
    """The operator's state after a generation; new arrays replace those of the same name."""
    returned = _state(plan, kind, lambda: getattr(plan, kind).remember(read_only(genomes), context), "remember")
    return {**context.state, **returned}


def inherited(plan: Plan, kind: str, context: Context) -> State:
    """The operator's state after it has inherited for a new population."""
    return {**context.state, **_state(plan, kind, lambda: getattr(plan, kind).inherit(context), "inherit")}


def ended(plan: Plan, generation: Evaluated) -> bool:
    """Whether the plan's stop rule ends the run after a generation."""
    before = generation.state.memory.get(STOP, {})
    returned = _guarded(plan, STOP, lambda: plan.stop.ends(generation, before))
    if not isinstance(returned, bool | np.bool_):
        raise _wrong(plan, STOP, returned, "True or False; to look at generations only, use on_generation=FILE.py:NAME")
    return bool(returned)


def remembered_to_stop(plan: Plan, generation: Evaluated) -> State:
    """The state that the plan's stop rule remembers after a generation."""
    before = generation.state.memory.get(STOP, {})
    return _state(plan, STOP, lambda: plan.stop.remember(generation, before), "remember")


def _state(plan: Plan, kind: str, action: Callable[[], Any], method: str, types: str = "biufS") -> State:
    """Check and return an operator's arrays by name."""
    returned = _guarded(plan, kind, action)
    if not isinstance(returned, Mapping) or not all(
        isinstance(name, str) and name.isidentifier() and isinstance(array, np.ndarray) and array.dtype.kind in types
        for name, array in returned.items()
    ):
        raise _wrong(plan, kind, returned, f"arrays of numbers by name from `{method}`")
    return returned


def _rows(plan: Plan, kind: str, rows: Bytes | Chosen) -> Bytes | Chosen:
    """Rows as the operator takes them: an array, which it may change, unless it is declared `lazy`."""
    if isinstance(rows, Chosen):
        return rows if is_lazy(getattr(plan, kind)) else rows[:]
    return read_only(rows) if is_lazy(getattr(plan, kind)) else rows.copy()


def _tables(plan: Plan, method: str, tables: Bytes | LazyTables, context: Context) -> Bools | LazyTables:
    """Decisions as a method of the fitness takes them: an array, unless it is declared `lazy`."""
    if not isinstance(tables, LazyTables):
        return unlaid(tables, context.game)
    return tables if is_lazy(plan.fitness, method) else unlaid(tables.grid.to_tables(tables.genomes), context.game)


def _call(plan: Plan, kind: str, *data: Any) -> Any:
    return _guarded(plan, kind, lambda: getattr(plan, kind)(*data))


def _guarded(plan: Plan, kind: str, action: Callable[[], Any]) -> Any:
    """Call an operator; an error in a user's function becomes one sentence."""
    try:
        return action()
    except (Exception, SystemExit) as error:
        if kind not in plan.own:
            raise
        if isinstance(error, InputError):
            raise InputError(f"{plan.called(kind)}: {error}") from error
        raise InputError(f"{plan.called(kind)} failed: {failure(error, plan.own[kind].path)}") from error


def _evaluation(plan: Plan, returned: Evaluation, size: int, context: Context) -> Evaluation:
    """Check and return an evaluation from the fitness."""
    pairs, cases, played = context.pairs, returned.cases, returned.played
    scores = _numbers(plan, "fitness", returned.scores, (size,), "a score for each strategy")
    wins = _numbers(plan, "fitness", returned.wins, pairs.shape, "the results of each pair")
    if not np.array_equal(_array(returned.pairs), pairs):
        raise _wrong(plan, "fitness", returned.pairs, "the pairs of the context in its evaluation")
    if not _is_count(returned.games):
        raise _wrong(plan, "fitness", returned.games, "a number of games, at least 0, in its evaluation")
    if cases is not None:
        shape = (size, np.shape(cases)[1] if np.ndim(cases) == 2 else 1)
        cases = _numbers(plan, "fitness", cases, shape, "a result of each strategy in each case")
    if played is not None:
        played = _numbers(plan, "fitness", played, (size,), "the games behind each score").astype(np.int64)
    return replace(
        returned, scores=scores, pairs=pairs, wins=wins, games=int(returned.games), cases=cases, played=played
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) >= 0


def _array(returned: Any) -> NDArray[Any]:
    """An operator's return value as an array; rows of different lengths give an array that fails every check."""
    try:
        return np.asarray(returned)
    except ValueError:
        return np.empty((), np.object_)


def _genomes(plan: Plan, kind: str, returned: Any, shape: tuple[int, ...]) -> Bytes:
    array = _array(returned)
    if array.shape != shape:
        of_strategies = ", as context.grid.from_strategies(strategies) gives them" if kind == "population" else ""
        raise _wrong(plan, kind, returned, f"genomes of shape {shape}{of_strategies}")
    if array.dtype not in (np.uint8, np.bool_):
        raise _wrong(plan, kind, returned, "zeros and ones as uint8: write .astype(np.uint8)")
    genomes: Bytes = np.ascontiguousarray(array).view(np.uint8)
    if genomes.size and genomes.max() > 1:
        raise _wrong(plan, kind, returned, f"zeros and ones, and one of its genes is {genomes.max()}")
    return genomes


def _numbers(plan: Plan, kind: str, returned: Any, shape: tuple[int, ...], what: str) -> Floats:
    array = _array(returned)
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise _wrong(plan, kind, returned, f"{what}, numbers of shape {shape}")
    numbers: Floats = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise _wrong(plan, kind, returned, f"{what}, and one of them is {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _wrong(plan: Plan, kind: str, returned: Any, needed: str) -> InputError:
    if isinstance(returned, np.ndarray):
        kind_of_value = f"an array of {returned.dtype} and shape {returned.shape}"
    else:
        kind_of_value = "nothing" if returned is None else f"a {type(returned).__name__}"
    return InputError(f"{plan.called(kind)} returned {kind_of_value}; it must return {needed}.")
