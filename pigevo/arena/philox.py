"""Philox4x64-10 compiled: the twin of the generator in `pigevo.dice`.

Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.  Ten
rounds of two widening multiplications turn a counter of four words, under a key of two,
into four random words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pigevo.arrays import Words
from pigevo.compiled import kernel

M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
ROUNDS = 10


@intrinsic
def _high_product(_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the product of two 64-bit words: one instruction, which numba lacks."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(word, wide) for word in arguments))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


high_product: Any = _high_product  # a type checker would count its hidden first argument


@kernel()
def philox_block(
    out: Words,
    block: np.uint64,
    part: np.uint64,
    pair: np.uint64,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Write the four words of the counter (block, part, pair, generation) into `out`; all are uint64."""
    a, b, c, d = block, part, pair, generation
    x, y = seed, stream
    for _ in range(ROUNDS):
        high_a, low_a = high_product(M0, a), M0 * a
        high_c, low_c = high_product(M1, c), M1 * c
        a, b, c, d = high_c ^ b ^ x, low_c, high_a ^ d ^ y, low_a
        x += W0
        y += W1
    out[0] = a
    out[1] = b
    out[2] = c
    out[3] = d
