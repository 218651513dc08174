"""Selection pressure: the intensity and takeover time of a selection, measured with exact scores, and by theory.

The *intensity* is the difference between the mean score of the parents and that of the population, in standard
deviations of the population's scores, which are normal.  The *takeover time* is the number of generations of selection
alone until all members but one are copies of the best member; at first there is one copy of it.

In a large population the share of copies of the best grows from P to W(P), where W(P) is the share of the survivors
that come from the upper part P of the ranks:

- 1 - (1 - P)^k for tournaments of k (Goldberg & Deb 1991);
- P / T for truncation to the share T;
- c P - (c - 1) P^2 for linear ranks with the pressure c;
- (1 - q^(n P)) / (1 - q^n) for exponential ranks with the factor q.

The intensity is the integral of the normal quantiles over W (Blickle & Thiele 1996).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import integrate, stats

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.intervals import mean_interval
from pigevo.core.progress_bar import ProgressBar
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Context, Selection, remembers
from pigevo.strategies import CubeGrid

MEAN, DEVIATION = 0.5, 0.1
"""Mean and standard deviation of the scores, like win probabilities; with chances in proportion to the scores the
intensity is the deviation divided by the mean."""

MOST_GENERATIONS = 1000
"""The largest number of generations until a takeover; without a takeover by then the population is given up."""


@dataclass(frozen=True)
class Pressure:
    """The selection pressure in a population of a given size.

    Args:
        intensity: the mean of the measured intensities.
        intensity_interval: its 95 % interval.
        textbook_intensity: the intensity in a large population by theory; None if no theory is known.
        takeover: the mean takeover time of the populations in which the best member was not lost.
        takeover_interval: its 95 % interval.
        textbook_takeover: the takeover time by the growth in a large population; None if no theory is known.
        lost: the share of populations in which the best member was lost or did not take over.
    """

    intensity: float
    intensity_interval: tuple[float | None, float | None]
    textbook_intensity: float | None
    takeover: float | None
    takeover_interval: tuple[float | None, float | None]
    textbook_takeover: int | None
    lost: float


@own_errors
def selection_pressure(selection: Selection, grid: CubeGrid, size: int = 100, populations: int = 200) -> Pressure:
    """Measure a selection alone, with distinct normal scores that are known exactly.

    Args:
        selection: the operator, whose `growth` is the function W above, and which says whether it is `by_score`.
        grid: the grid of the genomes, on which the selection must not depend.
        size: the size of the population.
        populations: the number of populations that are drawn.

    Raises:
        InputError: The selection remembers something about the members, like `map_elites`, and needs more than scores.

    Example:
        >>> import pigevo
        >>> from pigevo.evolution.operators import as_operator
        >>> from pigevo.evolution.selection import SELECTIONS
        >>> knockout = as_operator("selection", SELECTIONS["knockout"].function())
        >>> grid = pigevo.CubeGrid(pigevo.Pig(target=9), 1)
        >>> pressure = selection_pressure(knockout, grid, 100)
        >>> round(pressure.intensity, 2), round(pressure.textbook_intensity, 2), pressure.textbook_takeover
        (0.57, 0.56, 9)
    """
    if remembers(selection):
        raise InputError("a selection that remembers something about its members cannot be measured by scores alone.")
    intensities, times = np.empty(populations), []
    for number in ProgressBar(range(populations), desc="selection alone", delay=2, leave=False, disable=None):
        scores = MEAN + DEVIATION * np.maximum(Draw(0, "validation", number).normals(size), -MEAN / DEVIATION)
        draw = Draw(0, "selection", number * MOST_GENERATIONS)
        intensities[number] = (_parents(selection, grid, scores, draw).mean() - scores.mean()) / DEVIATION
        times.append(_takeover(selection, grid, scores, draw))
    known = np.array([time for time in times if time is not None], dtype=np.float64)
    textbook: tuple[float | None, int | None] = (None, None)
    if growth := known_growth(selection, size):
        textbook = intensity_of(growth), takeover_of(growth, size)
    elif selection.by_score:
        textbook = (DEVIATION / MEAN, None)
    return Pressure(
        float(intensities.mean()), mean_interval(intensities, by_signs=True), textbook[0],
        float(known.mean()) if len(known) else None, mean_interval(known, by_signs=True), textbook[1],
        1 - len(known) / populations,
    )  # fmt: skip


DECIDING = ("__call__", "pairs", "next_pairs", "couples")  # the methods of a selection on which its growth depends


def known_growth(selection: Selection, size: int) -> Callable[[float], float] | None:
    """The function W of a selection in a population of a given size.

    None if it is not known, or if a subclass changed the selection but not its `growth`.
    """
    declaring, *deciding = (
        next(kind for kind in type(selection).__mro__ if name in vars(kind)) for name in ("growth", *DECIDING)
    )
    growth = selection.growth if all(issubclass(declaring, kind) for kind in deciding) else None
    return None if growth is None else lambda part: growth(part, size)


def intensity_of(growth: Callable[[float], float]) -> float:
    """The intensity in a large population: the integral of dz (W(P(z)) - P(z)) over all normal scores z."""
    above = integrate.quad(lambda z: growth(stats.norm.sf(z)) - stats.norm.sf(z), -10, 10, limit=200)[0]
    return float(above)


@own_errors
def takeover_of(growth: Callable[[float], float], size: int) -> int | None:
    """The number of generations in which the share of the best grows from 1 / size to 1 - 1 / size by theory."""
    share = 1 / size
    for generation in range(MOST_GENERATIONS):
        if share >= 1 - 1 / size - 1e-12:
            return generation
        share = growth(share)
    return None


def _parents(selection: Selection, grid: CubeGrid, scores: Floats, draw: Draw) -> Floats:
    """The scores of both parents of each child, shape (n, 2), after all rounds of matches; the higher score wins."""
    evaluation = Evaluation.of_scores(scores, selection.pairs(len(scores), _context(grid, scores, draw)))
    while len(more := selection.next_pairs(len(scores), _context(grid, scores, draw, evaluation))):
        evaluation = Evaluation.of_scores(scores, np.concatenate([evaluation.pairs, more]))
    survivors = scores[selection(scores, _context(grid, scores, draw, evaluation))]
    mating = Draw(draw.seed, "crossover", draw.generation, part=1)
    couples = selection.couples(survivors, np.arange(len(scores)), _context(grid, survivors, mating))
    return np.asarray(survivors[couples])


def _copies(parents: Floats) -> Floats:
    """The scores of children that copy one parent: with equal couples alternately the first and the second parent."""
    _, couple = np.unique(parents, axis=0, return_inverse=True)
    order = np.argsort(couple.reshape(-1), kind="stable")
    ordered = couple.reshape(-1)[order]
    turn = np.empty(len(parents), np.int64)
    turn[order] = (np.arange(len(order)) - np.searchsorted(ordered, ordered)) % 2
    return parents[np.arange(len(parents)), turn]


def _context(grid: CubeGrid, scores: Floats, draw: Draw, evaluation: Evaluation | None = None) -> Context:
    return Context(draw, grid, draw.generation, scores, evaluation=evaluation)


def _takeover(selection: Selection, grid: CubeGrid, scores: Floats, draw: Draw) -> int | None:
    """The number of generations until all but one are copies of the best; None if it is lost or takes too long."""
    size, best = len(scores), scores.max()
    for generation in range(MOST_GENERATIONS):
        copies = int((scores == best).sum())
        if copies >= size - 1:
            return generation
        if not copies:
            return None
        scores = _copies(_parents(selection, grid, scores, Draw(draw.seed, draw.stream, draw.generation + generation)))
    return None
