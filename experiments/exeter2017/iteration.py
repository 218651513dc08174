"""Value iteration (Neller & Presser 2004) beside the exact solution."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Bools, Floats
from pigevo.figures.axes import COLORS, styled
from pigevo.games import Game

from ..common import tables
from .drawing import panels

RULES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9, 1e-12)
"""Largest changes of a sweep after which iteration stops."""

LAST = 1e-13


@dataclass(frozen=True)
class Sweep:
    """A sweep of value iteration.

    Args:
        number: the how many-th.
        seconds: since the beginning.
        change: the largest change of a win probability in it.
        value: win probability of who moves first after it.
        error: the largest error at the start of any turn.
        wrong: decisions to be asked that are not the exact optimum's.
    """

    number: int
    seconds: float
    change: float
    value: float
    error: float
    wrong: int


def sweeps(game: Game, in_order: bool) -> Iterator[Sweep]:
    """Value iteration from nothing, until a sweep changes no more than `LAST`.

    Args:
        game: Pig.
        in_order: whether a sweep goes from the largest turn total down and uses what it has just found; otherwise each
            state is taken from the states before the sweep, all at once.
    """
    best, target, top = pigevo.optimal(game), game.target, max(points for points, _ in game.die)
    points = np.arange(target)
    inside = (np.add.outer(points, points) < target)[:, None, :]
    own = np.minimum(np.add.outer(points, points), target - 1)
    values = np.ones((target, target, target + top))
    values[:, :, :target] = np.where(inside, 0.0, 1.0)
    begin, number, change = time.perf_counter(), 0, 1.0
    while change > LAST:
        waiting = 1 - values[:, :, 0].T
        hold = waiting[own].transpose(0, 2, 1)
        before, changed, rolls = values.copy(), 0.0, np.zeros(game.shape, dtype=np.bool_)
        source = values if in_order else before
        for k in range(target - 1, -1, -1) if in_order else (slice(0, target),):
            rolled = _rolled(game, source, waiting, k)
            held = hold[:, :, k]
            better = rolled > held + 1e-14
            if in_order and k == 0:
                better[:] = True
            elif not in_order:
                better[:, :, 0] = True
            rolls[:, :, k] = better
            values[:, :, k] = np.where(
                np.broadcast_to(inside, game.shape)[:, :, k], np.where(better, rolled, held), 1.0
            )
        changed = float(np.abs(values - before).max())
        number, change = number + 1, changed
        yield Sweep(number, time.perf_counter() - begin, change, float(values[0, 0, 0]),
                    float(np.abs(values[:, :, 0] - best.values).max()), _wrong(game, rolls, best.strategy))  # fmt: skip


def _rolled(game: Game, values: Floats, waiting: Floats, k: int | slice) -> Floats:
    if isinstance(k, int):
        return np.asarray(game.bust * waiting + sum(p * values[:, :, k + g] for g, p in game.die))
    size = game.target
    return np.asarray(game.bust * waiting[:, :, None] + sum(p * values[:, :, g : g + size] for g, p in game.die))


def _wrong(game: Game, rolls: Bools, best: pigevo.Strategy) -> int:
    return int((np.broadcast_to(game.decision_states, game.shape) & (rolls != best.roll)).sum())


def table(game: Game, kinds: Mapping[str, list[Sweep]], exact_seconds: float, published: Mapping[str, Any]) -> str:
    """Sweeps and seconds by stopping rule, and the rules that the printed values need."""
    value = float(pigevo.optimal(game).value)
    rows: list[tuple[object, ...]] = []
    for kind, found in kinds.items():
        for rule in RULES:
            one = next(sweep for sweep in found if sweep.change <= rule)
            rows.append((kind, f"{rule:.0e}", one.number, f"{one.seconds:.2f}", f"{one.value:.10f}", f"{one.error:.1e}",
                         f"{one.wrong:,}"))  # fmt: skip
    rows.append(("exact policy iteration", "none", "", f"{exact_seconds:.2f}", f"{value:.10f}", "0", "0"))
    head = ["how", "stops at a change of", "sweeps", "seconds", "value", "largest error", "wrong decisions"]
    text = tables.table(head, rows)
    needed: list[tuple[object, ...]] = []
    for source, said in (("Neller & Presser 2004", published["neller_and_presser_2004"]),
                         ("this report", published["neller"]["computed"])):  # fmt: skip
        for kind, found in kinds.items():
            digits = len(said.partition(".")[2])
            wrong = [sweep for sweep in found if f"{sweep.value:.{digits}f}" != said]
            first = found[wrong[-1].number] if wrong else found[0]
            needed.append((f"{said} ({source})", kind, first.number, f"{first.change:.1e}", f"{first.error:.1e}"))
    head = ["printed", "how", "printed so from sweep", "its largest change", "its largest error"]
    return text + "\n" + tables.table(head, needed)


@styled
def picture(kinds: Mapping[str, list[Sweep]]) -> Figure:
    """The largest change and the largest error by sweep."""
    figure, (axes,) = panels(1, "Value iteration of Pig", 5.6)
    for number, (kind, found) in enumerate(kinds.items()):
        at = [one.number for one in found]
        color = COLORS[number]
        axes.plot(at, [one.change for one in found], color=color, label=f"{kind}: largest change")
        axes.plot(at, [max(one.error, 1e-16) for one in found], color=color, ls="--", label=f"{kind}: largest error")
    axes.set_yscale("log")
    axes.set(xlabel="sweep", ylabel="change or error of a win probability")
    axes.legend(frameon=False)
    return figure
