"""Tables of the iterations: on the whole game, and on two orbits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tqdm import tqdm

from pigevo import three_player

from .iterations import METHODS, Watched, watch
from .records import Rows, kept

WATCHED = [(t, m) for m in ("in_place", "separate", "random_order", "discount", "regret") for t in (62, 61)]
SWEEPS = 400
ORBIT = (32, 62, 61)
"""The orbit of target 62 without a pure equilibrium."""

SEVERAL = (43, 43, 50)
"""One with two pure equilibria and a mixed one."""


def iterations(folder: Path) -> Rows:
    """The paper's own iterations at targets 61 and 62.

    Args:
        folder: where what is computed is kept.
    """
    found = []
    for target, method in WATCHED:
        found += kept(folder / "iterations" / f"{target}_{method}.json", iteration, target, method)
    return found


def iteration(target: int, method: str) -> Rows:
    """One iteration of the whole game.

    Args:
        target: points of the game.
        method: one of `METHODS`.
    """
    with tqdm(desc=f"{method} at {target}", unit=" sweeps", disable=None) as bar:
        return [row(target, watch(three_player.Game(target=target), method, SWEEPS, progress=bar.update))]


def one_orbit(workers: int) -> Rows:
    """All iterations on an orbit without a pure equilibrium and on one with two, the rest at its solution.

    Args:
        workers: threads.
    """
    solution = three_player.solve(three_player.Game(target=62), workers)
    rows = []
    for needs in (ORBIT, SEVERAL):
        for method in METHODS:
            sweeps = 100_000 if method == "regret" else 2000
            found = watch(solution.game, method, sweeps, orbit=(solution, needs))
            rows.append({"needs": " ".join(map(str, needs)), **row(62, found)})
    return rows


def row(target: int, found: Watched) -> dict[str, Any]:
    """A row for an iteration.

    Args:
        target: points of the game.
        found: how the iteration went.
    """
    cycle = "; ".join(f"{' '.join(map(str, scores))}: {flips}" for scores, flips in found.cycle[:6])
    return {
        "target": target, "method": found.method, "converged": found.converged, "sweeps": found.sweeps,
        "change": found.change, "period": found.period, "flipping_states": len(found.cycle), "cycle": cycle,
    }  # fmt: skip
