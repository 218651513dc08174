"""The same games in plain Python, roll by roll: to read, to check the kernels, to replay."""

from __future__ import annotations

from collections.abc import Iterator

from pigevo.arena.steps import Ended, Turn, counted, ends_race, play_steps
from pigevo.dice import Draw
from pigevo.games.game import Game
from pigevo.strategies import Strategy

__all__ = ["DRAWN", "LOST", "STALEMATE", "UNFINISHED", "WON", "Turn", "counted", "outcome", "play_turns"]

WON, LOST, STALEMATE, UNFINISHED, DRAWN = 0, 1, 2, 3, 5


def play_turns(first: Strategy, second: Strategy, draw: Draw, most_turns: int, paired: bool = False) -> Iterator[Turn]:
    """The turns of one game, until its end, a stalemate, or `most_turns` turns.

    Args:
        first: who moves first.
        second: who moves second.
        draw: the dice, at the game's pair and number.
        most_turns: turns of both players after which the game is given up.
        paired: whether each seat rolls its own dice, those of the even game and of the odd one of a couple.
    """
    steps = play_steps(first.game, (first, second), draw, most_turns, paired)
    return (step.turn for step in steps if isinstance(step, Ended))


def outcome(turns: list[Turn], game: Game) -> int:
    """How a game ended for the player who moved first: 0 win, 1 loss, 2 stalemate, 3 unfinished, 5 draw."""
    last = turns[-1]
    score = counted(game, last.own + last.banked, last.opponent)
    if len(turns) == 2 * game.turns or (game.target and ends_race(game, last)):
        if score == last.opponent:
            return DRAWN if game.level == "draw" else 1 - last.player
        return last.player if score > last.opponent else 1 - last.player
    if game.turns:
        return UNFINISHED
    return STALEMATE if len(turns) > 1 and last.is_pass and turns[-2].is_pass else UNFINISHED
