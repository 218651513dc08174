"""The same games in plain Python, roll by roll: to read, to check the kernel, to replay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pigevo.dice import Die, Draw
from pigevo.strategies import Strategy


@dataclass(frozen=True)
class Turn:
    """One turn of a game.

    Args:
        player: 0 for the one who moves first in the game, 1 for the other.
        own: its banked score before the turn.
        opponent: the other's banked score.
        rolls: the points of each roll, 0 for a bust.
        banked: the points banked at the end, 0 after a bust or a pass.
    """

    player: int
    own: int
    opponent: int
    rolls: tuple[int, ...]
    banked: int

    @property
    def is_pass(self) -> bool:
        """Whether the player did not roll at all."""
        return not self.rolls


def play_turns(first: Strategy, second: Strategy, draw: Draw, most_turns: int, paired: bool = False) -> Iterator[Turn]:
    """The turns of one game, until a win, a stalemate, or `most_turns` turns.

    Args:
        first: who moves first.
        second: who moves second.
        draw: the dice, at the game's pair and number.
        most_turns: turns of both players after which the game is given up.
        paired: whether each seat rolls its own dice, those of the even game and of the odd one of a couple.
    """
    game = first.game
    die = Die.of(game.die, game.bust)
    dice = [draw.rolls(die)] * 2
    if paired:
        couple = draw.part // 2 * 2
        dice = [draw.at(pair=draw.pair, part=couple + seat).rolls(die) for seat in range(2)]
    scores = [0, 0]
    before: Turn | None = None
    for number in range(most_turns):
        player = number % 2
        own, opponent = scores[player], scores[1 - player]
        turn = _play_turn((first, second)[player], player, own, opponent, dice[player])
        yield turn
        scores[player] += turn.banked
        if scores[player] >= game.target or (turn.is_pass and before is not None and before.is_pass):
            return
        before = turn


def outcome(turns: list[Turn], target: int) -> int:
    """How a game ended for the player who moved first: 0 win, 1 loss, 2 stalemate, 3 unfinished."""
    last = turns[-1]
    if last.own + last.banked >= target:
        return last.player
    return 2 if len(turns) > 1 and last.is_pass and turns[-2].is_pass else 3


def _play_turn(strategy: Strategy, player: int, own: int, opponent: int, dice: Iterator[int]) -> Turn:
    total = 0
    rolls: list[int] = []
    while own + total < strategy.game.target and strategy.roll[own, opponent, total]:
        points = next(dice)
        rolls.append(points)
        if points == 0:
            return Turn(player, own, opponent, tuple(rolls), 0)
        total += points
    return Turn(player, own, opponent, tuple(rolls), total)
