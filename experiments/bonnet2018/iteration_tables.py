"""Tables of the iterations: on the whole game, and on two orbits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pigevo import three_player
from pigevo.three_player.rules import plain_die

from .iteration_kernels import sweep_long
from .iterations import METHODS, Course, Watched, watch
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


STOPS = (100, 1_000, 10_000, 100_000, 1_000_000)
"""Sweeps of regret matching after which it is looked at."""


def regret(workers: int) -> Rows:
    """Regret matching at the orbit without a pure equilibrium, for a million sweeps: does it come nearer?

    Each row is for the sweeps since the row before: the least and the largest chance of a roll at both states that
    mix, and how far the values are from the equilibrium at most, and on the mean of these sweeps.

    Args:
        workers: threads.
    """
    solution = three_player.solve(three_player.Game(target=62), workers)
    course = Course(solution.game, METHODS["regret"], 0, (solution, ORBIT))
    needs = [(a, b, c) for _, a, b, c in course.states.tolist()]
    exact = np.array([solution.values[state] for state in needs])
    mixes = {(a, b, c): k for (a, b, c, k), _ in solution.mixed}
    watched = np.array([mixes.get(state, 0) for state in needs])
    done, rows = 0, []
    for stop in tqdm(STOPS, desc="regret matching", disable=None):
        arrays = course.states, course.values, course.decisions, course.regrets
        change, far, mean, chances = sweep_long(
            *arrays, plain_die(solution.game), solution.game.bust, stop - done, exact, watched
        )
        row: dict[str, Any] = {"sweeps": stop, "last_change": change, "furthest": far}
        row["mean_of_values_off"] = float(np.abs(mean - exact).max())
        for n, k in enumerate(watched.tolist()):
            if k:
                row |= {f"least_{k}": float(chances[0, n]), f"most_{k}": float(chances[1, n])}
        rows.append(row)
        done = stop
    return rows


WHOLE = (20, 30, 40)
"""Targets at which regret matching of the whole game comes to rest within `SWEEPS`."""


def regret_whole() -> Rows:
    """Regret matching on the whole game from values of 0: after how many sweeps it comes to rest."""
    found = [row for target in WHOLE for row in iteration(target, "regret")]
    return [{name: one[name] for name in ("target", "method", "converged", "sweeps", "change")} for one in found]
