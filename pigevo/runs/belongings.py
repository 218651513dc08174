"""What in a run's folder is the run's: the names of its files, whether the folder is one, and how it is emptied."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NotRequired, TypedDict

from pigevo.errors import InputError
from pigevo.folders import make_marked, no_link, place_in, remove_own, remove_partials
from pigevo.records import Missing, read_bytes
from pigevo.runs.champions import CHAMPIONS_FILE
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, REFUSED_CHECKPOINT_FILE, record_of
from pigevo.runs.former import is_former
from pigevo.runs.lock import locked, refuse_others
from pigevo.runs.metrics import DIGESTS_FILE, METRICS_FILE
from pigevo.runs.population import POPULATION_FILE
from pigevo.runs.records import CONFIG
from pigevo.runs.result import RESULT_FILE, read_result
from pigevo.seals import YAML_END, is_whole, read_sealed
from pigevo.strategies.own import CHAMPION

OVERRIDES = ".hydra/overrides.yaml"
OPERATORS = "operators"
SOURCES = f"{OPERATORS}/sources.json"
PICTURES = ("figures/curve.png", "figures/champion.png")
LOG_FILE = "run.log"
REPORT_FILE = "report.html"
REPORT_MARK = "pigevo report"
"""Who made a report, as it says itself near its beginning."""


class Source(TypedDict):
    """What a function of the user's was when the run began."""

    identity: str
    files: NotRequired[list[str]]


class Sources(TypedDict):
    """What `operators/sources.json` says, by kind."""

    sources: dict[str, Source]


_MADE = (
    RESULT_FILE, CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, REFUSED_CHECKPOINT_FILE, METRICS_FILE,
    CHAMPION, CHAMPIONS_FILE, POPULATION_FILE, *PICTURES,
)  # fmt: skip
"""What a run makes, the result first: a folder without it is unfinished."""


def refuse_strangers(folder: Path) -> None:
    """Refuse a folder in which others' files lie, unless it is a run's; nothing is written.

    Raises:
        InputError: they do.
    """
    refuse_others(folder, "run", _is_run)


def make(folder: Path) -> None:
    """Make the folder of a run that begins, if nothing of others lies in it.

    Raises:
        InputError: something does, or it cannot be written.
    """
    refuse_strangers(folder)
    make_marked(folder, "run")


def held(folder: Path) -> AbstractContextManager[None]:
    """The lock of a run's folder (`pigevo.runs.lock.locked`)."""
    return locked(folder, "run", _is_run)


def tidy(folder: Path) -> None:
    """Remove what a killed process was writing, in a folder whose lock is held.

    Raises:
        InputError: a link lies where a file or a folder of the run would be.
    """
    names = [*_MADE, REPORT_FILE, CONFIG, OVERRIDES, SOURCES, *_copies(folder)]
    place_in(folder, LOG_FILE)
    remove_partials(folder, names)


def clear(folder: Path) -> None:
    """Remove what an earlier run left, by name.

    Raises:
        InputError: something of it cannot be removed, or is a link.
    """
    former = [DIGESTS_FILE] if is_former(folder) else []
    report = [REPORT_FILE] if is_report(folder / REPORT_FILE) else []
    remove_own(folder, [*_MADE, *former, *report, *_copies(folder), SOURCES])


def is_report(path: Path) -> bool:
    """Whether a file is a report of pigevo's, and no link."""
    try:
        with open(path, "rb", opener=no_link) as file:
            return f'<meta name="generator" content="{REPORT_MARK}">'.encode() in file.read(500)
    except OSError:
        return False


def sealed_names(folder: Path) -> list[str]:
    """The files of a run that do not change once it has finished, whose hashes its result holds."""
    made = [name for name in _MADE if name not in (RESULT_FILE, REFUSED_CHECKPOINT_FILE)]
    return [CONFIG, OVERRIDES, SOURCES, *_copies(folder), *made]


def copies(kind: str, files: list[str]) -> Iterator[tuple[str, Path]]:
    """The copies of the files of a user's operator: the name of each in the run's folder, and what it is a copy of."""
    for file in map(Path, files):
        yield f"{OPERATORS}/{kind}/{file.relative_to(Path(files[0]).parent).as_posix()}", file


def sources_of(folder: Path) -> dict[str, Source]:
    """What the user's own functions were when the run began, by kind.

    Raises:
        InputError: the file that says so is damaged, or cannot be read.
    """
    try:
        record: Sources = read_sealed(place_in(folder, SOURCES), Sources, "give the run's command again")
    except Missing:
        return {}
    return record["sources"]


def _copies(folder: Path) -> list[str]:
    try:
        return [
            name for kind, source in sources_of(folder).items() for name, _ in copies(kind, source.get("files", []))
        ]
    except (InputError, ValueError, TypeError):  # damaged: the copies stay, and are written over
        return []


def _is_run(folder: Path) -> bool:
    """Whether an unmarked folder, of pigevo 0.1.0 or a copy, is a run's."""
    try:
        if read_result(folder) is not None:
            return True
    except InputError:
        pass
    if record_of(folder / CHECKPOINT_FILE) or record_of(folder / EARLIER_CHECKPOINT_FILE):
        return True
    try:
        return is_whole(read_bytes(folder / CONFIG), YAML_END)
    except InputError:
        return False
