"""Crossover at points: the parents take turns along the genome."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Ints
from pigevo.core.checked_values import Within
from pigevo.core.memory import PIECE
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS


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
        first: one parent of each child, shape (n, genes).
        second: the other ones.
        context: with the draw.
        points: at how many places the parents change; where there are fewer, at all of them.
        chance: how likely a child is crossed at all; others are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    begins, crossed = draw.at(part=1).bits(n), draw.at(part=2).uniforms(n) < chance
    cuts = 1 + subsets(n, max(0, genes - 1), points, draw)
    children = np.empty((n, genes), np.uint8)
    together = max(1, PIECE // (16 * max(1, genes)))
    for start in range(0, n if genes else 0, together):
        rows = slice(start, start + together)
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
    numbers, found = draw.uniforms(rows * count).reshape(rows, count), np.empty((rows, count), np.int64)
    for step, largest in enumerate(range(size - count, size)):
        one = (numbers[:, step] * (largest + 1)).astype(np.int64)
        taken = (found[:, :step] == one[:, None]).any(axis=1)
        found[:, step] = np.where(taken, largest, one)
    return found
