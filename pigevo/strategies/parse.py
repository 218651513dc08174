"""Strategies as words: one (`hold_at:25`, `optimal`, a file), or a range (`hold_at:1..100`, `score:20,0..3`).

A user's file may contain a function, a table of hold values, or a saved strategy; a run's folder means its champion.
`pigevo.strategies.combined` reads combinations of strategies (`noisy:0.05,optimal`).
A run's folder followed by `@X,Y` means the elite of that cell of its map.
"""

from __future__ import annotations

import ast
import csv
import inspect
import io
import itertools
import math
import os
import re
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pigevo.core.array_names import Ints
from pigevo.core.imports import numpy as np
from pigevo.core.text import counted, for_shell, kind_of, short_repr, visible
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.files import instead_of
from pigevo.storage.records import decoded, read_bytes, refuse_changed
from pigevo.strategies.arguments import checks_arguments
from pigevo.strategies.combined import read_combination
from pigevo.strategies.named import STRATEGIES
from pigevo.strategies.rules import is_rule
from pigevo.strategies.strategy import Strategy, load_strategy, refuse_different_answers
from pigevo.user_code.limits import TimeIsUp, hidden_output, limited
from pigevo.user_code.loading import UserCode, failure, file_and_line, load

CHAMPION, ARCHIVE, RESULT = "champion.npz", "archive.npz", "result.json"
"""The files of a run's folder: its champion, the outcome of its selection (a map of elites), and the result."""

GAME = "game"  # the only argument of a function that returns a strategy

T = TypeVar("T")

LARGEST_TABLE = 2**26
"""The size limit in bytes of a table of hold values: for the largest target it has a million numbers."""

_WHOLE = re.compile(r"[0-9]{1,18}(\.[0-9]*)?(e[-+][0-9]{1,2})?", re.ASCII)
"""A whole number, also in the format of `numpy.savetxt`."""

_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.000", re.ASCII)
"""A number with a point before three zeros, which separates thousands where other numbers of a table have no point."""

FEWEST_TO_COUNT = 5  # the smallest target at which hold values that count up from 0 or 1 are no accident

_CELL = re.compile(r"(.+)@([0-9]{1,4}),([0-9]{1,4})", re.DOTALL)

_CODE = re.compile(r".*\.py(:[^:]*)?|[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:[^:]*", re.DOTALL)

MOST = 10_000  # the largest number of strategies that one word may stand for

_RANGE = re.compile(r"\s*(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.([0-9]{1,9}))?\s*", re.ASCII)


@checks_arguments
def parse_strategy(text: str | Strategy, game: Game) -> Strategy:
    """The strategy described by a word.

    Args:
        text: the user's word: `name`, `name:number,number`, a rule (`rule: 21+(j-i)/8; race
            either>=71`), `mine.py:function` (a rule f(i, j, k), or a function of the game that
            returns a `Strategy`), a table of hold values (`.csv`), a saved strategy (`.npz`), a
            run's folder for its champion, `RUN@X,Y` for the elite of a cell of its map, or a
            combination of such words (`noisy:0.05,optimal`, `mix:0.5,hold_at:20,optimal`,
            `mirror:optimal`).  A `Strategy` is returned unchanged.
        game: the game that it is for.

    Raises:
        InputError: the name, file or function does not exist, the numbers are wrong, or the strategy is for another
            game.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> pigevo.parse_strategy("hold_at:25", game) == pigevo.hold_at(game, 25)
        True
        >>> pigevo.parse_strategy("rule: 21+(j-i)/8; race either>=71", game).name
        'rule: 21+(j-i)/8; race either>=71'
    """
    if isinstance(text, Strategy):
        return text
    if not isinstance(text, str):
        raise InputError(f"parse_strategy: text must be a word such as 'hold_at:20', not {short_repr(text)}.")
    if is_rule(text):
        from pigevo.strategies.rules import parse_rule

        return parse_rule(text).strategy(game)
    if (combination := read_combination(text)) is not None:
        return combination.of([parse_strategy(word, game) for word in combination.words])
    if names_file(text):
        return own_strategy(text, game)
    entry, options = STRATEGIES.spelled(text)
    strategy: Strategy = entry.function(game, **options)
    return strategy


