"""A game for three with rewards, solved and certified, and the table of such games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from tqdm import tqdm

from pigevo.core.arrays import Floats
from pigevo.core.machine import Progress
from pigevo.games import Pig, Race
from pigevo.three_player import Certificate, Strategy, ThreeSolution, certify, evaluate
from pigevo.three_player.solver import OrbitSolver

from .records import SEATS, Rows
from .rewards import Rewards, end_values


def evaluate_rewarded(strategies: Sequence[Strategy], rewards: Rewards) -> Floats:
    """The expected rewards at the start of every turn, exactly, as `three_player.evaluate` gives win probabilities.

    Args:
        strategies: the strategies of players 0, 1 and 2, who take turns in this order.
        rewards: the values of the places; after the first win the two others play the optimum for two.
    """
    game = strategies[0].game
    return rewards.in_units(evaluate(strategies, end_values(game, rewards)), game)


@dataclass(frozen=True, eq=False)
class RewardedSolution:
    """An equilibrium of a game for three with rewards.

    Args:
        shares: the solution in shares of rewards, from 0 to 1; its own certificate is for a win alone.
        rewards: the values of the places.
    """

    shares: ThreeSolution
    rewards: Rewards

    @property
    def game(self) -> Race:
        """The game."""
        return self.shares.game

    @property
    def strategy(self) -> Strategy:
        """The strategy of each player."""
        return self.shares.strategy

    @cached_property
    def values(self) -> Floats:
        """Expected rewards of mover, next and third player, shape (T + 1, T + 1, T + 1, 3), by the points they need."""
        return self.rewards.in_units(self.shares.values, self.game)

    @property
    def value(self) -> tuple[float, float, float]:
        """Expected rewards of first, second and third seat at the start of the game."""
        first, second, third = self.values[(self.game.target,) * 3].tolist()
        return first, second, third

    @cached_property
    def certificate(self) -> Certificate:
        """The result of an independent best-response computation over the whole game; gain and error are shares."""
        return certify(self.strategy, self.shares.values, end_values(self.game, self.rewards))

    def place_chances(self) -> Floats:
        """The probabilities that each seat comes first, second and third, shape (3, 3) by seat and place.

        Equal scores at the end count half as second and half as third place.
        """
        on, t = self.rewards.after_first_win, self.game.target
        shares = [evaluate_rewarded([self.strategy] * 3, Rewards(places, on)) for places in ((1, 0, 0), (1, 1, 0))]
        first, second = (table[0, :, t, t, t] for table in shares)
        return np.stack([first, second - first, 1 - second], axis=1)


def solve_rewarded(
    game: Race, rewards: Rewards, workers: int | None = None, progress: Progress | None = None
) -> RewardedSolution:
    """An equilibrium of a game for three with rewards, as `three_player.solve` finds one for a win alone.

    Args:
        game: Pig, Piglet or any race without passing.
        rewards: the values of the places.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of orbits solved since the last call.
    """
    return RewardedSolution(OrbitSolver(game, end_values(game, rewards)).solve(workers, progress), rewards)


REWARD_TARGETS = (20, 40)
REWARDS = (
    Rewards(), Rewards((2, 1, -3)), Rewards((2, 1, -3), "play_on"), Rewards((1, 1, -2)), Rewards((1, 1, -2), "play_on"),
    Rewards("points_needed"), Rewards("scores"),
)  # fmt: skip


def rewards(workers: int) -> Rows:
    """Each of `REWARDS` at each target: rewards and places by seat, where the first player holds, and the certificate.

    Args:
        workers: threads.
    """
    rows = []
    for target, played_for in tqdm([(t, r) for t in REWARD_TARGETS for r in REWARDS], desc="rewards", disable=None):
        solution = solve_rewarded(Pig(target), played_for, workers)
        chances = solution.place_chances()
        opening = [solution.strategy.chance(target, target, target, k) for k in range(2, target)]
        rows.append({
            "target": target, "rewards": str(played_for),
            **{s: value for s, value in zip(SEATS, solution.value, strict=True)},
            **{f"{s}_comes_{place}": chances[n, m] for n, s in enumerate(SEATS) for m, place in enumerate(SEATS)},
            "opens_holding_at": next((k for k, roll in enumerate(opening, start=2) if roll < 1), ""),
            "without_pure": len(solution.shares.without_pure), "several": len(solution.shares.several),
            "largest_gain": solution.certificate.gain,
        })  # fmt: skip
    return rows
