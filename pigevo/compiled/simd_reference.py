"""Plain loops that give the same bits as the instructions of `pigevo.compiled.simd`, in Python and compiled.

Tests compare each function with the instruction of the same name.  The docstring of `simd` says when a function
replaces its instruction.  Here a `Lanes` is an array of `LANES` floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import extending as _extending
from numba import types
from numba.core import cgutils as _cgutils

from pigevo.compiled.cache import NumbaObject
from pigevo.core.arrays import Bytes, Floats

LANES, COINS, CELLS = 16, 64, 8

extending: NumbaObject = _extending
build: NumbaObject = _cgutils


def spread(number: float) -> Floats:
    """The number in every lane."""
    return np.full(LANES, number)


def load(array: Floats, index: int) -> Floats:
    """The floats from `index` on."""
    lanes = np.empty(LANES)
    flat = array.reshape(-1)
    for lane in range(LANES):
        lanes[lane] = flat[index + lane]
    return lanes


def load_column(array: Floats, index: int) -> Floats:
    """Floats, each `LANES` after the one before."""
    lanes = np.empty(LANES)
    flat = array.reshape(-1)
    for lane in range(LANES):
        lanes[lane] = flat[index + lane * LANES]
    return lanes


def store(lanes: Floats, array: Floats, index: int) -> None:
    """Write the lanes where `load` would read them."""
    flat = array.reshape(-1)
    for lane in range(LANES):
        flat[index + lane] = lanes[lane]


def copy_bytes(source: Bytes, index: int, count: int, target: Bytes) -> None:
    """Bytes from `index` on to the beginning of `target`."""
    flat = source.reshape(-1)
    for n in range(count):
        target[n] = flat[index + n]


def equal_bytes(array: Bytes, first: int, second: int) -> bool:
    """Whether `LANES` bytes from two indices on are equal."""
    flat = array.reshape(-1)
    for lane in range(LANES):  # noqa: SIM110  (numba compiles no generator)
        if flat[first + lane] != flat[second + lane]:
            return False
    return True


def all_nonzero(array: Bytes, index: int) -> bool:
    """Whether none of the `LANES` bytes from `index` on is 0."""
    flat = array.reshape(-1)
    for lane in range(LANES):  # noqa: SIM110  (numba compiles no generator)
        if flat[index + lane] == 0:
            return False
    return True


def where(decisions: Bytes, index: int, lanes: Floats) -> Floats:
    """The lanes where the byte of the lane is 1, and 0 where it is 0."""
    kept, flat = np.zeros(LANES), decisions.reshape(-1)
    for lane in range(LANES):
        if flat[index + lane] != 0:
            kept[lane] = lanes[lane]
    return kept


def any_nonzero(lanes: Floats) -> bool:
    """Whether any lane is not 0."""
    for lane in range(LANES):  # noqa: SIM110  (numba compiles no generator)
        if lanes[lane] != 0:
            return True
    return False


def total(lanes: Floats) -> float:
    """The sum of all lanes, halves added to halves."""
    sums, width = lanes.copy(), LANES
    while width > 1:
        width //= 2
        for lane in range(width):
            sums[lane] += sums[lane + width]
    return float(sums[0])


def fused(a: Floats, b: Floats, c: Floats) -> Floats:
    """`a * b + c`, rounded once, lane by lane."""
    lanes = np.empty(LANES)
    for lane in range(LANES):
        lanes[lane] = fused_once(a[lane], b[lane], c[lane])
    return lanes


def fused_once(a: float, b: float, c: float) -> float:
    """`a * b + c` of numbers, rounded once, computed with integers, whose quotient Python rounds correctly."""
    rough = float(a) * float(b) + float(c)
    if a == 0 or b == 0 or not math.isfinite(rough):
        return rough
    (m, p), (n, q), (k, r) = (float(number).as_integer_ratio() for number in (a, b, c))
    return (m * n * r + k * p * q) / (p * q * r)


@extending.overload(fused_once, strict=False)  # type: ignore[untyped-decorator]
def _fused_once(a: object, b: object, c: object) -> Callable[[float, float, float], float]:
    """The same in compiled code."""
    return lambda a, b, c: _fma(a, b, c)


@extending.intrinsic  # type: ignore[untyped-decorator]
def _fma(_context: object, a: object, b: object, c: object) -> tuple[object, Callable[..., object]]:
    def generate(
        _context: object, builder: ir.IRBuilder, _signature: object, arguments: tuple[ir.Value, ...]
    ) -> ir.Value:
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * 3)
        return builder.call(build.get_or_insert_function(builder.module, kind, "llvm.fma.f64"), arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


def choose_bytes(
    first: Bytes,
    first_index: int,
    second: Bytes,
    second_index: int,
    coins: np.uint64,
    target: Bytes,
    index: int,
) -> None:
    """64 bytes to `target`, from `index` on: where a bit of `coins` is 1 of `second`, otherwise of `first`."""
    for n in range(COINS):
        coin = (coins >> np.uint64(n)) & np.uint64(1)
        target[index + n] = second[second_index + n] if coin else first[first_index + n]


def pack_cells(cells: Bytes, index: int, target: Bytes, byte: int) -> None:
    """64 cells from `index` on as 8 bytes, from `byte` on."""
    flat = cells.reshape(-1)
    for n in range(CELLS):
        packed = 0
        for m in range(CELLS):
            if flat[index + n * CELLS + m] != 0:
                packed |= 1 << (CELLS - 1 - m)
        target[byte + n] = packed


def wide_product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The upper and the lower 64 bits of a product, from products of halves."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    lowest = (a & low) * (b & low)
    middle = (a >> half) * (b & low) + (lowest >> half)
    cross = (a & low) * (b >> half) + (middle & low)
    return (a >> half) * (b >> half) + (middle >> half) + (cross >> half), (cross << half) | (lowest & low)
