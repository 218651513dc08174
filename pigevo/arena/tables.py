"""Decisions as bits, so that both players' tables stay in the processor's cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pigevo.arena.pack_kernels import pack_rows
from pigevo.arrays import Bytes
from pigevo.arrays import Tables as Decisions

LARGEST = 2**31 - 1


class Tables(NamedTuple):
    """The decisions of some strategies: 130 kB each for a target of 100.

    Args:
        decisions: bit `7 - j % 8` of byte `size * n + (i * target + k) * width + j // 8` is strategy n's decision at
            own score i, turn total k and opponent's score j; one more row of bytes may be read, but means nothing.
        size: bytes of a strategy.
        target: the game's.
        width: bytes of a row of opponent's scores.
        may_pass: whether some decision before the first roll is to hold.
    """

    decisions: Bytes
    size: int
    target: int
    width: int
    may_pass: bool


def fits(strategies: int, target: int) -> bool:
    """Whether the tables of so many strategies can be numbered by 32 bits, as those of two always can."""
    return (strategies * target**2 + 1) * -(-target // 8) <= LARGEST


def pack(strategies: Decisions) -> Tables:
    """The tables of strategies given as bytes of shape `(own, turn total, opponent)`, read one at a time."""
    n, target, may_pass = len(strategies), strategies[0].shape[0], False
    width = -(-target // 8)
    size = target * target * width
    decisions = np.zeros(n * size + width, np.uint8)
    for place in range(n):
        tables = strategies[place]
        pack_rows(np.ascontiguousarray(tables), width, decisions[place * size : (place + 1) * size])
        may_pass = may_pass or not tables[:, 0].all()
    return Tables(decisions, size, target, width, may_pass)
