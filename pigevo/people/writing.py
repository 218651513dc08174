"""Write recorded games as a CSV file that `read_people` reads."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

from pigevo.games import Game
from pigevo.people.reading import parse_people
from pigevo.people.records import People
from pigevo.people.rows import COLUMNS
from pigevo.storage.files import write_bytes


def write_people(path: str | os.PathLike[str], people: People) -> Path:
    """Write games to a file, in one step.

    Args:
        path: where.
        people: the games and their players.

    Raises:
        InputError: something in them cannot have happened, or the place cannot be written.
    """
    text = as_csv(people)
    parse_people(text, people.game)  # what cannot be read again is not written
    return write_bytes(path, text.encode())


def as_csv(people: People) -> str:
    """The games as a CSV text: a row for each turn, with all columns of the format."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(people))
    return text.getvalue()


def _rows(people: People) -> Iterator[list[object]]:
    persons = {person.name: person for person in people.persons}
    for game in people.games:
        for turn in game.turns:
            person = persons[turn.player]
            yield [
                game.name, turn.player, turn.number, turn.rolls, turn.banked, turn.score, person.preference,
                person.question_2, person.question_3, game.players.index(turn.player) + 1 if game.has_both else None,
                None if turn.dice is None else " ".join(_faces(people.game, turn.dice)),
            ]  # fmt: skip


def _faces(game: Game, dice: tuple[int, ...]) -> list[str]:
    bust = "0" if any(points == 1 for points, _ in game.die) else "1"
    return [str(points) if points else bust for points in dice]