def names_file(text: str) -> bool:
    """Whether a word, or a part of a combination, refers to a user's file or folder and not to a named strategy."""
    if (combination := read_combination(text)) is not None:
        return any(map(names_file, combination.words))
    return not is_rule(text) and text.partition(":")[0].strip() not in STRATEGIES and is_own(text)


def single_words(text: str) -> list[str]:
    """The words of the strategies in a combination; the word itself if it is no combination."""
    combination = read_combination(text)
    return [text] if combination is None else [single for word in combination.words for single in single_words(word)]


def expand(word: str) -> list[str]:
    """The words that a word with ranges stands for; a word without ranges stands for itself.

    A number may be `first..last` or `first..last..step`; both ends are included. Several ranges give all combinations.
    """
    if (combination := read_combination(word)) is not None:
        within = [expand(part) for part in combination.words]
        _refuse_many(math.prod(map(len, within)), word)
        return [combination.spelled(chosen) for chosen in itertools.product(*within)]
    name, colon, numbers = word.partition(":")
    if ".." not in numbers or names_file(word):
        return [word]
    spans = [_span(number, word) for number in numbers.split(",")]
    _refuse_many(math.prod(map(len, spans)), word)
    return [f"{name}{colon}{','.join(chosen)}" for chosen in itertools.product(*spans)]


def _refuse_many(count: int, word: str) -> None:
    if count > MOST:
        raise InputError(f"{short_repr(word)} stands for {count:,} strategies: {MOST:,} are the most.")


def _span(number: str, word: str) -> list[str]:
    if ".." not in number:
        return [number]
    ends = _RANGE.fullmatch(number)
    step = int(ends[3] or 1) if ends else 0
    if not ends or not step:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} must be a range: 1..100, or 5..95..5 for steps of 5."
        )
    first, last = int(ends[1]), int(ends[2])
    if last < first:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} is an empty range: write the smaller number first."
        )
    if (last - first) // step >= MOST:
        raise InputError(
            f"{short_repr(number)} in {short_repr(word)} is too long a range: {MOST:,} strategies are the most."
        )
    return [str(n) for n in range(first, last + 1, step)]


def is_own(text: str) -> bool:
    """Whether a word refers to a file or folder and not to a registered strategy, whose name has no dots."""
    if _CODE.fullmatch(text) or _CELL.fullmatch(text) or text.lower().endswith((".npz", ".csv")):
        return True
    return os.sep in text or "/" in text or os.path.exists(os.path.expanduser(text))


def absolute(text: str) -> str:
    """A word with all files and folders in it made absolute."""
    if (combination := read_combination(text)) is not None:
        return combination.spelled([absolute(word) if names_file(word) else word for word in combination.words])
    path, colon, name = text.rpartition(":") if _CODE.fullmatch(text) and ":" in text else (text, "", "")
    if colon and not path.endswith(".py"):  # a module on Python's path
        return text
    return f"{os.path.abspath(os.path.expanduser(path))}{colon}{name}"


def cell_of(text: str) -> tuple[Path, int, int] | None:
    """The elite map and the cell of `RUN@X,Y` or `RUN/archive.npz@X,Y`; None for other words."""
    match = _CELL.fullmatch(text)
    if not match:
        return None
    path = Path(os.path.expanduser(match[1]))
    return path / ARCHIVE if os.path.isdir(path) else path, int(match[2]), int(match[3])


def own_strategy(text: str, game: Game) -> Strategy:
    """The strategy of a file: `mine.py:rule`, `table.csv`, a saved `.npz`, a run's folder, or a cell `RUN@X,Y`."""
    path = Path(os.path.expanduser(text))
    if cell := cell_of(text):
        return _for_game(_of_cell(*cell), game, text)
    if _CODE.fullmatch(text):
        with hidden_output(text.rpartition(":")[0] or text):
            return strategy_of(load(text), text, game)
    if text.lower().endswith(".csv"):
        return hold_table(path, game)
    if os.path.isdir(path):
        if not os.path.isfile(path / CHAMPION):
            raise InputError(f"{instead_of(CHAMPION, path)}: give {_strategies_in(path)}.")
        refuse_changed(path, CHAMPION, RESULT)
        path /= CHAMPION
    return _for_game(load_strategy(path), game, text)


