"""Games from a name or a user's file, and as plain values that can be read back."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict, final

from pigevo.core.checked_values import JsonObject
from pigevo.core.registry import Entry, Options
from pigevo.core.text import kind_of, safe_name
from pigevo.errors import CodeNotLoaded, InputError
from pigevo.games.game import GAMES, Game
from pigevo.games.race import Race

if TYPE_CHECKING:
    from pigevo.user_code.loading import UserCode


@final
class RaceRecord(TypedDict):
    """A one-die race as plain values."""

    name: str
    target: int
    gains: list[tuple[int, float]]
    bust: float
    allow_pass: bool
    options: JsonObject


@final
class OtherRecord(TypedDict):
    """Any other game as plain values: how to make it again, and a hash that shows whether its rules have changed."""

    name: str
    options: JsonObject
    rules: str


GameRecord = RaceRecord | OtherRecord
"""A game as plain values, the form used in records."""


def names_own_game(name: str) -> bool:
    """Whether a word refers to a user's game: `FILE.py:NAME`, `FILE.py` or `package.module:NAME`."""
    return ":" in name or name.endswith(".py")


def make_game(name: str, options: Mapping[str, object]) -> Game:
    """A game by its name, or a user's game by its file, with options by name; options left out have their defaults.

    `FILE.py:NAME` is a class that inherits from `Game`, or a function annotated to return a game.
    """
    if not names_own_game(name):
        entry = GAMES[name]
        return bound_game(entry, entry.completed(entry.check(options, "game")), None)
    from pigevo.user_code.loading import load as load_function  # not needed for pigevo's own games

    code = load_function(name)
    entry = GAMES.user_entry(code.name, code.function)
    return bound_game(entry, entry.completed(entry.check(options, "game")), code)


def bound_game(entry: Entry, options: Mapping[str, object], code: UserCode | None) -> Game:
    """The game of an entry; a user's own game is checked.

    Only classes and functions that are declared as games are called: the settings of a run may come from somebody else.
    """
    if code is None:
        game: Game = entry.bind(options)
        return game
    from pigevo.user_code.limits import TimeIsUp, limited
    from pigevo.user_code.loading import failure

    if not says_it_is_a_game(code.function):
        raise InputError(
            f"{code.name} must be a game: a class that inherits from pigevo.games.Game, or a function that is "
            f"annotated to return one, as def {code.name.rpartition('.')[2]}() -> pigevo.Race."
        )
    try:
        game = limited(lambda: entry.bind(options), code.name)
        game = limited(game, code.name) if isinstance(game, functools.partial) else game  # the game of a function
    except InputError as error:
        raise InputError(f"{code.name}: {error}") from error
    except (Exception, SystemExit, TimeIsUp) as error:
        raise InputError(f"{code.name} failed: {failure(error, code.path)}.") from error
    if not isinstance(game, Game):
        raise InputError(f"{code.name} must return a game, as its annotation says: it returns {kind_of(game)}.")
    if "__dataclass_fields__" not in vars(type(game)):
        raise InputError(f"{code.name} must be a frozen dataclass: write @dataclass(frozen=True) above the class.")
    return game


def says_it_is_a_game(made_by: object) -> bool:
    """Whether it is a class that inherits from `Game`, or a function annotated to return a game."""
    if isinstance(made_by, type):
        return issubclass(made_by, Game)
    try:
        returned = typing.get_type_hints(made_by).get("return")
    except (NameError, TypeError):  # a name for type checkers only, or not a function
        return False
    return isinstance(returned, type) and issubclass(returned, Game)


def registered_name(kind: object) -> str | None:
    """The name of a class among pigevo's own games; None if it has none."""
    return next((name for name, entry in GAMES.items() if entry.function is kind), None)


def options_of(game: Game) -> Options:
    """The options that make a game again, by name: those of a registered game, or else the fields of its class.

    Empty lists are left out.
    """
    name = registered_name(type(game))
    if name is None:
        return {f.name: getattr(game, f.name) for f in dataclasses.fields(game) if f.init}  # type: ignore[arg-type]
    entry = GAMES[name]
    options = {option: getattr(game, entry.parameter(option)) for option in entry.options}
    return {option: value for option, value in options.items() if value != ()}


def game_to_record(game: Game) -> GameRecord:
    """The game as plain values that JSON can hold.

    A game that cannot be made again is refused: neither a one-die race, nor registered, nor of a class in a file.
    """
    name = registered_name(type(game))
    if isinstance(game, Race) and (name or _is_plain(game)):
        return {"name": name or "race", "target": game.target, "gains": [*game.die], "bust": game.bust,
                "allow_pass": game.allow_pass, "options": options_of(game) if name else {}}  # fmt: skip
    return {"name": name or _reference_of_class(game), "options": options_of(game), "rules": rules_digest(game)}


def _is_plain(race: Race) -> bool:
    """Whether the target, the die and passing are all rules of a race: a class may have its own first throw or end."""
    return Race(race.target, race.die, race.bust, allow_pass=race.allow_pass).rules == race.rules


def _reference_of_class(game: Game) -> str:
    """The file and the name of the class of a user's game."""
    from pigevo.user_code.loading import identity_of_object

    code = identity_of_object(type(game))
    if code.path is None or "<" in code.name:
        raise InputError(f"{game} could not be made again: its class {code.name} stands in no file: write it into one.")
    return f"{code.path}:{code.name}"


def game_from_record(record: GameRecord, by_user: bool = False) -> Game:
    """The game in a record by `game_to_record`; a race without a registered class becomes a plain `Race`.

    The record may come from anybody: no code that it names is executed, unless the user named the game, as in a job for
    a worker. A game is refused if it is no longer registered or loaded, or if its rules have changed.
    """
    if "gains" not in record:
        if by_user or not names_own_game(record["name"]):
            game = make_game(record["name"], record["options"])
        else:
            kind = _loaded_class(record["name"])
            entry = GAMES.user_entry(kind.__name__, kind)
            game = bound_game(entry, entry.completed(entry.check(record["options"], "game")), None)
        if rules_digest(game) != record["rules"]:
            raise InputError(f"the rules of {record['name']} have changed since this was saved.")
        return game
    race = Race(record["target"], record["gains"], record["bust"], allow_pass=record["allow_pass"])
    if record["name"] in GAMES:
        entry = GAMES[record["name"]]
        registered: Race = entry.bind(entry.check(record["options"], "game"))
        if registered.rules == race.rules:
            return registered
    return race


def _loaded_class(name: str) -> type[Game]:
    """The class of a user's game that this process has loaded."""
    from pigevo.user_code.loading import identity_of_object

    kinds = [Game]
    for kind in kinds:
        kinds += kind.__subclasses__()
    for kind in reversed(kinds[1:]):  # the latest one of an edited file
        code = identity_of_object(kind)
        if f"{code.path}:{code.name}" == name or f"{kind.__module__}:{kind.__name__}" == name:
            return kind
    raise CodeNotLoaded(
        f"this is of a game of your own, {name}, and no code runs because a file names it: give the game with "
        f"--game {name}, or import its class before."
    )


def file_name_of(game: Game) -> str:
    """The game and its dice as a part of a file name; that of a user's game ends with a hash, as names may repeat."""
    suffix = "" if registered_name(type(game)) else f"-{rules_digest(game)[:8]}"
    return f"{safe_name(str(game))}{suffix}"


def rules_digest(game: Game) -> str:
    """A short hash of the rules."""
    return hashlib.sha256(repr(game.rules).encode()).hexdigest()[:16]
