"""Bit-flip mutation whose rate follows a schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import exp, log
from pigevo.evolution.mutation.bit_flip import bit_flip
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS

Shape = Literal["exponential", "linear"]


@MUTATORS.register(source="Fogarty 1989, ICGA 3", uses=("mutation",))
def scheduled(
    genomes: Bytes,
    context: Context,
    end: Annotated[float, Within(0, 1, above=True)] = 0.001,
    over: Annotated[int, Within(1, 10**9)] = 500,
    shape: Shape = "exponential",
) -> Bytes:
    """Each gene flips by itself with a rate that goes from `mutation` to `end`, and stays there.

    Generation 0 has its children at the rate `mutation`, generation `over` and all later ones at `end`.  Between them
    the rate changes by equal factors, so that 0 stays 0, or by equal steps.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the first rate, the generation and the draw.
        end: the last rate.
        over: generations until the rate is `end`.
        shape: by equal factors, or by equal steps.
    """
    rate = rate_at(min(1.0, context.generation / over), context.rate, end, shape)
    return bit_flip(genomes, replace(context, rate=rate))


def rate_at(part: float, start: float, end: float, shape: Shape) -> float:
    """The rate after a part of the way, 0 to 1, from one to another."""
    if shape == "linear":
        return (1 - part) * start + part * end
    return start if start == 0 or part == 0 else float(exp((1 - part) * log(start) + part * log(end)))
