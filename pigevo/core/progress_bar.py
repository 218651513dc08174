"""Progress bars for long work."""

from __future__ import annotations

import threading
from typing import ClassVar

import tqdm


class ProgressBar(tqdm.tqdm):  # type: ignore[misc]
    """A tqdm bar that is locked among threads only.

    tqdm's own lock is also one among processes, which takes a semaphore of the system and from Python 3.14 on a process
    that watches it; no two processes of pigevo draw one bar.
    """

    _lock: ClassVar[threading.RLock] = threading.RLock()
