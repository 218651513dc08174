"""While a user's file is read for its functions, nothing else begins in it.

A worker of a sweep, and `resume` and `verify`, import the file in which an operator stands.
Where that is a script that begins runs itself, each process would begin them once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pigevo.errors import InputError

_place: ContextVar[str] = ContextVar("place", default="")


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Inside, a user's file is imported."""
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)


def refuse_while_reading(what: str) -> None:
    """Refuse to begin work because a file is imported.

    Args:
        what: the function of pigevo's that was called.

    Raises:
        InputError: a user's file is being read.
    """
    if place := _place.get():
        raise InputError(
            f"{what} is called while {place} is read for its functions: "
            'write the call below `if __name__ == "__main__":`'
        )
