"""The Nash mixture of a matrix: how often to choose each strategy so that no opponent of the matrix is to be feared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from pigevo.arrays import Floats
from pigevo.tournaments.order import LEVEL, margins_of

NEXT_TO_NOTHING = 1e-9
TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Mixture:
    """Shares of a mixture of strategies.

    Args:
        shares: how often each is chosen, shape (n,); they add up to 1.
        value: the mixture's margin against the opponent that does best against it; 0 but for rounding.
    """

    shares: Floats
    value: float


def nash(overall: Floats) -> Mixture:
    """The mixture that does best against its strongest opponent of the matrix, by linear programming.

    What counts is the margin, half of what one wins more often than the other, so the game is symmetric and its
    value 0. A strategy that no other beats is the whole mixture; of several such ones the first.

    Args:
        overall: win probability of the row against the column in both seats, shape (n, n).
    """
    margins = margins_of(overall)
    n, unbeaten = len(margins), np.flatnonzero(margins.min(axis=1) >= -LEVEL)
    if len(unbeaten):
        shares = np.eye(n)[unbeaten[0]]
    else:  # maximise v, where the mixture's margin against each column is at least v
        found = linprog(
            np.append(np.zeros(n), -1.0),
            A_ub=np.hstack([-margins.T, np.ones((n, 1))]), b_ub=np.zeros(n),
            A_eq=np.append(np.ones(n), 0.0)[None], b_eq=[1.0],
            bounds=[(0, 1)] * n + [(-1, 1)], method="highs",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )  # fmt: skip
        shares = np.where(found.x[:n] > NEXT_TO_NOTHING, found.x[:n], 0.0)
        shares = shares / shares.sum()
    return Mixture(shares, float((shares @ margins).min()))
