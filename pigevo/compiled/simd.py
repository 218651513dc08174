"""SIMD instructions in compiled code, for loops that LLVM does not vectorise by itself.

LLVM does not vectorise a loop over several arrays, or checks for every row that they do not overlap, and it may not
reorder a sum.  So the loops of the exact engine state which numbers are processed together.  A `Lanes` is a vector of
`LANES` floats; `+`, `-`, `*` and `fused` work lane by lane.  Only `fused` fuses a product with a sum, and `total` adds
the lanes in one fixed order.  Results are equal to the bit on every machine: a machine with narrower registers uses
several of them for one `Lanes`.  LLVM does not find vector instructions between bits and bytes either: a gene is a
byte, a coin is a bit of a random word, and the simulator reads decisions as bits.

Each instruction has a plain twin of the same name in `pigevo.compiled.simd_reference`, equal to the bit; tests compare
the two.  The twin replaces the instruction where numba compiles nothing (`NUMBA_DISABLE_JIT`), and where numba checks
every index of an array (`NUMBA_BOUNDSCHECK`), which these instructions cannot do.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeAlias

import numba
from llvmlite import ir
from numba import extending as _extending
from numba import types
from numba.core import cgutils as _cgutils
from numba.core import registry as _registry
from numba.extending import models, overload, register_model

from pigevo.compiled.cache import NumbaObject, numba_settings

LANES, COINS, CELLS = 16, 64, 8
"""The number of floats in a `Lanes`, of coins in a random word, and of cells in a byte of packed decisions."""

Vector: TypeAlias = Any
"""What an instruction takes or gives in a kernel, such as `Lanes`; numba knows its type when it compiles the kernel."""

Kinds = Sequence[types.Type]
"""Numba's types of an instruction's arguments."""

build: NumbaObject = _cgutils
intrinsic: NumbaObject = _extending.intrinsic
registry: NumbaObject = _registry

HAS_WIDE_REGISTERS = "+avx512f" in str(registry.cpu_target.target_context.codegen().magic_tuple())
"""Whether the processor for which numba compiles has registers for a dozen `Lanes` (AVX-512)."""

DOUBLE, BYTE, INDEX, WORD = ir.DoubleType(), ir.IntType(8), ir.IntType(32), ir.IntType(64)
FLOATS, BYTES = ir.VectorType(DOUBLE, LANES), ir.VectorType(BYTE, LANES)
TWO_WORDS: NumbaObject = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]


def instruction(signature: Callable[..., object]) -> Callable[[Callable[..., object]], Callable[..., Vector]]:
    """Decorator for a function that generates LLVM instructions: numba's `intrinsic`, or its plain reference.

    Args:
        signature: returns the instruction's signature, given numba's types of the arguments.
    """

    def decorate(generate: Callable[..., object]) -> Callable[..., Vector]:
        if numba_settings.DISABLE_JIT or numba_settings.BOUNDSCHECK:
            plain: Callable[..., Vector] = getattr(import_module("pigevo.compiled.simd_reference"), generate.__name__)
            return plain if numba_settings.DISABLE_JIT else numba.njit(plain)

        def typed(_context: object, *kinds: object) -> tuple[object, Callable[..., object]]:
            return signature(*kinds), lambda context, builder, of, arguments: generate(
                context, builder, of.args, *arguments
            )

        context = inspect.signature(typed).parameters["_context"]
        named = [context.replace(name=name) for name in ("_context", *inspect.signature(signature).parameters)]
        typed.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]  # numba looks for the names
        typed.__name__, typed.__doc__ = generate.__name__, generate.__doc__
        compiled: Callable[..., Vector] = intrinsic(typed)
        return compiled

    return decorate


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES_TYPE = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: object) -> None:
        super().__init__(manager, kind, FLOATS)  # type: ignore[no-untyped-call]


def _zeros(of: ir.VectorType) -> ir.Value:
    return ir.Constant(of, [0] * of.count)


def _address(
    context: NumbaObject, builder: ir.IRBuilder, kind: types.Type, of: ir.Type, array: ir.Value, index: ir.Value
) -> ir.Value:
    """A pointer of type `of` to element number `index` of an array."""
    start = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(start, [index]), of.as_pointer())


@instruction(lambda number: LANES_TYPE(types.float64))
def spread(_context: NumbaObject, builder: ir.IRBuilder, _kinds: Kinds, number: ir.Value) -> ir.Value:
    """`spread(x)`: the float `x` in every lane."""
    first_lane = builder.insert_element(ir.Constant(FLOATS, ir.Undefined), number, INDEX(0))
    return builder.shuffle_vector(first_lane, first_lane, _zeros(ir.VectorType(INDEX, LANES)))


@instruction(lambda array, index: LANES_TYPE(array, types.intp))
def load(context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, array: ir.Value, index: ir.Value) -> ir.Value:
    """`load(array, index)`: the floats from `index` on, counted along the memory of a contiguous array."""
    return builder.load(_address(context, builder, kinds[0], FLOATS, array, index), align=8)


@instruction(lambda array, index: LANES_TYPE(array, types.intp))
def load_column(
    context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, array: ir.Value, index: ir.Value
) -> ir.Value:
    """`load_column(array, index)`: `LANES` floats, each `LANES` after the one before."""
    column = ir.Constant(FLOATS, ir.Undefined)
    for lane in range(LANES):
        address = _address(context, builder, kinds[0], DOUBLE, array, builder.add(index, index.type(lane * LANES)))
        column = builder.insert_element(column, builder.load(address), INDEX(lane))
    return column


@instruction(lambda lanes, array, index: types.void(LANES_TYPE, array, types.intp))
def store(
    context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, lanes: ir.Value, array: ir.Value, index: ir.Value
) -> ir.Value:
    """`store(lanes, array, index)`: write the lanes where `load` would read them."""
    builder.store(lanes, _address(context, builder, kinds[1], FLOATS, array, index), align=8)
    return context.get_dummy_value()


@instruction(lambda source, index, count, target: types.void(source, types.intp, types.intp, target))
def copy_bytes(
    context: NumbaObject,
    builder: ir.IRBuilder,
    kinds: Kinds,
    source: ir.Value,
    index: ir.Value,
    count: ir.Value,
    target: ir.Value,
) -> ir.Value:
    """`copy_bytes(source, index, count, target)`: bytes from `index` on to the beginning of `target`."""
    read = _address(context, builder, kinds[0], BYTE, source, index)
    build.raw_memcpy(builder, context.make_array(kinds[3])(context, builder, target).data, read, count, 1)
    return context.get_dummy_value()


@instruction(lambda array, first, second: types.boolean(array, types.intp, types.intp))
def equal_bytes(
    context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, array: ir.Value, first: ir.Value, second: ir.Value
) -> ir.Value:
    """`equal_bytes(array, first, second)`: whether `LANES` bytes from two indices on are equal."""
    loaded = [
        builder.load(_address(context, builder, kinds[0], BYTES, array, index), align=1) for index in (first, second)
    ]
    register = ir.IntType(LANES * 8)
    return builder.icmp_unsigned("==", *(builder.bitcast(lanes, register) for lanes in loaded))


@instruction(lambda decisions, index, lanes: LANES_TYPE(decisions, types.intp, LANES_TYPE))
def where(
    context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, decisions: ir.Value, index: ir.Value, lanes: ir.Value
) -> ir.Value:
    """`where(decisions, index, lanes)`: the lanes where the byte, from `index` on, is 1, and 0 where it is 0."""
    loaded = builder.load(_address(context, builder, kinds[0], BYTES, decisions, index), align=1)
    if HAS_WIDE_REGISTERS:  # a comparison gives a mask
        return builder.select(builder.icmp_unsigned("!=", loaded, _zeros(BYTES)), lanes, _zeros(FLOATS))
    # A byte becomes a word while it is loaded; the result of a comparison of bytes would become one in several steps.
    words = ir.VectorType(WORD, LANES)
    mask = builder.sub(_zeros(words), builder.zext(loaded, words))
    return builder.bitcast(builder.and_(mask, builder.bitcast(lanes, words)), FLOATS)


@instruction(lambda decisions, index: types.boolean(decisions, types.intp))
def all_nonzero(
    context: NumbaObject, builder: ir.IRBuilder, kinds: Kinds, decisions: ir.Value, index: ir.Value
) -> ir.Value:
    """`all_nonzero(decisions, index)`: whether none of the `LANES` bytes from `index` on is 0."""
    loaded = builder.load(_address(context, builder, kinds[0], BYTES, decisions, index), align=1)
    zeros, register = builder.icmp_unsigned("==", loaded, _zeros(BYTES)), ir.IntType(LANES)
    return builder.icmp_unsigned("==", builder.bitcast(zeros, register), register(0))


@instruction(lambda lanes: types.boolean(LANES_TYPE))
def any_nonzero(_context: NumbaObject, builder: ir.IRBuilder, _kinds: Kinds, lanes: ir.Value) -> ir.Value:
    """`any_nonzero(lanes)`: whether any lane is not 0."""
    width, bits = LANES, builder.bitcast(lanes, ir.VectorType(WORD, LANES))
    while width > 4:
        width //= 2
        halves = [ir.Constant(ir.VectorType(INDEX, width), [*range(start, start + width)]) for start in (0, width)]
        bits = builder.or_(*(builder.shuffle_vector(bits, bits, half) for half in halves))
    register = ir.IntType(width * 64)
    return builder.icmp_unsigned("!=", builder.bitcast(bits, register), register(0))


@instruction(lambda lanes: types.float64(LANES_TYPE))
def total(_context: NumbaObject, builder: ir.IRBuilder, _kinds: Kinds, lanes: ir.Value) -> ir.Value:
    """`total(lanes)`: the sum of all lanes, halves added to halves."""
    width = LANES
    while width > 1:
        width //= 2
        halves = [ir.Constant(ir.VectorType(INDEX, width), [*range(start, start + width)]) for start in (0, width)]
        lanes = builder.fadd(*(builder.shuffle_vector(lanes, lanes, half) for half in halves))
    return builder.extract_element(lanes, INDEX(0))


@instruction(lambda a, b, c: LANES_TYPE(LANES_TYPE, LANES_TYPE, LANES_TYPE))
def fused(
    _context: NumbaObject, builder: ir.IRBuilder, _kinds: Kinds, a: ir.Value, b: ir.Value, c: ir.Value
) -> ir.Value:
    """`fused(a, b, c)`: `a * b + c`, rounded once."""
    kind = ir.FunctionType(FLOATS, [FLOATS] * 3)
    fma = build.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64")
    return builder.call(fma, (a, b, c))


def _by_lane(symbol: Callable[[object, object], object], name: str) -> None:
    """Define an arithmetic operator on two `Lanes`."""

    @intrinsic  # type: ignore[untyped-decorator]
    def apply(_context: object, a: object, b: object) -> tuple[object, Callable[..., object]]:
        return LANES_TYPE(LANES_TYPE, LANES_TYPE), lambda _, builder, __, both: getattr(builder, name)(*both)

    @overload(symbol, strict=False, inline="always")
    def operate(a: object, b: object) -> Callable[[Vector, Vector], Vector] | None:
        return (lambda a, b: apply(a, b)) if (a, b) == (LANES_TYPE, LANES_TYPE) else None


_by_lane(operator.add, "fadd")
_by_lane(operator.sub, "fsub")
_by_lane(operator.mul, "fmul")


@instruction(
    lambda first, first_index, second, second_index, coins, target, index: types.void(
        first, types.intp, second, types.intp, types.uint64, target, types.intp
    )
)
def choose_bytes(
    context: NumbaObject,
    builder: ir.IRBuilder,
    kinds: Kinds,
    first: ir.Value,
    first_index: ir.Value,
    second: ir.Value,
    second_index: ir.Value,
    coins: ir.Value,
    target: ir.Value,
    index: ir.Value,
) -> ir.Value:
    """`choose_bytes(first, first_index, second, second_index, coins, target, index)`: 64 bytes, by the bits of a word.

    Where a bit of `coins` is 1, the byte is that of `second`, from `second_index` on, otherwise that of `first`, from
    `first_index` on; they are written to `target`, from `index` on.
    """
    of = ir.VectorType(BYTE, COINS)
    ours = builder.load(_address(context, builder, kinds[0], of, first, first_index), align=1)
    theirs = builder.load(_address(context, builder, kinds[2], of, second, second_index), align=1)
    chosen = builder.select(builder.bitcast(coins, ir.VectorType(ir.IntType(1), COINS)), theirs, ours)
    builder.store(chosen, _address(context, builder, kinds[5], of, target, index), align=1)
    return context.get_dummy_value()


@instruction(lambda cells, index, target, byte: types.void(cells, types.intp, target, types.intp))
def pack_cells(
    context: NumbaObject,
    builder: ir.IRBuilder,
    kinds: Kinds,
    cells: ir.Value,
    index: ir.Value,
    target: ir.Value,
    byte: ir.Value,
) -> ir.Value:
    """`pack_cells(cells, index, target, byte)`: whether 64 cells from `index` on are not 0, as 8 bytes from `byte` on.

    The first cell of eight is the highest bit of its byte.
    """
    of, word = ir.VectorType(BYTE, COINS), ir.IntType(COINS)
    loaded = builder.load(_address(context, builder, kinds[0], of, cells, index), align=1)
    bits = builder.bitreverse(builder.bitcast(builder.icmp_unsigned("!=", loaded, _zeros(of)), word))
    builder.store(builder.bswap(bits), _address(context, builder, kinds[2], word, target, byte), align=1)
    return context.get_dummy_value()


@instruction(lambda a, b: TWO_WORDS(types.uint64, types.uint64))
def wide_product(context: NumbaObject, builder: ir.IRBuilder, _kinds: Kinds, a: ir.Value, b: ir.Value) -> ir.Value:
    """`wide_product(a, b)`: the upper and the lower 64 bits of a product, by one instruction; numba would use two."""
    wide, word = ir.IntType(128), ir.IntType(64)
    product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
    upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
    return context.make_tuple(builder, TWO_WORDS, [upper, builder.trunc(product, word)])
