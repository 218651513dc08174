"""DEAP's own operators, applied to a population that is one array.

DEAP's operators need individuals with a fitness, change them in place, and draw from Python's
global `random`.  So each row is passed to them as an individual.  They come from a second copy of
DEAP's modules with a generator of its own, seeded from the operator's stream for each call: other
threads, pigevo's and those of the calling program, neither change its draws nor notice them.
Slices of an individual are copies, because DEAP's crossovers exchange slices; slices of plain
arrays are views, which would overwrite each other.
"""

from __future__ import annotations

import inspect
import random
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

import numpy as np
from deap import base, tools

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import reason, short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError, unknown

RATES = ("indpb",)  # arguments of operators that are a probability per gene

UNFIT = {"selTournamentDCD": "it compares crowding distances, which only a fitness of several objectives has"}
"""Operators that cannot work here, and why, where DEAP's own error does not say it."""

REHEARSALS = 24  # the number of trials of an operator in a rehearsal
ENOUGH_GENES = 12  # any DEAP operator that works with many genes works with this many

DEFAULTS: dict[str, JsonObject] = {
    "cxUniform": {"indpb": 0.5},
    "cxUniformPartialyMatched": {"indpb": 0.5},
    "selTournament": {"tournsize": 3},
    "mutUniformInt": {"low": 0, "up": 1},
}
"""Default values of arguments that have none in DEAP but a natural one for genomes of zeros and ones."""


class FitnessMax(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """A single number; larger is better."""

    weights = (1.0,)


class Individual(np.ndarray):
    """A genome in the form that DEAP's operators need."""

    fitness: FitnessMax
    index: int

    @staticmethod
    def of(genome: np.ndarray, score: float | None = None, index: int = -1) -> Individual:
        """Make an individual from a genome, with its score if it is given."""
        individual = np.array(genome).view(Individual)
        individual.fitness = FitnessMax()
        individual.index = index
        if score is not None:
            individual.fitness.values = (score,)
        return individual

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        return part.copy() if isinstance(key, slice) else part

    def __setitem__(self, key: Any, value: object) -> None:
        # numpy assigns to a slice of a subclass through __getitem__, which would change only the copy
        self.view(np.ndarray)[key] = value

    def __deepcopy__(self, memo: object = None) -> Individual:
        score = self.fitness.values[0] if self.fitness.valid else None
        return Individual.of(np.asarray(self), score, self.index)


def operator_of(kind: str, name: str, arguments: Mapping[str, object] | None, given: int) -> Callable[..., Any]:
    """DEAP's operator of a kind (`sel`, `cx`, `mut`), with its arguments after the first `given` checked and bound."""
    known = [known for known in dir(tools) if known.startswith(kind) and callable(getattr(tools, known))]
    if name not in known:
        raise unknown("DEAP operator", name, known)
    function = getattr(_own_copy(getattr(tools, name).__module__), name)
    arguments = {**DEFAULTS.get(name, {}), **(arguments or {})}
    try:
        inspect.signature(function).bind(*[None] * given, **arguments)
    except TypeError as error:
        parameters = ", ".join(list(inspect.signature(function).parameters)[given:]) or "none"
        raise InputError(f"the arguments of DEAP's {name} do not fit ({error}); it takes {parameters}.") from error
    for argument in RATES:
        if takes(name, argument) and not _is_probability(arguments[argument]):
            raise InputError(
                f"{argument} = {short_repr(arguments[argument])} of DEAP's {name} must be a probability, from 0 to 1."
            )

    def call(*given_arguments: Any) -> Any:
        try:
            with np.errstate(all="ignore"):  # its result is checked afterwards
                return function(*given_arguments, **arguments)
        except Exception as error:
            if isinstance(error, FutureWarning):
                raise InputError(f"DEAP warns about {name}: {reason(error)}.") from error
            if kind == "sel":
                why = UNFIT.get(name) or (reason(error) if isinstance(error, ValueError) else "")
                why = f" ({why})" if why else ""
                raise InputError(
                    f"DEAP's {name} does not work here{why}: choose other arguments, or another operator."
                ) from error
            genes = len(given_arguments[0])
            few = f" of length {genes}" if genes < ENOUGH_GENES else ""
            message = f"DEAP's {name} does not work on genomes of zeros and ones{few}: choose another operator."
            raise InputError(message) from error

    return call


def complete(kind: str, options: JsonObject, given: int, own: Sequence[str] = ()) -> JsonObject:
    """The options `operator` and `arguments` of a choice, checked, with the operator's defaults filled in."""
    name = options["operator"]
    arguments = {**DEFAULTS.get(name, {}), **(options["arguments"] or {})}
    later = dict.fromkeys((argument for argument in own if takes(name, argument)), 0.0)  # a rate, known at the call
    operator_of(kind, name, {**later, **arguments}, given)
    if kind != "sel":
        rehearse(kind, name, {**later, **arguments}, given, ENOUGH_GENES)
    return {**options, "arguments": arguments}


def rehearse(kind: str, name: str, arguments: Mapping[str, object], given: int, genes: int) -> None:
    """Check an operator on trial genomes, also for failures that only rare random numbers cause.

    The genes are floating-point numbers, so that values other than 0 and 1 are not rounded to them.  Rates are 1, so
    that the operator changes every gene that it usually changes only sometimes.
    """
    always = {argument: 1.0 for argument in RATES if takes(name, argument)}
    function = operator_of(kind, name, {**arguments, **always}, given)
    genomes = Draw(0, "validation").bits(REHEARSALS * given, genes).astype(np.float64)
    rows = genomes.reshape(given, REHEARSALS, genes)
    with seeded(Draw(0, "validation")), CHANGES_OF_PROCESS, warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        checked_genomes((function(*map(Individual.of, row))[0] for row in zip(*rows, strict=True)), rows[0].shape, name)


def takes(name: str, argument: str) -> bool:
    """Whether DEAP has an operator of this name with this argument."""
    function = getattr(tools, name, None)
    return callable(function) and argument in inspect.signature(function).parameters


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def checked_genomes(individuals: Iterable[np.ndarray], shape: tuple[int, ...], name: str) -> Bytes:
    """The genomes that DEAP's operator `name` made, shape (n, genes), after a check that they are zeros and ones."""
    genomes = np.empty(shape, np.uint8)
    for n, individual in enumerate(individuals):
        row = np.asarray(individual)
        if row.shape != shape[1:] or not ((row == 0) | (row == 1)).all():
            raise InputError(
                f"DEAP's {name} makes genes other than 0 and 1: choose other arguments, or another operator."
            )
        genomes[n] = row
    return genomes


_DICE = random.Random()
_TURN = threading.RLock()


@cache
def _own_copy(name: str) -> ModuleType:
    """A module of DEAP's, loaded once more, whose operators draw from `_DICE`."""
    spec = find_spec(name)
    loader = spec.loader if spec else None
    assert spec
    assert loader
    module = module_from_spec(spec)
    loader.exec_module(module)
    vars(module)["random"] = _DICE
    return module


@contextmanager
def seeded(draw: Draw) -> Iterator[None]:
    """A `with` block in which the operators of `operator_of` draw from `draw`, in one thread at a time."""
    with _TURN:
        _DICE.seed(int(draw.words(1)[0]))
        yield
