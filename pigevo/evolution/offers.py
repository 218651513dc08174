"""Operators are offered more than most of them need, and take what they name.

A mutation that only flips genes says `(genomes, rate, draw)`; one that wants to know where
the genes lie says `grid` as well.  An operator that must remember something from one
generation to the next is a class: its instances are called, and have

    remember(memory, look) -> Mapping[str, NDArray]

which is called once a generation, after judging, and returns the arrays that take the place
of those of the same names.  They are part of the run's state, and so of its checkpoints.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pigevo.arrays import Bytes, Floats
from pigevo.strategies import CubeGrid

Memory = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Look:
    """A generation just after it was judged, as those who remember see it.

    Args:
        generation: its number.
        grid: where its genomes live.
        genomes: the population, shape (n, genes).
        scores: the judge's, shape (n,).
        fresh: how many members, at the end, are newly made.
    """

    generation: int
    grid: CubeGrid
    genomes: Bytes
    scores: Floats
    fresh: int

    @property
    def best(self) -> Bytes:
        """The genome with the highest score, the first of equals."""
        genome: Bytes = self.genomes[int(self.scores.argmax())]
        return genome


def offer(operator: Callable[..., Any], **things: Any) -> Any:
    """Call an operator with those of the offered things that its signature names."""
    names = _names(operator)
    return operator(**{name: thing for name, thing in things.items() if name in names})


def made(bound: Callable[..., Any]) -> Callable[..., Any]:
    """An operator ready to be called: a function as it is, of a class an instance."""
    if not inspect.isclass(getattr(bound, "func", bound)):
        return bound
    operator: Callable[..., Any] = bound()
    return operator


def remember(operators: tuple[Any, ...], memory: Memory, look: Look) -> Memory:
    """The memory after a generation: each operator that remembers renews its own arrays."""
    for operator in operators:
        if hasattr(operator, "remember"):
            memory = {**memory, **operator.remember(memory, look)}
    return memory


def _names(operator: Callable[..., Any]) -> frozenset[str]:
    function = operator.func if isinstance(operator, functools.partial) else operator
    target = function if inspect.isfunction(function) else type(function).__call__
    return _parameters(target)


@functools.cache
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)
