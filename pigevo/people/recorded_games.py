"""The record of a game between people, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pigevo.games import Game
from pigevo.simulation.stepwise import Turn

PREFERENCES = ("averse", "neutral", "seeking")
"""The stated risk preferences: less risk than maximises points, as much, or more."""


@dataclass(frozen=True)
class Person:
    """A player, with the answers on the form of Exeter 2017 (figure 5).

    Args:
        name: the unique name of the person in the file.
        preference: question 1, the stated risk preference, one of `PREFERENCES`; None if not known.
        question_2: `a` for a sure 10 pounds, `b` for an even chance of 20; None if not known.
        question_3: the same with one million and two millions.
    """

    name: str
    preference: str | None = None
    question_2: str | None = None
    question_3: str | None = None


@dataclass(frozen=True)
class RecordedTurn:
    """One turn of a game.

    Args:
        player: the player's name.
        number: the number of the turn among the player's turns in the game, from 1.
        own: the player's banked score before the turn.
        opponent: the opponent's banked score; None if the opponent's turns are not recorded.
        rolls: the number of rolls.
        banked: the points added to the score.
        dice: the points of each roll, 0 for a roll that ended the turn; None if not recorded, and for a pass.
        rule: the rule that the player was asked to play by; None if not known.
    """

    player: str
    number: int
    own: int
    opponent: int | None
    rolls: int
    banked: int
    dice: tuple[int, ...] | None = None
    rule: str | None = None

    @property
    def is_bust(self) -> bool:
        """Whether the last roll lost the turn."""
        return self.rolls > 0 and self.banked == 0

    @property
    def score(self) -> int:
        """The banked score after the turn."""
        return self.own + self.banked


@dataclass(frozen=True)
class RecordedGame:
    """One game, or one player's side of it: the players, in the order of play, and the turns in order."""

    name: str
    players: tuple[str, ...]
    turns: tuple[RecordedTurn, ...]

    @property
    def has_both(self) -> bool:
        """Whether the turns of both players are recorded."""
        return len(self.players) == 2

    def turns_of(self, player: str) -> tuple[RecordedTurn, ...]:
        """The turns of one of the players."""
        return tuple(turn for turn in self.turns if turn.player == player)


@dataclass(frozen=True)
class People:
    """Recorded games and their players, in the order of the file; `source` is the file's name in messages."""

    game: Game
    persons: tuple[Person, ...]
    games: tuple[RecordedGame, ...]
    source: str = field(default="the record", compare=False)

    def games_of(self, player: str) -> list[RecordedGame]:
        """The games in which a person played."""
        return [game for game in self.games if player in game.players]


def recorded_game(name: str, players: Sequence[str], turns: Iterable[Turn], dice: bool = True) -> RecordedGame:
    """The record of a game played in pigevo, with the points of its rolls or only their number.

    The turns are those of `pigevo.simulation.stepwise.play_turns`; the first player is the one who moved first.
    """
    numbers, recorded = [0, 0], []
    for turn in turns:
        numbers[turn.player] += 1
        recorded.append(
            RecordedTurn(players[turn.player], numbers[turn.player], turn.own, turn.opponent, len(turn.rolls),
                         turn.banked, turn.rolls if dice and turn.rolls else None)
        )  # fmt: skip
    return RecordedGame(name, tuple(players), tuple(recorded))
