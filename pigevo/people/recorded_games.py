"""The record of a game between people, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pigevo.games import Game
from pigevo.simulation.stepwise import Turn

PREFERENCES = ("averse", "neutral", "seeking")
"""What a player may say to take: less risk than the points are worth, as much, or more."""


@dataclass(frozen=True)
class Person:
    """A player, with the answers on the form of Exeter 2017 (figure 5).

    Args:
        name: which tells one person from all others of a file.
        preference: question 1, the stated risk preference, one of `PREFERENCES`; None if not known.
        question_2: `a` for a sure 10 pounds, `b` for an even chance of 20; None if not known.
        question_3: the same with a million and two.
    """

    name: str
    preference: str | None = None
    question_2: str | None = None
    question_3: str | None = None


@dataclass(frozen=True)
class RecordedTurn:
    """One turn of a game.

    Args:
        player: whose turn.
        number: the how many-th of that player in the game, from 1.
        own: its banked score before the turn.
        opponent: the other's banked score; None where the other's turns are not recorded.
        rolls: how often the player rolled.
        banked: by how much the turn raised the score.
        dice: the points of each roll, 0 for one that ended the turn; None if not recorded, and of a pass.
        rule: the rule that the player was asked to play by; None if none is known.
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
    """One game, or a player's side of it: the players, who moved first in front, and the turns in their order."""

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
    """Recorded games and who played them, in the order of the file; `source` is how that is called in sentences."""

    game: Game
    persons: tuple[Person, ...]
    games: tuple[RecordedGame, ...]
    source: str = field(default="the record", compare=False)

    def games_of(self, player: str) -> list[RecordedGame]:
        """The games in which somebody played."""
        return [game for game in self.games if player in game.players]


def recorded_game(name: str, players: Sequence[str], turns: Iterable[Turn], dice: bool = True) -> RecordedGame:
    """The record of a game that was played here, with the points of its rolls or their number only.

    The turns are as `pigevo.simulation.stepwise.play_turns` hands them out, and who moved first is the first player.
    """
    numbers, recorded = [0, 0], []
    for turn in turns:
        numbers[turn.player] += 1
        recorded.append(
            RecordedTurn(players[turn.player], numbers[turn.player], turn.own, turn.opponent, len(turn.rolls),
                         turn.banked, turn.rolls if dice and turn.rolls else None)
        )  # fmt: skip
    return RecordedGame(name, tuple(players), tuple(recorded))
