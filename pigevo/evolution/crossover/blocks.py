"""Crossover by blocks: a patch of score pairs comes from one parent, all else from the other."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS
from pigevo.evolution.score_rectangles import log_uniform, patch_at, widest_of


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
    """Children that are their first parent, but for a random patch of score pairs.

    Args:
        first: one parent of each child, shape (n, genes).
        second: the other ones.
        context: with the draw that decides where the patches lie.
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
        asked = grid.row_numbers[patch.rows]
        place = asked[asked >= 0], slice(*patch.row_span)
        children[n].reshape(-1, grid.row_genes)[place] = second[n].reshape(-1, grid.row_genes)[place]
    return children
