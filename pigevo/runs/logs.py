"""Log lines on the console that do not break a progress bar."""

from __future__ import annotations

import logging
import logging.config
import sys
from pathlib import Path


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


class FileHandler(logging.FileHandler):
    """Writes `run.log`; where the disk is full, a line is lost and the run itself says what is wrong."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Be silent about a line that cannot be written, and about nothing else."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def begin_logging(folder: Path, console: bool = True) -> None:
    """The log of a run that Hydra does not start: as conf/ describes it, and on at the end of `run.log`.

    Args:
        folder: the run's; it is made if needed.
        console: whether the lines are also shown.

    Raises:
        InputError: the folder cannot be written.
    """
    from omegaconf import OmegaConf

    from pigevo.config import conf_folder
    from pigevo.errors import InputError

    chosen = OmegaConf.load(conf_folder() / "hydra" / "job_logging" / "pigevo.yaml")
    chosen.handlers.file.filename = str(folder / "run.log")
    if not console:
        chosen.root.handlers = ["file"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        logging.config.dictConfig(OmegaConf.to_container(chosen, resolve=True))  # type: ignore[arg-type]
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
    except ValueError as error:  # what `dictConfig` makes of an OSError
        raise InputError(f"{folder} cannot be written: {error.__cause__}.") from error
