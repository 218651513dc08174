"""Vectors of floats in compiled code, for loops that LLVM does not vectorise by itself.

LLVM gives up on a loop over several arrays, or pays in every row for checks that they do
not overlap, and it may not reorder a sum.  So the exact engine's loops say themselves what
goes side by side: a `Lanes` is `LANES` floats, `+`, `-` and `fused` work lane by lane, a
product is fused with a sum where `fused` says so and nowhere else, and `total` adds the
lanes up in one fixed order.  Results are equal to the bit on every machine; one with
narrower registers uses several.

Nothing here checks that an array is long enough; the twins in `pigevo.compiled.simd_reference`, which take
the place of all this where numba checks that, do.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import models, overload, register_model

from pigevo.compiled import simd_reference as plain
from pigevo.compiled.verified_kernel import instruction, intrinsic

LANES = plain.LANES

build: Any = _cgutils  # without types of its own

DOUBLE, BYTE = ir.DoubleType(), ir.IntType(8)
FLOATS, BYTES = ir.VectorType(DOUBLE, LANES), ir.VectorType(BYTE, LANES)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES_TYPE = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, FLOATS)  # type: ignore[no-untyped-call]


def _zeros(of: Any) -> Any:
    return ir.Constant(of, [0] * LANES)


def address(context: Any, builder: Any, kind: Any, of: Any, array: Any, place: Any) -> Any:
    """Where the element number `place` of an array lies, as a pointer to the type `of`."""
    start = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(start, [place]), of.as_pointer())


@instruction(plain.spread)
def spread(_context: Any, number: Any) -> Any:
    """`spread(x)`: the float `x` in every lane."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        one = builder.insert_element(ir.Constant(FLOATS, ir.Undefined), arguments[0], ir.IntType(32)(0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, one, first)

    return LANES_TYPE(types.float64), generate


@instruction(plain.load)
def load(_context: Any, array: Any, place: Any) -> Any:
    """`load(array, place)`: the floats from `place` on, counted along the memory of a contiguous array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        loaded = builder.load(address(context, builder, signature.args[0], FLOATS, *arguments))
        loaded.align = 8
        return loaded

    return LANES_TYPE(array, types.intp), generate


@instruction(plain.load_column)
def load_column(_context: Any, array: Any, place: Any) -> Any:
    """`load_column(array, place)`: `LANES` floats, each `LANES` after the one before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        column, place = ir.Constant(FLOATS, ir.Undefined), arguments[1]
        for lane in range(LANES):
            at = builder.add(place, place.type(lane * LANES))
            column = builder.insert_element(column, builder.load(builder.gep(first, [at])), ir.IntType(32)(lane))
        return column

    return LANES_TYPE(array, types.intp), generate


@instruction(plain.store)
def store(_context: Any, lanes: Any, array: Any, place: Any) -> Any:
    """`store(lanes, array, place)`: write the lanes where `load` would read them."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[0], address(context, builder, signature.args[1], FLOATS, *arguments[1:])).align = 8
        return context.get_dummy_value()

    return types.void(LANES_TYPE, array, types.intp), generate


@instruction(plain.copy_bytes)
def copy_bytes(_context: Any, source: Any, place: Any, count: Any, target: Any) -> Any:
    """`copy_bytes(source, place, count, target)`: bytes from `place` on to the beginning of `target`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        read = address(context, builder, signature.args[0], BYTE, *arguments[:2])
        write = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        build.raw_memcpy(builder, write, read, arguments[2], 1)
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target), generate


@instruction(plain.where)
def where(_context: Any, decisions: Any, place: Any, lanes: Any) -> Any:
    """`where(decisions, place, lanes)`: the lanes whose byte, from `place` on, is not 0; the others are 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        loaded = builder.load(address(context, builder, signature.args[0], BYTES, *arguments[:2]))
        loaded.align = 1
        return builder.select(builder.icmp_unsigned("!=", loaded, _zeros(BYTES)), arguments[2], _zeros(FLOATS))

    return LANES_TYPE(decisions, types.intp, LANES_TYPE), generate


@instruction(plain.some)
def some(_context: Any, lanes: Any) -> Any:
    """`some(lanes)`: whether any lane is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        mask = ir.IntType(LANES)
        found = builder.bitcast(builder.fcmp_unordered("!=", arguments[0], _zeros(FLOATS)), mask)
        return builder.icmp_unsigned("!=", found, mask(0))

    return types.boolean(LANES_TYPE), generate


@instruction(plain.total)
def total(_context: Any, lanes: Any) -> Any:
    """`total(lanes)`: the sum of all lanes, halves added to halves."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        whole, width = arguments[0], LANES
        while width > 1:
            width //= 2
            halves = [
                builder.shuffle_vector(
                    whole, whole, ir.Constant(ir.VectorType(ir.IntType(32), width), [*range(start, start + width)])
                )
                for start in (0, width)
            ]
            whole = builder.fadd(*halves)
        return builder.extract_element(whole, ir.IntType(32)(0))

    return types.float64(LANES_TYPE), generate


@instruction(plain.has_room)
def has_room(_context: Any) -> Any:
    """`has_room()`: whether a dozen `Lanes` fit into the registers of the processor that is compiled for (AVX-512)."""

    def generate(context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), int("+avx512f" in str(context.codegen().magic_tuple())))

    return types.boolean(), generate


@instruction(plain.fused)
def fused(_context: Any, a: Any, b: Any, c: Any) -> Any:
    """`fused(a, b, c)`: `a * b + c`, rounded once."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(FLOATS, [FLOATS] * 3)
        fma = build.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64")
        return builder.call(fma, arguments)

    return LANES_TYPE(LANES_TYPE, LANES_TYPE, LANES_TYPE), generate


@overload(plain.fused_once, strict=False)
def _fused_once(a: Any, b: Any, c: Any) -> Any:
    """What the twin of `fused` does when it is compiled: the same for numbers."""
    return lambda a, b, c: _fused_number(a, b, c)


@intrinsic
def _fused_number(_context: Any, a: Any, b: Any, c: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        fma = build.get_or_insert_function(builder.module, ir.FunctionType(DOUBLE, [DOUBLE] * 3), "llvm.fma.f64")
        return builder.call(fma, arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


def _by_lane(symbol: Any, instruction: str) -> None:
    """Give two `Lanes` an operator."""

    @intrinsic
    def apply(_context: Any, a: Any, b: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return LANES_TYPE(LANES_TYPE, LANES_TYPE), generate

    @overload(symbol, strict=False, inline="always")
    def operate(a: Any, b: Any) -> Any:
        return (lambda a, b: apply(a, b)) if (a, b) == (LANES_TYPE, LANES_TYPE) else None


_by_lane(operator.add, "fadd")
_by_lane(operator.sub, "fsub")
