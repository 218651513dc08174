"""Names of types of arrays, for files that do not import numpy at once; copies, stand-ins for arrays, data frames.

`typing.get_type_hints` finds the types in a file that has numpy as `np`.  All other files import the types themselves,
from `pigevo.core.arrays`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, ForwardRef, NoReturn, Protocol, TypeAlias, TypeVar

from pigevo.core.imports import numpy as np
from pigevo.errors import InputError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

Bools: TypeAlias = "np.typing.NDArray[np.bool_]"
Bytes: TypeAlias = "np.typing.NDArray[np.uint8]"
Floats: TypeAlias = "np.typing.NDArray[np.float64]"
Ints: TypeAlias = "np.typing.NDArray[np.int64]"
Ints32: TypeAlias = "np.typing.NDArray[np.int32]"
Words: TypeAlias = "np.typing.NDArray[np.uint64]"
ArrayLike: TypeAlias = "np.typing.ArrayLike"

Index: TypeAlias = "int | slice | np.typing.NDArray[np.int64]"
"""One row, or several, by number."""

if not TYPE_CHECKING:  # references can be joined by `|`, and texts cannot
    _NAMES = Bools, Bytes, Floats, Ints, Ints32, Words, ArrayLike, Index
    Bools, Bytes, Floats, Ints, Ints32, Words, ArrayLike, Index = map(ForwardRef, _NAMES)

Number = TypeVar("Number", bound="np.generic")


class Tables(Protocol):
    """Decisions of n strategies in their game's layout, shape (n, ...): an array, or an object that computes rows."""

    @property
    def dtype(self) -> np.dtype:
        """`uint8`, or floats where decisions are probabilities."""

    def __len__(self) -> int:
        """The number of strategies."""

    def __getitem__(self, which: Index, /) -> np.ndarray:
        """Rows by index, as in an array."""


def _refuse(self: Unread, *_: object, **__: object) -> NoReturn:
    raise TypeError(f"{type(self).__name__} is no array: {self.reading}.")


class Unread:
    """Base class of stand-ins for arrays that are too large for memory, whose rows are computed when they are read.

    A stand-in is not an array: it refuses comparisons, arithmetic, iteration and numpy's functions, and says how to
    read it.  Only an operator that is declared `lazy` is passed one.
    """

    reading = ""
    """How the contents are read."""

    __hash__ = object.__hash__
    __array__ = __array_ufunc__ = __array_function__ = __iter__ = __contains__ = __invert__ = __neg__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _refuse
    __and__ = __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} has no {name}: {self.reading}.")


def read_only(array: NDArray[Number]) -> NDArray[Number]:
    """A read-only view of an array.

    Numba gives it another type and compiles a kernel for it once more, so each argument of a kernel is always such a
    view, or never.
    """
    view = array.view()
    view.setflags(write=False)
    return view


class ReadOnlyCopies:
    """Base class of frozen records with read-only arrays: those of copies, pickled ones too, are read-only as well."""

    def __setstate__(self, state: dict[str, object]) -> None:
        kept = {name: read_only(value) if isinstance(value, np.ndarray) else value for name, value in state.items()}
        vars(self).update(kept)


class ComputedAgain:
    """Base class of frozen values whose copies, pickled ones too, compute their cached properties again.

    numpy's copies of read-only arrays can be written to, so that a copied value could be changed.
    """

    def __getstate__(self) -> dict[str, object]:
        stored = {field.name for field in fields(self)}  # type: ignore[arg-type]  # a subclass is a dataclass
        values = dict(vars(self))  # at once, as another thread may compute a property meanwhile
        computed = {key for key in values if isinstance(getattr(type(self), key, None), cached_property)}
        return {key: value for key, value in values.items() if key in stored or key not in computed}


def refuse_masked(what: str, array: object) -> None:
    """Refuse a masked array: the values below its mask would count."""
    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"{what} cannot be masked: fill it, as with array.filled(0).")


INSTALL = "pip install pandas pyarrow"


def data_frame(columns: Mapping[str, object]) -> pandas.DataFrame:
    """The columns as a pandas data frame. Nothing else needs pandas."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(f"a data frame needs pandas: {INSTALL}.") from error
    return pandas.DataFrame(dict(columns))
