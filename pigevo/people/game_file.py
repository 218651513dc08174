"""The file of recorded games to which the games of a person are added."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pigevo.core.text import clipped, short_repr, visible
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.people.csv_rows import LONGEST_NAME, MOST_ROWS
from pigevo.people.game_in_progress import MOST_TURNS, Played
from pigevo.people.record_files import read_people, refuse_other_games, write_people
from pigevo.people.recorded_games import People, Person, recorded_game
from pigevo.storage.files import refuse_unwritable


@dataclass(frozen=True)
class Register:
    """A file of recorded games, and the names of the person and of the opponent who play those that come."""

    path: Path
    people: People
    names: tuple[str, str]

    @property
    def has_room(self) -> bool:
        """Whether another game fits into the file, however long it takes."""
        return self._turns + MOST_TURNS <= MOST_ROWS

    @property
    def _turns(self) -> int:
        return sum(len(game.turns) for game in self.people.games)

    def added(self, played: Played) -> Register:
        """The register with one game more, unless no turn of it was ended."""
        if not played.turns:
            return self
        taken = {game.name for game in self.people.games}
        number = next(n for n in range(len(taken) + 1, 2 * len(taken) + 2) if str(n) not in taken)
        game = recorded_game(str(number), self.names if played.seat == 0 else self.names[::-1], played.turns)
        known = {person.name for person in self.people.persons}
        new = tuple(Person(name) for name in self.names if name not in known)
        people = replace(self.people, persons=(*self.people.persons, *new), games=(*self.people.games, game))
        return replace(self, people=people)

    def write(self, games: Iterable[Played]) -> Register:
        """Add games, and write the file if there is anything new; the register as it is then."""
        register = self
        for played in games:
            register = register.added(played)
        if register is not self:
            write_people(register.path, register.people)
        return register


def open_register(path: str | os.PathLike[str], game: Game, person: str, opponent: str) -> Register:
    """The register that a file is, or will be."""
    refuse_other_games(game)
    place, name = Path(path), person.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"{short_repr(person)} cannot be a name: it must have 1 to {LONGEST_NAME} visible letters.")
    other = clipped(visible(opponent), LONGEST_NAME) or "opponent"
    if name == other:
        raise InputError(
            f"{short_repr(name)} is how the opponent is called in the record: take another name for yourself."
        )
    people = read_people(place, game) if os.path.lexists(place) else People(game, (), ())
    register = Register(place, people, (name, other))
    if not register.has_room:
        raise InputError(
            f"{place} has no room for a game more: a record has at most {MOST_ROWS:,} turns; choose another file."
        )
    refuse_unwritable(place)
    return register
