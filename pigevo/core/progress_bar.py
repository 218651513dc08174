"""Progress bars for long work."""

from __future__ import annotations

import threading
from typing import ClassVar

import tqdm


class ProgressBar(tqdm.tqdm):  # type: ignore[misc]
    """A tqdm bar that is locked between threads only.

    tqdm's default lock also works between processes: it takes a system semaphore and, from Python 3.14 on, a process
    that watches it. Two processes of pigevo never draw the same bar.
    """

    _lock: ClassVar[threading.RLock] = threading.RLock()
