"""The vectors of the exact engine's kernels do what their docstrings say, lane by lane."""

from fractions import Fraction

import numba
import numpy as np
import pytest

from pigevo.compiled.simd_floats import LANES, copy_bytes, fused, load, load_column, some, spread, store, total, where

NUMBERS = np.random.default_rng(0).normal(size=(3, LANES * LANES + 3))


def test_sums_differences_and_spreading():
    @numba.njit
    def calculate(a, out):
        store(load(a, 1) + load(a, 5), out, 0)
        store(load(a, 1) - load(a, 5), out, LANES)
        store(spread(2.5), out, 2 * LANES)

    a, out = NUMBERS[0], np.empty(3 * LANES)
    calculate(a, out)
    x, y = a[1 : 1 + LANES], a[5 : 5 + LANES]
    assert np.array_equal(out.reshape(3, LANES), [x + y, x - y, np.full(LANES, 2.5)])


def test_a_fused_product_is_rounded_once():
    @numba.njit
    def calculate(a, b, c, out):
        store(fused(load(a, 0), load(b, 0), load(c, 0)), out, 0)

    a, b, out = NUMBERS[0], NUMBERS[1], np.empty(LANES)
    c = -a * b  # what is left over is the error of the product, which rounding twice would lose
    calculate(a, b, c, out)
    exact = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in zip(a[:LANES], b, c, strict=False)]
    assert out.tolist() == exact
    assert any(exact)


def test_a_column_is_read_across_rows():
    @numba.njit
    def read(a, place, out):
        store(load_column(a, place), out, 0)

    out = np.empty(LANES)
    read(NUMBERS[0], 3, out)
    assert np.array_equal(out, NUMBERS[0][3::LANES][:LANES])


def test_the_total_adds_halves_to_halves():
    @numba.njit
    def add(a):
        return total(load(a, 0))

    halves = NUMBERS[0, :LANES]
    while len(halves) > 1:
        halves = halves[: len(halves) // 2] + halves[len(halves) // 2 :]
    assert add(NUMBERS[0]) == halves[0]


def test_where_keeps_the_lanes_decided_for():
    @numba.njit
    def keep(decisions, place, a, out):
        store(where(decisions, place, load(a, 0)), out, 0)

    decisions = (NUMBERS[1] > 0).astype(np.uint8)
    out = np.empty(LANES)
    keep(decisions, 7, NUMBERS[0], out)
    assert np.array_equal(out, NUMBERS[0, :LANES] * decisions[7 : 7 + LANES])
    assert 0 < np.count_nonzero(out) < LANES


@pytest.mark.parametrize("lane", [None, *range(LANES)])
def test_some_finds_any_lane(lane):
    @numba.njit
    def find(a):
        return some(load(a, 0))

    a = np.zeros(LANES)
    if lane is not None:
        a[lane] = -1e-300
    assert find(a) == (lane is not None)


def test_bytes_are_copied_from_a_place_on():
    @numba.njit
    def copy(source, target):
        copy_bytes(source, 5, 7, target)

    target = np.zeros(9, np.uint8)
    copy(np.arange(100, dtype=np.uint8), target)
    assert target.tolist() == [5, 6, 7, 8, 9, 10, 11, 0, 0]
