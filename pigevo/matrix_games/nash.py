"""Best responses, and the equilibria of a game of two players, pure and mixed.

Mixed equilibria are found from the vertices of the two best-response polytopes (Mangasarian, "Equilibrium points of
bimatrix games", 1964; von Stengel, chapter 3 of Algorithmic Game Theory, 2007), which scipy's Qhull enumerates. This
also works for games with ties, where an enumeration of supports of equal size misses equilibria.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import HalfspaceIntersection

from pigevo.core.arrays import Bools, Floats
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.matrix_games.dominance import eliminate
from pigevo.matrix_games.game import LEVEL, MatrixGame, Player, of_row, scaled

MOST = 12
"""The largest number of strategies of a player, after elimination, for which equilibria are enumerated."""

ALIKE = 1e-8
"""Corners closer than this are equal, and constraints this close to their bound are active."""


@dataclass(frozen=True)
class Equilibrium:
    """Two strategies, pure or mixed, of which each is a best response to the other.

    Args:
        row: the row player's strategies by name, with their shares.
        column: the column player's strategies by name, with their shares.
        payoffs: the mean payoffs of both players, the row player first.

    Example:
        >>> from pigevo.matrix_games import equilibria, prisoners_dilemma
        >>> (equilibrium,) = equilibria(prisoners_dilemma())
        >>> equilibrium.pure, equilibrium.row, equilibrium.payoffs
        (True, {'confess': 1.0}, (-8.0, -8.0))
    """

    row: Mapping[str, float]
    column: Mapping[str, float]
    payoffs: tuple[float, float]

    @property
    def pure(self) -> bool:
        """Whether neither player mixes."""
        return len(self.row) == len(self.column) == 1


def best_responses(
    game: MatrixGame, against: str | Mapping[str, float] | ArrayLike, player: Player = "row"
) -> tuple[str, ...]:
    """The strategies of a player that gain most against a strategy, or a mixture, of the other player.

    Args:
        game: the payoffs.
        against: the other player's strategy by its name, a mixture as shares by name, or as an array with a share for
            each of its strategies.
        player: the player who responds, `row` or `column`.

    Raises:
        InputError: a name that the other player does not have, or shares that are negative or do not add up to 1.

    Example:
        >>> from pigevo.matrix_games import best_responses, rock_paper_scissors
        >>> best_responses(rock_paper_scissors(), "rock")
        ('paper',)
        >>> best_responses(rock_paper_scissors(), {"rock": 0.5, "paper": 0.5})
        ('paper',)
    """
    gained = scaled(game.payoffs(player)) @ _shares(against, game.strategies("column" if of_row(player) else "row"))
    return tuple(np.array(game.strategies(player))[gained >= gained.max() - LEVEL].tolist())


def pure_equilibria(game: MatrixGame) -> tuple[Equilibrium, ...]:
    """All pure equilibria, row by row; some games have none, for example rock, paper, scissors.

    Example:
        >>> from pigevo.matrix_games import prisoners_dilemma, pure_equilibria
        >>> pure_equilibria(prisoners_dilemma())
        (Equilibrium(row={'confess': 1.0}, column={'confess': 1.0}, payoffs=(-8.0, -8.0)),)
    """
    row, column = scaled(game.row), scaled(game.column)
    both = (row >= row.max(axis=0) - LEVEL) & (column >= column.max(axis=1, keepdims=True) - LEVEL)
    return tuple(
        Equilibrium({game.rows[i]: 1.0}, {game.columns[j]: 1.0}, (float(game.row[i, j]), float(game.column[i, j])))
        for i, j in np.argwhere(both).tolist()
    )


def equilibria(game: MatrixGame) -> tuple[Equilibrium, ...]:
    """All extreme equilibria, pure ones first; every game has at least one (Nash, 1950).

    In a game without ties these are all equilibria, and their number is odd. Otherwise there may be infinitely many
    more: mixtures of extreme equilibria in which one player's strategy is the same, or in which the strategies of both
    can be combined freely.

    Args:
        game: the payoffs; after strict elimination each player may have at most 12 strategies.

    Raises:
        InputError: a player has more strategies after elimination.

    Example:
        >>> from pigevo.matrix_games import MatrixGame, equilibria
        >>> opera = MatrixGame([[3, 0], [0, 2]], [[2, 0], [0, 3]], ("opera", "football"), ("opera", "football"))
        >>> for solution in equilibria(opera):
        ...     print({name: round(share, 3) for name, share in solution.row.items()}, round(solution.payoffs[0], 3))
        {'opera': 1.0} 3.0
        {'football': 1.0} 2.0
        {'opera': 0.6, 'football': 0.4} 1.2
    """
    left = eliminate(game).left
    if max(left.row.shape) > MOST:
        raise InputError(
            f"elimination leaves {len(left.rows)} and {len(left.columns)} strategies: equilibria in mixtures are found "
            f"among {MOST} of each player at most, pure_equilibria finds the pure ones among any number."
        )
    rows, tight_rows = _corners(left.payoffs("column"))
    columns, tight_columns = _corners(left.payoffs("row"))
    tight_columns = np.roll(tight_columns, len(left.rows), axis=1)  # both: the row player's strategies first
    missing = (~tight_rows).astype(np.int64) @ (~tight_columns).astype(np.int64).T
    pairs = np.argwhere(missing == 0)  # each strategy is either not played or a best response
    mixtures = [(rows[a], columns[b]) for a, b in pairs.tolist()]
    mixtures.sort(key=lambda one: (np.count_nonzero(one[0]) + np.count_nonzero(one[1]), *(-one[0]), *(-one[1])))
    return tuple(_equilibrium(left, *one) for one in mixtures)


def _corners(payoffs: Floats) -> tuple[Floats, Bools]:
    """The mixtures at the corners of a best-response polytope, and the active constraints of each.

    `payoffs` are those of the opponent, by its own m strategies and the n strategies that are mixed here. The
    constraints are n for shares of 0, then m for strategies of the opponent that are best responses to the mixture.
    """
    matrix = 1.0 + scaled(payoffs)  # positive, so that the polytope is bounded
    m, n = matrix.shape
    if n == 1:  # Qhull needs at least two dimensions
        points = np.array([[1 / matrix.max()]])
    else:
        halfspaces = np.vstack([np.hstack([-np.eye(n), np.zeros((n, 1))]), np.hstack([matrix, -np.ones((m, 1))])])
        points = HalfspaceIntersection(halfspaces, np.full(n, 0.25 / n)).intersections
        points = points[points.max(axis=1) > ALIKE]  # the origin is no mixture
        points = points[np.unique(points.round(8), axis=0, return_index=True)[1]]
    tight: Bools = np.hstack([points < ALIKE, points @ matrix.T > 1 - ALIKE])
    shares = np.where(points < ALIKE, 0.0, points)
    return shares / shares.sum(axis=1, keepdims=True), tight


def _equilibrium(game: MatrixGame, row: Floats, column: Floats) -> Equilibrium:
    gained = float(row @ game.row @ column), float(row @ game.column @ column)
    return Equilibrium(_played(game.rows, row), _played(game.columns, column), gained)


def _played(names: tuple[str, ...], shares: Floats) -> dict[str, float]:
    return {name: share for name, share in zip(names, shares.tolist(), strict=True) if share}


def _shares(given: str | Mapping[str, float] | ArrayLike, names: tuple[str, ...]) -> Floats:
    """A strategy or a mixture as shares of all strategies."""
    if isinstance(given, str):
        given = {given: 1.0}
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise unknown("strategy", name, names)
        given = [given.get(name, 0.0) for name in names]
    try:
        shares = np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{short_repr(given)} is no mixture: it must be numbers.") from error
    if shares.shape != (len(names),) or not (shares >= -LEVEL).all() or not abs(shares.sum() - 1) <= LEVEL:
        raise InputError(
            f"{short_repr(shares.tolist())} is no mixture: give {len(names)} shares of at least 0 that add up to 1."
        )
    return shares
