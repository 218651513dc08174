"""Decisions as bits, so that both players' tables stay in the processor's cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Bytes, Ints, Tables, read_only
from pigevo.simulation.pack_kernels import pack_rows
from pigevo.strategies import Members

LARGEST = 2**31 - 1

PACKED_AT_ONCE = 32 << 20
"""Cells whose bytes are laid out at once, where they are not yet."""


class PackedTables(NamedTuple):
    """The decisions of some strategies as bits, `size` bytes each: 130 kB for a target of 100.

    Bit `7 - j % 8` of byte `size * n + (i * target + k) * width + j // 8` is strategy n's decision at own score i, turn
    total k and opponent's score j; one more row may be read, but means nothing.
    """

    decisions: Bytes
    size: int
    target: int
    width: int
    may_pass: bool


def fits(strategies: int, target: int) -> bool:
    """Whether the tables of so many strategies can be numbered by 32 bits, as those of two always can."""
    return (strategies * target**2 + 1) * -(-target // 8) <= LARGEST


def pack(strategies: Tables) -> PackedTables:
    """The tables of strategies given as bytes of shape `(own, turn total, opponent)`, or of members by their genes."""
    n, target = len(strategies), _rows(strategies, slice(0, 1))[0].shape[2]
    width = -(-target // 8)
    size = target * target * width
    decisions = np.zeros(n * size + width, np.uint8)
    together = max(1, PACKED_AT_ONCE // target**3)
    for place in range(0, n, together):
        rows, row_of_cell = _rows(strategies, slice(place, place + together))
        pack_rows(read_only(np.ascontiguousarray(rows)), read_only(row_of_cell), width, decisions[place * size :])
    first = decisions[: n * size].reshape(n, target, target, width)[:, :, 0]
    every = np.packbits(np.ones(target, np.uint8))
    return PackedTables(decisions, size, target, width, bool((~first & every).any()))


def _rows(strategies: Tables, part: slice) -> tuple[Bytes, Ints]:
    """Rows of decisions of some strategies, shape (n, rows, T), and which is at an own score and a turn total."""
    if isinstance(strategies, Members):
        return strategies.grid.by_score(strategies.genomes[part]), strategies.grid.row_of_cell
    tables = np.asarray(strategies[part])
    n, target = tables.shape[:2]
    return tables.reshape(n, target**2, target), np.arange(target**2).reshape(target, target)
