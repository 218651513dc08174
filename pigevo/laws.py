"""The laws that an operator of a user's must keep, tried on small populations.

An operator gives what its kind must give, for any size of population and genome; it is
decided by its arguments alone, so that a run can be repeated to the bit; and it leaves its
arguments, and the random numbers of others, as they are.
"""

from __future__ import annotations

import copy
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pigevo.choice import read_choice
from pigevo.config.schema import CUSTOM
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import seam
from pigevo.evolution.evaluation import absolute, every_pair
from pigevo.evolution.operators import KINDS, Context, as_operator
from pigevo.evolution.plan import Plan
from pigevo.games import Pig
from pigevo.own_code import Own, place_of
from pigevo.settings import Settings
from pigevo.strategies import CubeGrid, Strategy, parse_strategy

GAME = Pig(target=12)
STRATEGY = "strategy"
SIZES = (8, 3, 2)
GRIDS = (CubeGrid(GAME, 4), CubeGrid(GAME, 1), CubeGrid(GAME, 12))

KEPT = "gives what its kind must give, for any size"
SAME = "gives the same for the same arguments"
WORKERS = "gives the same on one thread and on two"
INPUTS = "leaves its arguments as they are"
OTHERS = "draws from its context, and leaves the random numbers of others alone"
LAWS = (KEPT, OTHERS, SAME, WORKERS, INPUTS)


@dataclass(frozen=True)
class Checked:
    """What was found of a function.

    Args:
        name: the function's.
        place: its file and line.
        kind: what it was tried as: a kind of operator, or `strategy`.
        others: the kinds that it could be as well.
        broken: the laws that it breaks, each with a sentence.
    """

    name: str
    place: str
    kind: str
    others: tuple[str, ...]
    broken: dict[str, str]


def check(own: Own, kind: str | None = None) -> Checked:
    """Try a function as an operator or a strategy.

    Args:
        own: the function.
        kind: what it shall be; without it, what its class or its parameters say, as in the documentation,
            and else the first kind whose results it gives.

    Raises:
        InputError: it is of no kind, or not of this one.
    """
    named = kind or _by_name(own)
    kinds = [named] if named else [k for k in (STRATEGY, "crossover", *KINDS) if _fits(own, k)]
    if not kinds:
        raise InputError(
            f"{own.name} ({place_of(own.function)}) gives what no kind of operator must give, and is no strategy: "
            f"say what it shall be, as in --kind mutator, to be told what is wrong."
        )
    chosen, *others = dict.fromkeys(kinds)
    said = _said(lambda: _try(own, chosen))
    laws = {} if said or chosen == STRATEGY else {law: _said(action) for law, action in _laws(own, chosen).items()}
    broken = {law: sentence for law, sentence in {KEPT: said, **laws}.items() if sentence}
    return Checked(own.name, place_of(own.function), chosen, tuple(others), broken)


_PARAMETERS = {
    ("first", "second", "context"): "crossover", ("genomes", "context"): "mutator", ("scores", "context"): "selection",
    ("tables", "context"): "fitness", ("survivors", "context"): "replacement", ("size", "context"): "population",
    ("i", "j", "k"): STRATEGY,
}  # fmt: skip
"""How the documentation calls the parameters of each kind: who writes them so is told what is wrong with it."""


def _by_name(own: Own) -> str:
    if inspect.isclass(own.function):
        return next((kind for kind, base in KINDS.items() if issubclass(own.function, base)), "")
    try:
        names = tuple(inspect.signature(own.function).parameters)
    except (TypeError, ValueError):
        return ""
    return next((kind for begin, kind in _PARAMETERS.items() if names[: len(begin)] == begin), "")


def _fits(own: Own, kind: str) -> bool:
    return not _said(lambda: _try(own, kind))


def _said(action: Callable[[], object]) -> str:
    try:
        action()
    except InputError as error:
        return str(error)
    return ""


def _try(own: Own, kind: str) -> None:
    """Call it with several sizes.

    Raises:
        InputError: it cannot be called, or gives what it must not.
    """
    if kind == STRATEGY:
        _as_strategy(own)
        return
    for plan, context, size in _trials(own, kind):
        _call(plan, kind, context, size)


def _as_strategy(own: Own) -> Strategy:
    if own.path is None:
        raise InputError(f"{own.name} stands in no file.")
    return parse_strategy(f"{own.path}:{own.name}", GAME)


