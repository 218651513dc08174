"""How strongly a selection selects: its intensity and takeover time, measured without luck, and by the textbook.

The *intensity* is by how many standard deviations the mean of the parents lies above that of the population, where
scores are normal.  The *takeover time* is how many generations of selection alone it takes until all members but one
are copies of the best, of whom there is one at first.

In a large population the share of the best grows from P to W(P), where W is the share of the survivors that the upper
part P of the ranks has: 1 - (1 - P)^k for tournaments of k (Goldberg & Deb 1991), P / T for truncation to the
share T, c P - (c - 1) P^2 for linear ranks with the pressure c, and (1 - q^(n P)) / (1 - q^n) for exponential ones.
The intensity is the integral of the normal quantiles over W (Blickle & Thiele 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate, stats

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, absolute
from pigevo.evolution.operators import Context, Selection, remembers
from pigevo.strategies import CubeGrid

MEAN, DEVIATION = 0.5, 0.1
"""Of the scores, as those of win probabilities: with a wheel the intensity is their ratio."""

MOST_GENERATIONS = 1000
"""After which a population that one member has not taken over is given up."""


@dataclass(frozen=True)
class Pressure:
    """How strongly a selection selects in a population of a size.

    Args:
        intensity: the measured mean, and `intensity_interval` its 95 % interval.
        textbook_intensity: that in a large population; None where none is known.
        takeover: the mean takeover time of the populations in which the best was not lost, and its interval.
        textbook_takeover: the generations that the growth of a large population takes; None where none is known.
        lost: the share of populations in which the best was lost, or that were not taken over.
    """

    intensity: float
    intensity_interval: tuple[float | None, float | None]
    textbook_intensity: float | None
    takeover: float | None
    takeover_interval: tuple[float | None, float | None]
    textbook_takeover: int | None
    lost: float


def selection_pressure(
    selection: Selection,
    grid: CubeGrid,
    size: int = 100,
    growth: Callable[[float], float] | None = None,
    wheel: bool = False,
    populations: int = 200,
    seed: int = 0,
) -> Pressure:
    """Measure a selection by itself, with distinct normal scores that everyone knows exactly.

    Args:
        selection: the operator.
        grid: of the genomes, which it must not need.
        size: of the population.
        growth: W above, as `growth_of` has it; None where there is none.
        wheel: whether everyone has a share of a wheel, as large as the score.
        populations: how many are drawn.
        seed: of the scores, and of the selection.

    Raises:
        InputError: a selection that remembers something of the members, as `map_elites`: it needs more than scores.

    Example:
        >>> import pigevo
        >>> from pigevo.evolution.operators import as_operator
        >>> from pigevo.evolution.selection import SELECTIONS
        >>> knockout = as_operator("selection", SELECTIONS["knockout"].function())
        >>> grid = pigevo.CubeGrid(pigevo.Pig(target=9), 1)
        >>> pressure = selection_pressure(knockout, grid, 100, growth_of("knockout", {}, 100))
        >>> round(pressure.intensity, 2), round(pressure.textbook_intensity, 2), pressure.textbook_takeover
        (0.57, 0.56, 10)
    """
    if remembers(selection):
        raise InputError("a selection that remembers something of its members cannot be measured by scores alone.")
    intensities, times = np.empty(populations), []
    for number in range(populations):
        scores = MEAN + DEVIATION * np.maximum(Draw(seed, "validation", number).normals(size), -MEAN / DEVIATION)
        draw = Draw(seed, "selection", number * MOST_GENERATIONS)
        intensities[number] = (_parents(selection, grid, scores, draw).mean() - scores.mean()) / DEVIATION
        times.append(_takeover(selection, grid, scores, draw))
    known = np.array([time for time in times if time is not None], dtype=np.float64)
    textbook = (None, None) if growth is None else (intensity_of(growth), takeover_of(growth, size))
    if wheel:
        textbook = (DEVIATION / MEAN, None)
    return Pressure(
        float(intensities.mean()),
        mean_interval(intensities),
        textbook[0],
        float(known.mean()) if len(known) else None,
        mean_interval(known),
        textbook[1],
        1 - len(known) / populations,
    )


def growth_of(name: str, options: Mapping[str, Any], size: int) -> Callable[[float], float] | None:
    """What a large population has of the best after a selection, of the share that it had before; None if not known."""
    if name in ("knockout", "tournament", "bracket") or options.get("operator") == "selTournament":
        k = options.get("k", 2) if name != "bracket" else 2 ** options["rounds"]
        k = (options.get("arguments") or {}).get("tournsize", k)
        return lambda share: 1 - (1 - share) ** k
    if name in ("truncation", "round_robin", "mu_best"):
        part = options["mu"] / size if name == "mu_best" else options.get("share", 0.5)
        return lambda share: min(share / part, 1.0)
    if name == "linear_rank":
        pressure = options.get("pressure", 1.8)
        return lambda share: pressure * share - (pressure - 1) * share**2
    if name == "exponential_rank" and (q := options.get("factor", 0.9)) < 1:
        return lambda share: (1 - q ** (size * share)) / (1 - q**size)
    return None


def intensity_of(growth: Callable[[float], float]) -> float:
    """The intensity in a large population: the integral of dz (W(P(z)) - P(z)) over all normal scores z."""
    above = integrate.quad(lambda z: growth(stats.norm.sf(z)) - stats.norm.sf(z), -10, 10, limit=200)[0]
    return float(above)


def takeover_of(growth: Callable[[float], float], size: int) -> int | None:
    """The generations until a large population has all but 1 / size of the best, of which it had 1 / size."""
    share = 1 / size
    for generation in range(MOST_GENERATIONS):
        if share >= 1 - 1 / size - 1e-12:
            return generation
        share = growth(share)
    return None


def _parents(selection: Selection, grid: CubeGrid, scores: Floats, draw: Draw) -> Floats:
    """The scores of both parents of each child, shape (n, 2), after all rounds of matches; the higher score wins."""
    evaluation = absolute(scores, selection.pairs(len(scores), _context(grid, scores, draw)))
    while len(more := selection.next_pairs(len(scores), _context(grid, scores, draw, evaluation))):
        evaluation = absolute(scores, np.concatenate([evaluation.pairs, more]))
    survivors = scores[selection(scores, _context(grid, scores, draw, evaluation))]
    mating = Draw(draw.seed, "crossover", draw.generation, part=1)
    couples = selection.couples(survivors, np.arange(len(scores)), _context(grid, survivors, mating))
    return np.asarray(survivors[couples])


def _copies(parents: Floats) -> Floats:
    """The scores of children who are copies of one parent: in turn of the first and the second of each couple."""
    _, couple = np.unique(parents, axis=0, return_inverse=True)
    order = np.argsort(couple.reshape(-1), kind="stable")
    ordered = couple.reshape(-1)[order]
    turn = np.empty(len(parents), np.int64)
    turn[order] = (np.arange(len(order)) - np.searchsorted(ordered, ordered)) % 2
    return parents[np.arange(len(parents)), turn]


def _context(grid: CubeGrid, scores: Floats, draw: Draw, evaluation: Evaluation | None = None) -> Context:
    return Context(draw, grid, draw.generation, scores, evaluation=evaluation)


def _takeover(selection: Selection, grid: CubeGrid, scores: Floats, draw: Draw) -> int | None:
    """The generations until all but one are copies of the best; None if it is lost or that takes too long."""
    size, best = len(scores), scores.max()
    for generation in range(MOST_GENERATIONS):
        copies = int((scores == best).sum())
        if copies >= size - 1:
            return generation
        if not copies:
            return None
        scores = _copies(_parents(selection, grid, scores, Draw(draw.seed, draw.stream, draw.generation + generation)))
    return None
