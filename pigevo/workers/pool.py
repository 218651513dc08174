"""Worker processes: plain data is sent to a named function in another process, which returns messages and an answer.

A worker is called by a line of JSON on its standard input, `["package.module:function", task]`, and replies with
lines `[kind, value]`: any number of messages, then the answer, or the sentence of the InputError that the function
raised.  The function is called with the task and with a function that sends a message.

- If a worker dies (killed, out of memory, or by `os._exit`), only its task fails; the next task gets a new process.
- When the driver dies, even by SIGKILL, its workers notice at once and end; a run saves a checkpoint before.
- Each worker has a session of its own: Ctrl-C in the terminal reaches only the driver, which decides what to do.
- Output printed in a worker is never mistaken for an answer.

No library guarantees all of this: `loky` gives up all tasks when one worker dies, and busy workers of `loky` and
`pebble` outlive a killed driver.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Literal, get_args

from pigevo.core.checked_values import JsonValue
from pigevo.core.imports import working_folder
from pigevo.errors import InputError
from pigevo.workers.sandbox import LINUX

MessageKind = Literal["message", "answer", "refused"]
KINDS: tuple[MessageKind, ...] = get_args(MessageKind)

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
ENTRY = Path(__file__).with_name("entry.py")

DEATH_SECONDS = 5.0  # seconds that a silent worker has to end on its own
LISTEN_SECONDS = 0.2  # seconds between two checks for a request to stop


class WorkerDied(Exception):
    """A worker process ended before it answered, or was killed after its time limit.

    `status` is the exit status: negative for a signal, None if the worker was stopped before it began.
    """

    def __init__(self, status: int | None, errors: str = "", late: bool = False) -> None:
        self.status, self.errors, self.late = status, errors, late
        if status is None:
            how = "stopped before it began"
        elif status < 0:
            how = f"killed by signal {-status} ({signal.strsignal(-status)})"
        else:
            last = errors.strip().rpartition("\n")[2]
            how = f"its process ended with status {status}" + (f": {last}" if last else "")
        super().__init__(how)


MARK = "PIGEVO_WORKER"
"""The environment variable that marks all descendants of a worker, so that they are found and ended with it."""

MOST_SCANS = 20  # the most scans for such processes, since one may start another between two scans


class Worker:
    """A process that answers one call after the other; after its death a new one replaces it.

    Args:
        one_thread: whether numeric libraries use only one core in it.
        keep_errors: whether its standard error is kept for `WorkerDied`; otherwise it goes to this process's.
        sandbox: its folder of temporary files, the only one in which it may write, where the system can hold it to that
            (`pigevo.workers.sandbox`).
        environment: additional variables of its environment.
    """

    def __init__(
        self,
        one_thread: bool = False,
        keep_errors: bool = False,
        sandbox: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._one_thread, self._keep_errors, self._sandbox = one_thread, keep_errors, sandbox
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), sandbox) if sandbox else {}
        self._environment = {**temporary, **(environment or {})}
        self._mark = os.urandom(16).hex()
        self._marks = os.environ.get(MARK, "") + self._mark  # a worker of a worker ends with it
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None
        self._lock = threading.Lock()
        self._stopped = self._at_work = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def call(
        self,
        function: str,
        task: object,
        on_message: Callable[[JsonValue], object] = lambda _: None,
        seconds: float | None = None,
    ) -> JsonValue:
        """Call `package.module:name` in the process with a task of JSON values; returns its answer.

        After `seconds` the process is ended.  Raises the function's InputError, or `WorkerDied`.
        """
        process, late = self._process_for_call(), threading.Event()
        timer = threading.Timer(seconds or 0, self._kill_late, (process, late))
        timer.daemon = True
        if seconds is not None:
            timer.start()
        try:
            with suppress(OSError):  # it died during the call
                print(json.dumps([function, task]), file=process.stdin, flush=True)
                for line in process.stdout or ():
                    kind, value = _reply(line)
                    if kind == "message":
                        on_message(value)
                    elif kind == "answer":
                        return value
                    elif kind == "refused":
                        raise InputError(value)
            raise WorkerDied(_status(process), self._error_text(), late.is_set())
        except InputError:
            raise
        except BaseException:
            self._drop(process)
            raise
        finally:
            timer.cancel()
            self._at_work = False

    def stop(self) -> None:
        """Ask the running task to save its state and stop; no further task begins."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.terminate()

    def end(self) -> None:
        """Kill the process and its children at once; no further task begins."""
        with self._lock:
            self._stopped, process, at_work = True, self._process, self._at_work
        if process is not None:
            self._kill(process)
            process.wait()
            if not at_work:  # otherwise the thread that reads from it does so
                self._drop(process)

    def _process_for_call(self) -> subprocess.Popen[str]:
        """The process; a new one if there is none."""
        with self._lock:
            if self._stopped:
                raise WorkerDied(None)
            if self._process is None:
                self._errors = tempfile.TemporaryFile("w+", errors="replace") if self._keep_errors else None  # noqa: SIM115
                try:
                    self._process = subprocess.Popen(
                        [sys.executable, "-P", str(ENTRY), *([self._sandbox] if self._sandbox else [])],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
                        encoding="utf-8", errors="replace",
                        env={**_environment(self._one_thread), **self._environment, MARK: self._marks},
                        start_new_session=True,
                    )  # fmt: skip
                except OSError as error:
                    raise InputError(f"no process could be started: {error.strerror}.") from error
            self._at_work = True
            return self._process

    def _kill(self, process: subprocess.Popen[str]) -> None:
        """Kill a process, its children, and, on Linux, what it has started in sessions of their own."""
        if self._sandbox and LINUX:
            process.terminate()  # its keeper kills all that it has started
            with suppress(subprocess.TimeoutExpired):
                process.wait(DEATH_SECONDS)
        _kill_group(process)
        for _ in range(MOST_SCANS):
            marked = _marked(self._mark)
            for number in marked:
                with suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            if not marked:
                return

    def _kill_late(self, process: subprocess.Popen[str], late: threading.Event) -> None:
        late.set()
        self._kill(process)

    def _error_text(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read()

    def _drop(self, process: subprocess.Popen[str]) -> None:
        self._kill(process)
        process.wait()
        with self._lock:
            if self._process is process:
                self._process = None
                for file in (process.stdin, process.stdout, self._errors):
                    with suppress(OSError):  # closing standard input writes what the dead worker never read
                        file and file.close()


def _reply(line: str) -> tuple[MessageKind | None, JsonValue]:
    """Read a worker's reply; other output before it is ignored."""
    with suppress(ValueError, TypeError):
        kind, value = json.loads(line)
        return (kind if kind in KINDS else None), value
    return None, None


def _status(process: subprocess.Popen[str]) -> int:
    try:
        return process.wait(DEATH_SECONDS)
    except subprocess.TimeoutExpired:
        _kill_group(process)
        return process.wait()


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _marked(mark: str) -> list[int]:
    """The processes of this user that have inherited a mark in their environment; none where there is no /proc."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_dead = (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
            if not is_dead and mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


def _environment(one_thread: bool) -> dict[str, str]:
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [folder for folder in folders if folder and os.path.abspath(folder) != working_folder()]
    alone = {name: "1" for name in ONE_THREAD if one_thread and name not in os.environ}
    return {**os.environ, **alone, "PYTHONPATH": os.pathsep.join(paths)}


@dataclass(frozen=True)
class Done:
    """The outcome of a task: the answer, or an InputError, a WorkerDied or an unexpected error."""

    number: int
    answer: JsonValue = None
    error: Exception | None = None


def work(
    function: str,
    tasks: Sequence[object],
    workers: Sequence[Worker],
    on_done: Callable[[Done], object],
    on_message: Callable[[int, JsonValue], object] = lambda number, message: None,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Execute tasks in worker processes; all have ended on return, and callbacks run in this thread.

    `on_message` is called with the number of a task and a message from it.  `stop` is called from time to time; when it
    returns True, workers are told to stop, and no further task begins.
    """
    waiting: queue.SimpleQueue[tuple[int, object]] = queue.SimpleQueue()
    messages: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
    for numbered in enumerate(tasks):
        waiting.put(numbered)
    stopping = threading.Event()

    def answer_in_turn(worker: Worker) -> None:
        while not stopping.is_set():
            try:
                number, task = waiting.get_nowait()
            except queue.Empty:
                break
            tell = partial(_tell, messages, on_message, number)
            try:
                done = Done(number, worker.call(function, task, tell))
            except Exception as error:  # passed to the caller, who would otherwise wait for ever
                done = Done(number, error=error)
            messages.put(partial(on_done, done))
        worker.end()
        messages.put(None)

    try:
        for worker in workers:
            threading.Thread(target=answer_in_turn, args=(worker,), daemon=True).start()
        _listen(messages, workers, stop, stopping)
    finally:
        stopping.set()
        for worker in workers:
            worker.end()


def _listen(
    messages: queue.SimpleQueue[Callable[[], object] | None],
    workers: Sequence[Worker],
    stop: Callable[[], bool],
    stopping: threading.Event,
) -> None:
    """Call back for each message until every worker has sent its last one, None; tell all to stop if `stop` says so."""
    at_work = len(workers)
    while at_work:
        with suppress(queue.Empty):
            if callback := messages.get(timeout=LISTEN_SECONDS):
                callback()
            else:
                at_work -= 1
        if stop() and not stopping.is_set():
            stopping.set()
            for worker in workers:
                worker.stop()


def _tell(
    messages: queue.SimpleQueue[Callable[[], object] | None],
    on_message: Callable[[int, JsonValue], object],
    number: int,
    message: JsonValue,
) -> None:
    messages.put(partial(on_message, number, message))
