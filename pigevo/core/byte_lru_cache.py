"""A cache of recent results, limited by their size in bytes."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

MOST_BYTES = 128 << 20
"""The largest total size in bytes of the results cached for one function, not counting the last one."""


class ByteLruCache(Generic[Result]):
    """A function of hashable arguments with a cache of its most recently used results.

    The last result is kept whatever its size, because it is usually needed again; of the
    others, the most recent ones that fit into `most` bytes.
    """

    def __init__(self, function: Callable[..., Result], size: Callable[[Any, Result], int], most: int) -> None:
        self._function, self._size, self._most = function, size, most
        self._results: OrderedDict[Hashable, tuple[Result, int]] = OrderedDict()
        self._lock = threading.Lock()
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Hashable) -> Result:
        """The cached result, or the result of a call."""
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments][0]
        result = self._function(*arguments)
        with self._lock:
            self._results[arguments] = result, self._size(arguments, result)
            self._results.move_to_end(arguments)
            while len(self._results) > 1 and self.bytes_of_others > self._most:
                self._results.popitem(last=False)
        return result

    @property
    def bytes_of_others(self) -> int:
        """The size in bytes of all results except the last."""
        return sum(size for _, size in list(self._results.values())[:-1])

    def __len__(self) -> int:
        return len(self._results)

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._results.clear()


def byte_lru_cache(
    size: Callable[[Any, Any], int], most: int = MOST_BYTES
) -> Callable[[Callable[..., Result]], ByteLruCache[Result]]:
    """Decorator: cache a function's results; `size(arguments, result)` gives the bytes that an entry takes."""
    return lambda function: ByteLruCache(function, size, most)
