"""The record of a game between people, as data, and the possible dice of a recorded turn.

For most turns only the number of rolls and the banked points are known. Results are then averages over all sequences of
dice that give these numbers, weighted with their probabilities. Only the probability of each turn total after each roll
and the best and worst sequence are needed, so sequences are not listed: sums run forwards and backwards over the rolls.

Where players must hold to win, a player may roll on at the target. Of a turn without dice this is assumed only if no
other sequence of dice explains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.text import counted
from pigevo.games import Game
from pigevo.simulation.stepwise import Turn

PREFERENCES = ("averse", "neutral", "seeking")
"""The stated risk preferences: less risk than maximises points, just as much, or more."""


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
    """One game, or one player's side of it: the players, in the order of play, and the turns in order.

    Of one side alone, `seat` is 1 or 2 if it is known that the player moved first or second.
    """

    name: str
    players: tuple[str, ...]
    turns: tuple[RecordedTurn, ...]
    seat: int | None = None

    @property
    def has_both(self) -> bool:
        """Whether the turns of both players are recorded."""
        return len(self.players) == 2

    def ended_at_once(self, target: int) -> bool:
        """Whether the first player won in the first turn, so that the opponent had none, and may not be named."""
        first = self.has_both or self.seat == 1
        return first and bool(self.turns) and self.turns[0].score >= target

    def seat_of(self, player: str) -> int | None:
        """1 for the player who moved first, 2 for the other; None if that is not known."""
        return self.players.index(player) + 1 if self.has_both else self.seat

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


@dataclass(frozen=True, eq=False)
class TurnHistory:
    """The turn totals at which a player decided during a turn.

    `at` is the chance that the total after each roll but the last was k, given the record, shape (decisions to roll,
    T); `before` and `after` are the chances of the dice up to each of these totals, and from it to the recorded end.
    The player held at `held`: None if the turn was lost or ended by itself.
    """

    at: Floats
    held: int | None
    before: Floats
    after: Floats

    @property
    def decisions(self) -> int:
        """The number of decisions; the first roll of a turn is not a decision, unless passing is allowed."""
        return len(self.at) + (self.held is not None)


def why_impossible(game: Game, own: int, rolls: int, banked: int, dice: tuple[int, ...] | None) -> str:
    """The reason why a turn that began with the score `own` is impossible; empty if it is possible."""
    if rolls == 0:
        if banked or dice:
            return f"{counted(banked, 'point')} without a roll cannot be" if banked else "there are dice, and no rolls"
        return "" if game.allow_pass else "a turn has at least one roll: passing is not allowed"
    if dice is not None:
        if len(dice) != rolls:
            return f"there are {len(dice)} dice, and {counted(rolls, 'roll')}"
        if 0 in dice[:-1]:
            return "the dice go on after a roll that ended the turn"
        total = 0 if dice[-1] == 0 else sum(dice)
        if total != banked:
            return f"the dice bank {counted(total, 'point')}, and {banked} are recorded"
        if own + sum(dice[:-1]) >= game.size:
            return f"the dice go on after {game.size} points were reached{_hint(game)}"
        return ""
    if not _possible(game, own, rolls, banked):
        variant = game.hold_to_win
        hint = _hint(game) if variant and _possible(variant, own, rolls, banked) else ""
        what = counted(rolls, "roll")
        if banked:
            return f"{what} cannot bank {counted(banked, 'point')} from a score of {own}{hint}"
        return f"{what} cannot lose a turn that begins with a score of {own}{hint}"
    return ""


def _hint(game: Game) -> str:
    """What to try for a turn that goes on past the target."""
    if game.must_hold or not game.hold_to_win:
        return ""
    return "; if players had to hold to win, read the record with --must-hold (game hold_to_win)"


def _possible(game: Game, own: int, rolls: int, banked: int) -> bool:
    return bool(_dice_chances(game, own, rolls, banked, game.size)[1].any())


def history_of(game: Game, turn: RecordedTurn) -> TurnHistory:
    """The possible dice of a possible turn."""
    held = turn.banked if turn.banked and turn.score < game.size else None
    if turn.rolls == 0:
        empty = np.zeros((0, game.size))
        return TurnHistory(empty, None, empty, empty)
    if turn.dice is not None:
        known = np.zeros((turn.rolls - 1, game.size))
        known[np.arange(turn.rolls - 1), np.cumsum(turn.dice[:-1], dtype=np.int64)] = 1.0
        return TurnHistory(known, held, known, known)
    before, after = _dice_chances(game, turn.own, turn.rolls, turn.banked, game.target)
    if not after.any():
        before, after = _dice_chances(game, turn.own, turn.rolls, turn.banked, game.size)
    both = before * after
    chances = both[1:] / both.sum(axis=1, keepdims=True)[1:]
    return TurnHistory(chances, held, before[1:], after[1:])


def to_the_target(game: Game, turn: RecordedTurn) -> TurnHistory:
    """The possible dice without those decisions at which the player had, or may have had, the target.

    Where a player must hold to win, these say nothing of the turn total at which the player holds.
    """
    whole, room = history_of(game, turn), game.target - turn.own
    short = ~(whole.at[:, room:] > 0).any(axis=1)
    held = whole.held if whole.held is not None and whole.held < room else None
    return TurnHistory(whole.at[short], held, whole.before[short], whole.after[short])


def _dice_chances(game: Game, own: int, rolls: int, banked: int, most: int) -> tuple[Floats, Floats]:
    """Chances of the dice up to each turn total before each roll, and from there to the recorded end, shape (rolls, T).

    Row t is before roll t + 1, so row 0 is the beginning.  The second array includes the result of
    the last roll.  Nobody rolls with a score of `most`.
    """
    room, size = most - own, game.size
    before, after = np.zeros((rolls, size)), np.zeros((rolls, size))
    before[0, 0] = 1.0
    for t in range(1, rolls):
        for points, chance in game.die:
            before[t, points:] += chance * before[t - 1, : max(0, size - points)]
    if banked:
        for points, chance in game.die:
            if 0 <= banked - points < room:
                after[rolls - 1, banked - points] += chance
    else:
        after[rolls - 1, :room] = game.bust
    for t in range(rolls - 2, -1, -1):
        for points, chance in game.die:
            after[t, : max(0, size - points)] += chance * after[t + 1, points:]
        after[t, room:] = 0.0
    return before, np.where(before > 0, after, 0.0)  # beyond the array nothing leads to the end
