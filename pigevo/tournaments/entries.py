"""Who takes part: words, files and folders made strategies, each under a name; a file that fails costs itself only."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pigevo.exact  # noqa: F401  (adds `optimal` to the names)
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import Strategy, names_file, parse_strategy
from pigevo.strategies.own import CHAMPION
from pigevo.strategies.ranges import expand
from pigevo.threads import map_threads
from pigevo.tournaments.apart import functions_of, strategies_apart
from pigevo.tournaments.defaults import SECONDS

KINDS = (".py", ".csv", ".npz")
MOST_SECONDS = 100_000
LARGEST = 2**31
"""Cells of all strategies together."""


@dataclass(frozen=True)
class Entries:
    """Who takes part, and who cannot.

    Args:
        names: of the strategies, all different.
        strategies: as many.
        failed: files that gave no strategy, each with what was wrong.
    """

    names: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    failed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Read:
    """What one word or file gave: by short and long name."""

    strategies: tuple[tuple[str, str, Strategy], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


def read_entries(words: Sequence[str], game: Game, seconds: float = SECONDS, workers: int = 1) -> Entries:
    """The strategies that words name.

    A folder that is no run's stands for the Python files, tables and saved strategies in it; a Python file alone for
    its public functions of (i, j, k) or of (game). Python files are run, each in a process of its own; others are read.

    Args:
        words: strategies as on the command line, with ranges, files and folders.
        game: the game they shall play.
        seconds: how long each Python file may take.
        workers: processes at a time.

    Raises:
        InputError: a word that names neither a strategy nor something that is there, or too many strategies.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"a timeout of {seconds:g} s is none: it must be above 0 and at most {MOST_SECONDS:,}.")
    files = [pair for word in words for one in expand(word) for pair in _files(one)]
    todo: dict[str, tuple[str, str]] = {}
    for short, path in files:
        todo.setdefault(_identity(path), (short, path))
    _refuse_too_many(len(todo), game)
    readers = [_reader(short, path, game, seconds) for short, path in todo.values()]
    found = map_threads(lambda read: read(), readers, workers)
    made = [one for read in found for one in read.strategies]
    _refuse_too_many(len(made), game)
    often = Counter(short for short, _, _ in made)
    names = tuple(short if often[short] == 1 else long for short, long, _ in made)
    return Entries(names, tuple(s for _, _, s in made), tuple(one for read in found for one in read.failed))


def _identity(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path)) if names_file(path) else path.replace(" ", "")


def _files(word: str) -> list[tuple[str, str]]:
    """A word, or the files of the folder that it names, each with a short name."""
    folder = Path(os.path.expanduser(word))
    if not names_file(word) or not os.path.isdir(folder) or os.path.isfile(folder / CHAMPION):
        is_file = names_file(word) and not os.path.isdir(folder)
        return [(os.path.basename(word) if is_file else word, word)]
    try:
        names = sorted(one.name for one in folder.iterdir() if one.suffix.lower() in KINDS and one.name[0] not in "._")
    except OSError as error:
        raise InputError(f"{word} cannot be read: {error.strerror}.") from error
    if not names:
        raise InputError(f"{word} holds no strategies: put Python files, tables (.csv) or saved ones (.npz) there.")
    return [(name, os.path.join(word, name)) for name in names]


def _reader(short: str, path: str, game: Game, seconds: float) -> Callable[[], _Read]:
    """What reads a word; a wrong word is refused at once, a file that is wrong when it is read."""
    if not names_file(path):
        strategy = parse_strategy(path, game)
        return lambda: _Read(((short, short, strategy),))
    place, _, function = path.rpartition(":") if re.search(r":[^/\\]*\Z", path) else (path, "", "")
    is_code = (place.endswith(".py") or bool(function)) and not path.lower().endswith(KINDS[1:])
    if (place.endswith(".py") or not is_code) and not os.path.lexists(os.path.expanduser(place)):
        raise InputError(f"there is no file {place}.")
    if is_code:
        return lambda: _of_code(short, path, place, function, game, seconds)
    return lambda: _of_data(short, path, game)


def _of_data(short: str, path: str, game: Game) -> _Read:
    try:
        return _Read(((short, path, parse_strategy(path, game)),))
    except InputError as error:
        return _Read(failed=((path, str(error)),))


def _of_code(short: str, path: str, place: str, function: str, game: Game, seconds: float) -> _Read:
    try:
        functions = [function] if function else functions_of(Path(os.path.expanduser(place)), game)
    except InputError as error:
        return _Read(failed=((path, str(error)),))
    made, failed = strategies_apart(place, functions or ["strategy"], game, seconds)
    several = not function and len(functions) > 1
    told = [(f"{path}:{name}" if several and name else path, why) for name, why in failed]
    if not function and not functions and failed and "there is no function" in failed[0][1]:
        told = [(path, f"{place} has no public function of (i, j, k) or of (game).")]
    named = [(f"{short}:{n}", f"{path}:{n}", s) if several else (short, path, s) for n, s in made]
    return _Read(tuple(named), tuple(told))


def _refuse_too_many(number: int, game: Game) -> None:
    cells = 1
    for n in game.shape:
        cells *= n
    if number * cells > LARGEST:
        raise InputError(f"{number:,} strategies of {game} are too many: {LARGEST // cells:,} are the most.")


def failure_told(file: str, why: str) -> str:
    """What was wrong with a file, which is named once."""
    return why if why.startswith(file) else f"{file}: {why}"
