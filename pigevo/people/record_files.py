"""Reads and writes files of recorded games, and makes the form for writing games down by hand (Exeter 2017, figure 5).

The words and numbers of each row of a CSV file are checked first, without the rules of the game.  A row that breaks the
rules is refused by its number.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pigevo.core.checked_values import JsonObject
from pigevo.core.text import clipped, short_repr, visible
from pigevo.errors import InputError, unknown
from pigevo.games import Game
from pigevo.people.game_in_progress import MOST_TURNS, Played
from pigevo.people.recorded_games import (
    PREFERENCES,
    People,
    Person,
    RecordedGame,
    RecordedTurn,
    recorded_game,
    why_impossible,
)
from pigevo.storage.files import cell_text, csv_bytes, refuse_unwritable, write_bytes
from pigevo.storage.records import decoded, read_bytes
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
    """The rows of a CSV text, separated as the header is: by commas, semicolons or tabs; a wrong row is named."""
    header, *lines = _cells(text)
    while not header[-1]:  # a spreadsheet may write empty columns at the right
        header.pop()
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
    delimiter = "," if "," in first else next((mark for mark in ";\t" if mark in first), ",")
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


LARGEST_TARGET = 200

LARGEST = 2**22  # the size limit of a file in bytes: more than 5,000 turns with all answers and dice


def refuse_other_games(game: Game) -> None:
    """Refuse games whose records are not supported: all but one-die races to a bounded target."""
    if not game.plain_race or game.target > LARGEST_TARGET:
        raise InputError(f"only one-die races to at most {LARGEST_TARGET} points can be recorded, not {game}.")


def people_of(rows: Sequence[Row], game: Game) -> People:
    """The games in the rows of a file; an impossible row is refused by number."""
    refuse_other_games(game)
    by_game: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        by_game.setdefault(row.game, {}).setdefault(row.player, []).append(row)
    games = tuple(_game(name, sides, game) for name, sides in by_game.items())
    return People(game, _persons(rows), games)


def _persons(rows: Sequence[Row]) -> tuple[Person, ...]:
    persons: dict[str, Person] = {}
    for row in rows:
        person = persons.setdefault(row.player, Person(row.player))
        for question in ("preference", "question_2", "question_3"):
            answer, before = getattr(row, question), getattr(person, question)
            if answer and before and answer != before:
                raise InputError(
                    f"row {row.number}: {question} of {row.player} is {answer}, and was {before} above; a name stands "
                    "for one person, who gives one answer."
                )
            person = replace(person, **{question: answer or before})
        persons[row.player] = person
    return tuple(persons.values())


def _game(name: str, sides: dict[str, list[Row]], game: Game) -> RecordedGame:
    if len(sides) > 2:
        third = list(sides.values())[2][0]
        raise InputError(f"row {third.number}: {third.player} is the third player of game {name}, which has two.")
    for rows in sides.values():
        rows.sort(key=lambda row: row.turn)
        for number, row in enumerate(rows, start=1):
            if row.turn != number:
                wrong = (
                    f"turn {row.turn} is there twice" if row.turn < number else f"turn {number} is missing before it"
                )
                raise InputError(f"row {row.number}: {wrong}, of {row.player} in game {name}.")
    if len(sides) == 1:
        ((player, rows),) = sides.items()
        seat = _only_seat(rows)
        return RecordedGame(name, (player,), tuple(_played(rows, None, game, moves_first=seat == 1)), seat)
    order = _order(sides, game)
    in_turn = [sides[player][n] for n in range(max(map(len, sides.values()))) for player in order
               if n < len(sides[player])]  # fmt: skip
    return RecordedGame(name, order, tuple(_played(in_turn, order, game)))


def _only_seat(rows: Sequence[Row]) -> int | None:
    """The seat of a player whose opponent is not recorded; None if no row has it."""
    stated = [row for row in rows if row.seat]
    for row in stated:
        if row.seat != stated[0].seat:
            raise InputError(
                f"row {row.number}: the seat of {row.player} in game {row.game} was {stated[0].seat} above."
            )
    return stated[0].seat if stated else None


def _order(sides: dict[str, list[Row]], game: Game) -> tuple[str, str]:
    """The order of play: by the seats, or the only possible order, or else as in the file."""
    a, b = sides
    stated = {player: {row.seat for row in rows if row.seat} for player, rows in sides.items()}
    for player, seats in stated.items():
        if len(seats) > 1 or (seats and seats == stated[b if player == a else a]):
            row = next(row for row in sides[player] if row.seat)
            raise InputError(
                f"row {row.number}: the seats of game {row.game} must be 1 for one player and 2 for the other."
            )
    if stated[a] == {1} or stated[b] == {2}:
        return a, b
    if stated[a] == {2} or stated[b] == {1}:
        return b, a
    turns = {player: len(rows) for player, rows in sides.items()}
    if turns[a] != turns[b]:
        return (a, b) if turns[a] > turns[b] else (b, a)
    won = sum(row.banked for row in sides[a]) >= game.target  # the second player, after equally many turns
    return (b, a) if won else (a, b)


def _played(
    rows: Sequence[Row], order: tuple[str, str] | None, game: Game, moves_first: bool = False
) -> list[RecordedTurn]:
    """The turns with the scores before them, of rows in the order of play; `order` is None with one side recorded.

    If that is the side of the player who moves first, the opponent's score is known in the first turn.
    """
    scores = dict.fromkeys(order or (rows[0].player,), 0)
    turns: list[RecordedTurn] = []
    for number, row in enumerate(rows):
        if order and row.player != order[number % 2]:
            raise InputError(
                f"row {row.number}: turn {row.turn} of {row.player} in game {row.game} has no turn of "
                f"{order[number % 2]} before it; {order[0]} moved first."
            )
        _refuse_after_the_end(row, turns, scores, game)
        own = scores[row.player]
        dice = _points(row, game)
        if reason := why_impossible(game, own, row.rolls, row.banked, dice):
            raise InputError(f"row {row.number}: {reason}.")
        scores[row.player] += row.banked
        if row.score is not None and row.score != scores[row.player]:
            raise InputError(
                f"row {row.number}: the score is {row.score}, and {own} and {row.banked} make {scores[row.player]}."
            )
        unknown = 0 if moves_first and not turns else None
        opponent = next((score for player, score in scores.items() if player != row.player), unknown)
        turns.append(RecordedTurn(row.player, row.turn, own, opponent, row.rolls, row.banked, dice, row.rule))
    return turns


def _refuse_after_the_end(row: Row, turns: Sequence[RecordedTurn], scores: dict[str, int], game: Game) -> None:
    winner = next((player for player, score in scores.items() if score >= game.target), None)
    if winner:
        raise InputError(
            f"row {row.number}: turn {row.turn} of {row.player} comes after the end of game {row.game}, "
            f"which {winner} has won with {scores[winner]}."
        )


def _points(row: Row, game: Game) -> tuple[int, ...] | None:
    """The points of each roll; a roll that gains nothing is written as 1 or 0."""
    if row.dice is None:
        return None
    gains = [points for points, _ in game.die]
    busts = {0} if 1 in gains else {0, 1}
    for face in row.dice:
        if face not in gains and (face not in busts or not game.bust):
            raise InputError(f"row {row.number}: no roll of {game} shows {face}.")
    return tuple(0 if face in busts else face for face in row.dice)


def read_people(path: str | os.PathLike[str], game: Game) -> People:
    """The games recorded in a file (docs/people.md describes the format); an impossible row is refused by number."""
    refuse_other_games(game)
    content = read_bytes(path, LARGEST)
    try:
        return replace(parse_people(decoded(content), game), source=os.fspath(path))
    except ValueError as error:
        raise InputError(f"{path} cannot be read as a record of games: {str(error).rstrip('.')}.") from error


def parse_people(text: str, game: Game) -> People:
    """The games recorded in a CSV text; arguments and errors are those of `read_people`."""
    return people_of(rows_of(text), game)


def write_people(path: str | os.PathLike[str], people: People) -> Path:
    """Write games to a file atomically."""
    text = as_csv(people)
    parse_people(text, people.game)  # nothing is written that cannot be read again
    return write_bytes(path, text.encode())


def as_csv(people: People) -> str:
    """The games as CSV text: a row for each turn, with all columns of the format, and `rule` if any player has one."""
    rows = cells_of(people)
    columns = [name for name in COLUMNS if name != "rule" or any(row["rule"] for row in rows)]
    return csv_bytes([columns, *([row[name] for name in columns] for row in rows)]).decode()


def cells_of(people: People) -> list[dict[str, str]]:
    """The rows of the text, one for each turn, by column name."""
    return [{name: "" if cell is None else str(cell) for name, cell in zip(COLUMNS, row, strict=True)}
            for row in _rows(people)]  # fmt: skip


def _rows(people: People) -> Iterator[list[object]]:
    persons = {person.name: person for person in people.persons}
    bust = "0" if any(points == 1 for points, _ in people.game.die) else "1"
    for game in people.games:
        for turn in game.turns:
            person = persons[turn.player]
            yield [
                game.name, turn.player, turn.number, turn.rolls, turn.banked, turn.score, person.preference,
                person.question_2, person.question_3, game.seat_of(turn.player),
                None if turn.dice is None else " ".join(str(points) if points else bust for points in turn.dice),
                turn.rule,
            ]  # fmt: skip


@dataclass(frozen=True)
class Register:
    """A file of recorded games, and the names of the person and the opponent of further games."""

    path: Path
    people: People
    names: tuple[str, str]

    @property
    def has_room(self) -> bool:
        """Whether another game of any length fits into the file."""
        return sum(len(game.turns) for game in self.people.games) + MOST_TURNS <= MOST_ROWS

    def added(self, played: Played) -> Register:
        """The register with one more game, unless no turn of it was finished."""
        if not played.turns:
            return self
        taken = {game.name for game in self.people.games}
        number = next(n for n in range(len(taken) + 1, 2 * len(taken) + 2) if str(n) not in taken)
        game = recorded_game(str(number), self.names if played.seat == 0 else self.names[::-1], played.turns)
        known = {person.name for person in self.people.persons}
        new = tuple(Person(name) for name in self.names if name not in known)
        people = replace(self.people, persons=(*self.people.persons, *new), games=(*self.people.games, game))
        return replace(self, people=people)

    def write(self, played: Played) -> Register:
        """Add a game, and write the file if a turn of it was finished; returns the new register."""
        register = self.added(played)
        if register is not self:
            write_people(register.path, register.people)
        return register


def open_register(path: str | os.PathLike[str], game: Game, person: str, opponent: str) -> Register:
    """The register of a file that exists or will be made."""
    refuse_other_games(game)
    file, name = Path(path), person.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"{short_repr(person)} cannot be a name: it must have 1 to {LONGEST_NAME} visible letters.")
    opponent_name = clipped(visible(opponent), LONGEST_NAME) or "opponent"
    if name == opponent_name:
        raise InputError(
            f"{short_repr(name)} is the name of the opponent in the record: choose another name for yourself."
        )
    refuse_unwritable(file)  # before it is read: a pipe would be waited for
    people = read_people(file, game) if os.path.lexists(file) else People(game, (), ())
    register = Register(file, people, (name, opponent_name))
    if not register.has_room:
        raise InputError(
            f"{file} has no room for another game: a record has at most {MOST_ROWS:,} turns; choose another file."
        )
    return register


ABOVE = ("game", "player", "seat", "preference", "question_2", "question_3")
LINE = ("turn", "dice", "rolls", "banked", "score")
"""The columns of the file: those written once above the lines of a player, and those of a line."""

CHOICES = {"preference": ("averse", "neutral", "seeking"), "question_2": ("a", "b"), "question_3": ("a", "b")}
"""The choices to be circled."""

TURNS = 22  # the number of lines of a player, as in the report's form
SIDES = ("1 (moves first)", "2 (moves second)")  # the seat of the player on the left, and of the one on the right


@dataclass(frozen=True)
class TrackerForm:
    """The texts of the page.

    Args:
        title: the title.
        how: instructions, one or two sentences each.
        example: a turn as an example, by the columns of the file, in their order.
        questions: the questions that are answered above the lines.
        foot: the text at the bottom.
    """

    title: str
    how: tuple[str, ...]
    example: dict[str, str]
    questions: str
    foot: str

    @property
    def csv(self) -> str:
        """The first two rows of a file: the names of the columns, and the example."""
        return f"{','.join(self.example)}\n{','.join(self.example.values())}\n"


def tracker_form(game: Game, command: str = "pigevo people games.csv") -> TrackerForm:
    """The form for a game.

    Args:
        game: a race of one die to a bounded target.
        command: the command that reads the typed file.

    Raises:
        InputError: records of this game are not supported.

    Example:
        >>> import pigevo
        >>> from pigevo.people import tracker_form
        >>> print(tracker_form(pigevo.Pig()).csv)
        game,player,seat,preference,question_2,question_3,turn,dice,rolls,banked,score
        7,Ann B,1,neutral,a,b,1,4 5 6 2,4,17,17
        <BLANKLINE>
    """
    refuse_other_games(game)
    example = _example(game)
    lost = "; a roll that loses the turn is one of them" if game.bust else ""
    passed = " A pass has 0 rolls." if game.allow_pass else ""
    return TrackerForm(
        title=f"{game}: a game, turn by turn",
        how=(
            "1. One page is one game. Number it, and write both names, the same in every game: a name is one person. "
            "The player on the left moves first. Both circle their answers before the game, unseen by the other.",
            f"2. Each turn is a line. dice: what each roll showed, as {example['dice']}{lost} (this column may stay "
            "empty). rolls: how many. banked: the points that the turn brought, 0 if it was lost. score: the total."
            + passed,
            "3. To type it up, begin a table with the grey row below. Each line of the form is a row of the table, "
            "like the example: first the entries above the lines, then the line. Save the table as CSV.",
        ),
        example=example,
        questions=(
            "preference: would you rather take a sure thing (averse) or a gamble (seeking), or does it make no "
            "difference to you (neutral)? question_2: a, a sure £10; or b, an even chance of £20 or nothing. "
            "question_3: the same with £1 million and £2 million."
        ),
        foot=f"A game of more than {TURNS} turns needs a second page. The table is read by: {command}",
    )


def _example(game: Game) -> dict[str, str]:
    """A first turn that `read_people` accepts, as an example."""
    faces = sorted(points for points, _ in game.die if points)
    dice: list[int] = []
    for points in faces[(len(faces) - 1) // 2 :] + faces[: (len(faces) - 1) // 2]:
        dice.append(points)
        if len(dice) == 4 or sum(dice) >= game.target:
            break
    turn = RecordedTurn("Ann B", 1, 0, 0, len(dice), sum(dice), tuple(dice))
    played = RecordedGame("7", ("Ann B", "Carl"), (turn,))
    cells = cells_of(People(game, (Person("Ann B", "neutral", "a", "b"), Person("Carl")), (played,)))[0]
    return {name: cells[name] for name in (*ABOVE, *LINE)}
