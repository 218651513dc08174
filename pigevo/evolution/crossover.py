"""Crossovers, which make children from two arrays of parents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import JsonObject, Within
from pigevo.core.machine import pieces
from pigevo.core.registry import Registry
from pigevo.dice import Draw
from pigevo.evolution.hold_boundary import (
    genomes_of,
    holds_of,
    log_uniform,
    patches_at,
    planes_of,
    strides_of,
    widest_of,
)
from pigevo.evolution.operators import Context, Crossover, Remembered, declares, lazy
from pigevo.evolution.population import Chosen, parent_rows

CROSSOVERS = Registry("crossover", 3)

COMPILED_FROM = 2**16  # for fewer genes numpy is faster than loading the compiled loop


@CROSSOVERS.register(source="Exeter 2016, section 3.4.3")
@lazy
def agree_or_random(first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Bytes:
    """One child of each pair of parents: it has all genes on which both agree, and a coin decides every other gene."""
    size = first.shape[0] * first.shape[1]
    if size < COMPILED_FROM:
        return np.where(context.draw.bits(*first.shape), second[:], first[:])
    from pigevo.evolution.gene_kernels import choose_by_coins

    children = np.empty(first.shape, np.uint8)
    choose_by_coins(*parent_rows(first), *parent_rows(second), context.draw.key, children)
    return children


NUMBERS_IN_BLOCK = 8  # the number of 32-bit numbers in a block of the generator


@CROSSOVERS.register(source="Syswerda 1989, ICGA 3; another share than a half: Spears & De Jong 1991, ICGA 4")
@lazy
def uniform(
    first: Bytes | Chosen,
    second: Bytes | Chosen,
    context: Context,
    share: Annotated[float, Within(0, 0.5)] = 0.5,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children that take each gene independently from one parent with chance `share`, otherwise from the other parent.

    A fair coin for each child decides which parent is which, so a share above a half would have the same effect as
    `1 - share`.

    Args:
        share: the chance that a gene comes from the parent that the coin puts first.
        chance: the chance that a child is crossed; the other children are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    swapped, crossed = draw.at(part=1).bits(n).view(np.bool_), draw.at(part=2).uniforms(n) < chance
    limits = np.where(crossed, np.uint32(share * 2.0**32), np.uint32(0))[:, None]
    children = np.empty((n, genes), np.uint8)
    for rows in pieces(n if genes else 0, 32 * genes, NUMBERS_IN_BLOCK):
        size = children[rows].size
        words = draw.words(-(-size // 2), block=rows.start * genes // NUMBERS_IN_BLOCK).astype("<u8", copy=False)
        taken = words.view("<u4")[:size].reshape(-1, genes) < limits[rows]
        children[rows] = np.where(taken ^ swapped[rows, None], second[rows], first[rows])
    return children


@CROSSOVERS.register(source="Holland 1975; several points: De Jong 1975")
@lazy
def n_point(
    first: Bytes | Chosen,
    second: Bytes | Chosen,
    context: Context,
    points: Annotated[int, Within(1, 100)] = 2,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children whose genes come from one parent up to a random point, from the other up to the next, and so on.

    All sets of `points` gaps between two genes are equally likely, and a coin decides which parent comes first.
    Genes are in the order of their cubes, so that cubes with neighbouring opponent's scores or turn totals are
    close to each other.

    Args:
        points: number of gaps at which the parent changes; if there are fewer gaps, all of them.
        chance: the chance that a child is crossed; the other children are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    begins, crossed = draw.at(part=1).bits(n), draw.at(part=2).uniforms(n) < chance
    cuts = 1 + subsets(n, max(0, genes - 1), points, draw)
    children = np.empty((n, genes), np.uint8)
    for rows in pieces(n if genes else 0, 16 * genes):
        switches = np.zeros(children[rows].shape, np.uint8)
        switches[:, 0] = begins[rows]
        children_crossed = np.flatnonzero(crossed[rows])
        switches[children_crossed[:, None], cuts[rows][children_crossed]] = 1
        children[rows] = np.where(np.bitwise_xor.accumulate(switches, axis=1), second[rows], first[rows])
    return children


def subsets(rows: int, size: int, count: int, draw: Draw) -> Ints:
    """A random subset of `0 .. size - 1` for each row, all equally likely (Floyd: Bentley & Floyd 1987).

    Returns:
        Unordered numbers, shape (rows, min(count, size)).
    """
    count = min(count, size)
    numbers, chosen = draw.uniforms(rows * count).reshape(rows, count), np.empty((rows, count), np.int64)
    for step, largest in enumerate(range(size - count, size)):
        pick = (numbers[:, step] * (largest + 1)).astype(np.int64)
        taken = (chosen[:, :step] == pick[:, None]).any(axis=1)
        chosen[:, step] = np.where(taken, largest, pick)
    return chosen


@CROSSOVERS.register(source="fitness-biased uniform crossover: Beasley & Chu 1996, EJOR 94 (fusion)")
@lazy
@declares(drawn_share=lambda options: 1 - options["follow"])
def fitter_parent(
    first: Bytes | Chosen, second: Bytes | Chosen, context: Context, follow: Annotated[float, Within(0.5, 1)] = 0.8
) -> Bytes:
    """Children with all genes on which both parents agree; other genes follow the fitter parent with chance `follow`.

    If both parents have the same score, the first counts as the fitter one.

    Args:
        follow: the chance, independent for each gene, that the gene comes from the fitter parent.
    """
    (n, genes), (first_scores, second_scores) = first.shape, context.scores
    second_is_fitter = (second_scores > first_scores)[:, None]
    children, from_worse = np.empty((n, genes), np.uint8), context.draw.positions(n * genes, 1 - follow)
    for rows in pieces(n, 8 * genes):
        second_wins, of_first, of_second = second_is_fitter[rows], first[rows], second[rows]
        better, worse = np.where(second_wins, of_second, of_first), np.where(second_wins, of_first, of_second)
        begin, end = np.searchsorted(from_worse, (rows.start * genes, rows.stop * genes))
        positions = from_worse[begin:end] - rows.start * genes
        better.reshape(-1)[positions] = worse.reshape(-1)[positions]
        children[rows] = better
    return children


@CROSSOVERS.register(
    source="Kahng & Moon 1995, ICGA 6: blocks of a multi-dimensional genome",
    complete=lambda options: options if options["share"] else {**options, "widest": 100},  # without patches
)
@lazy
def blocks(
    first: Bytes | Chosen,
    second: Bytes | Chosen,
    context: Context,
    share: Annotated[float, Within(0, 1)] = 0.5,
    widest: Annotated[int, Within(1, 10**6)] = 100,
) -> Bytes:
    """Children that take a random patch of score pairs from the second parent and all other genes from the first.

    Args:
        share: the chance that a child takes a patch; the other children are copies of the first parent.
        widest: longest edge of a patch, in points; edges are log-uniform, centres uniform.
    """
    from pigevo.evolution.gene_kernels import copy_patches

    (firsts, of_first), (seconds, of_second) = parent_rows(first), parent_rows(second)
    children, grid, draw = firsts[of_first], context.grid, context.draw
    crossed = draw.uniforms(len(first)) < share
    sizes = np.array([len(axis.values) for axis in grid.game.between])
    d, longest = len(sizes), widest_of(grid.game, widest)
    numbers = draw.at(part=2).uniforms(3 * d * len(first)).reshape(-1, 3 * d)
    centres = (numbers[:, :d] * sizes).astype(np.int64)
    edges = log_uniform(numbers[:, d : 2 * d], longest)
    patches = patches_at(grid, centres, edges, numbers[:, 2 * d :])[crossed]
    rows, second_rows = grid.rows_of(children), grid.rows_of(seconds)
    members = np.flatnonzero(crossed)
    copy_patches(rows, members, second_rows, of_second[crossed], planes_of(grid), strides_of(grid), patches)
    return children


MEAN = "mean"


@CROSSOVERS.register(
    name="intermediate",
    source="genetic repair, (mu/mu, lambda): Beyer 1995, Evolutionary Computation 3; averages: Polyak & Juditsky 1992",
)
@dataclass(frozen=True)
class Intermediate(Crossover):
    """Children whose roll/hold boundary is the mean boundary of all parents, rounded at random so as to keep the mean.

    Args:
        keep: the weight of the mean boundary of the whole population, selected or not, in generation `over` and later;
            before that it grows from 0 by equal steps. A larger weight averages luck over more generations.
        over: number of generations until the weight is `keep`.
    """

    keep: Annotated[float, Within(0, 0.999)] = 0.8
    over: Annotated[int, Within(1, 10**9)] = 500

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Remember the mean boundary of the whole population."""
        if not self.keep or not genomes.size:
            return {}
        return {MEAN: holds_of(context.grid, genomes).mean(axis=0)}

    @lazy
    def __call__(self, first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Bytes:
        """Children of pairs of parents, shape (n, genes); a parent counts once for each time that it is chosen."""
        if 0 in first.shape:
            return np.zeros(first.shape, np.uint8)
        mean = mean_of(first, second, context)
        mean_of_population = context.state.get(MEAN, mean)
        if mean_of_population.shape == mean.shape:  # a mean boundary on another grid is ignored
            weight = self.keep * min(1.0, context.generation / self.over)
            mean = weight * mean_of_population + (1 - weight) * mean
        up = context.draw.uniforms(len(first) * mean.size).reshape(-1, *mean.shape)
        return genomes_of(context.grid, np.floor(mean + up).astype(np.int64))


def mean_of(first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Floats:
    """The mean boundary of parents, shape (planes, lanes)."""
    total = np.zeros(())
    for parents in (first, second):
        rows, which = parent_rows(parents)
        used, counts = np.unique(which, return_counts=True)
        total = total + np.tensordot(counts, holds_of(context.grid, rows[used]), axes=1)
    mean: Floats = total / (2 * len(first))
    return mean


def _complete(options: JsonObject) -> JsonObject:
    from pigevo.evolution.deap_adapter import complete

    return complete("cx", options, given=2)


@CROSSOVERS.register(source="DEAP, deap.tools.cx*", complete=_complete)
def deap(
    first: Bytes,
    second: Bytes,
    context: Context,
    operator: str = "cxUniform",
    arguments: Mapping[str, object] | None = None,
) -> Bytes:
    """One child of each pair of parents: in turn the first and the second of the two children from a DEAP operator.

    Args:
        operator: its name in `deap.tools`, for example `cxUniform`, `cxOnePoint` or `cxTwoPoint`.
        arguments: its arguments in addition to the parents; usual values are filled in.
    """
    from pigevo.evolution.deap_adapter import ENOUGH_GENES, Individual, checked_genomes, operator_of, rehearse, seeded

    if first.shape[1] < ENOUGH_GENES:
        rehearse("cx", operator, arguments or {}, 2, first.shape[1])
    cross = operator_of("cx", operator, arguments, given=2)
    with seeded(context.draw):
        children = (cross(Individual.of(first[n]), Individual.of(second[n]))[n % 2] for n in range(len(first)))
        return checked_genomes(children, first.shape, operator)
