"""The certificate: nobody gains by leaving a strategy that all three play.

Whatever a solver claims, this computes anew, over the whole game, the win probabilities of
the strategy and the best response of one player to the two others.  It shares with the
solver only the die and the list of orbits: turns are followed forward and not backward, the
responder's orbits are solved one unknown at a time, and gains are compared at every state
and every turn total.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.three_player.certificate_kernels import respond_orbits
from pigevo.three_player.evaluation import evaluate
from pigevo.three_player.orbits import orbits_by_total, won_values
from pigevo.three_player.rules import plain_die
from pigevo.three_player.strategy import Strategy

LIMIT = 1e-12
"""A strategy that nobody can leave with a larger gain is certified as an equilibrium."""


@dataclass(frozen=True)
class Certificate:
    """What one player gains at most by leaving a strategy that all three play.

    Args:
        gain: the largest gain in win probability at any state, at the start of a turn or within it.
        where: points needed by the mover, who gains, by the next and the third player, and the turn total.
        error: the largest difference between the claimed and the recomputed win probabilities.
    """

    gain: float
    where: tuple[int, int, int, int]
    error: float

    @property
    def holds(self) -> bool:
        """Whether gain and error are both at most `LIMIT`."""
        return bool(self.gain <= LIMIT and self.error <= LIMIT)


def certify(strategy: Strategy, claimed: Floats) -> Certificate:
    """Check whether a strategy that all three play is an equilibrium, and the values claimed for it.

    Args:
        strategy: the strategy.
        claimed: win probabilities, shape (T + 1, T + 1, T + 1, 3), as in `ThreeSolution.values`.
    """
    game = strategy.game
    own, best = evaluate([strategy] * 3)[0], won_values(game.target)
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    gain, *where = respond_orbits(orbits, strategy.tables, plain_die(game), game.bust, best, own)
    a, b, c, k = map(int, where)
    error = np.abs(np.moveaxis(claimed, -1, 0) - own)[:, 1:, 1:, 1:].max()
    return Certificate(max(0.0, float(gain)), (a, b, c, k), float(error) if np.isfinite(error) else np.inf)
