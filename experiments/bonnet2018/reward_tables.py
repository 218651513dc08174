"""Other rewards: what the seats expect, how often they come first, second and third, and how the first player opens."""

from __future__ import annotations

from tqdm import tqdm

from pigevo.games import Pig

from .curves import SEATS
from .records import Rows
from .rewarded_solver import solve_rewarded
from .rewards import Rewards

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
