"""A run's folder: the names of its files, its settings, its lock, and how it is emptied."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import NotRequired, TypedDict

from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.evolution.plan import kind_in_words
from pigevo.evolution.selection import outcomes
from pigevo.figures import FORMATS
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, REFUSED_CHECKPOINT_FILE, checkpoint_records
from pigevo.runs.metrics import CHAMPIONS_FILE, LINEAGE_FILE, METRICS_FILE
from pigevo.runs.result import POPULATION_FILE, RESULT_FILE, read_result
from pigevo.settings.schema import ON_GENERATION, Values, flat
from pigevo.settings.selected_option import read_choice
from pigevo.settings.settings import Settings, differences
from pigevo.storage import files
from pigevo.storage.files import (
    instead_of,
    locked,
    make_marked,
    no_link,
    path_in,
    remove_own,
    remove_partials,
    write_bytes,
)
from pigevo.storage.records import Missing, difference, read_bytes, read_record, read_yaml, with_checksum
from pigevo.strategies.parse import ARCHIVE, CHAMPION
from pigevo.user_code.loading import (
    CodeNotRun,
    Consent,
    code_of,
    consent_to_same,
    consenting,
    present_consent,
    refuse_unasked,
)
from pigevo.user_code.source import Sources

LOG = logging.getLogger("pigevo")

CONFIG = ".hydra/config.yaml"  # the path of the settings in a run's folder

OVERRIDES = ".hydra/overrides.yaml"
OPERATORS = "operators"
SOURCES = f"{OPERATORS}/sources.json"
LOG_FILE = "run.log"
REPORT_FILE = "report.html"
REPORT_MARK = "pigevo report"  # the mark near the beginning of a report made by pigevo


class Source(TypedDict):
    """The source of a user's function at the start of the run.

    `content` is the digest of its files, which pigevo 0.2 did not record.
    """

    identity: str
    files: NotRequired[list[str]]
    content: NotRequired[str]


class SourcesRecord(TypedDict):
    """The content of `operators/sources.json`, by kind."""

    sources: dict[str, Source]


def picture_names(figures: str, *outcomes: str) -> tuple[str, ...]:
    """The files of a run's pictures (curve, champion beside the optimum, outcome of its selection) in a format."""
    kind = "png" if figures == "auto" else figures
    return () if kind == "none" else tuple(f"figures/{name}.{kind}" for name in ("curve", "champion", *outcomes))


def picture_command(folder: str, figures: str) -> str:
    """The command that draws the pictures of a finished run in a format."""
    return f"`pigevo report {folder}{'' if figures == 'auto' else f' --figures {figures}'}`"


def lacks_pictures(folder: Path, figures: str) -> bool:
    """Whether the curve or the champion's picture in this format is missing in the folder of a finished run."""
    return not all((folder / name).exists() for name in picture_names(figures))


@functools.cache
def _files_of_a_run() -> tuple[str, ...]:
    """The files that a run makes, beginning with the result: a run without it is unfinished."""
    return (
        RESULT_FILE, CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, REFUSED_CHECKPOINT_FILE, METRICS_FILE,
        CHAMPION, CHAMPIONS_FILE, LINEAGE_FILE, POPULATION_FILE, ARCHIVE,
        *(name for kind in FORMATS for name in picture_names(kind, *outcomes())),
    )  # fmt: skip


def refuse_strangers(folder: Path) -> None:
    """Refuse a folder with foreign files, unless it is a run's folder; nothing is written."""
    files.refuse_strangers(folder, "run", _is_run)


def make(folder: Path) -> None:
    """Make the folder of a new run, if there are no foreign files in it."""
    refuse_strangers(folder)
    make_marked(folder, "run")


def run_lock(folder: Path) -> AbstractContextManager[None]:
    """The lock of a run's folder (`pigevo.storage.files.locked`)."""
    return locked(folder, "run", _is_run)


def tidy(folder: Path) -> None:
    """Remove temporary files of a killed process, in a folder whose lock is held."""
    names = [*_files_of_a_run(), REPORT_FILE, CONFIG, OVERRIDES, SOURCES, *_copies(folder)]
    path_in(folder, LOG_FILE)
    remove_partials(folder, names)


def clear(folder: Path) -> None:
    """Remove the files of an earlier run, by name."""
    report = [REPORT_FILE] if is_report(folder / REPORT_FILE) else []
    remove_own(folder, [*_files_of_a_run(), *report, *_copies(folder), SOURCES])


def is_report(path: Path) -> bool:
    """Whether a file is a report made by pigevo, and not a link."""
    try:
        with open(path, "rb", opener=no_link) as file:
            return f'<meta name="generator" content="{REPORT_MARK}">'.encode() in file.read(500)
    except OSError:
        return False


