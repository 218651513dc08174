"""Crossovers: children of two arrays of parents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.core.memory import pieces
from pigevo.core.registry import Registry
from pigevo.dice import Draw
from pigevo.evolution.hold_boundary import genomes_of, holds_of, log_uniform, patch_at, widest_of
from pigevo.evolution.operators import Context, Crossover, State
from pigevo.evolution.tables import Chosen, parents

CROSSOVERS = Registry("crossover", 3)

COMPILED_FROM = 2**16
"""With fewer genes numpy is faster than loading the compiled loop."""


@CROSSOVERS.register(source="Exeter 2016, section 3.4.3")
def agree_or_random(first: Bytes, second: Bytes, context: Context) -> Bytes:
    """One child of each pair of parents: what both agree on it has too, and a coin decides every other gene."""
    size = first.shape[0] * first.shape[1]
    if size < COMPILED_FROM:
        return np.where(context.draw.bits(*first.shape), second, first)
    from pigevo.evolution.gene_kernels import choose_by_coins

    children = np.empty(first.shape, np.uint8)
    choose_by_coins(*parents(first), *parents(second), context.draw.place, children)
    return children


NUMBERS = 8
"""Numbers of 32 bits in a block of the generator."""


@CROSSOVERS.register(source="Syswerda 1989, ICGA 3; another share than a half: Spears & De Jong 1991, ICGA 4")
def uniform(
    first: Bytes,
    second: Bytes,
    context: Context,
    share: Annotated[float, Within(0, 0.5)] = 0.5,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children that take each gene by itself from one parent with chance `share`, and else from the other.

    A fair coin for each child says which parent is the one, so that a share of more than a half would be the same as
    what is left of it.

    Args:
        share: the chance of a gene to come from the one parent.
        chance: how likely a child is crossed at all; others are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    swapped, crossed = draw.at(part=1).bits(n).view(np.bool_), draw.at(part=2).uniforms(n) < chance
    limits = np.where(crossed, np.uint32(share * 2.0**32), np.uint32(0))[:, None]
    children = np.empty((n, genes), np.uint8)
    for rows in pieces(n if genes else 0, 32 * genes, NUMBERS):
        size = children[rows].size
        words = draw.words(-(-size // 2), block=rows.start * genes // NUMBERS).astype("<u8", copy=False)
        taken = words.view("<u4")[:size].reshape(-1, genes) < limits[rows]
        children[rows] = np.where(taken ^ swapped[rows, None], second[rows], first[rows])
    return children


@CROSSOVERS.register(source="Holland 1975; several points: De Jong 1975")
def n_point(
    first: Bytes,
    second: Bytes,
    context: Context,
    points: Annotated[int, Within(1, 100)] = 2,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children whose genes come from one parent up to a random point, from the other up to the next, and so on.

    Any set of `points` of the places between two genes is as likely, and a coin says which parent begins.  Genes lie
    in the order of their cuboids, neighbours at the opponent's score or the turn total beside each other.

    Args:
        points: at how many places the parents change; where there are fewer, at all of them.
        chance: how likely a child is crossed at all; others are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    begins, crossed = draw.at(part=1).bits(n), draw.at(part=2).uniforms(n) < chance
    cuts = 1 + subsets(n, max(0, genes - 1), points, draw)
    children = np.empty((n, genes), np.uint8)
    for rows in pieces(n if genes else 0, 16 * genes):
        turns = np.zeros(children[rows].shape, np.uint8)
        turns[:, 0] = begins[rows]
        here = np.flatnonzero(crossed[rows])[:, None]
        turns[here, cuts[rows][here[:, 0]]] = 1
        children[rows] = np.where(np.bitwise_xor.accumulate(turns, axis=1), second[rows], first[rows])
    return children


def subsets(rows: int, size: int, count: int, draw: Draw) -> Ints:
    """A random subset of `0 .. size - 1` for each row, each as likely (Floyd: Bentley & Floyd 1987).

    Returns:
        Numbers in no order, shape (rows, min(count, size)).
    """
    count = min(count, size)
    numbers, chosen = draw.uniforms(rows * count).reshape(rows, count), np.empty((rows, count), np.int64)
    for step, largest in enumerate(range(size - count, size)):
        one = (numbers[:, step] * (largest + 1)).astype(np.int64)
        taken = (chosen[:, :step] == one[:, None]).any(axis=1)
        chosen[:, step] = np.where(taken, largest, one)
    return chosen


@CROSSOVERS.register(source="fitness-biased uniform crossover: Beasley & Chu 1996, EJOR 94 (fusion)")
def fitter_parent(
    first: Bytes,
    second: Bytes,
    context: Context,
    follow: Annotated[float, Within(0.5, 1)] = 0.8,
) -> Bytes:
    """Children with all genes on which both parents agree; other genes are the fitter one's with chance `follow`.

    Of parents with the same score the first counts as the fitter one.

    Args:
        follow: the chance of each gene, by itself, to come from the fitter parent.
    """
    (n, genes), (first_scores, second_scores) = first.shape, context.scores
    second_is_fitter = (second_scores > first_scores)[:, None]
    children, astray = np.empty((n, genes), np.uint8), context.draw.positions(n * genes, 1 - follow)
    for rows in pieces(n, 8 * genes):
        fits, one, two = second_is_fitter[rows], first[rows], second[rows]
        better, worse = np.where(fits, two, one), np.where(fits, one, two)
        begin, end = np.searchsorted(astray, (rows.start * genes, rows.stop * genes))
        here = astray[begin:end] - rows.start * genes
        better.reshape(-1)[here] = worse.reshape(-1)[here]
        children[rows] = better
    return children


def _settled(options: dict[str, Any]) -> dict[str, Any]:
    return options if options["share"] else {**options, "widest": 100}


@CROSSOVERS.register(source="Kahng & Moon 1995, ICGA 6: blocks of a multi-dimensional genome", complete=_settled)
def blocks(
    first: Bytes,
    second: Bytes,
    context: Context,
    share: Annotated[float, Within(0, 1)] = 0.5,
    widest: Annotated[int, Within(1, 10**6)] = 100,
) -> Bytes:
    """Children that take a random patch of score pairs from the second parent and all else from the first.

    Args:
        share: the chance that a child takes a patch of its second parent at all.
        widest: longest edge of a patch, in points; edges are log-uniform, centres alike everywhere.
    """
    children, grid, draw = np.array(first), context.grid, context.draw
    crossed = draw.uniforms(len(first)) < share
    places = np.array([len(axis.values) for axis in grid.game.between])
    d, longest = len(places), widest_of(grid.game, widest)
    numbers = draw.at(part=2).uniforms(3 * d * len(first)).reshape(-1, 3 * d)
    centres = (numbers[:, :d] * places).astype(np.int64)
    edges = log_uniform(numbers[:, d : 2 * d], longest).tolist()
    for n in np.flatnonzero(crossed):
        patch = patch_at(grid, centres[n], edges[n], numbers[n, 2 * d :])
        rows = grid.row_numbers[patch[:-1]]
        place = rows[rows >= 0], patch[-1]
        children[n].reshape(-1, grid.row_genes)[place] = second[n].reshape(-1, grid.row_genes)[place]
    return children


MEAN = "mean"


@CROSSOVERS.register(
    name="intermediate",
    source="genetic repair, (mu/mu, lambda): Beyer 1995, Evolutionary Computation 3; averages: Polyak & Juditsky 1992",
)
@dataclass(frozen=True)
class Intermediate(Crossover):
    """Children whose roll/hold boundary is the mean of all parents', rounded up or down by chance so that none is lost.

    Args:
        keep: the share of the mean of everyone, selected or not, in generation `over` and later; before, it grows from
            0 by equal steps.  Luck is averaged over as many more generations.
        over: generations until then.
    """

    keep: Annotated[float, Within(0, 0.999)] = 0.8
    over: Annotated[int, Within(1, 10**9)] = 500

    def remember(self, genomes: Bytes, context: Context) -> State:
        """The mean boundary of everyone."""
        if not self.keep or not genomes.size:
            return {}
        return {MEAN: holds_of(context.grid, genomes).mean(axis=0)}

    def __call__(self, first: Bytes, second: Bytes, context: Context) -> Bytes:
        """Children of pairs of parents, shape (n, genes); each parent counts as often as it is chosen."""
        if 0 in first.shape:
            return np.zeros(first.shape, np.uint8)
        mean = mean_of(first, second, context)
        everyone = context.state.get(MEAN, mean)
        if everyone.shape == mean.shape:  # of another grid nothing is kept
            weight = self.keep * min(1.0, context.generation / self.over)
            mean = weight * everyone + (1 - weight) * mean
        up = context.draw.uniforms(len(first) * mean.size).reshape(-1, *mean.shape)
        return genomes_of(context.grid, np.floor(mean + up).astype(np.int64))


def mean_of(first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Floats:
    """The mean boundary of parents, shape (places, lanes)."""
    total = np.zeros(())
    for given in (first, second):
        rows, which = parents(given)
        used, counts = np.unique(which, return_counts=True)
        total = total + np.tensordot(counts, holds_of(context.grid, rows[used]), axes=1)
    mean: Floats = total / (2 * len(first))
    return mean


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    from pigevo.evolution.deap_adapter import complete

    return complete("cx", options, given=2)


@CROSSOVERS.register(source="DEAP, deap.tools.cx*", complete=_complete)
def deap(
    first: Bytes,
    second: Bytes,
    context: Context,
    operator: str = "cxUniform",
    arguments: Mapping[str, Any] | None = None,
) -> Bytes:
    """One child of each pair of parents: in turn the first and the second that the operator makes.

    Args:
        operator: its name in `deap.tools`, as `cxUniform`, `cxOnePoint` or `cxTwoPoint`.
        arguments: its arguments beside the parents; the usual ones are filled in.
    """
    from pigevo.evolution.deap_adapter import ENOUGH_GENES, Individual, genomes_of, operator_of, rehearse, seeded

    if first.shape[1] < ENOUGH_GENES:
        rehearse("cx", operator, arguments or {}, 2, first.shape[1])
    cross = operator_of("cx", operator, arguments, given=2)
    with seeded(context.draw):
        made = (cross(Individual.of(first[c]), Individual.of(second[c]))[c % 2] for c in range(len(first)))
        return genomes_of(made, first.shape, operator)
