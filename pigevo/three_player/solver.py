"""An equilibrium of a game for three players, solved orbit by orbit.

Bonnet, Neller & Viennot (2018) found that every iteration they tried cycles from a target
of 62 on.  Scores never fall, so when the orbits are taken in the order of the points still
needed, only what the busts of an orbit lead to is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pigevo.core.arrays import Bytes, Ints
from pigevo.core.threads import Progress, available_cores, map_threads
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.three_player.best_turns import best_turns
from pigevo.three_player.open_orbit import OpenOrbit, solve_open
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.orbits import Needs, orbits_by_total, rotated, won_values
from pigevo.three_player.rules import check_three, plain_die, shape
from pigevo.three_player.solution import ThreeSolution
from pigevo.three_player.strategy import MIXED, Strategy

STRETCH = 128
"""Orbits that one thread solves at a time."""


def solve(
    game: Race,
    workers: int | None = None,
    choose: Mapping[Needs, int] | None = None,
    progress: Progress | None = None,
) -> ThreeSolution:
    """An equilibrium of a game for three, and all equilibria at the orbits that have several.

    Where an orbit has several, the one with the fewest mixing players is chosen, and among
    these the one in which the chance that all three bust one after the other is least.

    Args:
        game: Pig, Piglet or any race without passing.
        workers: threads, all cores by default; the result does not depend on it.
        choose: for orbits, as in `OpenOrbit.needs`, the number of another equilibrium to play there, where 0 is
            the one that the rule chooses.
        progress: is called with the number of orbits whenever so many more are solved.

    Raises:
        InputError: there is no such orbit or equilibrium to choose, the game allows passing, or its target is
            too large for three players.
    """
    check_three(game)
    work, workers, chosen = _Work(game), workers or available_cores(), dict(choose or {})
    opened: list[OpenOrbit] = []
    for orbits in orbits_by_total(game.target):
        for needs in work.solve_closed(orbits, workers):
            opened.append(work.solve_open(needs, chosen.pop(needs, 0)))
        if progress is not None:
            progress(len(orbits))
    if chosen:
        raise InputError(f"there is nothing to choose at {next(iter(chosen))}: it has one equilibrium, or is no orbit.")
    return work.solution(opened)


class _Work:
    """What is known so far: win probabilities by player and state, and decisions."""

    def __init__(self, game: Race) -> None:
        self.game, self.die = game, plain_die(game)
        self.values, self.decisions = won_values(game.target), np.zeros(shape(game), np.uint8)
        self.mixed: dict[int, float] = {}

    def solve_closed(self, orbits: Ints, workers: int) -> list[Needs]:
        """Solve the orbits of one total that elimination solves; return the others."""

        def run(stretch: Ints) -> Bytes:
            return solve_orbits(stretch, self.values, self.decisions, self.die)

        stretches = [orbits[n : n + STRETCH] for n in range(0, len(orbits), STRETCH)]
        is_open = np.concatenate(map_threads(run, stretches, workers))
        return [(a, b, c) for a, b, c in orbits[is_open > 0].tolist()]

    def solve_open(self, needs: Needs, chosen: int) -> OpenOrbit:
        """Solve another orbit, and play its equilibrium of that number."""
        turns = best_turns(needs, self.values, self.die)
        orbit = solve_open(turns)
        if not 0 <= chosen < len(orbit.equilibria):
            raise InputError(f"there is no equilibrium {chosen} at {needs}: it has {len(orbit.equilibria)}, from 0 on.")
        one = orbit.equilibria[chosen]
        for m in range(3):
            a, b, c = rotated(needs, m)
            rolls = turns.rolls(one, m)
            self.values[:, a, b, c] = one.values[m]
            self.decisions[a, b, c, :a] = np.where((rolls > 0) & (rolls < 1), MIXED, rolls)
            for k in np.flatnonzero(self.decisions[a, b, c, :a] == MIXED).tolist():
                self.mixed[int(np.ravel_multi_index((a, b, c, k), self.decisions.shape))] = float(rolls[k])
        return orbit

    def solution(self, opened: list[OpenOrbit]) -> ThreeSolution:
        codes = np.array(sorted(self.mixed), dtype=np.int64)
        chances = np.array([self.mixed[code] for code in codes.tolist()], dtype=np.float64)
        values = np.ascontiguousarray(np.moveaxis(self.values, 0, -1))
        values.setflags(write=False)
        return ThreeSolution(Strategy(self.game, self.decisions, codes, chances, "equilibrium"), values, tuple(opened))
