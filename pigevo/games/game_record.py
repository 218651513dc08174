"""A game as plain values, and back."""

from __future__ import annotations

import hashlib
from typing import Any, TypedDict, final

from pigevo.errors import InputError
from pigevo.games.game import GAMES, Game
from pigevo.games.race import Race


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


def game_to_record(game: Game) -> GameRecord:
    """The game as plain values that JSON can hold.

    Raises:
        InputError: it is neither a race of one die nor registered, so that nobody could make it again.
    """
    name = next((n for n, entry in GAMES.items() if entry.function is type(game)), "race")
    own = {n: getattr(game, n) for n in GAMES[name].options} if name in GAMES else {}
    if isinstance(game, Race):
        gains = [[points, probability] for points, probability in game.die]
        return {"name": name, "target": game.target, "gains": gains, "bust": game.bust,
                "allow_pass": game.allow_pass, "options": own}  # fmt: skip
    if name not in GAMES:
        raise InputError(f"{game} is not registered in GAMES, so it could not be read again.")
    return {"name": name, "options": own, "rules": rules_digest(game)}


def game_from_record(record: GameRecord) -> Game:
    """The game that `game_to_record` wrote; a race of another name becomes a plain `Race`.

    Raises:
        InputError: a game that is no longer registered, or whose rules have changed.
    """
    if "gains" not in record:
        entry = GAMES[record["name"]]
        game: Game = entry.bind(entry.check(record["options"], "game"))
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


def rules_digest(game: Game) -> str:
    """What tells two sets of rules apart, in a few letters."""
    return hashlib.sha256(repr(game.rules).encode()).hexdigest()[:16]
