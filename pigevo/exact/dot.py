"""A sum of products in vector registers, with an order of additions that is always the same.

A compiler may only use vector registers for a sum if it may reorder the additions, and the
order then depends on the machine.  So the order is written down here: four strands, added
up in pairs.  Results are equal to the bit on every machine.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic

build: Any = _cgutils  # without types of its own

LANES = 4
DOUBLE = ir.DoubleType()
VECTOR = ir.VectorType(DOUBLE, LANES)


@intrinsic
def _dot(_context: Any, a: Any, a_start: Any, b: Any, b_start: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = [
            builder.gep(context.make_array(kind)(context, builder, array).data, [start])
            for kind, array, start in zip(signature.args[0:4:2], arguments[0:4:2], arguments[1:4:2], strict=True)
        ]
        count = arguments[4]
        total = build.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * LANES))
        with build.for_range_slice(builder, count.type(0), count, count.type(LANES)) as (t, _):
            product = builder.fmul(*(_vector(builder, start, t) for start in at))
            builder.store(builder.fadd(builder.load(total), product), total)
        four = builder.load(total)
        low, high = (builder.fadd(_lane(builder, four, n), _lane(builder, four, n + 2)) for n in (0, 1))
        return builder.fadd(low, high)

    floats = types.float64[::1]
    return types.float64(floats, types.intp, floats, types.intp, types.intp), generate


def _vector(builder: Any, start: Any, place: Any) -> Any:
    loaded = builder.load(builder.bitcast(builder.gep(start, [place]), VECTOR.as_pointer()))
    loaded.align = 8
    return loaded


def _lane(builder: Any, vector: Any, number: int) -> Any:
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), number))


dot: Any = _dot
"""`dot(a, a_start, b, b_start, count)`, in compiled code only: the sum of `a[a_start + t] * b[b_start + t]`.

`count` is a multiple of `LANES`, and nothing checks that the arrays are long enough.
"""
