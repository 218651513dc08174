"""Hand-written instructions and their plain twins: the same to the bit, and one in the place of the other if not."""

import importlib
import logging
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest

import pigevo
from pigevo.compiled import simd_reference as plain
from pigevo.compiled import verified_kernel
from pigevo.compiled.interruptible import Kernel
from pigevo.compiled.simd_bits import COINS, choose, eight, pack_cells
from pigevo.compiled.simd_floats import (
    LANES,
    copy_bytes,
    fused,
    has_room,
    load,
    load_column,
    some,
    spread,
    store,
    total,
    where,
)
from pigevo.compiled.verified_kernel import Compared, _copy, _equal, in_loops, instruction, interpreted
from pigevo.simulation.dice_kernels import wide_product

RANDOM = np.random.default_rng(3)
PACKAGE = Path(pigevo.__file__).parent
KERNEL_MODULES = [
    f"pigevo.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}"
    for path in sorted(PACKAGE.rglob("*.py"))
    if "kernels" in path.name or path.name == "philox.py"
]


@numba.njit
def every_instruction(a, b, c, bytes_, words, out, packed):
    """Does something with each of them; what comes of it stands in `out` and `packed`."""
    lanes = fused(load(a, 3), load(b, 0), load(c, 5)) + load_column(a, 1) - spread(b[2, 1])
    store(lanes, out, 0)
    store(where(bytes_, 9, lanes), out, LANES)
    out[2, 0] = total(lanes)
    out[2, 1] = some(where(bytes_, 0, lanes)) + 2 * some(spread(0.0))
    out[2, 2] = has_room() * 0.0  # twins have none: nothing but the speed may depend on it
    copy_bytes(bytes_, 4, 30, packed)
    choose(bytes_, 5, bytes_, 70, words[1], packed, COINS)
    packed[3 * COINS] = eight(bytes_, 11)
    pack_cells(bytes_, 5, packed, 3 * COINS + 1)
    for n in range(words.size):
        high, low = wide_product(words[n], words[-1 - n])
        words[n] = high ^ (low << np.uint64(1))


def arguments():
    for _ in range(20):
        a, b, c = 10.0 ** RANDOM.uniform(-200, 5, (3, LANES, LANES + 8))
        c *= RANDOM.choice([-1, 1], c.shape)
        a[RANDOM.random(a.shape) < 0.1] = 0
        bytes_ = (
            RANDOM.integers(0, 3, 4 * COINS, dtype=np.uint8) % 2 * RANDOM.integers(1, 256, 4 * COINS, dtype=np.uint8)
        )
        words = RANDOM.integers(0, 2**64, 6, dtype=np.uint64)
        yield a, b, c, bytes_, words, np.zeros((3, LANES)), np.zeros(4 * COINS, np.uint8)


def test_every_instruction_has_a_twin_that_does_the_same_in_python_and_in_loops():
    loops, python = in_loops(every_instruction), interpreted(every_instruction)
    for given in arguments():
        results = [_copy(given, None) for _ in range(3)]
        for function, copy in zip((every_instruction, loops, python), results, strict=True):
            function(*copy)
        assert _equal(results[0], results[1])
        assert _equal(results[0], results[2])
        assert results[0][5].any()
        assert results[0][6].any()
    used = {verified_kernel._plain.get(id(globals().get(name))) for name in every_instruction.py_func.__code__.co_names}
    assert used - {None} == {one for one in verified_kernel._plain.values() if one.__module__ == plain.__name__}


