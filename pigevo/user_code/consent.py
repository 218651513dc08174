"""Consent of the user to code that somebody else's folder names: a command that reads a folder runs none unasked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from pigevo.errors import InputError


class CodeNotRun(InputError):
    """A folder names code of a user that is not run: not asked for, changed since, or not found."""


@dataclass(frozen=True)
class Consent:
    """The code that may be run when a folder names it.

    Args:
        code: whether any of it may, from the files that it names.
        copies: whether files inside the folder may, too.
        files: files that may in any case, by the names of the recorded files for which they stand.
    """

    code: bool = True
    copies: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)


_consent = Consent()  # of the process, its threads included: a program that reads its own runs has consented
_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def consenting(consent: Consent) -> Iterator[None]:
    """A context with this consent."""
    global _consent
    before, _consent = _consent, consent
    try:
        yield
    finally:
        _consent = before


def present_consent() -> Consent:
    """The consent that holds now."""
    return _consent


@contextmanager
def code_of(folder: Path) -> Iterator[None]:
    """A context in which code is loaded because a folder names it, so that it needs consent."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def refuse_unasked(reference: str, path: Path) -> None:
    """Refuse to load a function from a file without consent, if a folder names it.

    Raises:
        CodeNotRun: the user has not asked for it.
    """
    folder = _folder.get()
    if folder is None or path in {Path(os.path.realpath(file)) for file in _consent.files.values()}:
        return
    within = path.is_relative_to(os.path.realpath(folder))
    if not _consent.code or (within and not _consent.copies):
        name = path.name
        raise CodeNotRun(
            f"{folder} names code, {reference}, and code that a folder names runs only if asked for: read it, then say "
            f"--run-code, or --source {name}=PATH with a file of the same content."
        )
