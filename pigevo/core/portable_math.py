"""Logarithms and powers that are identical to the bit on every processor.

numpy and the C library have several implementations and choose one by the processor's vector
instructions; their results sometimes differ in the last bit.  Where a random number is compared
with such a result, a difference would lead to another mutation.  The functions here use only
sums, products and quotients, whose rounding IEEE 754 defines, and are accurate to a few units in
the last place.
"""

from __future__ import annotations

import math

from pigevo.core.array_names import Floats
from pigevo.core.imports import numpy as np

_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""The logarithm of 2 in two parts; products of the first part with integers below 2^20 are exact."""

_ODD = [1 / n for n in range(25, 1, -2)]
"""Coefficients of 2 (z + z^3 / 3 + ...), the logarithm of (1 + z) / (1 - z) for z up to 0.172."""

_INVERSE_FACTORIALS = [1 / math.factorial(n) for n in range(16, -1, -1)]
"""Coefficients of the exponential series, for numbers up to 0.347."""


def log1m(x: Floats | float) -> Floats:
    """The logarithm of `1 - x`, for numbers from 0 up to, but not including, 1."""
    x = np.asarray(x, dtype=np.float64)
    near = x < 0.25  # 1 - x would lose digits for small x
    far = np.where(near, 1.0, 1.0 - x)
    return np.where(near, _twice_artanh(-x / (2.0 - x)), log(far))


def log(x: Floats | float) -> Floats:
    """The natural logarithm of numbers above 0."""
    part, exponent = np.frexp(np.asarray(x, dtype=np.float64))
    small = part < np.sqrt(0.5)
    part, exponent = np.where(small, 2.0 * part, part), exponent - small
    twos = exponent.astype(np.float64)
    logarithm: Floats = twos * _LN2_HIGH + (twos * _LN2_LOW + _twice_artanh((part - 1.0) / (part + 1.0)))
    return logarithm


def exp(x: Floats | float) -> Floats:
    """The exponential function; 0 or infinity beyond the range of floats."""
    x = np.clip(np.asarray(x, dtype=np.float64), -800.0, 800.0)
    twos = np.rint(x / (_LN2_HIGH + _LN2_LOW))
    rest = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(_polynomial(_INVERSE_FACTORIALS, rest), twos.astype(np.int64))


def power(base: Floats | float, exponent: float) -> Floats:
    """`base` to the power of `exponent`, for bases of at least 0; an exponent of 0 gives 1, also for base 0."""
    base = np.asarray(base, dtype=np.float64)
    if exponent == 0:
        return np.ones_like(base)
    if exponent == 0.5:
        return np.sqrt(base)  # its rounding is defined, too
    zero = 0.0 if exponent > 0 else np.inf
    return np.where(base > 0, exp(exponent * log(np.where(base > 0, base, 1.0))), zero)


def _twice_artanh(z: Floats) -> Floats:
    return 2.0 * z + 2.0 * z * (z * z * _polynomial(_ODD, z * z))


def _polynomial(coefficients: list[float], x: Floats) -> Floats:
    """The value of a polynomial, coefficients from the highest power down (Horner)."""
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
