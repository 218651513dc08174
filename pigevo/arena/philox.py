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

from pigevo import plain_lanes as plain
from pigevo.compiled import kernel
from pigevo.twins import instruction

M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
ROUNDS = 10

Block = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@instruction(plain.wide_product)
def _wide_product(_context: Any, a: Any, b: Any) -> Any:
    """The upper and the lower 64 bits of a product: one instruction, where numba would make two."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(word, wide) for word in arguments))
        upper = builder.lshr(product, ir.Constant(wide, 64))
        words = [builder.trunc(part, ir.IntType(64)) for part in (upper, product)]
        return context.make_tuple(builder, signature.return_type, words)

    pair_of_words = types.Tuple((types.uint64, types.uint64))  # type: ignore[no-untyped-call]
    return pair_of_words(types.uint64, types.uint64), generate


wide_product: Any = _wide_product  # a type checker would count its hidden first argument


@kernel()
def philox_block(
    block: np.uint64, part: np.uint64, pair: np.uint64, generation: np.uint64, seed: np.uint64, stream: np.uint64
) -> Block:
    """The four words of the counter (block, part, pair, generation) under the key (seed, stream); all are uint64."""
    a, b, c, d = block, part, pair, generation
    x, y = seed, stream
    for _ in range(ROUNDS):
        high_a, low_a = wide_product(M0, a)
        high_c, low_c = wide_product(M1, c)
        a, b, c, d = high_c ^ b ^ x, low_c, high_a ^ d ^ y, low_a
        x += W0
        y += W1
    return a, b, c, d
