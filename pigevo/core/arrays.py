"""Types of the arrays that rooms pass to each other, and what `pigevo.core.array_names` has beside their names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pigevo.core.array_names import (
    INSTALL,
    ComputedAgain,
    Number,
    ReadOnlyCopies,
    Tables,
    Unread,
    data_frame,
    read_only,
    refuse_masked,
)

__all__ = [
    "INSTALL", "Bools", "Bytes", "ComputedAgain", "Decisions", "Floats", "Floats32", "Index", "Ints", "Ints32",
    "Number", "ReadOnlyCopies", "Shorts", "Tables", "Unread", "Words", "data_frame", "own_errors", "read_only",
    "refuse_masked",
]  # fmt: skip

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Shorts = NDArray[np.int16]
Words = NDArray[np.uint64]

Decisions = NDArray[np.uint8 | np.float64]
"""Decisions as zeros and ones, or as probabilities of rolling."""

Index = int | slice | Ints
"""One row, or several, by number."""

own_errors = np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")
"""A decorator: the function computes with numpy's error state of a new process, whatever the calling program has set.

Some results are rounded to 0 on purpose, which ends in an error with `np.seterr(under="raise")`.
"""
