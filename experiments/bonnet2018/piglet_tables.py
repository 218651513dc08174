"""Tables of Piglet: a fair coin for every target, and biased coins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tqdm import tqdm

from pigevo import three_player

from .coalitions import coalition
from .curves import SEATS
from .piglet_worlds import exhaust
from .records import Rows, kept

PIGLET_TARGETS = 30
COIN_TARGETS = (1, 2, 3, 5, 7, 9, 10)
COINS = np.round(np.arange(0.06, 0.9951, 0.005), 3)


def piglet() -> Rows:
    """Piglet with a fair coin, for each target: gains by seat, and with a coalition against the first seat."""
    game = three_player.Piglet(PIGLET_TARGETS)
    worlds, against = exhaust(game), coalition(game)
    rows = []
    for target in range(1, PIGLET_TARGETS + 1):
        own, together = worlds.gains_at(target), 3 * against.at(target)[0] - 1
        rows.append({
            "goal": target, "equilibria": len(own),
            **dict(zip(SEATS, own[0], strict=True)),
            **{f"coalition_{s}": v for s, v in zip(SEATS, together, strict=True)},
        })  # fmt: skip
    return rows


def coins(folder: Path) -> Rows:
    """Piglet with biased coins: the first seat's gain in every equilibrium, by coin and target.

    Args:
        folder: where what is computed is kept.
    """
    found = []
    for heads in tqdm(COINS, desc="coins", disable=None):
        found += kept(folder / "coins" / f"{heads:.3f}.json", coin, float(heads))
    return found


def coin(heads: float) -> Rows:
    """One coin.

    Args:
        heads: the chance of heads.
    """
    worlds = exhaust(three_player.Piglet(max(COIN_TARGETS), heads))
    return [
        {"heads": heads, "goal": target, "equilibrium": number, "gain": float(row[0]), "complete": worlds.complete,
         "without_pure": len(worlds.without_pure)}
        for target in COIN_TARGETS for number, row in enumerate(worlds.gains_at(target))
    ]  # fmt: skip
