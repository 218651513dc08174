"""A run through Hydra, with its errors as one sentence."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from hydra import version
from hydra._internal.utils import _run_hydra, get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from pigevo import config as settings
from pigevo.cli.explain import explain
from pigevo.cli.words import check_options, check_words, opened
from pigevo.cli.workers import with_workers
from pigevo.errors import InputError
from pigevo.runs.naming import run_folder
from pigevo.sweeps.job import SomeFailed

FAILED_RUNS = 1
WRONG_INPUT = 2


def run_hydra(words: Sequence[str]) -> int:
    """Compose a config from the words, check it and run it.

    Raises:
        InputError: whatever is wrong with the words or the config.
    """
    parser = _parser()
    arguments = parser.parse_intermixed_args(list(words))  # options may stand between settings
    if arguments.experimental_rerun is not None:
        raise InputError("--experimental-rerun reads a pickle, which pigevo never does: give the settings again.")
    check_options(arguments)
    check_words(arguments.overrides)
    arguments.overrides = [opened(word) for word in arguments.overrides]
    # With all `${quick:}` resolved, debug=fast can be seen in what --cfg shows.
    arguments.resolve = arguments.resolve or arguments.cfg == "job"
    settings.register()
    OmegaConf.register_new_resolver("run_folder", lambda *, _root_: run_folder(_root_), replace=True)
    version.setbase("1.3")
    failures: list[Exception] = []
    try:
        with _raising():
            _run_hydra(arguments, parser, _task(failures), str(settings.conf_folder()), "config")
    except SystemExit as stop:  # Hydra has said why
        return WRONG_INPUT if stop.code else 0
    except SomeFailed as error:
        print(error, file=sys.stderr)
        return FAILED_RUNS
    except Exception as error:
        sentence = None if failures else explain(error)
        if sentence is None:
            raise
        raise InputError(sentence) from error
    if failures:
        raise _told(failures[0])
    return 0


def _told(error: Exception) -> Exception:
    """The error of a run, as one sentence if the machine is at fault (a full disk, say), not the program."""
    sentence = explain(error) if isinstance(error, OSError) else None
    return InputError(sentence) if sentence else error


def _task(failures: list[Exception]) -> Callable[[DictConfig], None]:
    """The function that Hydra calls for each job.

    Hydra prints a line of its own about a job that raises, so the error of a single run is
    kept in `failures` instead; in a sweep that line says which job it was.
    """

    def task(config: DictConfig) -> None:
        from pigevo.runs import run

        hydra = HydraConfig.get()
        folder = Path(hydra.runtime.output_dir)
        swept = hydra.mode == RunMode.MULTIRUN
        try:
            words = [str(word) for word in hydra.overrides.task]
            run(with_workers(settings.check(config), swept), folder, words, OmegaConf.to_yaml({"hydra": hydra}))
        except Exception as error:
            if isinstance(error, InputError):
                _leave_nothing(folder)
            if swept:
                raise
            failures.append(error)

    return task


def _leave_nothing(folder: Path) -> None:
    """Remove the folder of a run that was refused before it wrote anything itself."""
    from pigevo.runs.lock import locked

    if folder.parent.parent.name != "outputs":  # the user's own hydra.run.dir
        return
    try:
        with locked(folder):  # refused because another process is at work in it: then it is not ours
            _remove_if_bare(folder)
    except InputError:
        return


def _remove_if_bare(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    if any(path.parent.name != ".hydra" and path.name not in ("run.log", ".lock") for path in files):
        return
    for path in files:
        path.unlink()
    for place in (folder / ".hydra", folder, folder.parent):
        try:
            place.rmdir()
        except OSError:  # not there, or another run's folder is beside this one
            continue


@contextmanager
def _raising() -> Iterator[None]:
    """Inside, Hydra raises its errors; by itself it prints them and exits."""
    before = os.environ.get("HYDRA_FULL_ERROR")
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["HYDRA_FULL_ERROR"]
        else:
            os.environ["HYDRA_FULL_ERROR"] = before


def _parser() -> argparse.ArgumentParser:
    parser = get_args_parser()
    parser.allow_abbrev = False  # `--experiment x` is a mistake, not --experimental-rerun
    parser.error = _refuse  # type: ignore[method-assign]
    return parser


def _refuse(message: str) -> NoReturn:
    if "unrecognized" in message:
        raise InputError(f"{message}; settings are written key=value, without dashes.")
    raise InputError(f"{message}; see `pigevo --help`.")
