"""Win probabilities of three given strategies, and the certificate that nobody gains by deviating from an equilibrium.

Independently of a solver's claims, this recomputes, over the whole game, the win probabilities
of the strategy and the best response of one player to the two others.  It shares with the
solver only the die and the list of orbits: turns are followed forwards and not backwards, the
responder's orbits are solved one unknown at a time, and gains are compared at every state and
every turn total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.games import Pig
from pigevo.three_player.evaluation_kernels import evaluate_orbits, respond_orbits
from pigevo.three_player.rules import orbits_by_total, plain_die, throws_of, won_values
from pigevo.three_player.strategy import Strategy, one_game

CERTIFICATE = dict.fromkeys(
    (f"pigevo.three_player.evaluation_kernels.{name}" for name in ("evaluate_orbits", "respond_orbits")),
    f"{__name__}:small_certificate",
)
"""The kernels of a certificate, for `pigevo.compiled.cache.compile_ahead`."""


def evaluate(strategies: Sequence[Strategy], won: Floats | None = None) -> Floats:
    """Win probabilities at the start of every turn, exactly.

    Args:
        strategies: the strategies of players 0, 1 and 2, who take turns in this order.
        won: other values where a player has won, shape (3, T + 1, T + 1, T + 1), by mover, next and third player and
            the points that they need; without them a win is worth 1 and everything else 0.

    Returns:
        An array of shape (3, 3, T + 1, T + 1, T + 1): win probability of player `p` when player `m` is
        to move, by m, p, and the points needed by the mover, the next and the third player.

    Raises:
        InputError: there are not three strategies, or they are for different games.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> tp.evaluate([solution.strategy] * 3).shape
        (3, 3, 6, 6, 6)
    """
    game = one_game(strategies)
    won = won_values(game.target) if won is None else won
    values = np.stack([np.roll(won, m, axis=0) for m in range(3)])
    first, second, third = (s.tables for s in strategies)
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    evaluate_orbits(orbits, (first, second, third), plain_die(game), values.reshape(3, 3, -1))
    return values


def win_probabilities(strategies: Sequence[Strategy]) -> tuple[float, float, float]:
    """Win probabilities of first, second and third seat at the start of a game.

    Args:
        strategies: the strategies of the three seats; the first one moves first.

    Raises:
        InputError: there are not three strategies, or they are for different games.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> other = tp.lifted(pigevo.Pig(target=5))
        >>> [round(one, 4) for one in tp.win_probabilities([solution.strategy, other, other])]
        [0.7579, 0.193, 0.0491]
    """
    target = one_game(strategies).target
    first, second, third = evaluate(strategies)[0, :, target, target, target].tolist()
    return first, second, third


LIMIT = 1e-12
"""The largest gain by deviating with which a strategy is certified as an equilibrium."""


@dataclass(frozen=True)
class Certificate:
    """The largest gain of one player by deviating from a strategy that all three play.

    Args:
        gain: the largest gain in win probability at any state, at the start of a turn or within it.
        where: the state of the largest gain: points needed by the mover, who gains, by the next and by the third
            player, and the turn total.
        error: the largest difference between the claimed and the recomputed win probabilities.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> solution.certificate.holds
        True
    """

    gain: float
    where: tuple[int, ...]
    error: float

    @property
    def holds(self) -> bool:
        """Whether gain and error are both at most `LIMIT`."""
        return bool(self.gain <= LIMIT and self.error <= LIMIT)


def certify(strategy: Strategy, claimed: Floats, won: Floats | None = None) -> Certificate:
    """Check whether a strategy that all three play is an equilibrium, and check the values claimed for it.

    Args:
        strategy: the strategy.
        claimed: win probabilities, shape (T + 1, T + 1, T + 1, 3), as in `ThreeSolution.values`.
        won: other values where a player has won, from 0 to 1, as in `evaluate`.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> tp.certify(solution.strategy, solution.values).holds
        True
    """
    game = strategy.game
    own, best = evaluate([strategy] * 3, won)[0], won_values(game.target) if won is None else won.copy()
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    gain, state, k = respond_orbits(orbits, strategy.tables, throws_of(game), best.reshape(3, -1), own.reshape(3, -1))
    a, b, c = map(int, np.unravel_index(state, own.shape[1:]))
    error = np.abs(np.moveaxis(claimed, -1, 0) - own)[:, 1:, 1:, 1:].max()
    return Certificate(max(0.0, float(gain)), (a, b, c, int(k)), float(error) if np.isfinite(error) else np.inf)


def small_certificate() -> None:
    """Call the kernels of certificates."""
    certify(Strategy.from_function(Pig(2), lambda a, b, c, k: 1), np.zeros((3, 3, 3, 3)))
