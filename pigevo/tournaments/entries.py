"""The entrants of a tournament: strategies from words, files and folders; a file that fails does not affect others."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pigevo.exact  # noqa: F401  (adds `optimal` to the names)
from pigevo.core.machine import map_threads
from pigevo.core.progress_bar import ProgressBar
from pigevo.core.text import alternatives, counted, visible
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.files import instead_of
from pigevo.storage.records import read_bytes
from pigevo.strategies import Strategy, names_file, parse_strategy
from pigevo.strategies.combined import Combination, read_combination
from pigevo.strategies.parse import CHAMPION, absolute, cell_of, expand, short_name
from pigevo.tournaments import SECONDS
from pigevo.tournaments.file_reader import LARGEST_SOURCE, FileFunctions, functions_of, strategy_apart
from pigevo.user_code.limits import refuse_timeout
from pigevo.workers.sandbox import sandbox_gaps

KINDS = (".py", ".csv", ".npz")
NOBODYS = ("__pycache__", "__MACOSX")  # folders that Python, and the archives of macOS, put beside files
LARGEST = 2**31  # the largest number of cells of all strategies together


@dataclass(frozen=True)
class Entries:
    """The entrants under unique names, and the files and functions that do not enter.

    Args:
        names, strategies: the entrants.
        failed: files and functions that gave no strategy, with the reasons.
        sandbox_gaps: what their code could do, where the sandbox is incomplete.
        passed_over: functions that do not play because a file in a folder enters with its last one, folders in it with
            strategies, pipes, and files with other endings than `KINDS` or an underscore first; with the reasons.
    """

    names: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    failed: tuple[tuple[str, str], ...] = ()
    sandbox_gaps: str = ""
    passed_over: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Read:
    strategies: tuple[tuple[str, str, Strategy], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    is_code: bool = False
    passed_over: tuple[tuple[str, str], ...] = ()


EntryReader = Callable[[], _Read]


def read_entries(words: Sequence[str], game: Game, seconds: float = SECONDS, workers: int = 1) -> Entries:
    """The strategies given by words as on the command line, with ranges, files and folders.

    A folder that is not a run's means the Python files, tables and saved strategies in it, and of each Python file its
    last public function of (i, j, k) or of (game); a Python file alone means all of these functions. Functions are run,
    each in processes of its own with at most `seconds` of processor time; other files are read. A word without a
    meaning is refused.
    """
    refuse_timeout(seconds)
    expanded = [word for words_of_range in map(expand, words) for word in words_of_range]
    named = {*_named_files(expanded)}
    files = [pair for word in expanded for pair in _files(word)]
    todo: dict[str, tuple[str, str]] = {}
    for short, path in files:
        todo.setdefault(_identity(path), (short, path))
    _refuse_too_many(len(todo), game)
    readers = [read for short, path in todo.values() for read in _readers(short, path, game, seconds, named)]
    number = sum(names_file(path) for _, path in todo.values())
    desc = f"reading {counted(number, 'file')}" if number else "strategies"
    with ProgressBar(total=len(readers), desc=desc, disable=None, leave=False) as bar:
        results = map_threads(lambda read: read(), readers, workers, lambda _: bar.update())
    entries = [*{_identity(entry[1]): entry for read in results for entry in read.strategies}.values()]
    _refuse_too_many(len(entries), game)
    shorts = Counter(short for short, _, _ in entries)
    files_named = Counter(
        short_name(path) for path in {*map(_file_of, _named_files(path for _, path in todo.values()))}
    )
    names = tuple(
        visible(long) if shorts[short] > 1 or files_named[os.path.basename(_file_of(short))] > 1 else short
        for short, long, _ in entries
    )
    # a word may occur in several combinations
    failed = dict.fromkeys(failure for read in results for failure in read.failed)
    ignored = (passed for passed in _ignored(expanded) if absolute(passed[0]) not in named)
    passed_over = dict.fromkeys([*ignored, *(passed for read in results for passed in read.passed_over)])
    gaps = sandbox_gaps() if any(read.is_code for read in results) else ""
    return Entries(names, tuple(s for _, _, s in entries), tuple(failed), gaps, tuple(passed_over))


def _identity(path: str) -> str:
    return absolute(path) if names_file(path) else path.replace(" ", "")


def _named_files(words: Iterable[str]) -> Iterator[str]:
    """The files that words name themselves, alone or within a combination, and not by their folder."""
    for word in words:
        if (combination := read_combination(word)) is not None:
            yield from _named_files(combination.words)
        elif names_file(word):
            yield absolute(word)


def _files(word: str) -> list[tuple[str, str]]:
    """A word, or the files in the folder that it names, each with a short name."""
    if (combination := read_combination(word)) is not None:
        within = itertools.product(*map(_files, combination.words))
        return [tuple(map(combination.spelled, zip(*several, strict=True))) for several in within]  # type: ignore[misc]
    if (inside := _in_folder(word)) is None:
        return [(_short(word), word)]
    names = [path.name for path in inside if path.suffix.lower() in KINDS and not _why_passed_over(path)]
    if not names:
        there, folders = instead_of("strategy", Path(os.path.expanduser(word))), any(path.is_dir() for path in inside)
        hint = f", or name the folders in it, {os.path.join(word, '*', '')}" if folders else ""
        raise InputError(f"{there}: put Python files, tables (.csv) or saved strategies (.npz) there{hint}.")
    return [(short_name(name), os.path.join(word, name)) for name in names]


def _in_folder(word: str) -> list[Path] | None:
    """What lies in the folder of strategies that a word names, but hidden and nobody's own; None for other words."""
    folder = Path(os.path.expanduser(word))
    if not names_file(word) or not os.path.isdir(folder) or os.path.isfile(folder / CHAMPION):
        return None
    try:
        return sorted(path for path in folder.iterdir() if path.name[0] != "." and path.name not in NOBODYS)
    except OSError as error:
        raise InputError(f"{word} cannot be read: {error.strerror}.") from error


