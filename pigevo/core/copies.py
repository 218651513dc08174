"""Read-only arrays, copies of frozen values, and stand-ins for arrays that are too large for memory."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from pigevo.core.imports import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pigevo.core.arrays import Number


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
