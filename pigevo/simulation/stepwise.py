"""Games in plain Python, step by step: for interactive play, for replays, and to check the kernels.

Nothing here prints or draws pictures, so matches, the terminal, the page and tests can all use it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from pigevo.dice import Die, Draw
from pigevo.games.board import cuts_of
from pigevo.games.game import DIFFERENCE, LAST_TURN, LEFT, OPPONENT, OWN, ROLLS, SECOND, TOTAL, Game, Throw
from pigevo.strategies import Strategy


@dataclass(frozen=True)
class Turn:
    """One turn of player 0 (who moves first in the game) or 1, with the scores before it and the points of each roll.

    A roll of 0 ended the turn; `banked` is the change of the score. `by_chance` says that the player passed where its
    strategy might have rolled.
    """

    player: int
    own: int
    opponent: int
    rolls: tuple[int, ...]
    banked: int
    by_chance: bool = False

    @property
    def is_pass(self) -> bool:
        """Whether the player passed without rolling."""
        return not self.rolls


@dataclass(frozen=True)
class Position:
    """A position within a player's turn (0 moves first in the game): turn number from 1, scores, points of each roll.

    `last_turn` is the number of points that the other player banked last, 0 before its first turn.
    """

    game: Game
    player: int
    turn: int
    own: int
    opponent: int
    last_turn: int = 0
    rolls: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The turn total."""
        return sum(self.rolls)

    @property
    def is_choice(self) -> bool:
        """Whether there is a choice: otherwise the player must roll."""
        return bool(self.rolls) or self.game.allow_pass

    @property
    def cell(self) -> tuple[int, ...]:
        """The cell of a strategy's array."""
        at = {
            OWN: self.own, OPPONENT: self.opponent, DIFFERENCE: self.own - self.opponent, LAST_TURN: self.last_turn,
            LEFT: self.game.turns - self.turn + 1, SECOND: self.player, TOTAL: self.total, ROLLS: len(self.rolls),
        }  # fmt: skip
        return self.game.cell(**at)


@dataclass(frozen=True)
class Thrown:
    """A roll: the position before it, and its outcome."""

    position: Position
    throw: Throw


Step = Position | Thrown | Turn
"""A step of a game: a decision (the caller sends True to roll), a roll, or the end of a turn."""
Steps = Generator[Step, bool | None, None]


def play_steps(
    game: Game, players: Sequence[Strategy | None], draw: Draw, most_turns: int, paired: bool = False
) -> Steps:
    """The steps of one game, until its end, a stalemate, or `most_turns` turns of both players.

    A player is a strategy, or None for a person; the dice are the same. If `paired`, each seat has its own dice, those
    of the even and of the odd game of a couple.
    """
    couple = draw.part // 2 * 2
    draws = [draw.at(pair=draw.pair, part=couple + seat) for seat in range(2)] if paired else [draw]
    of_one_die = game.one_die and not any(player is not None and player.is_mixed for player in players)
    dice = [(_Rolls if of_one_die else _Words)(game, seat_draw) for seat_draw in draws]
    scores, last = [0, 0], 0
    turns: list[Turn] = []
    for number in range(most_turns):
        player = number % 2
        position = Position(game, player, number // 2 + 1, scores[player], scores[1 - player], last)
        turn = yield from _turn(players[player], position, dice[player % len(dice)])
        yield turn
        scores[player] = counted(game, turn.own + turn.banked, turn.opponent)
        last = max(turn.banked, 0)
        if number + 1 == 2 * game.turns or (game.target and ends_race(game, turn)):
            return
        turns = [*turns[-2:], turn]
        if is_stalemate(game, turns):
            return


def is_stalemate(game: Game, turns: Sequence[Turn]) -> bool:
    """Whether both players have just passed in a state that neither strategy can leave."""
    if not game.target or len(turns) < 2 or any(turn.by_chance or not turn.is_pass for turn in turns[-2:]):
        return False
    return LAST_TURN not in game.remembers or len(turns) == 2 or turns[-3].banked <= 0  # else the state is a new one


def ends_race(game: Game, turn: Turn) -> bool:
    """Whether a race is over after a turn because nobody has a turn left."""
    score = turn.own + turn.banked
    has_reply = game.reply == "other" or (game.reply == "second" and turn.player == 0)
    return turn.opponent >= game.target or score >= game.size or (score >= game.target and not has_reply)


def counted(game: Game, own: int, opponent: int) -> int:
    """A score, or a lead, clipped to the game's cap."""
    if game.target:
        return min(own, game.size) if game.reply else own
    return min(own, game.cap) if game.falls else opponent + min(max(own - opponent, -game.cap), game.cap)


class _Rolls:
    """The dice of a one-die race, with several rolls from each random word."""

    def __init__(self, game: Game, draw: Draw) -> None:
        self._points = draw.rolls(Die.of(game.die, game.bust))

    def throw(self, is_first: bool) -> Throw:
        points = next(self._points)
        return Throw(points, 0.0, "" if points else "turn")

    def happens(self, chance: float) -> bool:
        """Whether a player rolls; the decision is never random here."""
        return chance == 1


class _Words:
    """The dice of any other game, with one random word for each throw and for each random decision."""

    def __init__(self, game: Game, draw: Draw) -> None:
        self._game = game
        self._words: Iterator[int] = (int(word) for block in count() for word in draw.words(4, block))

    def throw(self, is_first: bool) -> Throw:
        throws: Sequence[Throw] = self._game.first_effective_throws if is_first else self._game.effective_throws
        word, cuts = next(self._words), cuts_of(throws).tolist()
        return next((throw for throw, cut in zip(throws, cuts, strict=True) if word < cut), throws[-1])

    def happens(self, chance: float) -> bool:
        """Whether a player rolls."""
        return chance == 1 if chance in (0, 1) else (next(self._words) >> 11) * 2.0**-53 < chance


def _turn(player: Strategy | None, position: Position, dice: _Rolls | _Words) -> Generator[Step, bool | None, Turn]:
    most = position.game.size - position.own if position.game.target else position.game.size
    while position.total < most:
        if player is not None:
            rolls: bool | None = dice.happens(float(player.roll[position.cell]))
        else:
            rolls = (yield position) if position.is_choice else True
        if not rolls:
            by_chance = player is not None and not position.rolls and bool(player.roll[position.cell] > 0)
            return Turn(position.player, position.own, position.opponent, position.rolls, position.total, by_chance)
        thrown = dice.throw(not position.rolls)
        yield Thrown(position, thrown)
        position = replace(position, rolls=(*position.rolls, 0 if thrown.ends else thrown.points))
        if thrown.ends:
            banked = thrown.points if thrown.ends == "turn" else -position.own
            return Turn(position.player, position.own, position.opponent, position.rolls, banked)
    return Turn(position.player, position.own, position.opponent, position.rolls, position.total)


WON, LOST, STALEMATE, UNFINISHED, DRAWN = 0, 1, 2, 3, 5


def play_turns(first: Strategy, second: Strategy, draw: Draw, most_turns: int, paired: bool = False) -> Iterator[Turn]:
    """The turns of one game, until its end, a stalemate, or `most_turns` turns."""
    steps = play_steps(first.game, (first, second), draw, most_turns, paired)
    return (step for step in steps if isinstance(step, Turn))


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
    return STALEMATE if is_stalemate(game, turns) else UNFINISHED
