"""The one place where operators are called, and where what they return is checked.

A user's operator may return anything.  Half the rows, genes of 7 or a score of NaN must not
run on to a figure that looks like a result, so shape, type, zeros and ones and finite
numbers are checked here, and the message names the operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, absolute, pairwise
from pigevo.evolution.operators import Context, State
from pigevo.evolution.plan import Plan
from pigevo.own_code import failure


def made(plan: Plan, context: Context, size: int) -> Bytes:
    """The first genomes of a plan's population, shape (size, genes)."""
    return _genomes(plan, "population", _call(plan, "population", size, context), (size, context.grid.genes))


def evaluated(plan: Plan, tables: Bytes, context: Context) -> Evaluation:
    """The plan's fitness of strategies.

    Args:
        plan: the plan.
        tables: decisions as bytes, shape (n, own, turn total, opponent).
        context: with the pairs in which members meet.
    """
    seen = tables.transpose(0, 1, 3, 2).view(np.bool_)
    found, n = _call(plan, "fitness", seen, context), len(tables)
    plays = plan.fitness.plays
    if isinstance(found, Evaluation):
        _numbers(plan, "fitness", found.scores, (n,), "a score for each strategy")
        _numbers(plan, "fitness", found.wins, (len(context.pairs), 2), "the results of each pair")
        return found
    if plays.members:
        wins = _numbers(plan, "fitness", found, (len(context.pairs), 2), "the results of each pair")
        return pairwise(n, context.pairs, wins, plays.games * len(wins))
    scores = _numbers(plan, "fitness", found, (n,), "a score for each strategy")
    return absolute(scores, context.pairs, games=plays.games * n)


def selected(plan: Plan, evaluation: Evaluation, context: Context) -> Ints:
    """The indices of the survivors by the plan's selection."""
    found = _call(plan, "selection", evaluation.scores.copy(), context)
    indices, size = np.asarray(found), len(evaluation.scores)
    if indices.dtype == np.bool_:
        raise _wrong(plan, "selection", found, "the indices of the survivors: np.flatnonzero turns a mask into them")
    if indices.ndim != 1 or not indices.size or indices.dtype.kind not in "iu":
        raise _wrong(plan, "selection", found, "the indices of the survivors, at least one whole number")
    if indices.min() < 0 or indices.max() >= size:
        raise _wrong(plan, "selection", indices, f"indices from 0 to {size - 1}")
    return indices.astype(np.int64)


def crossed(plan: Plan, first: Bytes, second: Bytes, context: Context) -> Bytes:
    """Children of two arrays of parents, shape (children, genes), by the plan's crossover."""
    return _genomes(plan, "crossover", _call(plan, "crossover", first, second, context), first.shape)


def mutated(plan: Plan, genomes: Bytes, context: Context) -> Bytes:
    """Genomes changed by the plan's mutator."""
    return _genomes(plan, "mutator", _call(plan, "mutator", genomes, context), genomes.shape)


def kept(plan: Plan, survivors: Bytes, context: Context, most: int) -> Bytes:
    """Those survivors who stay, at most so many, by the plan's replacement."""
    found = _call(plan, "replacement", survivors, context)
    count = len(found) if isinstance(found, np.ndarray) and found.ndim else -1
    if not 0 <= count <= most:
        raise _wrong(plan, "replacement", found, f"at most {most} genomes, one in each row")
    return _genomes(plan, "replacement", found, (count, survivors.shape[1]))


def remembered(plan: Plan, kind: str, genomes: Bytes, context: Context) -> State:
    """The operator's state after a generation: what it remembers now takes the place of what had the same name."""
    try:
        found = getattr(plan, kind).remember(genomes, context)
    except Exception as error:
        raise _failed(plan, kind, error) from error
    if not isinstance(found, Mapping) or not all(
        isinstance(name, str) and name.isidentifier() and isinstance(array, np.ndarray) and array.dtype.kind in "biufS"
        for name, array in found.items()
    ):
        raise _wrong(plan, kind, found, "arrays of numbers by name from `remember`")
    return {**context.state, **found}


def _call(plan: Plan, kind: str, *data: Any) -> Any:
    try:
        return getattr(plan, kind)(*data)
    except Exception as error:
        raise _failed(plan, kind, error) from error


def _failed(plan: Plan, kind: str, error: Exception) -> Exception:
    """The error itself, or one sentence about it if the operator is the user's."""
    if kind not in plan.own or isinstance(error, InputError):
        return error
    return InputError(f"{plan.called(kind)} failed: {failure(error, plan.own[kind].path)}")


def _genomes(plan: Plan, kind: str, found: Any, shape: tuple[int, ...]) -> Bytes:
    array = np.asarray(found)
    if array.shape != shape:
        raise _wrong(plan, kind, found, f"genomes of shape {shape}")
    if array.dtype not in (np.uint8, np.bool_):
        raise _wrong(plan, kind, found, "zeros and ones as uint8: write .astype(np.uint8)")
    genomes: Bytes = np.ascontiguousarray(array).view(np.uint8)
    if genomes.size and genomes.max() > 1:
        raise _wrong(plan, kind, found, f"zeros and ones, and one of its genes is {genomes.max()}")
    return genomes


def _numbers(plan: Plan, kind: str, found: Any, shape: tuple[int, ...], what: str) -> Floats:
    try:
        array = np.asarray(found)
        numbers: Floats = array.astype(np.float64) if array.dtype.kind in "biuf" else np.empty(0)
    except ValueError:  # rows of several lengths
        array = numbers = np.empty(0)
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise _wrong(plan, kind, found, f"{what}, numbers of shape {shape}")
    if not np.isfinite(numbers).all():
        raise _wrong(plan, kind, found, f"{what}, and one of them is {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _wrong(plan: Plan, kind: str, found: Any, needed: str) -> InputError:
    if isinstance(found, np.ndarray):
        said = f"an array of {found.dtype} and shape {found.shape}"
    else:
        said = "nothing" if found is None else f"a {type(found).__name__}"
    return InputError(f"{plan.called(kind)} returned {said}; it must return {needed}.")
