"""A strategy for three players: the chance to roll in every state.

The state is told by the points still needed by the mover, the next and the third player,
`a`, `b` and `c`, and the turn total `k`; a strategy that fits a target fits every smaller one.
Nearly all decisions are pure and take one byte; the mixed ones are kept beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bools, Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.games import Race

MIXED = 2
"""The byte of a decision that is left to chance."""

LARGEST_TARGET = 150
"""For three players: a strategy has the fourth power of the target as cells, here half a GiB."""

SAFE = 1e-3
"""The least chance that a roll gains something; Piglet with rarer coins is solved, but fails its certificate."""


@dataclass(frozen=True, eq=False)
class Strategy:
    """What a player does in each state of a game for three.

    Args:
        game: the game; nobody may pass.
        decisions: 1 rolls, 0 holds, `MIXED` rolls with a chance, as bytes of shape
            (T + 1, T + 1, T + 1, T), by (a, b, c, k).
        codes: the mixed states, numbered by `code`, ascending.
        chances: the chance to roll in each of them.
        name: what it is called.

    Raises:
        InputError: the game is too large or allows passing, or the arrays do not fit together.
    """

    game: Race
    decisions: Bytes
    codes: Ints
    chances: Floats
    name: str = "strategy"

    def __post_init__(self) -> None:
        check_three(self.game)
        if self.decisions.shape != shape(self.game) or self.decisions.dtype != np.uint8:
            raise InputError(f"decisions of shape {self.decisions.shape} do not fit: they must be {shape(self.game)}.")
        if self.decisions.max(initial=0) > MIXED or not self.decisions[:, :, :, 0][_alive(self.game)].all():
            raise InputError("decisions must be 0, 1 or 2, and 1 at a turn total of 0, since nobody may pass.")
        mixed = np.flatnonzero(self.decisions.ravel() == MIXED)
        if not np.array_equal(mixed, self.codes) or self.chances.shape != mixed.shape:
            raise InputError("each mixed decision needs its chance, and each chance its decision.")
        if not ((self.chances >= 0) & (self.chances <= 1)).all():
            raise InputError("the chance to roll must be from 0 to 1 in every state.")

    @classmethod
    def from_function(
        cls, game: Race, rolls: Callable[[int, int, int, int], float], name: str = "strategy"
    ) -> Strategy:
        """The strategy that rolls in state (a, b, c, k) with the chance `rolls(a, b, c, k)`; True is 1.

        It is asked for `0 < k < a` only.
        """
        check_three(game)
        chances = np.zeros(shape(game))
        needs = range(1, game.target + 1)
        for a, b, c in ((a, b, c) for a in needs for b in needs for c in needs):
            chances[a, b, c, 0] = 1
            chances[a, b, c, 1:a] = [rolls(a, b, c, k) for k in range(1, a)]
        return cls.from_chances(game, chances, name)

    @classmethod
    def from_chances(cls, game: Race, chances: Floats | Bools, name: str = "strategy") -> Strategy:
        """The strategy with these chances to roll, shape (T + 1, T + 1, T + 1, T) by (a, b, c, k)."""
        check_three(game)
        kept = np.where(asked(game), chances, 0.0)
        kept[:, :, :, 0][_alive(game)] = 1.0
        if not ((kept >= 0) & (kept <= 1)).all():
            raise InputError("the chance to roll must be from 0 to 1 in every state.")
        decisions = np.where((kept > 0) & (kept < 1), MIXED, kept).astype(np.uint8)
        codes = np.flatnonzero(decisions.ravel() == MIXED)
        return cls(game, decisions, codes, kept.ravel()[codes], name)

    def chance(self, a: int, b: int, c: int, k: int) -> float:
        """The chance to roll at turn total `k` with these points needed by mover, next and third."""
        byte = int(self.decisions[a, b, c, k])
        if byte < MIXED:
            return float(byte)
        code = np.ravel_multi_index((a, b, c, k), self.decisions.shape)
        return float(self.chances[np.searchsorted(self.codes, code)])

    @property
    def tables(self) -> tuple[Bytes, Ints, Floats]:
        """What the kernels take."""
        return self.decisions, self.codes, self.chances

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The mixed states (a, b, c, k), each with its chance to roll."""
        places = np.array(np.unravel_index(self.codes, self.decisions.shape)).T.tolist()
        return tuple(((a, b, c, k), p) for (a, b, c, k), p in zip(places, self.chances.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"Strategy({self.name!r}, {self.game}, mixed states: {len(self.codes)})"


def shape(game: Race) -> tuple[int, int, int, int]:
    """The shape of an array over the states (a, b, c, k)."""
    side = game.target + 1
    return side, side, side, game.target


def check_three(game: Race) -> None:
    """Refuse a game that three cannot play here.

    Raises:
        InputError: the target is too large, passing is allowed, or nearly every roll busts: then an
            orbit's equations are too near to having no solution.
    """
    if game.allow_pass:
        raise InputError("three players may not pass here: leave allow_pass away.")
    if game.target > LARGEST_TARGET:
        raise InputError(f"a target of {game.target} is too large for three players: at most {LARGEST_TARGET}.")
    safe = sum(chance for _, chance in game.die)
    if safe < SAFE:
        raise InputError(f"rolls gain with a chance of {safe:g}, too seldom for three players: at least {SAFE:g}.")


def one_game(strategies: Sequence[Strategy]) -> Race:
    """The game that three strategies play.

    Raises:
        InputError: there are not three, or they play different games.
    """
    if len(strategies) != 3:
        raise InputError(f"{len(strategies)} strategies were given: a game for three takes three.")
    if len({s.game.rules for s in strategies}) > 1:
        games = ", ".join(str(s.game) for s in strategies)
        raise InputError(f"the three strategies play {games}: they must play the same game.")
    return strategies[0].game


def _alive(game: Race) -> Bools:
    """Where nobody has won yet, shape (T + 1, T + 1, T + 1)."""
    a, b, c = np.ogrid[: game.target + 1, : game.target + 1, : game.target + 1]
    return (a > 0) & (b > 0) & (c > 0)


def asked(game: Race) -> Bools:
    """Where play can come by, shape as the decisions."""
    a, k = np.ogrid[: game.target + 1, : game.target]
    return _alive(game)[:, :, :, None] & (k < a)[:, None, None, :]
