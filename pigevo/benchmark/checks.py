"""Checks of what an algorithm returns: an error names the algorithm and says what would be right."""

from __future__ import annotations

from typing import Any

import numpy as np

from pigevo.benchmark.protocol import REFERENCE, Problem, Question
from pigevo.core.arrays import Bytes
from pigevo.core.text import short_repr
from pigevo.errors import InputError


def checked_question(asked: Any, problem: Problem, name: str) -> Question:
    """The question as the benchmark answers it: arrays of its own, of the right types.

    Args:
        asked: what `ask` has returned.
        problem: what it may ask.
        name: of the algorithm, for messages.

    Raises:
        InputError: it is no question, or not of the right shapes, types or rows.
    """
    if not isinstance(asked, Question):
        raise InputError(
            f"{name}.ask returns {_kind(asked)}: it must return a pigevo.benchmark.Question(genomes, pairs)."
        )
    pairs = _array(asked.pairs, f"the pairs that {name}.ask returns")
    if pairs.size == 0:
        return Question(np.empty((0, problem.genes), np.uint8), np.empty((0, 2), np.int64))
    genomes = _genomes(asked.genomes, ("n", problem.genes), f"the genomes that {name}.ask returns")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise InputError(
            f"the pairs that {name}.ask returns are {_shaped(pairs)}: they must be whole numbers of shape (m, 2)."
        )
    if not len(genomes):
        raise InputError(f"{name}.ask returns pairs, but no genomes that could meet.")
    pairs = pairs.astype(np.int64)
    first, second = pairs.T
    rows = f"they must be rows of its genomes, from 0 to {len(genomes) - 1}"
    if (first < 0).any() or (pairs >= len(genomes)).any() or (second < REFERENCE).any():
        wrong = pairs[(first < 0) | (pairs >= len(genomes)).any(axis=1) | (second < REFERENCE)][0].tolist()
        oracle = f", or {REFERENCE} in the second place for the reference opponent" if problem.opponent else ""
        raise InputError(f"the pairs that {name}.ask returns have {tuple(wrong)} among them: {rows}{oracle}.")
    if (second == REFERENCE).any() and not problem.opponent:
        raise InputError(
            f"{name}.ask wants to meet a reference opponent ({REFERENCE}), and this instance has none: {rows}; "
            "Problem.opponent tells."
        )
    return Question(genomes, pairs)


def checked_champion(found: Any, problem: Problem, name: str) -> Bytes:
    """The champion's genome, a copy of shape (genes,).

    Args:
        found: what `champion` is.
        problem: for the number of genes.
        name: of the algorithm, for messages.

    Raises:
        InputError: it is not of the right shape or type.
    """
    return _genomes(found, (problem.genes,), f"{name}.champion", hint=_method(found))


def _genomes(found: Any, shape: tuple[int | str, ...], what: str, hint: str = "") -> Bytes:
    array = _array(found, what, hint)
    right = f"zeros and ones of shape ({', '.join(map(str, shape))}{',' * (len(shape) == 1)}), uint8"
    are, they = ("are", "they") if len(shape) > 1 else ("is", "it")
    if array.ndim != len(shape) or array.shape[-1] != shape[-1] or array.dtype.kind not in "biu":
        raise InputError(f"{what} {are} {_shaped(array)}: {they} must be {right}.")
    if array.size and (array.min() < 0 or array.max() > 1):
        wrong = array[(array < 0) | (array > 1)][0]
        raise InputError(f"{what} {are} not all zeros and ones, there is a {wrong}: {they} must be {right}.")
    return array.astype(np.uint8)


def _array(found: Any, what: str, hint: str = "") -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(found)
    except Exception as error:  # rows of different lengths, or an object that does not let itself be read
        raise InputError(f"{what} cannot be read as an array: {error}.") from error
    if array.dtype.kind not in "biuf" and array.size:
        raise InputError(f"{what} must be an array of numbers, not {_kind(found)}{hint}.")
    return array


def _method(found: Any) -> str:
    return ": write @property above it" if callable(found) else ""


def _kind(found: Any) -> str:
    return "nothing" if found is None else f"{short_repr(found)}, a {type(found).__name__}"


def _shaped(array: np.ndarray[Any, Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"
