"""A game from its name or from a file of the user's, as plain values, and back."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, final

from pigevo.core.registry import Entry
from pigevo.errors import CodeNotLoaded, InputError
from pigevo.games.game import GAMES, Game
from pigevo.games.race import Race

if TYPE_CHECKING:
    from pigevo.user_code.loading import Own


@final
class RaceRecord(TypedDict):
    """A race of one die as plain values."""

    name: str
    target: int
    gains: list[Any]
    bust: float
    allow_pass: bool
    options: dict[str, Any]


@final
class OtherRecord(TypedDict):
    """Another game as plain values: what makes it again, and what tells whether its rules are still the same."""

    name: str
    options: dict[str, Any]
    rules: str


GameRecord = RaceRecord | OtherRecord
"""A game as plain values, as records of strategies hold it."""


def names_own_game(name: str) -> bool:
    """Whether a word names a game of the user's, `FILE.py:NAME`, `FILE.py` or `package.module:NAME`."""
    return ":" in name or name.endswith(".py")


def make_game(name: str, options: Mapping[str, Any]) -> Game:
    """A game by its name, or of the user's own by its file.

    Args:
        name: the name of a registered game, or `FILE.py:NAME`: a class that inherits from `Game`, or a function
            that returns one.
        options: by name; those left out have their defaults.

    Raises:
        InputError: there is no such game, it has no such option, or it is no game.
    """
    if not names_own_game(name):
        entry = GAMES[name]
        return bound_game(entry, entry.completed(entry.check(options, "game")), None)
    from pigevo.user_code.loading import load as load_function  # which pigevo's own games need not wait for

    own = load_function(name)
    entry = GAMES.own(own.name, own.function)
    return bound_game(entry, entry.completed(entry.check(options, "game")), own)


def bound_game(entry: Entry, options: Mapping[str, Any], own: Own | None) -> Game:
    """The game of an entry; one of the user's own is held to what a game must be."""
    if own is None:
        game: Game = entry.bind(options)
        return game
    from pigevo.user_code.loading import failure

    try:
        made = entry.bind(options)
        made = made() if isinstance(made, functools.partial) else made  # of a function that makes a game
    except InputError as error:
        raise InputError(f"{own.name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise InputError(f"{own.name} failed: {failure(error, own.path)}.") from error
    if not isinstance(made, Game):
        raise InputError(
            f"{own.name} makes a {type(made).__name__}: a game is a class that inherits from pigevo.games.Game, or a "
            "function that returns such a game."
        )
    if "__dataclass_fields__" not in vars(type(made)):
        raise InputError(f"{own.name} must be a frozen dataclass: write @dataclass(frozen=True) above the class.")
    return made


def name_and_options(game: Game) -> tuple[str, dict[str, Any]]:
    """What makes the game again: its name, or the class's file and name, and its options."""
    kind = type(game)
    name = next((n for n, entry in GAMES.items() if entry.function is kind), "")
    if name:
        return name, {n: getattr(game, n) for n in GAMES[name].options}
    options = {f.name: getattr(game, f.name) for f in dataclasses.fields(game) if f.init}  # type: ignore[arg-type]
    if kind.__module__.partition(".")[0] == "pigevo":
        return f"{kind.__module__}:{kind.__name__}", options
    from pigevo.user_code.loading import identity_of_object

    own = identity_of_object(kind)
    if own.path is None or "<" in own.name:
        raise InputError(f"{game} could not be made again: its class {own.name} stands in no file: write it into one.")
    return f"{own.path}:{own.name}", options


def game_to_record(game: Game) -> GameRecord:
    """The game as plain values that JSON can hold.

    Raises:
        InputError: it is neither a race of one die, nor registered, nor of a class in a file, so that nobody could make
            it again.
    """
    name = next((n for n, entry in GAMES.items() if entry.function is type(game)), "race")
    own = {n: getattr(game, n) for n in GAMES[name].options} if name in GAMES else {}
    if isinstance(game, Race):
        gains = [[points, probability] for points, probability in game.die]
        return {"name": name, "target": game.target, "gains": gains, "bust": game.bust,
                "allow_pass": game.allow_pass, "options": own}  # fmt: skip
    name, own = name_and_options(game)
    return {"name": name, "options": own, "rules": rules_digest(game)}


def game_from_record(record: GameRecord, by_user: bool = False) -> Game:
    """The game that `game_to_record` wrote; a race of another name becomes a plain `Race`.

    Args:
        record: the record, which may come from anybody: no code that it names is executed.
        by_user: whether it is a game that the user named, as in an order to a worker: then its file is executed.

    Raises:
        InputError: a game that is no longer registered, one of the user's own whose class is not loaded, or one whose
            rules have changed.
    """
    if "gains" not in record:
        if by_user or not names_own_game(record["name"]):
            game = make_game(record["name"], record["options"])
        else:
            kind = _loaded_class(record["name"])
            entry = GAMES.own(kind.__name__, kind)
            game = bound_game(entry, entry.completed(entry.check(record["options"], "game")), None)
        if rules_digest(game) != record["rules"]:
            raise InputError(f"the rules of {record['name']} have changed since this was saved.")
        return game
    race = Race(record["target"], record["gains"], record["bust"], allow_pass=record["allow_pass"])
    if record["name"] in GAMES:
        entry = GAMES[record["name"]]
        named: Race = entry.bind(entry.check(record["options"], "game"))
        if named.rules == race.rules:
            return named
    return race


def _loaded_class(name: str) -> type[Game]:
    """The class of a game of the user's own that this process has loaded."""
    from pigevo.user_code.loading import identity_of_object

    kinds = [Game]
    for kind in kinds:
        kinds += kind.__subclasses__()
    for kind in reversed(kinds[1:]):  # of a file that was edited, the last one
        own = identity_of_object(kind)
        if f"{own.path}:{own.name}" == name or f"{kind.__module__}:{kind.__name__}" == name:
            return kind
    raise CodeNotLoaded(
        f"this is of a game of your own, {name}, and no code runs because a file names it: give the game with "
        f"--game {name}, or import its class before."
    )


def rules_digest(game: Game) -> str:
    """What tells two sets of rules apart, in a few letters."""
    return hashlib.sha256(repr(game.rules).encode()).hexdigest()[:16]
