"""The machine's resources: cores to distribute work over, and memory; work that needs too much memory is refused.

Results do not depend on the number of threads.  Linux promises more memory than it has and then kills a process that
uses it; a killed process cannot report the reason, so the memory is checked before the work begins.
"""

from __future__ import annotations

import errno
import functools
import inspect
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from pigevo.errors import InputError

Item = TypeVar("Item")
P = ParamSpec("P")
Result = TypeVar("Result")
Progress = Callable[[int], object]
"""Called with the number of games, pairs or orbits completed since the last call."""

CHANGES_OF_PROCESS = threading.RLock()
"""Held while state of the whole process (matplotlib's settings, filters of warnings) is changed temporarily; otherwise
two threads would restore each other's values."""

LOOK_SECONDS = 0.1  # between two looks at what other threads have finished
CHUNK = 16  # the largest number of items that a thread completes between two checks for an interruption


def available_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int = 1,
    done: Callable[[Item], object] | None = None,
) -> list[Result]:
    """`[function(item) for item in items]` on up to `workers` threads, at most one a core, in the order of the items.

    This is useful only for functions that release the interpreter's lock, as the kernels do. The caller's thread is one
    of the threads: many calls take a millisecond, in which a pool would hardly have begun. `done` is called in the
    caller's thread with each item, in order, when its result is available and the caller does not work itself.

    Raises:
        Exception: that of the first item for which the function has raised one; no other item is begun after it. An
            interruption takes precedence.
    """
    workers = min(workers, len(items))
    if workers > 1:
        workers = min(workers, available_cores())
    step = min(CHUNK, max(1, len(items) // (8 * max(1, workers))))
    parts = [items[start : start + step] for start in range(0, len(items), step)]
    left, results = iter([*enumerate(parts)]), list[list[Result]]()
    finished, errors = dict[int, list[Result]](), dict[int, BaseException]()

    def take_over() -> None:
        while (number := len(results)) in finished:
            results.append(finished.pop(number))
            if done:
                for item in parts[number]:
                    done(item)

    def work(is_caller: bool = False) -> None:
        for number, part in left:  # parts are begun in order, so that all before one that fails are tried, too
            if is_caller:
                take_over()
            try:
                finished[number] = [function(item) for item in part]
            except BaseException as error:
                errors[number] = error
            if errors:
                return

    others = [threading.Thread(target=work) for _ in range(workers - 1)]  # a pool takes longer to begin than many calls
    try:
        for thread in others:
            thread.start()
        work(is_caller=True)
        for thread in others:
            while thread.is_alive():
                thread.join(LOOK_SECONDS)
                take_over()
    except BaseException:  # an interruption, outside of the function
        for _ in left:
            pass  # nobody begins another part
        raise
    finally:
        for thread in others:
            if thread.ident is not None:  # it was started
                thread.join()
    if errors:
        raise min(errors.items(), key=lambda item: (isinstance(item[1], Exception), item[0]))[1]
    take_over()
    return [result for part in results for result in part]


PIECE = 256 << 20  # the number of bytes to process at once where work on many strategies can be split


def pieces(rows: int, bytes_each: int, multiple: int = 1) -> Iterator[slice]:
    """Slices of consecutive rows, of at most `PIECE` bytes; all lengths but the last are divisible by `multiple`."""
    together = multiple * max(1, PIECE // (multiple * max(1, bytes_each)))
    return (slice(start, min(rows, start + together)) for start in range(0, rows, together))


LEAST_TO_COMPILE = 800 * 10**6
"""The bytes of address space that numba needs: `duel` took 671 MB at most with an empty cache of kernels.  With less,
numba, LLVM and its threads fail in different ways, some of which no Python code can catch."""

LACKING = ("failed to map segment", "cannot allocate memory", "unable to allocate", "can't start new thread")
"""The words of errors that are raised for lack of memory without being a `MemoryError`."""

_PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """The number of bytes that this process can still allocate; None if the system does not report it."""
    known = [bytes_left for bytes_left in (_of_system(), *_of_cgroups(), *_of_limits()) if bytes_left is not None]
    return max(0, min(known)) if known else None


def require_memory(needed: int, what: str, instead: str = "") -> None:
    """Raise an InputError if something needs more memory than is available."""
    available = available_memory()
    if available is not None and needed > available:
        end = f": {instead}." if instead else "."
        raise InputError(
            f"{what} needs about {readable_bytes(needed)} of memory, and there is {readable_bytes(available)}{end}"
        )


def refuse_little_address_space() -> None:
    """Raise an InputError if `ulimit -v` lets this process have less than compiling needs."""
    if is_little_address_space():
        raise InputError(
            f"there is not enough memory: compiling needs {readable_bytes(LEAST_TO_COMPILE)}, and `ulimit -v` allows "
            "less; raise that limit."
        )


def is_little_address_space() -> bool:
    """Whether `ulimit -v` lets this process have less than compiling needs."""
    try:
        import resource
    except ImportError:  # on Windows
        return False
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return most != resource.RLIM_INFINITY and most < LEAST_TO_COMPILE


def is_lack_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or an earlier error that led to it, was caused by too little memory."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, (ImportError, OSError, RuntimeError)):
            text = str(error).lower()
            if any(words in text for words in LACKING):
                return True
        error = error.__cause__ or error.__context__
    return False


def readable_bytes(count: int) -> str:
    """A number of bytes as text: `2.4 GB`."""
    unit, name = (10**9, "GB") if count >= 10**9 else (10**6, "MB")
    return f"{count / unit:,.1f} {name}" if count < 100 * unit else f"{count / unit:,.0f} {name}"


def _of_system() -> int | None:
    """The number of bytes that the machine has left, swap included; without /proc/meminfo, those that it has in all."""
    figures = _figures(_PROC / "meminfo")
    if "MemAvailable" in figures:
        return 1024 * (figures["MemAvailable"] + figures.get("SwapFree", 0))
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # on Windows
        return None


def _of_cgroups() -> Iterator[int | None]:
    """The number of bytes that the control groups of this process still allow (containers, cluster jobs)."""
    for line in _lines(_PROC / "self" / "cgroup"):
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and "memory" not in controllers.split(","):
            continue
        root, limit, used, cached = (
            (_CGROUPS / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            if controllers
            else (_CGROUPS, "memory.max", "memory.current", "inactive_file")
        )
        folder = root / path.lstrip("/")
        for group in (folder, *folder.parents):
            if not group.is_relative_to(root):
                break
            most, now = _number(group / limit), _number(group / used)
            if most is not None and now is not None:
                yield most - now + _figures(group / "memory.stat").get(cached, 0)


def _of_limits() -> Iterator[int | None]:
    """The number of bytes that the process's own limits (`ulimit`) still allow."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    pages = [int(word) for line in _lines(_PROC / "self" / "statm")[:1] for word in line.split()]
    for name, field in (("RLIMIT_AS", 0), ("RLIMIT_DATA", 5)):
        most = resource.getrlimit(getattr(resource, name))[0]
        if most != resource.RLIM_INFINITY:
            yield most - (pages[field] * resource.getpagesize() if len(pages) > field else 0)


def _figures(path: Path) -> dict[str, int]:
    """The numbers in a file of lines `name: number` or `name number`, by name."""
    words = [line.replace(":", " ").split() for line in _lines(path)]
    return {line[0]: int(line[1]) for line in words if len(line) > 1 and line[1].isdecimal()}


def _number(path: Path) -> int | None:
    word = "".join(_lines(path)[:1]).strip()
    return int(word) if word.isdecimal() else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


MOST_BYTES = 128 << 20
"""The largest total size in bytes of the results cached for one function, not counting the last one."""


class ByteLruCache(Generic[P, Result]):
    """A function of hashable arguments with a cache of its most recently used results.

    The last result is kept whatever its size, because it is usually needed again; of the
    others, the most recent ones that fit into `most` bytes.
    """

    def __init__(self, function: Callable[P, Result], size: Callable[[Any, Result], int], most: int) -> None:
        self._function, self._size, self._most = function, size, most
        self._results: OrderedDict[Hashable, tuple[Result, int]] = OrderedDict()
        self._lock = threading.Lock()
        functools.update_wrapper(self, function)

    def _by_position(self, *given: P.args, **named: P.kwargs) -> tuple[Hashable, ...]:
        bound = inspect.signature(self._function).bind(*given, **named)
        bound.apply_defaults()
        return *bound.args, *bound.kwargs.items()

    def __call__(self, *given: P.args, **named: P.kwargs) -> Result:
        """The cached result, or the result of a call."""
        arguments = self._by_position(*given, **named) if named else given
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments][0]
        result = self._function(*given, **named)
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
) -> Callable[[Callable[P, Result]], ByteLruCache[P, Result]]:
    """Decorator: cache a function's results; `size(arguments, result)` gives the bytes that an entry takes."""
    return lambda function: ByteLruCache(function, size, most)