def _strategies_in(folder: Path) -> str:
    """What to give instead of a folder that is not one of a run."""
    if runs := sorted(champion.parent for champion in folder.glob(f"*/{CHAMPION}")):
        return f"one of the {len(runs)} in it, such as {runs[0]}"
    if files := sorted(folder.glob("*.py")):
        all_of_them = f"`pigevo tournament {for_shell(folder)}`"
        return f"one of its Python files, such as {files[0]}; {all_of_them} plays all of them"
    return "the folder of a run that has finished"


def _of_cell(path: Path, x: int, y: int) -> Strategy:
    if not os.path.isfile(path):
        raise InputError(
            f"{path} does not exist: a cell is RUN@X,Y, with the folder of a finished run of selection=map_elites."
        )
    refuse_changed(path.parent, path.name, RESULT)
    from pigevo.strategies.elite_map import load_elite_map

    return load_elite_map(path).strategy(x, y)


def hold_table(path: Path, game: Game) -> Strategy:
    """The strategy of a table of hold values: a file of comma-separated whole numbers.

    It has `target` lines by own score and `target` columns by the opponent's score, optionally below a line of column
    names; the strategy rolls while its turn total is below the number.
    """
    if len(game.axes) != 3 or not game.target or game.reply:
        raise InputError(f"{path} is a table of hold values by own and opponent's score: {game} needs more than these.")
    rows = _rows(path)
    if len(rows) == game.target + 1 and _is_header(rows[0][1]):
        del rows[0]
    if len(rows) != game.target:
        raise InputError(
            f"{path} has {counted(len(rows), 'line')}, not {game.target}: "
            f"one for each own score from 0 to {game.target - 1}."
        )
    has_plain = any("." not in cell for _, cells in rows for cell in cells)
    table = np.array([_numbers(path, line, cells, game, has_plain) for line, cells in rows])
    _refuse_labels(path, rows, table)
    return Strategy.from_holds(game, table, short_name(path.name))


def short_name(text: str) -> str:
    r"""The name of a strategy in a user's file everywhere: what was typed, without its folder.

    A byte of a file's name that is no text, as from an archive of another system, is written as `\udcfc`.
    """
    return visible(os.path.basename(text))


def strategy_of(code: UserCode, text: str, game: Game) -> Strategy:
    """The strategy of a user's function, which messages name by `text`, with the line of what is wrong."""
    try:
        return _strategy_of(code, text, game)
    except InputError as error:
        raise InputError(_with_line(str(error), code)) from error


def _strategy_of(code: UserCode, text: str, game: Game) -> Strategy:
    needed = _required(code)
    if needed is not None and not takes_states_or_game(needed, game):
        raise InputError(f"{text} {taken_instead(needed, game)} ({file_and_line(code.function)}).")
    if needed != [GAME]:
        rule: Strategy = _guarded(code, text, lambda: Strategy.from_function(game, code.function, short_name(text)))
        return rule
    answer, repeated = [_returned(code, text, game) for _ in range(2)]
    _guarded(code, text, lambda: refuse_different_answers(answer, repeated))
    return answer


def takes_states_or_game(needed: Sequence[str], game: Game) -> bool:
    """Whether a function with these required arguments, those by name written `k=...`, is a strategy for a game."""
    by_position = all(map(str.isidentifier, needed))
    return by_position and ([*needed] == [GAME] or len(needed) in (3, len(game.axes)))


def taken_instead(needed: Sequence[str], game: Game) -> str:
    """What a function takes that is no strategy, and what a strategy takes, for messages."""
    axes = "" if len(game.axes) == 3 else f", the {len(game.axes)} of ({', '.join(axis.name for axis in game.axes)})"
    return f"takes ({', '.join(needed)}), and a strategy takes (i, j, k){axes} or (game)"


def _returned(code: UserCode, text: str, game: Game) -> Strategy:
    returned = _guarded(code, text, lambda: code.function(game))
    if not isinstance(returned, Strategy):
        raise InputError(f"{text} returns {kind_of(returned)}: a function of the game alone returns a Strategy.")
    return _for_game(replace(returned, name=short_name(text)), game, text)


