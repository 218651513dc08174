"""Read recorded games from a CSV file."""

from __future__ import annotations

import os
from dataclasses import replace

from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.people.records import People
from pigevo.people.rows import rows_of
from pigevo.people.rules import people_of, refuse_other_games
from pigevo.storage.records import decoded, read_bytes

LARGEST = 2**22
"""Bytes of a file: more than 5,000 turns with all answers and dice have."""


def read_people(path: str | os.PathLike[str], game: Game) -> People:
    """The games that a file records.

    Args:
        path: a CSV file, as docs/people.md describes it.
        game: what was played.

    Raises:
        InputError: there is no such file, it is no such record, or something in it cannot have happened; the sentence
            names the row.
    """
    refuse_other_games(game)
    content = read_bytes(path, LARGEST)
    try:
        return replace(parse_people(decoded(content), game), source=os.fspath(path))
    except ValueError as error:
        raise InputError(f"{path} is no record of games: {str(error).rstrip('.')}.") from error


def parse_people(text: str, game: Game) -> People:
    """The games that a CSV text records; arguments and errors as `read_people`."""
    return people_of(rows_of(text), game)
