"""The compiled loop of crossovers that toss a coin for each gene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Words
from pigevo.bit_lanes import COINS, choose
from pigevo.compiled import kernel


def _examples() -> Iterator[tuple[Any, ...]]:
    genes = 2 * COINS + 5
    coins = np.arange(1, 4, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15 >> 2)
    yield np.zeros(genes, np.uint8), np.arange(1, genes + 1, dtype=np.uint8), coins, np.zeros(genes, np.uint8)


@kernel(_examples)
def choose_by_coins(first: Bytes, second: Bytes, coins: Words, children: Bytes) -> None:
    """Fill `children` from `first` and `second`, all flat, by the bits of `coins`: 1 takes the second's gene."""
    whole = first.size // COINS
    for number in range(whole):
        choose(first, second, coins, number, children)
    for gene in range(whole * COINS, first.size):
        coin = (coins[whole] >> (gene % COINS)) & 1
        children[gene] = second[gene] if coin else first[gene]