def _laws(own: Own, kind: str) -> dict[str, Callable[[], None]]:
    plan, context, size = next(_trials(own, kind))

    def result(workers: int = 1) -> Any:
        return _call(plan, kind, replace(context, workers=workers, draw=copy.copy(context.draw)), size)

    def refuse(law: bool, said: str) -> None:
        if not law:
            raise InputError(f"{plan.called(kind)} {said}.")

    def same() -> None:
        refuse(_equal(result(), result()), "gives another result for the same arguments: it may draw from nothing "
               "but context.draw, and remember nothing but what `remember` returns")  # fmt: skip

    def workers() -> None:
        refuse(_equal(result(1), result(2)), "gives another result on two threads: it must not depend on them")

    def inputs() -> None:
        data = _data(context, kind, size)
        before = copy.deepcopy(data)
        getattr(plan, kind)(*data, context)
        refuse(all(_equal(a, b) for a, b in zip(before, data, strict=True)), "changes its arguments: copy them first")

    def others() -> None:
        before = _global_state()
        result()
        refuse(before == _global_state(), "draws from Python's or numpy's global generator: draw from context.draw")

    return {OTHERS: others, SAME: same, WORKERS: workers, INPUTS: inputs}


def _trials(own: Own, kind: str) -> Iterator[tuple[Plan, Context, int]]:
    """A plan with the function in it, a context and a population's size, several times."""
    choice = read_choice(kind, {"name": CUSTOM, "options": {}}, GAME, own.function)
    plain = Settings.of("game.target=12", "population.size=8", "selection=truncation", "fitness=exact", "workers=1")
    changed: dict[str, Any] = {
        kind: as_operator(kind, choice.made()), "own": {kind: own}, "names": {kind: own.name}, "rate": 0.3,
    }  # fmt: skip
    plan = replace(plain.plan, **changed)
    for number, (size, grid) in enumerate((size, grid) for grid in GRIDS for size in SIZES):
        yield plan, _context(grid, kind, size, Draw(number, "validation")), size


def _context(grid: CubeGrid, kind: str, size: int, draw: Draw) -> Context:
    scores, pairs = draw.at(part=1).uniforms(size), every_pair(size)
    context = Context(draw, grid, generation=1, scores=scores, pairs=pairs, rate=0.3, fresh=size)
    if kind == "crossover":
        return replace(context, scores=np.stack([scores, scores[::-1]]))
    return context


def _data(context: Context, kind: str, size: int) -> tuple[Any, ...]:
    genomes = context.draw.at(part=2).bits(2, size, context.grid.genes)
    if kind == "population":
        return (size,)
    if kind == "fitness":
        return (context.grid.to_tables(genomes[0]).transpose(0, 1, 3, 2).view(np.bool_),)
    if kind == "selection":
        return (context.scores.copy(),)
    return (genomes[0], genomes[1]) if kind == "crossover" else (genomes[0],)


def _call(plan: Plan, kind: str, context: Context, size: int) -> Any:
    """What the operator gives, checked as in a run: it remembers, and is called with arrays that it may not change."""
    if kind == "population":
        return seam.made(plan, context, size)
    data = _data(context, kind, size)
    context = replace(context, scores=seam.fixed(context.scores), pairs=seam.fixed(context.pairs))
    context = replace(context, state=_remembered(plan, kind, context, size))
    if kind == "fitness":
        return seam.evaluated(plan, data[0].view(np.uint8).transpose(0, 1, 3, 2), context).scores
    if kind == "selection":
        evaluation = absolute(context.scores, seam.paired(plan, size, context))
        return seam.selected(plan, evaluation, replace(context, evaluation=evaluation))
    if kind == "crossover":
        return seam.crossed(plan, data[0], data[1], context)
    if kind == "mutator":
        return seam.mutated(plan, data[0], context)
    return np.concatenate([seam.kept(plan, data[0], context, size), seam.arriving(plan, context, size)])


def _remembered(plan: Plan, kind: str, context: Context, size: int) -> dict[str, Any]:
    genomes = context.draw.at(part=2).bits(size, context.grid.genes)
    everyone = seam.fixed(context.draw.at(part=1).uniforms(size))
    return dict(seam.remembered(plan, kind, genomes, replace(context, scores=everyone)))


def _global_state() -> tuple[Any, ...]:
    """Where Python's and numpy's own generators stand."""
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), name, np.asarray(keys).tobytes(), *rest


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(np.asarray(a), np.asarray(b)))
