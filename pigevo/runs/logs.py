"""Log lines on the console that do not break a progress bar."""

from __future__ import annotations

import logging
import sys
from io import TextIOWrapper
from pathlib import Path

from pigevo.folders import no_link
from pigevo.telling import visible


class ConsoleHandler(logging.Handler):
    """Writes to standard error, above the bars of tqdm if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            self._write(visible(self.format(record)))
        except OSError:  # closed or full: the line is lost
            return
        except Exception:  # as every handler of logging: a failed log line must not end the run
            self.handleError(record)

    def _write(self, line: str) -> None:
        if "tqdm" in sys.modules:  # else there can be no bar, and nothing needs to be imported
            from tqdm import tqdm

            tqdm.write(line, file=sys.stderr)
        else:
            print(line, file=sys.stderr)


class FileHandler(logging.FileHandler):
    """Writes `run.log`; where the disk is full, a line is lost and the run itself says what is wrong."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=no_link)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; with the first one the file is made."""
        try:
            super().emit(record)
        except OSError:  # the file cannot be made
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Be silent about a line that cannot be written, and about nothing else."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def begin_logging(folder: Path | None, console: bool = True) -> None:
    """The log of a run: short lines on the console, with times at the end of `run.log`.

    The file is made with its first line, so a run that is refused leaves none.

    Args:
        folder: the run's; None for a log without a file.
        console: whether the lines are also shown.
    """
    root = logging.getLogger()
    for handler in [h for h in root.handlers if isinstance(h, ConsoleHandler | FileHandler)]:
        root.removeHandler(handler)
        handler.close()
    if console:
        root.addHandler(ConsoleHandler())
    if folder is not None:
        file = FileHandler(folder / "run.log", encoding="utf-8", delay=True)
        file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(file)
    logging.getLogger("pigevo").setLevel(logging.INFO)
