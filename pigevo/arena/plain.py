"""The same games in plain Python, roll by roll: to read, to check the kernels, to replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from pigevo.arena.boards import cuts_of
from pigevo.dice import Die, Draw
from pigevo.games.game import Game, Throw
from pigevo.strategies import Strategy

WON, LOST, STALEMATE, UNFINISHED, DRAWN = 0, 1, 2, 3, 5


@dataclass(frozen=True)
class Turn:
    """One turn of a game.

    Args:
        player: 0 for the one who moves first in the game, 1 for the other.
        own: its banked score before the turn.
        opponent: the other's banked score.
        rolls: the points of each roll, 0 for one that ended the turn.
        banked: by how much the turn changes the score: what is banked at the end, 0 after a bust or a pass.
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
    """The turns of one game, until its end, a stalemate, or `most_turns` turns.

    Args:
        first: who moves first.
        second: who moves second.
        draw: the dice, at the game's pair and number.
        most_turns: turns of both players after which the game is given up.
        paired: whether each seat rolls its own dice, those of the even game and of the odd one of a couple.
    """
    game, players = first.game, (first, second)
    couple = draw.part // 2 * 2
    draws = [draw.at(pair=draw.pair, part=couple + seat) for seat in range(2)] if paired else [draw]
    of_one_die = game.one_die and not (first.is_mixed or second.is_mixed)
    dice = [_Rolls(game, one) if of_one_die else _Words(game, one) for one in draws]
    scores, last, before = [0, 0], 0, None
    for number in range(most_turns):
        player = number % 2
        own, opponent = scores[player], scores[1 - player]
        at = {"own": own, "opponent": opponent, "difference": own - opponent, "last_turn": last,
              "left": game.turns - number // 2, "second": player}  # fmt: skip
        turn = _play_turn(players[player], player, at, dice[player % len(dice)])
        yield turn
        scores[player] = counted(game, own + turn.banked, opponent)
        last = max(turn.banked, 0)
        if number + 1 == 2 * game.turns or (game.target and ends_race(game, turn)):
            return
        if game.target and turn.is_pass and before is not None and before.is_pass:
            return
        before = turn


def ends_race(game: Game, turn: Turn) -> bool:
    """Whether nobody has a turn left after one of a race."""
    score = turn.own + turn.banked
    has_reply = game.reply == "other" or (game.reply == "second" and turn.player == 0)
    return turn.opponent >= game.target or score >= game.size or (score >= game.target and not has_reply)


def counted(game: Game, own: int, opponent: int) -> int:
    """A score as it counts: in games without target no lead, or no score, is longer than the cap."""
    if game.target:
        return min(own, game.size)
    return min(own, game.cap) if game.falls else opponent + min(max(own - opponent, -game.cap), game.cap)


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


class _Rolls:
    """The dice of a race of one die, several rolls to a word."""

    def __init__(self, game: Game, draw: Draw) -> None:
        self._points = draw.rolls(Die.of(game.die, game.bust))

    def throw(self, is_first: bool) -> Throw:
        """The next roll."""
        points = next(self._points)
        return Throw(points, 0.0, "" if points else "turn")

    def happens(self, chance: float) -> bool:
        """Whether a player rolls: nothing is left to chance here."""
        return chance == 1


class _Words:
    """The dice of any other game, a word for each throw and for each decision that is left to chance."""

    def __init__(self, game: Game, draw: Draw) -> None:
        self._game = game
        self._words = (int(word) for block in count() for word in draw.words(4, block))

    def throw(self, is_first: bool) -> Throw:
        """The next throw."""
        throws: Sequence[Throw] = self._game.first_throws if is_first else self._game.throws
        word, cuts = next(self._words), cuts_of(throws).tolist()
        return next((throw for throw, cut in zip(throws, cuts, strict=True) if word < cut), throws[-1])

    def happens(self, chance: float) -> bool:
        """Whether a player rolls."""
        return chance == 1 if chance in (0, 1) else (next(self._words) >> 11) * 2.0**-53 < chance


def _play_turn(strategy: Strategy, player: int, at: dict[str, int], dice: _Rolls | _Words) -> Turn:
    game, own, opponent = strategy.game, at["own"], at["opponent"]
    total, rolls = 0, list[int]()
    most = game.size - own if game.target else game.size
    while total < most and dice.happens(float(strategy.roll[game.cell(**at, total=total, rolls=len(rolls))])):
        thrown = dice.throw(not rolls)
        rolls.append(0 if thrown.ends else thrown.points)
        if thrown.ends:
            return Turn(player, own, opponent, tuple(rolls), thrown.points if thrown.ends == "turn" else -own)
        total += thrown.points
    return Turn(player, own, opponent, tuple(rolls), total)
