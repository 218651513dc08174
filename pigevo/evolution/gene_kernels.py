"""The compiled loops of crossovers that toss a coin for each gene, and of mutators that flip genes.

Genes flip at the positions of `Draw.positions`, which are found in the same pass: the gap before each flip is
`log(1 - u) / log(1 - p)`, rounded down.  The logarithm is `2 artanh z` for the mantissa plus the exponent times
`log 2`; the series for `artanh` ends with `z^13`, with an error below 1e-11.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import COINS, choose
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import CLOSE, Place
from pigevo.simulation.dice_kernels import philox_block


@kernel()
def choose_by_coins(
    first: Bytes, of_first: Ints, second: Bytes, of_second: Ints, drawn: Place, children: Bytes
) -> None:
    """Fill child n from its two parents by the bits of random words: 1 takes the gene of the second parent.

    The words are generated where they are used, because reading them from memory would be as slow.

    Args:
        first, second: genomes, shape (m, genes), contiguous.
        of_first, of_second: indices of the parents in them, shape (n,).
        drawn: the place of the random words, which have a bit for each gene of all children, in order.
        children: the array to fill, shape (n, genes), contiguous.
    """
    genes, size = children.shape[1], children.size
    a, b, out = first.reshape(-1), second.reshape(-1), children.reshape(-1)
    part, pair, generation, seed, stream = drawn
    child, end, x, y = -1, 0, 0, 0  # the current child, its end, and the offsets of its parents
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
                    x, y = (of_first[child] - child) * genes, (of_second[child] - child) * genes
                coin = (words[number] >> np.uint64(gene - begin)) & np.uint64(1)
                out[gene] = b[y + gene] if coin else a[x + gene]


AT_ONCE = 1024
"""Number of gaps that are computed together, so that the arrays fit into the first-level cache."""

LN2 = float.fromhex("0x1.62e42fefa39efp-1")
HALF = int(np.sqrt(0.5).view(np.int64))
"""The bits of the square root of 1/2: mantissas lie between it and twice its value."""

UNIT = float.fromhex("0x1p-53")

_3, _5, _7, _9, _11, _13 = (1 / n for n in range(3, 15, 2))


@kernel(error_model="numpy")
def _gaps(first: int, drawn: Place, scale: float, gaps: Floats, rest: Floats, mantissas: Floats, twos: Floats) -> int:
    """Fill `gaps` from the words from number `first` on; the other arrays are work space of the same length.

    `first` and the length are multiples of 4.

    Returns:
        The number of gaps that are so close to a whole number that rounding of this logarithm may be wrong.
    """
    part, pair, generation, seed, stream = drawn
    bits, mantissa_bits = rest.view(np.int64), mantissas.view(np.int64)
    for n in range(0, len(gaps), 4):
        words = philox_block(np.uint64((first + n) // 4 + 1), part, pair, generation, seed, stream)
        for number in range(4):
            rest[n + number] = 1.0 - np.float64(np.int64(words[number] >> np.uint64(11))) * UNIT
    for n in range(len(gaps)):
        exponent = (bits[n] - HALF) >> 52
        mantissa_bits[n] = bits[n] - (exponent << 52)
        twos[n] = np.float64(exponent)
    close = 0
    for n in range(len(gaps)):
        z = (mantissas[n] - 1.0) / (mantissas[n] + 1.0)
        s = z * z
        more = (((((s * _13 + _11) * s + _9) * s + _7) * s + _5) * s + _3) * s
        gap = (twos[n] * LN2 + 2.0 * (z + z * more)) * scale
        close += 1 if abs(gap - np.rint(gap)) <= CLOSE * gap else 0
        gaps[n] = gap
    return close


@kernel()
def flip_after_gaps(drawn: Place, count: int, scale: float, genes: Bytes) -> bool:
    """Flip the genes at the positions that `Draw.positions` returns for the same words, or none.

    Args:
        drawn: the place of the random words from which the `u` are made.
        count: number of words.
        scale: `1 / log(1 - p)`, where p below 1 is the probability that a gene flips.
        genes: all genes, shape (n,), contiguous.

    Returns:
        Whether the genes were flipped; False if rounding might change a gap, or there are too few words.
    """
    gaps, rest, mantissas, twos = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE)
    places, count_of_flips, place = np.empty(count, np.int64), 0, np.int64(-1)
    for first in range(0, count, AT_ONCE):
        if _gaps(first, drawn, scale, gaps, rest, mantissas, twos):
            return False
        for gap in gaps[: count - first]:
            place += 1 + np.int64(gap)
            if place >= len(genes):
                _flip(genes, places[:count_of_flips])
                return True
            places[count_of_flips] = place
            count_of_flips += 1
    return False


@kernel()
def _flip(genes: Bytes, places: Ints) -> None:
    for place in places:
        genes[place] ^= np.uint8(1)
