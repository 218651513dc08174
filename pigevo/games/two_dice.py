"""Games with two dice, or with two rubber pigs that are thrown.

Skunk is played as the boxed game of 1953 (W. H. Schaper): doubles have no special value, and a 1 (a skunk) with a 2
counts as any other 1 (in the boxed game it only costs another chip, and chips do not decide the winner).  A player who
has reached 100 may continue; after that turn, the other player has one turn to beat the score.  Many families and score
sheets use Skunk for a game that ends at once at 100: that is `two_dice`.  The Skunk of classrooms, five rounds in which
all play the same dice at the same time, is another game without turns.

The chances of Pass the Pigs are those of a published count.  In 6,000 throws of both pigs (Kern 2006, Journal of
Statistics Education 14(3)) they touched 23 times; otherwise the marked pig landed with the frequencies in `LANDED`.
Both pigs are assumed to have the same distribution, independently of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Faces, Game, Throw


def _pig_dice(sides: int) -> Faces:
    """Two dice: a single 1 loses the turn total, two 1s lose the whole score, any other throw adds its sum."""

    def throw(a: int, b: int, p: float) -> Throw:
        return Throw(0, p, "score") if a == b == 1 else Throw(0, p, "turn") if 1 in (a, b) else Throw(a + b, p)

    return _two_dice(throw, sides)


def _two_dice(throw: Callable[[int, int, float], Throw], sides: int = 6) -> Faces:
    both = range(1, sides + 1)
    return tuple(((str(a), str(b)), throw(a, b, 1 / sides**2)) for a in both for b in both)


@GAMES.register(
    name="two_dice",
    source="Zhu & Ma 2022, Deriving the Optimal Strategy for the Two Dice Pig Game via Reinforcement Learning, "
    "Stats 5(3), 805-818",
)
@dataclass(frozen=True)
class TwoDice(Game):
    """Pig with two dice: a 1 ends the turn and loses its total, two 1s also lose the whole score.

    Args:
        target: points to bank, at least 1.
        sides: faces of each die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Two-dice Pig"
    target: Annotated[int, Within(1, 300)] = 100
    sides: Annotated[int, Within(2, 100)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return _pig_dice(self.sides)


@GAMES.register(name="big_pig", source="the rules as dicecold.com/games/big-pig tells them")
@dataclass(frozen=True)
class BigPig(Game):
    """Pig with two dice: a single 1 loses the turn total, doubles count twice, two 1s are worth `bonus`.

    Args:
        target: points to bank, at least 1.
        bonus: the points that two 1s add to the turn total.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Big Pig"
    target: Annotated[int, Within(1, 300)] = 100
    bonus: Annotated[int, Within(1, 1000)] = 25
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return _two_dice(self._throw)

    def _throw(self, a: int, b: int, p: float) -> Throw:
        if a == b:
            return Throw(self.bonus if a == 1 else 4 * a, p)
        return Throw(0, p, "turn") if 1 in (a, b) else Throw(a + b, p)


@GAMES.register(name="skunk", source="W. H. Schaper's boxed game of 1953, as dicegamecentral.com/skunk tells its rules")
@dataclass(frozen=True)
class Skunk(Game):
    """Pig with two dice and a last turn of the other player: a 1 loses the turn total, two 1s the whole score.

    At equal scores the player who reached the target first wins.

    Args:
        target: the score after which the other player has a last turn.
        cap: the score that wins at once, so that scores are bounded; with the default the optimum loses less than
            1e-9 by it (tested).
        sides: faces of each die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    target: Annotated[int, Within(1, 300)] = 100
    cap: Annotated[int, Within(2, 600)] = 150
    sides: Annotated[int, Within(2, 100)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    reply = "other"
    level = "kept"

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return _pig_dice(self.sides)


LANDED = {"dot up": 1796, "dot down": 2063, "trotter": 551, "razorback": 1354, "snouter": 184, "leaning jowler": 29}
TOUCHED = 23
TOUCHING = ("touching", "touching")
WORTH = {"dot up": 0, "dot down": 0, "trotter": 5, "razorback": 5, "snouter": 10, "leaning jowler": 15}


@GAMES.register(name="pass_the_pigs", source="Kern 2006, Journal of Statistics Education 14(3)")
@dataclass(frozen=True)
class PassThePigs(Game):
    """Two rubber pigs score by how they land; on different sides they lose the turn total, touching the whole score.

    A trotter or a razorback is worth 5, a snouter 10, a leaning jowler 15, and two alike count twice; two on the same
    side are worth 1.

    Args:
        target: points to bank, at least 1.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Pass the Pigs"
    target: Annotated[int, Within(1, 300)] = 100
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The ways in which the pigs can land."""
        counted = sum(LANDED.values())
        apart = counted / (counted + TOUCHED)
        thrown = (
            ((a, b), self._throw(a, b, apart * LANDED[a] / counted * LANDED[b] / counted))
            for a, b in product(LANDED, repeat=2)
        )
        return ((TOUCHING, Throw(0, 1 - apart, "score")), *thrown)

    @staticmethod
    def _throw(a: str, b: str, chance: float) -> Throw:
        points = WORTH[a] + WORTH[b]
        if points:
            return Throw(2 * points if a == b else points, chance)
        return Throw(1, chance) if a == b else Throw(0, chance, "turn")
