"""The general one-die race: the rules behind Pig and Piglet; and Piglet, which is Pig with a coin.

A player's turn starts with a turn total of 0.  A roll either gains points, which are
added to the turn total, or busts, which ends the turn with nothing.  A hold banks the
turn total.  The player who first banks `target` points wins, so a player whose banked
score and turn total reach the target banks at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within, is_integer, is_real
from pigevo.core.text import clipped, short_repr
from pigevo.errors import InputError
from pigevo.games.game import GAMES, LARGEST_TARGET, Faces, Game, Throw

MOST_LETTERS = 70  # the largest number of characters of a race's gains in its name

Gains = Mapping[int, float] | Sequence[tuple[int, float]]


@dataclass(frozen=True)
class Race(Game):
    """A race to `target` points with one die.

    Args:
        target: points to bank, from 1 to `LARGEST_TARGET`.
        gains: the points that a roll can gain, from 0 to `LARGEST_TARGET`, each with its probability; a mapping
            or pairs.  Kept as pairs, sorted by points; a roll of 0, after which the turn goes on as before, is taken
            out, and all other probabilities are divided by their sum.
        bust: the probability that a roll ends the turn with nothing.
        allow_pass: whether a player may hold at a turn total of 0.

    Raises:
        InputError: the target is below 1 or too large, there is no gain, one is not a whole number,
            or the probabilities are not between 0 and 1 or do not add up to 1.

    Example:
        >>> import pigevo
        >>> game = pigevo.Race(target=30, gains={1: 0.25, 2: 0.25, 3: 0.25}, bust=0.25)
        >>> round(pigevo.optimal(game).value, 6)
        0.531257
    """

    target: int = field()  # required here, although `Game.target` has a default
    gains: Gains
    bust: float = field()  # required as well: together with the gains' chances it must be 1
    allow_pass: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        self._check_fields("allow_pass")
        if not is_integer(self.target) or not 1 <= self.target <= LARGEST_TARGET:
            raise InputError(
                f"a target of {short_repr(self.target)} cannot be played: "
                f"it must be a whole number from 1 to {LARGEST_TARGET}."
            )
        if not is_real(self.bust):
            raise InputError(f"a bust probability must be a number, not {self.bust!r}.")
        gains = _pairs(self.gains)
        total = math.fsum([self.bust, *(p for _, p in gains)])
        if not 0 <= self.bust < 1:
            raise InputError(f"the bust probability must be at least 0 and below 1, not {self.bust}.")
        if not any(points for points, _ in gains):
            raise InputError("a die that never gains points cannot be played with: give at least one gain.")
        if abs(total - 1) > 1e-9:
            raise InputError(f"the probabilities of a roll add up to {total:.9g}: they must add up to 1.")
        if blank := dict(gains).get(0, 0.0):
            gains = tuple((points, p / (1 - blank)) for points, p in gains if points)
            object.__setattr__(self, "bust", self.bust / (1 - blank))
        object.__setattr__(self, "gains", gains)
        object.__setattr__(self, "target", int(self.target))
        object.__setattr__(self, "bust", float(self.bust))
        if self.throws != _throws_of(self.die, self.bust):
            raise InputError(
                f"{type(self).__name__}.throws is not what its die brings, by which races are solved and played: a "
                "game with throws of its own inherits from pigevo.Game."
            )
        self._check_identity()

    @property
    def die(self) -> tuple[tuple[int, float], ...]:
        """The gains with their probabilities, as pairs sorted by points."""
        return self.gains  # type: ignore[return-value]  # made pairs in __post_init__

    def __str__(self) -> str:
        if type(self) is not Race:
            return super().__str__()
        chances = sorted({chance for _, chance in self.die})
        of_each = [f"{points} with {chance:.4g}" for points, chance in self.die]
        if len(chances) == 1 and len(of_each) > 1:
            of_each = [f"{', '.join(str(points) for points, _ in self.die)} with {chances[0]:.4g} each"]
        passing = ", allow_pass=True" if self.allow_pass else ""
        return (
            f"Race to {self.target} ({clipped(', '.join(of_each), MOST_LETTERS)}, bust with {self.bust:.4g}{passing})"
        )

    @property
    def rules(self) -> tuple[object, ...]:
        """Everything that affects play. Two games with the same rules are the same game."""
        if self.one_die:
            return (self.target, self.die, self.bust, self.allow_pass)
        return super().rules  # of a class that inherits from a race and changes its first throw, or its end

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        return _throws_of(self.die, self.bust)


def _throws_of(die: Iterable[tuple[int, float]], bust: float) -> tuple[Throw, ...]:
    busts = (Throw(0, bust, "turn"),) if bust else ()
    return (*busts, *(Throw(points, chance) for points, chance in die))


def _pairs(gains: Gains) -> tuple[tuple[int, float], ...]:
    try:
        pairs = [(points, p) for points, p in (gains.items() if isinstance(gains, Mapping) else gains)]
    except (TypeError, ValueError) as error:
        raise InputError(f"gains are points with chances, such as {{2: 0.5}}, not {short_repr(gains)}.") from error
    summed: dict[int, float] = {}
    for points, probability in pairs:
        if not is_integer(points) or not 0 <= points <= LARGEST_TARGET:
            raise InputError(
                f"a gain of {short_repr(points)} points cannot be played: gains are whole numbers "
                f"from 0 to {LARGEST_TARGET}."
            )
        if not is_real(probability) or not 0 <= probability <= 1:
            raise InputError(f"the probability of a gain of {points} must be from 0 to 1, not {probability}.")
        summed[int(points)] = summed.get(int(points), 0.0) + float(probability)
    return tuple(sorted((points, p) for points, p in summed.items() if p > 0))


@GAMES.register(name="piglet", source="Neller & Presser 2004")
@dataclass(frozen=True)
class Piglet(Race):
    """Piglet with a coin: heads adds a point, tails loses the turn total.

    Args:
        target: points to bank, at least 1.
        heads: the probability of heads, above 0 and at most 1.
        allow_pass: whether a player may hold at a turn total of 0.

    Example:
        >>> import pigevo
        >>> round(pigevo.optimal(pigevo.Piglet(target=2)).value, 6)  # 4/7
        0.571429
    """

    target: Annotated[int, Within(1)] = 10
    gains: Gains = field(init=False, repr=False)
    bust: float = field(init=False, repr=False)
    heads: Annotated[float, Within(0, 1, above=True)] = 0.5
    allow_pass: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not is_real(self.heads) or not 0 < self.heads <= 1:
            raise InputError(f"heads = {self.heads!r}: the probability of heads must be above 0 and at most 1.")
        object.__setattr__(self, "gains", {1: float(self.heads)})
        object.__setattr__(self, "bust", 1.0 - float(self.heads))
        super().__post_init__()

    @property
    def faces(self) -> Faces:
        """The two sides of the coin."""
        return tuple((("tails" if throw.ends else "heads",), throw) for throw in self.throws)
