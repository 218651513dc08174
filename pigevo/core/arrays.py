"""Types of the arrays that rooms pass to each other, and data frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pigevo.errors import InputError

if TYPE_CHECKING:
    import pandas


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

Number = TypeVar("Number", bound=np.generic)

own_errors = np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")
"""A decorator: the function computes with numpy's error state of a new process, whatever the calling program has set.

Some results are rounded to 0 on purpose, which ends in an error with `np.seterr(under="raise")`.
"""


Index = int | slice | Ints
"""One row, or several, by number."""


class Tables(Protocol):
    """Decisions of n strategies in their game's layout, shape (n, ...): an array, or an object that computes rows."""

    @property
    def dtype(self) -> np.dtype:
        """`uint8`, or floats where decisions are probabilities."""

    def __len__(self) -> int:
        """The number of strategies."""

    def __getitem__(self, which: Index, /) -> np.ndarray:
        """Rows by index, as in an array."""


INSTALL = "pip install pandas pyarrow"


def data_frame(columns: Mapping[str, object]) -> pandas.DataFrame:
    """The columns as a pandas data frame. Nothing else needs pandas."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(f"a data frame needs pandas: {INSTALL}.") from error
    return pandas.DataFrame(dict(columns))
