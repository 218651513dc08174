"""Dominated strategies, by one other strategy or by a mixture of others, and their iterated elimination.

A strategy is strictly dominated if another one, or a mixture of others, gains more against every strategy of the other
player; weakly, if it gains at least as much against all and more against some. Mixtures are found by a linear program
(Osborne & Rubinstein, A Course in Game Theory, 1994, section 4.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from pigevo.core.arrays import Bools, Floats
from pigevo.core.progress_bar import ProgressBar
from pigevo.matrix_games.game import LEVEL, MatrixGame, Player, scaled

SHOWN_FROM = 50
"""The number of strategies from which a progress bar is shown."""

TOLERANCE = 1e-10
"""The tolerance of the linear programs, whose payoffs are from 0 to 1."""


@dataclass(frozen=True)
class Dominated:
    """A dominated strategy.

    Args:
        player: the player whose strategy it is, `row` or `column`.
        strategy: its name.
        by: the dominating strategies with their shares: one with share 1, or a mixture.
        strict: whether the domination is strict.
        margin: the smallest gain over all strategies of the other player; 0 if not strict.
        largest: the largest gain.

    Example:
        >>> from pigevo.matrix_games import dominated, prisoners_dilemma
        >>> one = dominated(prisoners_dilemma())[0]
        >>> one.strategy, one.by, one.strict, one.margin
        ('lie', {'confess': 1.0}, True, 1.0)
    """

    player: Player
    strategy: str
    by: Mapping[str, float]
    strict: bool
    margin: float
    largest: float


@dataclass(frozen=True)
class Elimination:
    """The result of iterated elimination: the strategies removed in each round, and the remaining game.

    `rounds` has a tuple for each round with the strategies that were dominated in the game that remained then, by
    player and in the order of the game; all strategies of a round are removed at the same time.

    Example:
        >>> from pigevo.matrix_games import MatrixGame, eliminate
        >>> elimination = eliminate(MatrixGame([[4, 1], [3, 2]], [[3, 5], [1, 4]]))
        >>> [[one.strategy for one in part] for part in elimination.rounds]
        [['column 1'], ['row 1']]
    """

    rounds: tuple[tuple[Dominated, ...], ...]
    left: MatrixGame


def dominated(
    game: MatrixGame, player: Player = "row", *, weakly: bool = False, mixed: bool = True
) -> tuple[Dominated, ...]:
    """The dominated strategies of a player.

    If several strategies dominate one, the one with the largest margin is reported; a mixture only if no single
    strategy dominates it strictly. Payoffs that differ by less than a billionth of the range of all payoffs are equal.

    Args:
        game: the payoffs.
        player: `row` or `column`.
        weakly: also those that are dominated weakly but not strictly.
        mixed: also those that are dominated by mixtures alone.

    Raises:
        InputError: the player is neither `row` nor `column`.

    Example:
        >>> from pigevo.matrix_games import MatrixGame, dominated, prisoners_dilemma
        >>> dominated(prisoners_dilemma())
        (Dominated(player='row', strategy='lie', by={'confess': 1.0}, strict=True, margin=1.0, largest=2.0),)
        >>> (one,) = dominated(MatrixGame([[3, 0], [0, 3], [1, 1]], [[0, 0]] * 3))
        >>> one.strategy, one.by
        ('row 3', {'row 1': 0.5, 'row 2': 0.5})
    """
    names = game.strategies(player)
    given = game.payoffs(player)
    payoffs = scaled(given)
    best = payoffs.max(axis=0)
    results = []
    for row in ProgressBar(range(len(names)), desc="dominated", leave=False, disable=len(names) < SHOWN_FROM or None):
        others = np.arange(len(names)) != row
        gains = payoffs[others] - payoffs[row]
        never_best = bool((payoffs[row] < best - LEVEL).all())
        shares = _dominating(gains, weakly, mixed, never_best) if len(gains) else None
        if shares is not None:
            by = {
                name: share
                for name, share in zip(np.array(names)[others].tolist(), shares.tolist(), strict=True)
                if share
            }
            strict, more = bool((shares @ gains).min() > LEVEL), shares @ given[others] - given[row]
            margin = float(more.min()) if strict else 0.0
            results.append(Dominated(player, names[row], by, strict, margin, float(more.max())))
    return tuple(results)


def eliminate(game: MatrixGame, *, weakly: bool = False, mixed: bool = True) -> Elimination:
    """Remove the dominated strategies of both players repeatedly, until there are none.

    The result of strict elimination does not depend on the order, and contains every equilibrium. Neither need be true
    with `weakly`; here all strategies that are dominated in a round are removed together.

    Args:
        game: the payoffs.
        weakly: also those that are dominated weakly but not strictly.
        mixed: also those that are dominated by mixtures alone.

    Example:
        >>> from pigevo.matrix_games import eliminate, prisoners_dilemma
        >>> elimination = eliminate(prisoners_dilemma())
        >>> elimination.left.rows, elimination.left.columns, len(elimination.rounds)
        (('confess',), ('confess',), 1)
    """
    rounds: list[tuple[Dominated, ...]] = []
    while True:
        rows = dominated(game, "row", weakly=weakly, mixed=mixed)
        columns = dominated(game, "column", weakly=weakly, mixed=mixed)
        if not rows and not columns:
            return Elimination(tuple(rounds), game)
        rounds.append((*rows, *columns))
        game = game.without([one.strategy for one in rows], [one.strategy for one in columns])


def _dominating(gains: Floats, weakly: bool, mixed: bool, never_best: bool) -> Floats | None:
    """The mixture of others that dominates a strategy by the given margin; None if there is none.

    A strategy that is a best response to some strategy of the other player is not strictly dominated.
    """
    least = gains.min(axis=1)
    if least.max() > LEVEL:
        return _single(len(gains), int(least.argmax()))
    if mixed and never_best and (shares := _mixture(gains, strictly=True)) is not None:
        return shares
    if not weakly:
        return None
    as_good: Bools = (least >= -LEVEL) & (gains.max(axis=1) > LEVEL)
    if as_good.any():
        return _single(len(gains), int(np.where(as_good, gains.sum(axis=1), -np.inf).argmax()))
    return _mixture(gains, strictly=False) if mixed else None


def _single(n: int, chosen: int) -> Floats:
    shares = np.zeros(n)
    shares[chosen] = 1.0
    return shares


def _mixture(gains: Floats, strictly: bool) -> Floats | None:
    """The mixture with the largest minimal gain, or the largest total gain; None if it does not dominate."""
    n, m = gains.shape
    floor = np.ones((m, 1)) if strictly else np.zeros((m, 1))
    solved = linprog(
        np.append(np.zeros(n), -1.0) if strictly else np.append(-gains.sum(axis=1), 0.0),
        A_ub=np.hstack([-gains.T, floor]), b_ub=np.zeros(m),
        A_eq=np.append(np.ones(n), 0.0)[None], b_eq=[1.0],
        bounds=[(0, 1)] * n + [(-1, 1)], method="highs",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )  # fmt: skip
    if solved.x is None:  # no mixture is at least as good against all
        return None
    shares = np.where(solved.x[:n] > LEVEL, solved.x[:n], 0.0)
    shares = shares / shares.sum()
    more = shares @ gains
    dominates = more.min() > LEVEL if strictly else more.min() >= -LEVEL and more.max() > LEVEL
    return shares if dominates else None