def _required(code: UserCode) -> list[str] | None:
    """The required arguments, those by name as `k=...`; None for some compiled functions, which have no names."""
    try:
        parameters = inspect.signature(code.function).parameters.values()
    except (ValueError, TypeError):
        return None
    return [
        f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


def _guarded(code: UserCode, text: str, make: Callable[[], T]) -> T:
    """What a call of a user's function returns; its failure becomes a sentence."""
    try:
        return limited(make, text)
    except InputError as error:
        raise InputError(f"{text}: {error}") from error
    except (Exception, SystemExit, TimeIsUp) as error:
        raise InputError(f"{text} fails: {failure(error, code.path)}.") from error


def _with_line(error: str, code: UserCode) -> str:
    """The problem with a function, with its line in the file unless a line is named already."""
    if re.search(r"\bline [0-9]", error):
        return error
    where = file_and_line(code.function)
    if (line := _line_that_returns(error, code)) is not None:
        where = f"{where.rpartition(', line ')[0]}, line {line}"
    return f"{error.rstrip('.')} ({where})."


def _line_that_returns(error: str, code: UserCode) -> int | None:
    """The first line of a function that returns the constant, such as `'roll'`, which it may not return."""
    with suppress(OSError, TypeError, SyntaxError):
        lines, first = inspect.getsourcelines(code.function)
        for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
            value = node.value if isinstance(node, ast.Return) else None
            if isinstance(value, ast.Constant) and f"returns {value.value!r}" in error:
                return first + value.lineno - 1
    return None


def _for_game(strategy: Strategy, game: Game, text: str) -> Strategy:
    if strategy.game.rules != game.rules:
        raise InputError(f"{text} plays {strategy.game}, not {game}: give the game's own settings.")
    return strategy


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The lines of a table as numbers, without empty lines at the end."""
    content = read_bytes(path, LARGEST_TABLE)
    try:
        reader = csv.reader(io.StringIO(decoded(content), newline=""))
        rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except (csv.Error, ValueError) as error:
        raise InputError(f"{path} must be a table of comma-separated numbers: {error}.") from error
    while rows and not any(rows[-1][1]):
        rows.pop()
    return rows


def _is_header(cells: list[str]) -> bool:
    return _are_scores(cells, 0) or not all(_WHOLE.fullmatch(cell.lstrip("-")) for cell in cells)


def _are_scores(cells: list[str], first: int) -> bool:
    """Whether the cells count up from the first score, as the names of lines or columns do."""
    scores = range(first, first + len(cells))
    return cells in ([str(n) for n in scores], [f"{n}.0" for n in scores])


def _refuse_labels(path: Path, rows: Sequence[tuple[int, list[str]]], table: Ints) -> None:
    """Refuse names of lines or columns that stand in the place of hold values, since a line or a column is missing.

    Hold values may count up, too, but then so do those at the next score, nearly; in a game of a few points any do.
    """
    if (size := len(rows)) < FEWEST_TO_COUNT:
        return
    beside, above = [cells[0] for _, cells in rows], rows[0][1]
    for cells, lines, where, missing in (
        (above, table, f"line {rows[0][0]}", "a line for each own score"),
        (beside, table.T, "column 1", "a column for each score of the opponent"),
    ):
        are_scores = _are_scores(cells, 0) or _are_scores(cells, 1)
        if are_scores and np.abs(lines[1] - lines[0]).max() > size / 4:
            raise InputError(
                f"{path}, {where} has the scores {cells[0]} to {cells[-1]} in place of hold values: leave them out, "
                f"and give {missing} from 0 to {size - 1}. If they are hold values, write 0{cells[0]} for {cells[0]}."
            )


def _numbers(path: Path, line: int, cells: list[str], game: Game, has_plain: bool) -> Ints:
    for column, cell in enumerate(cells, start=1):
        problem = ""
        if not _WHOLE.fullmatch(cell) or not float(cell).is_integer():
            problem = f"{cell[:30]!r} must be a whole number of points, 0 or more" if cell else "the cell is blank"
            if re.search(r"[;\t ]", cell.strip()):
                problem += "; commas are between cells"
        elif has_plain and _THOUSANDS.fullmatch(cell):
            problem = f"{cell!r} is {cell[:-4]} or {cell.replace('.', '')}: write it without a point"
        if problem:
            raise InputError(f"{path}, line {line}, column {column}: {problem}.")
    if len(cells) != game.target:
        raise InputError(
            f"{path}, line {line} has {counted(len(cells), 'column')}, not {game.target}: "
            "one for each score of the opponent."
        )
    return np.array([float(cell) for cell in cells]).astype(np.int64)
