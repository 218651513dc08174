"""Bits and bytes side by side in compiled code.

A gene is a byte, a coin is a bit of a random word, and the arena wants decisions as bits:
LLVM finds no vector instructions for going from one to the other, so they are written down
here, each with a twin in `pigevo.compiled.simd_reference`.  Nothing here checks that an array is long enough.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from pigevo.compiled import simd_reference as plain
from pigevo.compiled.simd_floats import BYTE, address
from pigevo.compiled.verified_kernel import instruction

COINS, CELLS = plain.COINS, plain.CELLS


@instruction(plain.choose)
def choose(_context: Any, first: Any, one: Any, second: Any, two: Any, coins: Any, target: Any, place: Any) -> Any:
    """`choose(first, one, second, two, coins, target, place)`: 64 bytes to `target` from `place` on, by a word's bits.

    Where a bit of `coins` is 1 it is the byte of `second`, from `two` on, otherwise that of `first`, from `one` on.
    """
    bytes_ = ir.VectorType(BYTE, COINS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, a_place, b, b_place, bits, out, place = arguments
        kinds = signature.args
        ours, theirs = (
            builder.load(address(context, builder, kind, bytes_, array, at), align=1)
            for kind, array, at in ((kinds[0], a, a_place), (kinds[2], b, b_place))
        )
        chosen = builder.select(builder.bitcast(bits, ir.VectorType(ir.IntType(1), COINS)), theirs, ours)
        builder.store(chosen, address(context, builder, kinds[5], bytes_, out, place), align=1)
        return context.get_dummy_value()

    return types.void(first, types.intp, second, types.intp, types.uint64, target, types.intp), generate


@instruction(plain.eight)
def eight(_context: Any, cells: Any, place: Any) -> Any:
    """`eight(cells, place)`: a byte of which bit 7 - n says whether `cells[place + n]` is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _bits(builder, address(context, builder, signature.args[0], _cells(CELLS), *arguments), CELLS)

    return types.uint8(cells, types.intp), generate


@instruction(plain.pack_cells)
def pack_cells(_context: Any, cells: Any, place: Any, target: Any, byte: Any) -> Any:
    """`pack_cells(cells, place, target, byte)`: 64 cells from `place` on as 8 bytes like `eight`, from `byte` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        read = address(context, builder, signature.args[0], _cells(COINS), *arguments[:2])
        write = address(context, builder, signature.args[2], ir.IntType(COINS), *arguments[2:])
        builder.store(_bits(builder, read, COINS), write, align=1)
        return context.get_dummy_value()

    return types.void(cells, types.intp, target, types.intp), generate


def _cells(count: int) -> Any:
    return ir.VectorType(BYTE, count)


def _bits(builder: Any, read: Any, count: int) -> Any:
    """Whether `count` cells are not 0: bytes, the first in the lowest place, whose highest bits come first."""
    of = _cells(count)
    found = builder.icmp_unsigned("!=", builder.load(read, align=1), ir.Constant(of, [0] * count))
    bits = builder.bitreverse(builder.bitcast(found, ir.IntType(count)))
    return bits if count == CELLS else builder.bswap(bits)
