"""Types of the arrays that rooms pass to each other, and what `pigevo.core.array_names` has beside their names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pigevo.core.array_names import (
    INSTALL as INSTALL,
)  # fmt: skip
from pigevo.core.array_names import (
    ComputedAgain as ComputedAgain,
)
from pigevo.core.array_names import (
    Number as Number,
)
from pigevo.core.array_names import (
    ReadOnlyCopies as ReadOnlyCopies,
)
from pigevo.core.array_names import (
    Tables as Tables,
)
from pigevo.core.array_names import (
    Unread as Unread,
)
from pigevo.core.array_names import (
    data_frame as data_frame,
)
from pigevo.core.array_names import (
    read_only as read_only,
)
from pigevo.core.array_names import (
    refuse_masked as refuse_masked,
)

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
