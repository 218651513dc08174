"""The iterations of Bonnet, Neller & Viennot (2018), of which each converges or shows its cycle, and their tables.

They report that in-place value iteration cycles at a target of 62 between the scores
(0, 1, 30) and (30, 0, 1), and that separate policies for the players, a random order of
updates, a discount and regret minimisation do not help.  The paper does not say in which
order states are updated, from which values it starts, what the discount applies to, and
how regrets are matched; here they are stated at each method.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pigevo import three_player
from pigevo.core.arrays import Ints
from pigevo.core.machine import Progress
from pigevo.dice import Draw
from pigevo.errors import InputError, unknown
from pigevo.games import Race
from pigevo.three_player.rules import Needs, check_three, plain_die, rotated, won_values
from pigevo.three_player.solver import ThreeSolution

from .kernels import sweep, sweep_long, sweep_with_regret
from .records import Rows, kept

SETTLED = 1e-15
"""States of one total, and all below, whose values change by no more are not updated from then on."""

WINDOW = 48
"""Sweeps in which a repetition is looked for."""


@dataclass(frozen=True)
class Method:
    """One of the iterations.

    Args:
        about: what it does.
        policies: 1 if all players share one policy, 3 if each has its own.
        by_player: whether all states of one player come before those of the next.
        shuffled: whether each sweep takes the states in a new random order.
        discount: the factor of a value for each turn that it takes to reach it.
        regret: whether decisions are mixed by regret matching.
    """

    about: str
    policies: int = 1
    by_player: bool = False
    shuffled: bool = False
    discount: float = 1.0
    regret: bool = False


METHODS = {  # `by_player` is not the paper's, but shows what an order can do
    "in_place": Method("value iteration in place, scores in ascending order"),
    "separate": Method("the same, each player with a policy of its own, one after the other", policies=3),
    "random_order": Method(
        "separate policies, all states in a new random order in each sweep", policies=3, shuffled=True
    ),
    "discount": Method("in place, values discounted by 0.9 for each turn", discount=0.9),
    "by_player": Method("separate policies, all states of one player before those of the next", 3, by_player=True),
    "regret": Method("in place, decisions mixed by regret matching", regret=True),
}


@dataclass(frozen=True)
class Watched:
    """How an iteration went.

    Args:
        method: its name.
        converged: whether values and decisions came to rest.
        sweeps: how many sweeps were made.
        change: the largest change of a value in the last sweep.
        cycle: the states whose decisions still changed in the second half of the sweeps: the points scored by mover,
            next and third, as the paper writes them, and in how many of the sweeps; most frequent first.
        period: after how many sweeps the same states change again, if they do so throughout; else None.
    """

    method: str
    converged: bool
    sweeps: int
    change: float
    cycle: tuple[tuple[tuple[int, int, int], int], ...]
    period: int | None


def watch(
    game: Race,
    method: str = "in_place",
    sweeps: int = 600,
    seed: int = 0,
    orbit: tuple[ThreeSolution, Needs] | None = None,
    progress: Progress | None = None,
) -> Watched:
    """Run one of the iterations, from values of 0.

    Args:
        game: the game.
        method: one of `METHODS`.
        sweeps: after how many to stop if it has not converged, more than `WINDOW`.
        seed: of the random order.
        orbit: a solution of the game, and the points needed in the one orbit to iterate, while all other values
            stay as they are in the solution; by default the whole game is iterated.
        progress: is called with 1 after each sweep.

    Raises:
        InputError: no such method, too few sweeps, or three players cannot play the game.
    """
    check_three(game)
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    if sweeps <= WINDOW:
        raise InputError(f"sweeps = {sweeps} are too few to see a cycle: make more than {WINDOW}.")
    course = Course(game, METHODS[method], seed, orbit)
    flipped: deque[Ints] = deque(maxlen=sweeps // 2)
    change, number = np.inf, 0
    while number < sweeps and not course.at_rest:
        number += 1
        change, states = course.sweep(number)
        flipped.append(states)
        if progress is not None:
            progress(1)
    if course.at_rest:
        return Watched(method, True, number, change, (), None)
    return Watched(method, False, number, change, _cycle(flipped, game.target), _period(list(flipped)[-WINDOW:]))


class Course:
    """An iteration under way.

    Args:
        game: the game.
        method: what is iterated.
        seed: of the random order.
        orbit: as in `watch`.
    """

    def __init__(self, game: Race, method: Method, seed: int, orbit: tuple[ThreeSolution, Needs] | None = None) -> None:
        self.game, self.method, self.seed = game, method, seed
        count, side = method.policies, (game.target + 1,) * 3
        if orbit is None:
            values = won_values(game.target)
            needs = np.argwhere(np.ones((game.target,) * 3, np.bool_))[::-1] + 1
        else:
            values = np.moveaxis(orbit[0].values, -1, 0).copy()
            three = [rotated(orbit[1], m) for m in range(3)]
            needs = np.array(sorted(set(three), reverse=True))
            for state in three:
                values[(slice(None), *state)] = 0
        self.values = np.stack([values] * count)
        self.states = np.column_stack([np.tile(np.arange(count), len(needs)), np.repeat(needs, count, axis=0)])
        if method.by_player:
            self.states = self.states[np.argsort(self.states[:, 0], kind="stable")]
        self.totals = self.states[:, 1:].sum(axis=1)
        self.decisions = np.zeros((count, *side, game.target), np.uint8)
        self.regrets = np.zeros((count, *side, game.target, 2) if method.regret else (1,) * 6)
        self.below = 3  # states of smaller totals have settled

    def sweep(self, number: int) -> tuple[float, Ints]:
        """Make one sweep.

        Args:
            number: decides its random order.

        Returns:
            The largest change of a value, and the states (m, a, b, c) whose decisions changed.
        """
        changes = np.zeros(3 * self.game.target + 1)
        order = self.states[self.totals >= self.below]
        if self.method.shuffled:
            order = order[Draw(self.seed, "selection", generation=number).permutation(len(order))]
        die = plain_die(self.game), self.game.bust, changes
        if self.method.regret:
            flips = sweep_with_regret(order, self.values, self.decisions, self.regrets, *die)
        else:
            flips = sweep(order, self.values, self.decisions, self.method.discount, *die)
        while self.below < len(changes) and changes[self.below] <= SETTLED:
            self.below += 1
        return float(changes.max()), order[flips > 0]

    @property
    def at_rest(self) -> bool:
        """Whether nothing is left to update."""
        return self.below > 3 * self.game.target


def _cycle(flipped: Iterable[Ints], target: int) -> tuple[tuple[tuple[int, int, int], int], ...]:
    counts: Counter[tuple[int, int, int]] = Counter()
    for states in flipped:
        counts.update({(i, j, h) for i, j, h in (target - states[:, 1:]).tolist()})
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _period(flipped: Sequence[Ints]) -> int | None:
    keys = [states.tobytes() for states in flipped]
    if not any(keys):
        return None
    whole = (p for p in range(1, len(keys) // 2 + 1) if all(x == y for x, y in zip(keys, keys[p:], strict=False)))
    return next(whole, None)


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
        return [row_of(target, watch(three_player.Game(target=target), method, SWEEPS, progress=bar.update))]


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
            rows.append({"needs": " ".join(map(str, needs)), **row_of(62, found)})
    return rows


def row_of(target: int, found: Watched) -> dict[str, Any]:
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
