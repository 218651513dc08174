"""Functions of users for tests: their files, their identity, and some without a file."""

import itertools
import linecache
from pathlib import Path

from pigevo.user_code.loading import identity_of_object


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return Path(path).absolute()


def identity(function):
    return identity_of_object(function).identity


CELLS = itertools.count()


def typed(text, **values):
    """The function `f` of a cell of a notebook, whose text Python knows, and which has no file."""
    name, space = f"<cell {next(CELLS)}>", {"__name__": "__main__", **values}
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), space)
    return space["f"]
