"""The compiled loop of mutation: flips at the places of `Draw.positions`, found and made in one pass.

The gap before each flip is `log(1 - u) / log(1 - p)`, rounded down.  A logarithm is that of the
mantissa, `2 artanh z`, and so many times that of 2; the series ends with `z^13`, which is right to 1e-11.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import CLOSE, Place
from pigevo.simulation.dice_kernels import philox_block

AT_ONCE = 1024
"""Gaps that are found together: their numbers fit into the nearest cache."""

LN2 = float.fromhex("0x1.62e42fefa39efp-1")
HALF = int(np.sqrt(0.5).view(np.int64))
"""The bits of the square root of 1/2: mantissas are from there up to twice as much."""

UNIT = float.fromhex("0x1p-53")

_3, _5, _7, _9, _11, _13 = (1 / n for n in range(3, 15, 2))


@kernel(error_model="numpy")
def _gaps(first: int, drawn: Place, scale: float, gaps: Floats, rest: Floats, mantissas: Floats, twos: Floats) -> int:
    """Fill `gaps` from words number `first` on; the other arrays are for work, as long; both are multiples of 4.

    Returns:
        How many are so close to a whole number that this logarithm does not tell which it is.
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
    """Flip the genes that `Draw.positions` gives for the same words, or none.

    Args:
        drawn: the place of the random words from which the `u` are made.
        count: how many words there are.
        scale: `1 / log(1 - p)`, where each gene flips with probability p, below 1.
        genes: all of them, shape (n,), contiguous.

    Returns:
        Whether they were flipped; False where rounding might decide a gap, or the words do not suffice.
    """
    gaps, rest, mantissas, twos = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE)
    places, found, place = np.empty(count, np.int64), 0, np.int64(-1)
    for first in range(0, count, AT_ONCE):
        if _gaps(first, drawn, scale, gaps, rest, mantissas, twos):
            return False
        for gap in gaps[: count - first]:
            place += 1 + np.int64(gap)
            if place >= len(genes):
                _flip(genes, places[:found])
                return True
            places[found] = place
            found += 1
    return False


@kernel()
def _flip(genes: Bytes, places: Ints) -> None:
    for place in places:
        genes[place] ^= np.uint8(1)
