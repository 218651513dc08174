"""Logarithms and powers made of sums and products are accurate, and the same on every processor."""

import ast
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from pigevo import dice
from pigevo.core.portable_math import exp, log, log1m, power
from pigevo.dice import Draw
from pigevo.evolution.fitness.archive import thinned
from tests.test_house import FILES, name_of, tree_of

EXPECTED = """
    -0x1.26bb1bbb55515p+1 -0x1.6d3c324e13f50p-2 0x1.48a11293d785bp-1 0x1.343774f3e2362p+2 -0x1.7069e2aa2aa5bp+3
    0x1.1aec7b35a00d4p+0 0x1.01c2a61268987p+1 0x1.abe5b1cd863f6p+2 0x1.1428e1cbc0143p+178 0x1.0000a7c5e340ep+0
    -0x1.0635a5955f867p-11 -0x1.cb8e83824f1bcp-9 -0x1.38c8b9feb14dap-7 -0x1.ebc050d460f21p-1 -0x1.ad7f2a5fefd13p-25
    0x1.f9f6e4990f226p+4 0x1.b51cb7a3e8261p+0 0x1.86fe570dfe800p-2 0x1.7e35a9bc426f6p-11 0x1.e286789a07f2ap+24
""".split()  # noqa: SIM905
RANDOM = np.random.default_rng(14)
FRACTIONS = np.concatenate(
    [RANDOM.random(400), 2.0 ** -RANDOM.uniform(1, 60, 200), [0.0, 2.0**-53, 1 - 2.0**-53, 0.25]]
)
NUMBERS = np.concatenate([RANDOM.random(300) * 3, 10.0 ** RANDOM.uniform(-300, 300, 200), [1.0, 2.0**-1074, 1.7e308]])


def off(value, exact):
    """The distance in units of the last place."""
    return float(abs(Decimal(float(value)) - exact) / Decimal(math.ulp(float(exact)) or 1))


def worst(function, exact, numbers):
    with localcontext() as context:
        context.prec = 60
        values = function(numbers)
        return max(off(value, exact(Decimal(float(x)))) for value, x in zip(values, numbers, strict=True))


def test_values_are_right_to_a_few_units_of_the_last_place():
    assert worst(log, Decimal.ln, NUMBERS) < 3
    assert worst(log1m, lambda x: (1 - x).ln(), FRACTIONS) < 3
    assert worst(exp, Decimal.exp, RANDOM.uniform(-50, 50, 500)) < 3
    for exponent in (-1.5, 2.5, 0.3):
        places = RANDOM.uniform(1, 2e5, 300)
        assert worst(lambda x, e=exponent: power(x, e), lambda x, e=exponent: (Decimal(e) * x.ln()).exp(), places) < 100


def test_powers_of_0_and_1_are_exact():
    assert power(np.array([0.0, 1.0, 4.0]), 0.5).tolist() == [0.0, 1.0, 2.0]
    assert power(np.array([0.0, 7.0]), 0).tolist() == [1.0, 1.0]
    assert power(np.array([0.0, 1.0]), -1.5).tolist() == [math.inf, 1.0]
    assert power(np.array([0.0, 1.0]), 2.5).tolist() == [0.0, 1.0]
    assert (exp(0.0), log(1.0), log1m(0.0), exp(-1e9), exp(1e9)) == (1, 0, 0, 0, math.inf)


def test_they_are_what_they_were_to_the_bit():
    """Made of what IEEE 754 rounds in one way, these hold on every processor."""
    numbers = np.array([0.1, 0.7, 1.9, 123.456, 1e-5])
    values = [
        float(x).hex() for f in (log, exp, lambda x: log1m(x / 200), lambda x: power(x, -1.5)) for x in f(numbers)
    ]
    assert values == EXPECTED


@pytest.mark.parametrize("probability", [0.5, 0.75, 0.1, 0.005, 1 - 2.0**-30, 1e-12])
def test_another_processor_s_logarithms_decide_no_position(monkeypatch, probability):
    """Where 1 - u is a power of 1 - p the gap is whole: a last bit would decide."""
    uniforms = Draw(1, "mutation").uniforms(3000)
    whole = 1 - np.float64(1 - probability) ** np.arange(60)
    uniforms = np.concatenate([uniforms, whole[(whole >= 0) & (whole < 1)]])
    here = dice._positions_of_successes(uniforms, probability, 10**9)
    flips, true = np.random.default_rng(1), np.log1p

    def other(x):
        return true(x) * (1 + flips.integers(-4, 5, np.shape(x)) * 2.0**-52)

    monkeypatch.setattr(np, "log1p", other)
    for _ in range(10):
        assert np.array_equal(dice._positions_of_successes(uniforms, probability, 10**9), here)
    if probability in (0.5, 0.75):
        monkeypatch.setattr(dice, "CLOSE", -1.0)  # and it is this that keeps them
        assert not all(
            np.array_equal(dice._positions_of_successes(uniforms, probability, 10**9), here) for _ in range(10)
        )


def test_the_archive_is_thinned_as_by_logarithms():
    for seed in range(50):
        ages = np.sort(np.random.default_rng(seed).choice(5000, 30, replace=False) + 1)[::-1]
        expected = np.arange(len(ages))
        while len(expected) > 8:
            gaps = np.log(ages[expected][:-2]) - np.log(ages[expected][2:])
            expected = np.delete(expected, 1 + int(gaps.argmin()))
        assert np.array_equal(thinned(ages, 8), expected)


DECIDING = ("dice/__init__.py", "games", "strategies", "exact", "simulation", "evolution")
REPORTING = {
    "evolution/random_search.py", "evolution/diversity.py", "evolution/selection_pressure.py", "simulation/match.py",
}  # fmt: skip
"""Files that report on a run and decide nothing in it."""
FUNCTIONS = {
    "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "logaddexp", "pow", "power", "float_power", "cbrt", "sin",
    "cos", "tan", "tanh", "arctan", "arctanh", "hypot", "dot", "matmul", "einsum", "inner", "vdot", "lgamma", "gamma",
}  # fmt: skip
WHOLE = {
    "slots ** digits", "slots ** d", "slots ** n", "slots ** (digits - 1 - digit)", "target ** 2", "target ** 3",
    "game.target ** 3", "T ** 3", "sides ** 2",
}  # fmt: skip

GROWTH = {"(1 - part) ** k", "part ** 2", "factor ** (size * part)", "factor ** size", "2 ** self.rounds"}
"""In what a selection says of its growth, which reports compare with and which decides nothing."""


def processor_functions(path):
    """Functions and operators of a file whose last bit depends on the processor."""
    names = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np", "numpy", "math"):
            names += [node.attr] if node.attr in FUNCTIONS else []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            names.append("@")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            power = ast.unparse(node)
            whole = all(isinstance(side, ast.Constant | ast.UnaryOp) for side in (node.left, node.right))
            names += [] if whole or power in WHOLE | GROWTH else [power]
    return names


def test_nothing_that_decides_asks_the_processor_for_a_logarithm_or_a_power():
    """Beside the fast logarithm of `pigevo.dice`, whose close cases are decided otherwise."""
    deciding = [path for path in FILES if name_of(path).startswith(DECIDING) and name_of(path) not in REPORTING]
    used = {name_of(path): names for path in deciding if (names := processor_functions(path))}
    assert used == {"dice/__init__.py": ["log1p", "log1p"]}
