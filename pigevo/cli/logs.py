"""Log lines on the console that do not break a progress bar."""

from __future__ import annotations

import logging
import sys


class ConsoleHandler(logging.Handler):
    """Writes to standard error, above the bars of tqdm if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            self._write(self.format(record))
        except Exception:  # as every handler of logging: a failed log line must not end the run
            self.handleError(record)

    def _write(self, line: str) -> None:
        if "tqdm" in sys.modules:  # else there can be no bar, and nothing needs to be imported
            from tqdm import tqdm

            tqdm.write(line, file=sys.stderr)
        else:
            print(line, file=sys.stderr)
