"""SIMD instructions do what their docstrings say, and kernels of them what plain loops do, to the bit."""

import importlib
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.extending import _Intrinsic

import pigevo
from pigevo.compiled import simd_reference
from pigevo.compiled.kernel import Kernel
from pigevo.compiled.simd import (
    COINS,
    LANES,
    choose,
    copy_bytes,
    fused,
    load,
    load_column,
    some,
    spread,
    store,
    total,
    where,
)
from tests.compiled.examples import CALLS, digests, every_instruction
from tests.small import environment_of_a_process

RANDOM = np.random.default_rng(0)
NUMBERS = RANDOM.normal(size=(3, LANES * LANES + 3))
PACKAGE = Path(pigevo.__file__).parent
KERNEL_MODULES = [
    importlib.import_module(f"pigevo.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}")
    for path in sorted(PACKAGE.rglob("*kernels.py"))
]


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


def test_a_fused_product_is_rounded_once_in_python_too():
    numbers = [*RANDOM.normal(size=60), 0.0, 1.0, 5e-324, 1e-308, 1e300]
    for a, b in zip(numbers, reversed(numbers), strict=True):
        for c in (-a * b, 1.0, 0.0, -1e-320):
            assert simd_reference.fused_once(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_a_column_is_read_across_rows_and_bytes_from_a_place_on():
    @numba.njit
    def read(a, place, out, source, target):
        store(load_column(a, place), out, 0)
        copy_bytes(source, 5, 7, target)

    out, target = np.empty(LANES), np.zeros(9, np.uint8)
    read(NUMBERS[0], 3, out, np.arange(100, dtype=np.uint8), target)
    assert np.array_equal(out, NUMBERS[0][3::LANES][:LANES])
    assert target.tolist() == [5, 6, 7, 8, 9, 10, 11, 0, 0]


def test_the_total_adds_halves_to_halves():
    @numba.njit
    def add(a):
        return total(load(a, 0))

    halves = NUMBERS[0, :LANES]
    while len(halves) > 1:
        halves = halves[: len(halves) // 2] + halves[len(halves) // 2 :]
    assert add(NUMBERS[0]) == halves[0]


def test_where_keeps_the_lanes_decided_for_and_some_finds_any():
    @numba.njit
    def keep(decisions, place, a, out):
        store(where(decisions, place, load(a, 0)), out, 0)
        return some(load(out, 0))

    decisions = (NUMBERS[1] > 0).astype(np.uint8)
    out = np.empty(LANES)
    keep(decisions, 7, NUMBERS[0], out)
    assert np.array_equal(out, NUMBERS[0, :LANES] * decisions[7 : 7 + LANES])
    assert 0 < np.count_nonzero(out) < LANES
    assert not keep(0 * decisions, 7, NUMBERS[0], out)
    for lane in range(LANES):
        assert keep((np.arange(LANES) == lane).astype(np.uint8), 0, np.full(LANES, -1e-300), out)


def test_choose_takes_the_second_byte_where_the_bit_is_1():
    @numba.njit
    def fill(first, second, coins, target):
        for number in range(coins.size):
            choose(first, number * COINS + 7, second, number * COINS + 2, coins[number], target, number * COINS)

    first, second = RANDOM.integers(0, 256, (2, 3 * COINS + 7), dtype=np.uint8)
    coins = RANDOM.integers(0, 2**64, 3, dtype=np.uint64)
    target = np.zeros(3 * COINS, np.uint8)
    fill(first, second, coins, target)
    bits = np.unpackbits(coins.astype("<u8").view(np.uint8), bitorder="little")
    assert np.array_equal(target, np.where(bits, second[2:-5], first[7:]))


def digests_of_a_process(**environment):
    done = subprocess.run(
        [sys.executable, "-m", "tests.compiled.examples"], capture_output=True, text=True, check=True,
        cwd=PACKAGE.parent, env=environment_of_a_process() | environment,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_kernels_give_the_same_in_plain_python_to_the_bit():
    assert digests() == digests_of_a_process(NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_kernels_give_the_same_in_compiled_loops_to_the_bit():
    assert digests() == digests_of_a_process(NUMBA_BOUNDSCHECK="1")


def used(kernel):
    """What a kernel names."""
    return [kernel.py_func.__globals__.get(name) for name in kernel.py_func.__code__.co_names]


def instructs(kernel):
    """Whether there is an instruction in a kernel, or in one that it calls."""
    return any(isinstance(one, _Intrinsic) or (isinstance(one, Kernel) and instructs(one)) for one in used(kernel))


def test_every_kernel_with_an_instruction_is_among_the_examples_or_part_of_one_that_is():
    kernels = {one for module in KERNEL_MODULES for one in vars(module).values() if isinstance(one, Kernel)}
    parts = {id(one) for kernel in kernels for one in used(kernel)}
    alone = {one for one in kernels if instructs(one) and id(one) not in parts}
    assert alone == set(CALLS) - {every_instruction}
    instructions = {one for one in vars(pigevo.compiled.simd).values() if isinstance(one, _Intrinsic)}
    assert instructions <= set(used(every_instruction))


def test_every_kernel_of_pigevo_is_called_in_a_way_that_ctrl_c_is_safe():
    raw = [one for module in KERNEL_MODULES for one in vars(module).values()
           if isinstance(one, numba.core.registry.CPUDispatcher)]  # fmt: skip
    assert raw == []
