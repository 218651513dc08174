"""Coalitions: the loss that two players can inflict on the third if that is their only aim."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.machine import Progress, available_cores
from pigevo.games import Race
from pigevo.three_player.rules import check_three, map_orbits, orbits_by_total, throws_of

from .coalition_kernels import solve_coalition
from .rewards import WIN_ONLY, Rewards, end_values


@dataclass(frozen=True, eq=False)
class Coalition:
    """The solved game of one player against two whose only aim is that this player loses.

    Args:
        game: the game.
        values: win probability, or expected reward, of the player who moves in `p` turns if the lone player moves in
            `r` turns, shape (3, 3, T + 1, T + 1, T + 1) by r, p and the points needed by mover, next and third.
    """

    game: Race
    values: Floats

    def at(self, target: int) -> Floats:
        """Win probabilities at the start of a smaller game, by the lone player's seat, then by seat, shape (3, 3)."""
        return self.values[:, :, target, target, target].copy()

    @property
    def value(self) -> tuple[float, float, float]:
        """The lone player's win probability in the first, second and third seat."""
        first, second, third = np.diag(self.at(self.game.target)).tolist()
        return first, second, third


def coalition(
    game: Race, workers: int | None = None, progress: Progress | None = None, rewards: Rewards = WIN_ONLY
) -> Coalition:
    """Solve the zero-sum game of one player against the two others, for each seat (Bonnet et al. 2018, figure 4).

    Args:
        game: Pig, Piglet or any race without passing.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of orbits solved since the last call.
        rewards: the values of the places; the two minimise the third player's reward. After a win they play the
            optimum for two.

    Raises:
        InputError: the game allows passing, or its target is too large for three players.

    Example:
        >>> import pigevo
        >>> from pigevo.experiments.bonnet2018.coalitions import coalition
        >>> alone = coalition(pigevo.Pig(target=5))
        >>> round(float(alone.values[0, 0, 5, 5, 5]), 4)  # the lone player moves first
        0.7579
    """
    check_three(game)
    values = np.stack([end_values(game, rewards)] * 3)
    by_state = values.reshape(3, 3, -1)

    def run(orbits: Ints) -> None:
        solve_coalition(orbits, by_state, throws_of(game), game.target)

    for orbits in orbits_by_total(game.target):
        map_orbits(run, orbits, workers or available_cores())
        if progress is not None:
            progress(len(orbits))
    return Coalition(game, rewards.in_units(values, game))
