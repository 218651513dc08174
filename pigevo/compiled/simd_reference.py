"""What `simd_floats`, `simd_bits` and the dice's wide product do, in plain loops and slices.

Each function is the twin of the one of its name: the same to the bit, in Python and compiled.
It is what the hand-written code is compared with, and takes its place where that cannot be
built, gives anything else, or where numba compiles nothing (`NUMBA_DISABLE_JIT`) or checks
every place (`NUMBA_BOUNDSCHECK`).  A `Lanes` is an array of `LANES` floats here.
"""

from __future__ import annotations

import math

import numpy as np

from pigevo.core.arrays import Bytes, Floats

LANES, COINS, CELLS = 16, 64, 8


def spread(number: float) -> Floats:
    """The number in every lane."""
    return np.full(LANES, number)


def load(array: Floats, place: int) -> Floats:
    """The floats from `place` on."""
    lanes = np.empty(LANES)
    flat = array.reshape(-1)
    for lane in range(LANES):
        lanes[lane] = flat[place + lane]
    return lanes


def load_column(array: Floats, place: int) -> Floats:
    """Floats, each `LANES` after the one before."""
    lanes = np.empty(LANES)
    flat = array.reshape(-1)
    for lane in range(LANES):
        lanes[lane] = flat[place + lane * LANES]
    return lanes


def store(lanes: Floats, array: Floats, place: int) -> None:
    """Write the lanes where `load` would read them."""
    flat = array.reshape(-1)
    for lane in range(LANES):
        flat[place + lane] = lanes[lane]


def copy_bytes(source: Bytes, place: int, count: int, target: Bytes) -> None:
    """Bytes from `place` on to the beginning of `target`."""
    flat = source.reshape(-1)
    for n in range(count):
        target[n] = flat[place + n]


def where(decisions: Bytes, place: int, lanes: Floats) -> Floats:
    """The lanes whose byte is not 0; the others are 0."""
    kept = np.zeros(LANES)
    for lane in range(LANES):
        if decisions[place + lane] != 0:
            kept[lane] = lanes[lane]
    return kept


def some(lanes: Floats) -> bool:
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


def has_room() -> bool:
    """Whether a dozen `Lanes` fit into registers; what is done then, and else, gives the same."""
    return False


def fused(a: Floats, b: Floats, c: Floats) -> Floats:
    """`a * b + c`, rounded once, lane by lane."""
    lanes = np.empty(LANES)
    for lane in range(LANES):
        lanes[lane] = fused_once(a[lane], b[lane], c[lane])
    return lanes


def fused_once(a: float, b: float, c: float) -> float:
    """`a * b + c` of numbers, rounded once: by whole numbers, whose quotient Python rounds rightly."""
    rough = float(a) * float(b) + float(c)
    if a == 0 or b == 0 or not math.isfinite(rough):
        return rough
    (m, p), (n, q), (k, r) = (float(number).as_integer_ratio() for number in (a, b, c))
    return (m * n * r + k * p * q) / (p * q * r)


def choose(first: Bytes, one: int, second: Bytes, two: int, coins: np.uint64, target: Bytes, place: int) -> None:
    """64 bytes to `target`, from `place` on: where a bit of `coins` is 1 of `second`, otherwise of `first`."""
    for n in range(COINS):
        coin = (coins >> np.uint64(n)) & np.uint64(1)
        target[place + n] = second[two + n] if coin else first[one + n]


def eight(cells: Bytes, place: int) -> int:
    """A byte of which bit 7 - n says whether `cells[place + n]` is not 0."""
    flat = cells.reshape(-1)
    byte = 0
    for n in range(CELLS):
        if flat[place + n] != 0:
            byte |= 1 << (CELLS - 1 - n)
    return byte


def pack_cells(cells: Bytes, place: int, target: Bytes, byte: int) -> None:
    """64 cells from `place` on as 8 bytes, from `byte` on."""
    flat = cells.reshape(-1)
    for n in range(CELLS):
        packed = 0
        for m in range(CELLS):
            if flat[place + n * CELLS + m] != 0:
                packed |= 1 << (CELLS - 1 - m)
        target[byte + n] = packed


def wide_product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The upper and the lower 64 bits of a product, from products of halves."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    lowest = (a & low) * (b & low)
    middle = (a >> half) * (b & low) + (lowest >> half)
    other = (a & low) * (b >> half) + (middle & low)
    return (a >> half) * (b >> half) + (middle >> half) + (other >> half), (other << half) | (lowest & low)
