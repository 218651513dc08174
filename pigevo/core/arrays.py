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
    """Decisions of n strategies in their game's layout, shape (n, ...): an array, or an object that computes rows."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """`uint8`, or floats where decisions are probabilities."""

    def __len__(self) -> int:
        """The number of strategies."""

    def __getitem__(self, which: Any, /) -> Any:
        """Rows by index, as in an array."""


def read_only(array: NDArray[Number]) -> NDArray[Number]:
    """A read-only view of an array. Numba gives it another type, so kernels are always called with such views."""
    view = array.view()
    view.setflags(write=False)
    return view


INSTALL = "pip install pandas pyarrow"


def data_frame(columns: Mapping[str, Any]) -> pandas.DataFrame:
    """The columns as a pandas data frame. Nothing else needs pandas."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(f"a data frame needs pandas: {INSTALL}.") from error
    return pandas.DataFrame(dict(columns))