def sealed_names(folder: Path, settings: Settings, written: Sequence[str]) -> list[str]:
    """The files of a finished run that do not change any more, whose hashes its result contains.

    `written` are the files of its end. Foreign files under names that only other runs use are not included.
    """
    outcomes = filter(None, [settings.plan.selection.outcome_name])
    sources = [SOURCES, *_copies(folder)] if settings.sources or settings.callback else []
    checkpoints = CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE
    return [
        CONFIG, OVERRIDES, *sources, *checkpoints, METRICS_FILE, *written, *picture_names(settings.figures, *outcomes)
    ]  # fmt: skip


def copies(kind: str, files: list[str]) -> Iterator[tuple[str, Path]]:
    """The copies of a user's operator's files: the name of each in the run's folder, and its original."""
    for file in map(Path, files):
        yield f"{OPERATORS}/{kind}/{file.relative_to(Path(files[0]).parent).as_posix()}", file


def sources_of(folder: Path) -> dict[str, Source]:
    """The user's functions at the start of the run, by kind."""
    try:
        record: SourcesRecord = read_record(path_in(folder, SOURCES), SourcesRecord, "give the run's command again")
    except Missing:
        return {}
    return record["sources"]


def _copies(folder: Path) -> list[str]:
    try:
        return [
            name for kind, source in sources_of(folder).items() for name, _ in copies(kind, source.get("files", []))
        ]
    except (InputError, ValueError, TypeError):  # damaged: the copies are overwritten
        return []


def _is_run(folder: Path) -> bool:
    """Whether an unmarked folder, such as a copy, is a run's."""
    with suppress(InputError):
        if read_result(folder) is not None:
            return True
    return any(checkpoint_records(folder))


def settings_of(folder: Path, checked: bool = True) -> Settings:
    """The settings of a run, from the copy in its folder; users' operators are loaded from files of recorded content.

    They are not loaded without consent. A function that observes generations is not loaded before it is called again.
    `checked` is whether settings that have changed since they were written are refused.
    """
    if checked and (changes := changed_settings(folder)):
        raise InputError(
            f"{folder / CONFIG} cannot be read as a config of this pigevo ({changes}): "
            "give the run's command again, with force=true."
        )
    values, path = located(folder, values_of(folder)), folder / CONFIG
    try:
        with code_of(folder):
            settings = Settings.read({**values, ON_GENERATION: None})
    except CodeNotRun:
        raise
    except InputError as error:
        reason = str(error).rstrip(".")
        raise InputError(
            f"{path} cannot be read as a config of this pigevo ({reason}): give the run's command again."
        ) from error
    sources = sources_of(folder)
    callback = sources[ON_GENERATION]["identity"] if ON_GENERATION in sources else ""
    return replace(settings, on_generation=values.get(ON_GENERATION), callback=callback)


def beside_experiment(settings: Settings) -> Settings:
    """The same settings with `differences` relative to their experiment, also for settings from a folder."""
    from pigevo.settings.compose import Composer  # imports Hydra, which is not needed for reading a run

    return replace(settings, base=settings.base or Composer().base(settings.values))


def differences_without_code(folder: Path) -> JsonObject:
    """The settings in a run's folder that differ from those of its experiment, without running a user's code.

    All options of a user's function are included, because its defaults are not known.
    """
    from pigevo.settings.compose import Composer

    values = values_of(folder)

    def of_choice(group: str, before: Values) -> JsonObject:
        try:
            return read_choice(group, values[group]).differences(before)
        except InputError:
            return dict(flat({group: values[group]}))

    with code_of(folder), consenting(Consent(code=False)):
        return differences(values, Composer().base(values), of_choice)


def changed_settings(folder: Path) -> str:
    """A sentence about how the settings in a finished run's folder differ from those written; empty if they do not.

    The settings of an unfinished run are compared with its checkpoints when it is resumed.
    """
    result = read_result(folder)
    return "" if result is None else difference(folder, CONFIG, result["files"])


def values_of(folder: Path) -> JsonObject:
    """The settings of a run as plain values, as written in its folder."""
    try:
        return read_yaml(folder / CONFIG, "give the run's command again")
    except Missing as error:
        raise no_run(folder) from error


def no_run(folder: Path) -> InputError:
    """The error for a folder that is not a run's."""
    return InputError(f"{instead_of('run', folder)}: give the folder of a run, outputs/EXPERIMENT/SETTINGS.")


def keep_settings(folder: Path, settings: Settings, overrides: Sequence[str] | None) -> None:
    """Write the settings, and those typed, to the run's folder, as Hydra does.

    Copies of the user's operators are written beside them for readers; they are executed only if asked for.
    """
    from omegaconf import OmegaConf

    contents = {CONFIG: OmegaConf.to_yaml(settings.values).encode()}
    if overrides is not None:
        contents[OVERRIDES] = OmegaConf.to_yaml(list(overrides)).encode()
    for kind, source in settings.sources.items():
        contents |= {name: file.read_bytes() for name, file in copies(kind, source["files"])}
    sources = ({ON_GENERATION: {"identity": settings.callback}} if settings.callback else {}) | settings.sources
    if sources:
        contents[SOURCES] = with_checksum({"sources": sources})
    for name, content in contents.items():
        path = path_in(folder, name)
        if not (os.path.isfile(path) and read_bytes(path) == content):
            write_bytes(path, content)


