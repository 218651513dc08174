"""Names for the array types that the rooms pass to each other, and columns of arrays as a data frame of pandas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

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

Number = TypeVar("Number", bound=np.generic)


class Tables(Protocol):
    """Decisions of strategies in the layout of their game, shape (n, ...): an array, or an object that makes rows."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Bytes, or floats where decisions are left to chance."""

    def __len__(self) -> int:
        """How many strategies."""

    def __getitem__(self, which: Any, /) -> Any:
        """Rows by index, as of an array."""


def read_only(array: NDArray[Number]) -> NDArray[Number]:
    """A read-only view of an array; numba types it differently, so kernels are always given such views."""
    view = array.view()
    view.setflags(write=False)
    return view


INSTALL = "pip install pandas pyarrow"


def data_frame(columns: Mapping[str, Any]) -> pandas.DataFrame:
    """The columns as a pandas data frame; pandas is needed for nothing else."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(f"a data frame needs pandas: {INSTALL}.") from error
    return pandas.DataFrame(dict(columns))
