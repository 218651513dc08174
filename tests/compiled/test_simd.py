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
from pigevo.compiled.simd import LANES, load, total
from tests.compiled.examples import CALLS, digests, every_instruction
from tests.small import environment_of_a_process

RANDOM = np.random.default_rng(0)
PACKAGE = Path(pigevo.__file__).parent
KERNEL_MODULES = [
    importlib.import_module(f"pigevo.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}")
    for path in sorted(PACKAGE.rglob("*kernels.py"))
]


def test_a_fused_product_is_rounded_once():
    numbers = [*RANDOM.normal(size=60), 0.0, 1.0, 5e-324, 1e-308, 1e300]
    for a, b in zip(numbers, reversed(numbers), strict=True):
        for c in (-a * b, 1.0, 0.0, -1e-320):
            assert simd_reference.fused_once(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_the_total_adds_halves_to_halves():
    numbers = RANDOM.normal(size=LANES)
    halves = numbers
    while len(halves) > 1:
        halves = halves[: len(halves) // 2] + halves[len(halves) // 2 :]
    assert numba.njit(lambda a: total(load(a, 0)))(numbers) == halves[0]


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
    return any(isinstance(x, _Intrinsic) or (isinstance(x, Kernel) and instructs(x)) for x in used(kernel))


def members(kind):
    """All objects of a kind in the modules of kernels."""
    return {value for module in KERNEL_MODULES for value in vars(module).values() if isinstance(value, kind)}


def test_every_kernel_with_an_instruction_is_among_the_examples_or_part_of_one_that_is():
    kernels = members(Kernel)
    parts = {id(part) for kernel in kernels for part in used(kernel)}
    assert {kernel for kernel in kernels if instructs(kernel) and id(kernel) not in parts} == set(CALLS) - {
        every_instruction
    }
    instructions = {value for value in vars(pigevo.compiled.simd).values() if isinstance(value, _Intrinsic)}
    assert instructions <= set(used(every_instruction))


def test_every_kernel_of_pigevo_is_called_in_a_way_that_ctrl_c_is_safe():
    assert members(numba.core.registry.CPUDispatcher) == set()