def located(folder: Path, values: JsonObject) -> JsonObject:
    """The settings of a run, in which each user's file is replaced by one that now has the content at the run's start.

    Raises:
        CodeNotRun: the code was not asked for, has changed since the run began, or is not found.
    """
    from pigevo.user_code.loading import load

    located_values = dict(values)
    for kind, source in sources_of(folder).items():
        choice = values.get(kind)
        reference = str(choice.get("function")) if isinstance(choice, Mapping) else ""
        if ":" not in reference or "<" in reference.rpartition(":")[2] or not source.get("files"):
            if kind == ON_GENERATION:  # it has no effect on generations
                continue
            raise from_python(kind, folder)
        with suppress(CodeNotRun) if kind == ON_GENERATION else nullcontext():  # it is loaded when it is called again
            reference = _located_reference(folder, kind, reference, source)
        located_values[kind] = {**values[kind], "function": reference}
        if kind == ON_GENERATION:
            continue
        with code_of(folder):
            own = load(reference)
        if own.identity != source["identity"]:
            raise CodeNotRun(
                f"{reference} has the same source as when the run in {folder} began, but not the same values: call "
                "pigevo.evolve again with this folder and the same function, or begin anew with force=true, as for "
                "runs of pigevo 0.2.0 with own functions."
            )
    return located_values


def _located_reference(folder: Path, kind: str, reference: str, source: Source) -> str:
    """The reference of an operator to a file that has the content with which the run began.

    It is the recorded file, one of the same name in the present folder, or the one that the user names. As modules are
    found by their names, the copy in the folder runs in place of a file of another name and the same content.
    """
    file, _, function = reference.rpartition(":")
    if not file.endswith(".py"):  # of a module
        return reference
    consent, name = present_consent(), Path(file).name
    copy, named = folder / OPERATORS / kind / name, consent.files.get(name)
    if named and named.name != name and _has_content(folder, kind, source, named) and _fits(folder, kind, source, copy):
        consent_to_same(name, named := copy)
    with code_of(folder):
        refuse_unasked(reference, Path(os.path.realpath(named or file)))
    for candidate in [named] if named else [Path(file), Path(name), *([copy] if consent.copies else [])]:
        if _fits(folder, kind, source, candidate):
            if os.path.realpath(candidate) != os.path.realpath(file):
                LOG.warning(
                    "%s runs from %s, which is unchanged since the run in %s began", reference, candidate, folder
                )
            return f"{os.path.abspath(candidate)}:{function}"
    since = f"since the run in {folder} began; its content at that time is in {copy.parent}"
    if named:
        raise CodeNotRun(f"{named} is another {name} than the run in {folder} began with, which is in {copy.parent}.")
    if os.path.exists(file):
        raise CodeNotRun(f"{reference} has changed {since}.")
    raise CodeNotRun(
        f"there is no file {file}, which the {kind_in_words(kind)} of {folder} needs: say --source {name}=PATH, put it "
        f"into the present folder, or read the copy in {copy.parent} and say --run-code."
    )


def _fits(folder: Path, kind: str, source: Source, path: Path) -> bool:
    """Whether a file, with those that it imports, has the content with which the run began; nothing is run."""
    if content := source.get("content"):
        with suppress(InputError):
            return Sources(Path(os.path.realpath(path))).digest == content
        return False
    return _has_content(folder, kind, source, path)


def _has_content(folder: Path, kind: str, source: Source, path: Path) -> bool:
    """Whether a file of any name, with those that it imports, has the content of the copies in the run's folder."""
    first, *others = [name for name, _ in copies(kind, source["files"])]
    return _is_copy(folder / first, path) and all(
        _is_copy(folder / name, path.parent / Path(name).relative_to(f"{OPERATORS}/{kind}")) for name in others
    )


def _is_copy(copy: Path, file: Path) -> bool:
    try:
        return read_bytes(copy) == read_bytes(file)
    except InputError:
        return False


def from_python(what: str, folder: Path) -> CodeNotRun:
    """The error for a function that can only be passed again in Python."""
    return CodeNotRun(
        f"the {kind_in_words(what)} of {folder} was handed over from Python: "
        "call pigevo.evolve with it and this folder again."
    )


def refuse_other(folder: Path, result: JsonObject | None, settings: Settings) -> None:
    """Refuse a folder whose result, or all of whose checkpoints if there is no result, belong to another run."""
    records = checkpoint_records(folder)
    owners = {record["config_hash"] for record in records} if result is None else {result["config_hash"]}
    if owners and settings.hash not in owners:
        raise InputError(f"{folder} holds a run of another config: choose another folder, or say force=true.")
