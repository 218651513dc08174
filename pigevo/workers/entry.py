"""The entry script of worker processes, `python -P entry.py`: it calls the functions that `pigevo.workers.pool` names.

With a folder after it, the process is in a sandbox (`pigevo.workers.sandbox`), and can write only there.
Nothing is imported from the working folder, and the process uses the pigevo that contains this file, even if another
one is installed.  Output printed here goes to standard error, and standard input is empty: both pipes belong to the
protocol.  When the driver is gone, the process gets SIGTERM, which ends it, or lets a run save a checkpoint first; a
task that goes on all the same is ended after a while.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from typing import TextIO


SAVING_SECONDS = 600.0  # that a task may go on without its driver: a generation of a large population takes long


def main() -> None:
    """Answer one call after the other."""
    from pigevo.errors import InputError

    calls, replies = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # also if another handler was inherited
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    own_number = os.getpid()
    threading.Thread(target=_read, args=(calls, waiting), daemon=True).start()

    def say(kind: str, value: object) -> None:
        if os.getpid() != own_number:  # the user's function has forked: a second answer would be the next task's
            os._exit(1)
        with suppress(OSError):  # the driver is gone: `_read` ends the running task
            print(json.dumps([kind, value]), file=replies, flush=True)

    while line := waiting.get():
        name, task = json.loads(line)
        module, _, function = name.partition(":")
        try:
            answer = getattr(import_module(module), function)(task, lambda message: say("message", message))
        except InputError as error:
            say("refused", str(error))
        else:
            sys.stdout.flush()  # flush printed output before the answer
            say("answer", answer)


def _read(calls: TextIO, waiting: queue.SimpleQueue[str]) -> None:
    """Read calls and queue them; at the end of input, stop the task that runs, and in the end the process."""
    for line in calls:
        waiting.put(line)
    waiting.put("")
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SAVING_SECONDS)
    os._exit(1)


def _be_the_first_to_die() -> None:
    """Make Linux kill this worker, and not the driver, when memory runs out."""
    with suppress(OSError):  # another system, or not permitted: no harm
        Path("/proc/self/oom_score_adj").write_text("800")


if __name__ == "__main__":
    package = Path(__file__).resolve().parents[1]
    spec = spec_from_file_location("pigevo", package / "__init__.py", submodule_search_locations=[str(package)])
    sys.modules["pigevo"] = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(sys.modules["pigevo"])  # type: ignore[union-attr]

    from pigevo.core.imports import collect_less_often, working_folder_last

    collect_less_often()
    _be_the_first_to_die()
    if sys.argv[1:]:
        from pigevo.workers.sandbox import confine

        confine(sys.argv[1])  # before there are other threads, which it would not confine
    working_folder_last(str(package.parent))  # the user's own modules may lie there
    main()