def test_a_fused_product_is_rounded_once_in_python_too():
    numbers = [*RANDOM.normal(size=60), 0.0, 1.0, 5e-324, 1e-308, 1e300]
    for a, b in zip(numbers, reversed(numbers), strict=True):
        for c in (-a * b, 1.0, 0.0, -1e-320):
            assert plain.fused_once(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def entries():
    """The kernels that stand for themselves and have instructions, and are therefore compared."""
    found = {}
    for name in KERNEL_MODULES:
        found |= {f"{name}.{key}": one.call for key, one in vars(importlib.import_module(name)).items()
                  if isinstance(one, Kernel) and isinstance(one.call, Compared) and one.py_func.__module__ == name}  # fmt: skip
    return found


@pytest.mark.parametrize("name", entries())
def test_the_examples_of_a_kernel_are_the_same_in_python(name):
    kernel = entries()[name]
    assert kernel._same(kernel.compiled, None)


@pytest.mark.long
@pytest.mark.parametrize("name", entries())
def test_the_examples_of_a_kernel_are_the_same_in_compiled_loops(name):
    kernel = entries()[name]
    assert kernel._same(in_loops(kernel.compiled), None)


def instructs(kernel):
    """Whether there is an instruction in a kernel, or in one that it calls."""
    named = [kernel.py_func.__globals__.get(name) for name in kernel.py_func.__code__.co_names]
    return any(id(one) in verified_kernel._plain or (hasattr(one, "py_func") and instructs(one)) for one in named)


def test_every_kernel_with_an_instruction_is_compared_or_part_of_one_that_is():
    members = [one for name in KERNEL_MODULES for one in vars(importlib.import_module(name)).values()]
    kernels = {id(one): one for one in members if isinstance(one, Kernel)}
    parts = {
        id(function.__globals__.get(name))
        for function in (one.py_func for one in kernels.values()) for name in function.__code__.co_names
    }  # fmt: skip
    alone = {one.py_func.__qualname__ for key, one in kernels.items() if instructs(one) and key not in parts}
    assert alone == {one.compiled.py_func.__qualname__ for one in entries().values()}
    assert len(alone) >= 8


def wrong(_context, lanes):
    """An instruction that gives the first lane instead of the sum."""

    def generate(_context, builder, _signature, arguments):
        from llvmlite import ir

        return builder.extract_element(arguments[0], ir.IntType(32)(0))

    return numba.types.float64(lanes), generate


def unknown_type(_context, lanes):
    """An instruction that llvmlite refuses."""

    def generate(_context, builder, _signature, arguments):
        return builder.no_such_instruction(*arguments)

    return numba.types.float64(lanes), generate


def made(generator):
    """A kernel of one instruction, with the twin of `total`."""
    own_total = instruction(plain.total)(generator)
    namespace = {"load": load, "own_total": own_total}
    exec("def summed(a, offset):\n    return own_total(load(a, 0)) + offset", namespace)
    namespace["summed"].__module__ = __name__
    return numba.njit(namespace["summed"])


def examples():
    yield np.arange(1.0, LANES + 1), 0.5


@pytest.mark.parametrize(
    ("generator", "told"),
    [(wrong, "gives other results here"), (unknown_type, "cannot be built here (AttributeError)")],
)
def test_what_differs_or_cannot_be_built_is_replaced_by_its_twin_with_a_word(generator, told, caplog, tmp_path):
    kernel = Compared(made(generator), examples, tmp_path)
    for offset in (2.0, 3.0):
        assert kernel(np.full(LANES, 2.0), offset) == 2 * LANES + offset
    warned = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warned == [f"the fast code of summed {told}: plain loops take its place, which are slower"]
    assert hasattr(kernel._twin, "py_func")
    assert list(tmp_path.iterdir()) == []  # the next process finds it out again


def test_where_the_loops_cannot_be_built_either_python_does_it(monkeypatch, tmp_path):
    kernel = Compared(made(wrong), examples, tmp_path)
    monkeypatch.setattr(verified_kernel, "in_loops", lambda _: made(unknown_type))
    assert kernel(np.full(LANES, 2.0), 1.0) == 2 * LANES + 1
    assert not hasattr(kernel._twin, "py_func")


def test_it_is_compared_once_for_each_signature_and_never_again_where_that_is_written(tmp_path):
    asked = []

    def counted():
        asked.append(1)
        yield from examples()

    compiled = made(lambda context, lanes: total._defn(context, lanes))
    kernel = Compared(compiled, counted, tmp_path)
    read_only = np.full(LANES, 2.0)
    read_only.flags.writeable = False
    assert [kernel(a, 1.0) for a in (np.full(LANES, 2.0), np.ones(LANES))] == [2 * LANES + 1, LANES + 1]
    assert (len(asked), len(list(tmp_path.iterdir()))) == (1, 1)
    assert len(compiled.overloads) == 1
    assert kernel(read_only, 1.0) == 2 * LANES + 1
    assert len(asked) == 2
    assert len(compiled.overloads) == 2  # the examples were as read-only as the call
    later = Compared(made(lambda context, lanes: total._defn(context, lanes)), counted, tmp_path)
    assert later(np.full(LANES, 2.0), 1.0) == 2 * LANES + 1
    assert len(asked) == 2
    assert Compared(compiled, counted, None)(np.ones(LANES), 1.0) == LANES + 1
    assert len(asked) == 3


def test_a_lack_of_memory_is_no_reason_for_the_twin():
    class Full:
        py_func, overloads = staticmethod(lambda: None), ()

        def __call__(self):
            raise MemoryError

    with pytest.raises(MemoryError):
        Compared(Full(), examples, None)()


def test_the_word_is_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        Compared(made(wrong), examples, None)(np.ones(LANES), 0.0)
    assert len(caplog.records) == 1
