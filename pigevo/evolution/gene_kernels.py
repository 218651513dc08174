"""The compiled loop of crossovers that toss a coin for each gene."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import COINS, choose
from pigevo.core.arrays import Bytes, Ints
from pigevo.dice import Place
from pigevo.simulation.dice_kernels import philox_block


@kernel()
def choose_by_coins(first: Bytes, one: Ints, second: Bytes, two: Ints, drawn: Place, children: Bytes) -> None:
    """Fill child n from `first[one[n]]` and `second[two[n]]`, by the bits of random words: 1 takes the second's gene.

    The words are made where they are used, since memory is as slow as they are.

    Args:
        first, second: genomes, shape (m, genes), contiguous.
        one, two: which of them, shape (n,).
        drawn: the place of the words, of which there is a bit for each gene of all children, one after the other.
        children: to be filled, shape (n, genes), contiguous.
    """
    genes, size = children.shape[1], children.size
    a, b, out = first.reshape(-1), second.reshape(-1), children.reshape(-1)
    part, pair, generation, seed, stream = drawn
    child, end, x, y = -1, 0, 0, 0  # the child at work, where it ends, and how far its parents lie from it
    for block in range(-(-size // (4 * COINS))):
        words = philox_block(np.uint64(block + 1), part, pair, generation, seed, stream)
        for number in range(4):
            begin = (4 * block + number) * COINS
            if begin + COINS <= end:
                choose(a, x + begin, b, y + begin, words[number], out, begin)
                continue
            for gene in range(begin, min(begin + COINS, size)):
                if gene == end:
                    child, end = child + 1, end + genes
                    x, y = (one[child] - child) * genes, (two[child] - child) * genes
                coin = (words[number] >> np.uint64(gene - begin)) & np.uint64(1)
                out[gene] = b[y + gene] if coin else a[x + gene]