def _ignored(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What lies in folders and does not enter, such as files of other endings (`mine.py.txt`), and the reasons."""
    for word in words:
        for path in _in_folder(word) or []:
            if path.is_dir() and any(file.suffix.lower() in KINDS for file in path.glob("[!._]*")):
                named = os.path.join(word, "*", "")
                yield os.path.join(word, path.name), f"a folder in a folder enters if it is named, {named}"
            elif why := _why_passed_over(path):
                yield os.path.join(word, path.name), why


def _why_passed_over(path: Path) -> str:
    """Why a path in a folder does not enter; empty if it does, or is a folder."""
    if path.is_dir():
        return ""
    if path.suffix.lower() not in KINDS:
        return f"the name of a strategy's file ends with {alternatives(KINDS)}"
    if path.name.startswith("_"):
        return "a file in a folder enters if its name does not begin with an underscore"
    return "it is a pipe, which nobody writes to" if path.is_fifo() else ""


def _readers(short: str, path: str, game: Game, seconds: float, named: Container[str]) -> list[EntryReader]:
    """The functions that read a word; a wrong word is refused at once, a wrong file when it is read."""
    if names_file(path) and (combination := read_combination(path)) is not None:
        return _of_combination(combination, game, seconds, named)
    if not names_file(path):
        strategy = parse_strategy(path, game)
        return [lambda: _Read(((short, short, strategy),))]
    if cell_of(path):
        return [lambda: _of_data(short, path, game)]
    file_name, _, function = path.rpartition(":") if _file_of(path) != path else (path, "", "")
    is_file = file_name.lower().endswith(".py")
    is_code = (is_file or bool(function)) and not path.lower().endswith(KINDS[1:])
    if (is_file or not is_code) and not os.path.lexists(os.path.expanduser(file_name)):
        raise InputError(f"there is no file {file_name}.")
    if is_code:
        return _of_code(short, path, file_name, function, game, seconds, named)
    return [lambda: _of_data(short, path, game)]


def _of_combination(combination: Combination, game: Game, seconds: float, named: Container[str]) -> list[EntryReader]:
    """The functions that read a combination: every combination of the strategies that its words give."""
    within = [
        [cache(read) for read in _readers(_short(word), word, game, seconds, named)] for word in combination.words
    ]

    def read(readers: Sequence[EntryReader]) -> _Read:
        results = [reader() for reader in readers]
        entries = []
        for several in itertools.product(*(result.strategies for result in results)):
            shorts, longs, strategies = zip(*several, strict=True)
            entries.append((combination.spelled(shorts), combination.spelled(longs), combination.of(strategies)))
        failed = tuple(failed for result in results for failed in result.failed)
        passed_over = tuple(passed for result in results for passed in result.passed_over)
        return _Read(tuple(entries), failed, any(result.is_code for result in results), passed_over)

    return [partial(read, readers) for readers in itertools.product(*within)]


def _short(word: str) -> str:
    return short_name(word) if names_file(word) and not os.path.isdir(os.path.expanduser(word)) else word


def _of_data(short: str, path: str, game: Game) -> _Read:
    try:
        return _Read(((short, path, parse_strategy(path, game)),))
    except InputError as error:
        return _Read(failed=((path, str(error)),))


def _of_code(
    short: str, path: str, file_name: str, function: str, game: Game, seconds: float, named: Container[str]
) -> list[EntryReader]:
    """The functions that read a Python file: each of its functions if the file is named, the last if its folder is."""
    try:
        file = Path(os.path.expanduser(file_name))
        content = read_bytes(file, LARGEST_SOURCE)
        functions = functions_of(file, content, game)
        if not function and functions == FileFunctions():
            no_function = "has no public function of (i, j, k) or of (game)"
            raise InputError(f"{file_name} {no_function if content.strip() else 'is empty'}")
    except InputError as error:
        result = _Read(failed=((path, str(error)),))
        return [lambda: result]
    names = [function] if function else [*functions.lines]
    several = not function and len(names) > 1

    def read(name: str) -> _Read:
        end = f":{name}" if several else ""
        try:
            strategy = strategy_apart(file_name, name, content, game, seconds, functions.lines.get(name))
            return _Read(((f"{short}{end}", f"{path}{end}", strategy),), is_code=True)
        except InputError as error:
            return _Read(failed=((f"{path}{end}", str(error)),), is_code=True)

    reasons = {} if function else functions.replaced | functions.wrong
    unusable = tuple((f"{path}:{name}", why) for name, why in reasons.items())
    if not names or function or absolute(file_name) in named:
        result = _Read(failed=unusable)
    else:
        *earlier, last = names
        why = f"a file in a folder enters with its last function, here {last}"
        left_out = (*((f"{path}:{name}", why) for name in earlier), *unusable)
        result = _Read(passed_over=tuple(passed for passed in left_out if absolute(passed[0]) not in named))
        names = [last]
    return [*(partial(read, name) for name in names), lambda: result]


def _refuse_too_many(number: int, game: Game) -> None:
    if number * game.cells > LARGEST:
        raise InputError(f"{number:,} strategies of {game} are too many: {LARGEST // game.cells:,} are the most.")


def as_records(failures: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Files and functions with the reasons, as plain values that JSON can hold."""
    return [{"file": file, "why": why} for file, why in failures]


def failure_texts(failures: Sequence[tuple[str, str]], beside: Iterable[str] = ()) -> list[str]:
    """Each file or function with its reason, and its file named once, without its folder.

    It has its folder if several files have the same name, among these and those `beside` them.
    """
    paths = [_file_of(reference) for reference, _ in failures]
    others = {_file_of(name) for name in beside if os.path.dirname(name)}
    files_named = Counter(map(os.path.basename, {*paths, *others}))
    return [
        _with_reason(reference if files_named[os.path.basename(path)] > 1 else os.path.basename(reference), path, why)
        for path, (reference, why) in zip(paths, failures, strict=True)
    ]


def _with_reason(name: str, path: str, why: str) -> str:
    """The name and the reason, in which the path is not repeated."""
    spellings = "|".join(map(re.escape, (path, os.path.relpath(path), os.path.basename(path))))
    why = re.sub(rf"(?<![^ (])(?:{spellings}), (?=line )", "", why.rstrip("."))
    rest = re.sub(rf"\A(?:{spellings})(:\w+)?(?=:| )", "", why)
    return f"{name}{rest}" if rest != why else f"{name}: {why}"


def _file_of(reference: str) -> str:
    """The file of `FILE` or `FILE:FUNCTION`; the name of a file may have a colon, too."""
    if reference.lower().endswith(KINDS) and os.path.lexists(os.path.expanduser(reference)):
        return reference
    return re.sub(r":[^/\\]*\Z", "", reference)
