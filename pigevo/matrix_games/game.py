"""A two-player game as two payoff matrices, and the examples of Exeter 2017."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from pigevo.core.arrays import Floats
from pigevo.core.text import counted, short_repr
from pigevo.errors import InputError

Player = Literal["row", "column"]

LEVEL = 1e-9
"""Payoffs that differ by less than this share of the range of all payoffs are equal: the difference is rounding."""


@dataclass(frozen=True, eq=False)
class MatrixGame:
    """A game in which two players choose one of n and one of m strategies at the same time.

    Args:
        row: payoff of the row player, shape (n, m).
        column: payoff of the column player, shape (n, m).
        rows: names of the row player's strategies; `row 1`, `row 2` ... by default.
        columns: names of the column player's strategies; `column 1`, `column 2` ... by default.

    Raises:
        InputError: the matrices are empty, differ in shape or are not finite, or the names are too few or not unique.

    Example:
        >>> from pigevo.matrix_games import MatrixGame
        >>> game = MatrixGame([[3, 0], [0, 2]], [[2, 0], [0, 3]], ("opera", "football"), ("opera", "football"))
        >>> game.payoffs("column")
        array([[2., 0.],
               [0., 3.]])
    """

    row: Floats
    column: Floats
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        row, column = _matrix(self.row, "row"), _matrix(self.column, "column")
        if row.shape != column.shape:
            raise InputError(
                f"the payoffs of the row player have shape {row.shape}, those of the column player {column.shape}: "
                "both are given for each row and column, so both matrices have one shape."
            )
        values = {
            "row": row, "column": column,
            "rows": _names(self.rows, "row", row.shape[0]), "columns": _names(self.columns, "column", row.shape[1]),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def symmetric(cls, payoffs: ArrayLike, names: Sequence[str] = ()) -> Self:
        """The game in which both players have the same strategies, as in a tournament.

        Args:
            payoffs: the payoff of each strategy (row) against each other one (column), shape (n, n), such as the result
                of `pigevo.win_matrix`.
            names: the names of the n strategies.

        Example:
            >>> import pigevo
            >>> from pigevo.matrix_games import MatrixGame
            >>> players = [pigevo.hold_at(pigevo.Pig(), n) for n in (20, 25)]
            >>> MatrixGame.symmetric(pigevo.win_matrix(players), [one.name for one in players]).rows
            ('hold_at:20', 'hold_at:25')
        """
        matrix = _matrix(payoffs, "row")
        return cls(matrix, matrix.T, tuple(names), tuple(names))

    def payoffs(self, player: Player) -> Floats:
        """A player's payoffs by its own strategy and the other's; for the column player the transpose of `column`."""
        return self.row if of_row(player) else self.column.T

    def strategies(self, player: Player) -> tuple[str, ...]:
        """The names of a player's strategies."""
        return self.rows if of_row(player) else self.columns

    def without(self, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> Self:
        """The game without the given strategies; the others keep their order."""
        i = [n for n, name in enumerate(self.rows) if name not in rows]
        j = [n for n, name in enumerate(self.columns) if name not in columns]
        left = tuple(self.rows[n] for n in i), tuple(self.columns[n] for n in j)
        return type(self)(self.row[np.ix_(i, j)], self.column[np.ix_(i, j)], *left)


def prisoners_dilemma() -> MatrixGame:
    """The prisoners' dilemma with the years in prison of figure 3 of Exeter 2017, as losses.

    Example:
        >>> from pigevo.matrix_games import equilibria, prisoners_dilemma
        >>> equilibria(prisoners_dilemma())
        (Equilibrium(row={'confess': 1.0}, column={'confess': 1.0}, payoffs=(-8.0, -8.0)),)
    """
    names = ("confess", "lie")
    return MatrixGame.symmetric([[-8, 0], [-10, -1]], names)


def rock_paper_scissors() -> MatrixGame:
    """Rock, paper, scissors, with 1 for a win and -1 for a loss: the example of section 1.3 of Exeter 2017.

    Example:
        >>> from pigevo.matrix_games import equilibria, rock_paper_scissors
        >>> (equilibrium,) = equilibria(rock_paper_scissors())
        >>> {name: round(share, 4) for name, share in equilibrium.row.items()}
        {'rock': 0.3333, 'paper': 0.3333, 'scissors': 0.3333}
    """
    return MatrixGame.symmetric([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], ("rock", "paper", "scissors"))


def of_row(player: str) -> bool:
    """Whether a word means the row player; words other than `row` and `column` are refused."""
    if player not in ("row", "column"):
        raise InputError(f"there is no player {short_repr(player)}: it is 'row' or 'column'.")
    return player == "row"


def scaled(payoffs: Floats) -> Floats:
    """The payoffs scaled to 0 ... 1, which changes no choice; all 0 if they are equal."""
    span = payoffs.max() - payoffs.min()
    return (payoffs - payoffs.min()) / span if span else np.zeros_like(payoffs)


def _matrix(given: ArrayLike, player: str) -> Floats:
    try:
        matrix = np.array(given, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the payoffs of the {player} player must be a matrix of numbers.") from error
    if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise InputError(f"the payoffs of the {player} player must be a matrix of finite numbers with a row at least.")
    matrix.flags.writeable = False
    return matrix


def _names(given: Sequence[str], player: str, number: int) -> tuple[str, ...]:
    names = tuple(given) or tuple(f"{player} {n}" for n in range(1, number + 1))
    if len(names) != number:
        raise InputError(f"{counted(number, player)} need as many names, not {len(names)}.")
    if len(set(names)) != number:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two {player}s are called {short_repr(twice)}: give each a name of its own.")
    return names
