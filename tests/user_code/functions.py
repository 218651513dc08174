"""Functions of users for tests: their files, their identity, some without a file, and some that read a value in every way."""

import collections
import dataclasses
import enum
import functools
import io
import itertools
import linecache
import logging
import operator
import random
import re
import threading
import types
from pathlib import Path

import numba
import numpy as np
import scipy.stats

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


def captured_by(value):
    """Functions that read a value in every way that there is."""

    def takes(x):
        return value

    def outer(x):
        return [takes(y) for y in x]

    def given(x, value=value, *, other=value):
        return value

    def attributed(x):
        return attributed.value

    attributed.value = value
    module = types.ModuleType("module")
    module.value = value
    instance = typed("class f:\n  def __call__(self, x): return self.value\n  def method(self, x): return self.value")()
    instance.value = value
    return [
        takes, outer, given, attributed, typed("def f(x): return value", value=value), instance,
        typed("def f(x): return module.value", module=module), typed("def f(x): return g(x)", g=takes),
        type("Kind", (), {"value": value}), instance.method, functools.partial(given, value=value), functools.cache(takes),
    ]  # fmt: skip


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


Pair = collections.namedtuple("Pair", "a b")
Colour = enum.Enum("Colour", "RED BLUE")
SUM = typed("def f(x): return x + 1.0")
MORE = dataclasses.make_dataclass("More", [("values", list, dataclasses.field(default_factory=list))])
DIFFERENT = {
    "pattern": (lambda: re.compile("1+"), lambda: re.compile("1+", re.I)),
    "deque": (lambda: collections.deque([1]), lambda: collections.deque([1], 5)),
    "itemgetter": (lambda: operator.itemgetter(0), lambda: operator.itemgetter(1)),
    "method": (lambda: collections.deque([1]).count, lambda: collections.deque([2]).count),
    "large": (lambda: 10**5000, lambda: 10**5000 + 1),
    "order": (lambda: {"a": 1, "b": 2}, lambda: {"b": 2, "a": 1}),
    "empty": (lambda: np.empty((0, 2)), lambda: np.empty((0, 3))),
    "objects": (lambda: np.array([1, "a"], object), lambda: np.array([1, "b"], object)),
    "path": (lambda: Path("a"), lambda: Path("b")),
    "logger": (lambda: logging.getLogger("a"), lambda: logging.getLogger("b")),
    "vectorized": (lambda: np.vectorize(abs, otypes=[int]), lambda: np.vectorize(abs, otypes=[float])),
    "compiled": (lambda: numba.njit(SUM), lambda: numba.njit(SUM, fastmath=True)),
    "list": (lambda: typed("class f(list): pass")([1]), lambda: typed("class f(list): pass")([2])),
    "slots": (lambda: Slotted(1), lambda: Slotted(2)),
    "pair": (lambda: Pair(1, 2), lambda: Pair(1, 3)),
    "data": (lambda: MORE([1]), lambda: MORE([2])),
    "member": (lambda: Colour.RED, lambda: Colour.BLUE),
    "base": (lambda: typed("class A: a = 1\nclass f(A): pass"), lambda: typed("class A: a = 2\nclass f(A): pass")),
    "masked": (lambda: np.ma.array([1]), lambda: np.ma.array([1], mask=[True])),
    "polynomial": (lambda: np.poly1d([1, 2]), lambda: np.poly1d([1, 3])),
    "text": (lambda: io.StringIO("a"), lambda: io.StringIO("b")),
    "installed": (lambda: scipy.stats.norm, lambda: scipy.stats.expon),
}

UNKNOWN = {
    "Random": lambda: random.Random(1), "Generator": lambda: np.random.default_rng(1), "lock": threading.Lock,
    "rv_continuous_frozen": lambda: scipy.stats.norm(1), "ufunc": lambda: np.frompyfunc(lambda x: x, 1, 1),
    "generator": lambda: (n for n in ()), "list": lambda: (loop := [], loop.append(loop))[0],
}  # fmt: skip
