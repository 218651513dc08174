"""The compiled loop of crossovers that toss a coin for each gene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Ints, Words
from pigevo.bit_lanes import COINS, choose
from pigevo.compiled import kernel


def _examples() -> Iterator[tuple[Any, ...]]:
    for genes in (5, 2 * COINS + 5):
        parents = (np.arange(4 * genes) % 251).astype(np.uint8).reshape(4, genes)
        coins = np.arange(1, 1 + -(-3 * genes // COINS), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15 >> 4)
        yield (
            parents,
            np.array([0, 3, 1]),
            parents[::-1].copy(),
            np.array([2, 1, 1]),
            coins,
            np.zeros((3, genes), np.uint8),
        )


@kernel(_examples)
def choose_by_coins(first: Bytes, one: Ints, second: Bytes, two: Ints, coins: Words, children: Bytes) -> None:
    """Fill child n from `first[one[n]]` and `second[two[n]]`, by the bits of `coins`: 1 takes the second's gene.

    Args:
        first, second: genomes, shape (m, genes), contiguous.
        one, two: which of them, shape (n,).
        coins: a bit for each gene of all children, one child after the other.
        children: to be filled, shape (n, genes), contiguous.
    """
    genes = children.shape[1]
    a, b, out = first.reshape(-1), second.reshape(-1), children.reshape(-1)
    for child in range(children.shape[0]):
        begin, end = child * genes, (child + 1) * genes
        x, y = one[child] * genes - begin, two[child] * genes - begin
        whole = min(-(-begin // COINS) * COINS, end)  # from here on words are of this child alone
        for gene in range(begin, whole):
            out[gene] = b[y + gene] if (coins[gene // COINS] >> np.uint64(gene % COINS)) & np.uint64(1) else a[x + gene]
        for number in range(whole // COINS, end // COINS):
            choose(a, x + number * COINS, b, y + number * COINS, coins, number, out)
        for gene in range(max(whole, end // COINS * COINS), end):
            out[gene] = b[y + gene] if (coins[gene // COINS] >> np.uint64(gene % COINS)) & np.uint64(1) else a[x + gene]
