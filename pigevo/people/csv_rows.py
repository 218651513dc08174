"""The rows of a CSV file of recorded games: words and numbers, checked one by one without the rules of the game."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from pigevo.core.checked_values import JsonObject
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.people.recorded_games import PREFERENCES
from pigevo.storage.files import cell_text
from pigevo.strategies.rules import parse_rule

NEEDED = ("game", "player", "turn", "rolls", "banked")
OPTIONAL = ("score", "preference", "question_2", "question_3", "seat", "dice", "rule")
COLUMNS = (*NEEDED, *OPTIONAL)

MOST_ROWS = 5_000
LONGEST_NAME = 60
MOST_DIGITS = 4


@dataclass(frozen=True)
class Row:
    """One row of the file: a turn as written down; `number` is the row's number, where the header is row 1."""

    number: int
    game: str
    player: str
    turn: int
    rolls: int
    banked: int
    score: int | None = None
    preference: str | None = None
    question_2: str | None = None
    question_3: str | None = None
    seat: int | None = None
    dice: tuple[int, ...] | None = None
    rule: str | None = None


def rows_of(text: str) -> list[Row]:
    """The rows of a CSV text, separated like the header by commas or semicolons; a wrong row is refused by number."""
    header, *lines = _cells(text)
    names = [re.sub(r"[ -]+", "_", cell.lower()) for cell in header]
    for name in names:
        if name not in COLUMNS:
            raise (
                unknown("column", name, COLUMNS, " of recorded games")
                if name
                else InputError(
                    "row 1: a column has no name; a record begins with a row of names, such as "
                    + ",".join(NEEDED)
                    + "."
                )
            )
        if names.count(name) > 1:
            raise InputError(f"row 1: the column {name} is there twice.")
    if missing := [name for name in NEEDED if name not in names]:
        raise InputError(
            f"row 1: there is no column {' and no column '.join(missing)}; it begins with names of columns."
        )
    numbered = [(number, cells) for number, cells in enumerate(lines, start=2) if any(cells)]
    if not numbered:
        raise InputError("it has no turns: a row for each turn follows the row of names.")
    if len(numbered) > MOST_ROWS:
        raise InputError(f"it has {len(numbered):,} turns, and {MOST_ROWS:,} are the most.")
    return [_row(number, names, cells) for number, cells in numbered]


def _cells(text: str) -> list[list[str]]:
    first = text.split("\n", 1)[0]
    delimiter = ";" if ";" in first and "," not in first else ","
    try:
        lines = [
            [cell_text(cell.strip()) for cell in line]
            for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        ]
    except csv.Error as error:
        raise InputError(f"it is not a table of comma-separated values: {error}.") from error
    if not lines or not any(lines[0]):
        raise InputError(f"it does not begin with a row of names, such as {','.join(NEEDED)}.")
    return lines


def _row(number: int, names: list[str], cells: list[str]) -> Row:
    if len(cells) > len(names) and any(cells[len(names) :]):
        raise InputError(f"row {number} has {len(cells)} cells, and there are {len(names)} columns.")
    values: JsonObject = {}
    for name, cell in zip(names, cells, strict=False):
        if cell:
            try:
                values[name] = _READ[name](cell)
            except ValueError as error:
                raise InputError(f"row {number}: {name} is {short_repr(cell)}, and must be {error}.") from error
    for name in NEEDED:
        if name not in values:
            raise InputError(f"row {number} has no {name}: the cell is blank.")
    return Row(number, **values)


def _text(cell: str) -> str:
    if len(cell) > LONGEST_NAME or not cell.isprintable():
        raise ValueError(f"a name of at most {LONGEST_NAME} letters that can be seen")
    return cell


def _whole(cell: str) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}(\.0*)?", cell, re.ASCII):
        raise ValueError(f"a whole number of at most {MOST_DIGITS} digits")
    return int(cell.partition(".")[0])


def _preference(cell: str) -> str:
    preference = re.sub(r"^risk[ _-]*", "", cell.lower())
    preference = {"loving": "seeking", "lover": "seeking", "seeker": "seeking"}.get(preference, preference)
    if preference not in PREFERENCES:
        raise ValueError(f"one of {', '.join(PREFERENCES)}, or blank")
    return preference


def _answer(cell: str) -> str:
    if cell.lower() not in ("a", "b"):
        raise ValueError("a (the sure sum), b (the gamble), or blank")
    return cell.lower()


def _seat(cell: str) -> int:
    if cell not in ("1", "2"):
        raise ValueError("1 for the player who moved first, 2 for the other, or blank")
    return int(cell)


def _dice(cell: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,3}( +[0-9]{1,3})*", cell, re.ASCII):
        raise ValueError("the numbers on the die with spaces between them, as 4 6 1")
    return tuple(map(int, cell.split()))


def _rule(cell: str) -> str:
    try:
        return parse_rule(cell).text
    except InputError as error:
        raise ValueError(f"a rule, such as 21+(j-i)/8; race either>=71 ({str(error).rstrip('.')})") from error


_READ: dict[str, Callable[[str], object]] = {
    "game": _text, "player": _text, "turn": _whole, "rolls": _whole, "banked": _whole, "score": _whole,
    "preference": _preference, "question_2": _answer, "question_3": _answer, "seat": _seat, "dice": _dice,
    "rule": _rule,
}  # fmt: skip
