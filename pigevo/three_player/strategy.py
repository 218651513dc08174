"""A strategy for three players: the chance to roll in every state (`rules.py` defines states).

A strategy for a target can be used for every smaller one.  Nearly all decisions are pure and
take one byte; the few mixed ones are in a sorted list beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.three_player.rules import alive, check_three, decision_states, shape

MIXED = 2  # the byte of a mixed decision

StrategyTables = tuple[Bytes, Ints, Floats]
"""`decisions` by state and turn total, `codes` and `chances` of a strategy, as arguments of kernels."""

NOT_A_CHANCE = "the chance to roll must be from 0 to 1 in every state."


@dataclass(frozen=True, eq=False)
class Strategy:
    """A player's decisions in all states of a game for three.

    Args:
        game: the game, without passing.
        decisions: 1 rolls, 0 holds, `MIXED` rolls with a chance; bytes of shape (T + 1, T + 1, T + 1, T), by
            (a, b, c, k).
        codes: the mixed states as flat indices into `decisions`, ascending, shape (n,).
        chances: the chance to roll in each of them, shape (n,).
        name: its name.

    Raises:
        InputError: three cannot play the game, or the arrays do not fit together.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> solution.strategy.decisions.shape
        (6, 6, 6, 5)
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
        if self.decisions.max(initial=0) > MIXED or not self.decisions[:, :, :, 0][alive(self.game.target)].all():
            raise InputError("decisions must be 0, 1 or 2, and 1 at a turn total of 0, since nobody may pass.")
        mixed = np.flatnonzero(self.decisions.ravel() == MIXED)
        if not np.array_equal(mixed, self.codes) or self.chances.shape != mixed.shape:
            raise InputError("each mixed decision needs its chance, and each chance its decision.")
        if not ((self.chances >= 0) & (self.chances <= 1)).all():
            raise InputError(NOT_A_CHANCE)

    @classmethod
    def from_function(
        cls, game: Race, rolls: Callable[[int, int, int, int], float], name: str = "strategy"
    ) -> Strategy:
        """The strategy of a function.

        Args:
            game: the game.
            rolls: returns the chance to roll in state (a, b, c, k); True is 1. It is called for `0 < k < a` only, and
                twice for each state, the second time in another order.
            name: its name.

        Raises:
            InputError: three cannot play the game, a result is not a probability, or differs at the second call.
        """
        check_three(game)
        chances = np.zeros(shape(game))
        needs = range(1, game.target + 1)
        for a, b, c in product(needs, needs, needs):
            chances[a, b, c, 1:a] = [rolls(a, b, c, k) for k in range(1, a)]
        strategy = cls.from_chances(game, chances, name)
        for a, b, c in product(*[needs[::-1]] * 3):
            for k in range(a - 1, 0, -1):
                first, again = chances[a, b, c, k], float(rolls(a, b, c, k))
                if first != again:
                    raise InputError(
                        f"the chance to roll at ({a}, {b}, {c}, {k}) is {first:g} and {again:g} when it is asked "
                        "again: a strategy depends on the state alone, not on random numbers or earlier calls."
                    )
        return strategy

    @classmethod
    def from_chances(cls, game: Race, chances: Floats | Bools, name: str = "strategy") -> Strategy:
        """The strategy with given chances to roll, by (a, b, c, k); only those with `0 < k < a` are read."""
        check_three(game)
        inside = np.where(decision_states(game), chances, 0.0)
        inside[:, :, :, 0][alive(game.target)] = 1.0
        if not ((inside >= 0) & (inside <= 1)).all():
            raise InputError(NOT_A_CHANCE)
        decisions = np.where((inside > 0) & (inside < 1), MIXED, inside).astype(np.uint8)
        codes = np.flatnonzero(decisions.ravel() == MIXED)
        return cls(game, decisions, codes, inside.ravel()[codes], name)

    def chance(self, a: int, b: int, c: int, k: int) -> float:
        """The chance to roll in a state: points needed by mover, next and third player, and the turn total."""
        byte = int(self.decisions[a, b, c, k])
        if byte < MIXED:
            return float(byte)
        code = np.ravel_multi_index((a, b, c, k), self.decisions.shape)
        return float(self.chances[np.searchsorted(self.codes, code)])

    @property
    def tables(self) -> StrategyTables:
        """The arguments of kernels, with the same array types for every strategy, so that three can form a tuple."""
        return (
            np.require(self.decisions, np.uint8, ("C", "W")).reshape(-1, self.game.target),
            np.require(self.codes, np.int64, ("C", "W")),
            np.require(self.chances, np.float64, ("C", "W")),
        )

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The mixed states (a, b, c, k), each with its chance to roll."""
        cells = np.array(np.unravel_index(self.codes, self.decisions.shape)).T.tolist()
        return tuple(((a, b, c, k), p) for (a, b, c, k), p in zip(cells, self.chances.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"Strategy({self.name!r}, {self.game}, mixed states: {len(self.codes)})"


def one_game(strategies: Sequence[Strategy]) -> Race:
    """The common game of three strategies; other numbers of strategies or different games are refused."""
    if not isinstance(strategies, list | tuple):
        raise InputError(f"a game for three takes a list of three strategies, not {short_repr(strategies)}.")
    if len(strategies) != 3:
        raise InputError(f"{len(strategies)} strategies were given: a game for three takes three.")
    for strategy in strategies:
        if not isinstance(strategy, Strategy):
            raise InputError(
                f"a game for three takes strategies for three, such as pigevo.three_player.lifted(game), "
                f"not {short_repr(strategy)}."
            )
    if len({s.game.rules for s in strategies}) > 1:
        games = ", ".join(str(s.game) for s in strategies)
        raise InputError(f"the three strategies play {games}: they must play the same game.")
    return strategies[0].game
