"""Three-player Pig, solved: an equilibrium for every state, orbit by orbit.

Bonnet, Neller & Viennot (2018) found that every iteration they tried cycles from a target
of 62 on.  Scores only grow, so when an orbit is reached, in the order of the points still
needed, only what its own busts lead to is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.threads import Progress, available_cores, map_threads
from pigevo.three_player.certificate import Certificate, certify
from pigevo.three_player.die import plain_die
from pigevo.three_player.open_orbit import Needs, OpenOrbit, solve_open
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.orbits import orbits_by_total, rotated, won_values
from pigevo.three_player.strategy import MIXED, Strategy, check_three, shape

STRETCH = 128
"""Orbits that one thread solves at a time."""


@dataclass(frozen=True, eq=False)
class ThreeSolution:
    """An equilibrium of a game for three.

    Args:
        strategy: what each player does in each state.
        values: win probabilities of mover, next and third player, shape (T + 1, T + 1, T + 1, 3), by the
            points that mover, next and third still need.
        open_orbits: the orbits where elimination leaves more than one turn; all others have
            one equilibrium, and it is pure.
    """

    strategy: Strategy
    values: Floats
    open_orbits: tuple[OpenOrbit, ...]

    @property
    def game(self) -> Race:
        """The game."""
        return self.strategy.game

    @property
    def value(self) -> tuple[float, float, float]:
        """Win probabilities of first, second and third seat at the start of the game."""
        first, second, third = self.values[(self.game.target,) * 3].tolist()
        return first, second, third

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The states (a, b, c, k) with a mixed choice: points needed, turn total; and the chance to roll there."""
        return self.strategy.mixed

    @property
    def without_pure(self) -> tuple[OpenOrbit, ...]:
        """The orbits without a pure equilibrium."""
        return tuple(o for o in self.open_orbits if not o.has_pure)

    @property
    def several(self) -> tuple[OpenOrbit, ...]:
        """The orbits with equilibria of different win probabilities, given the chosen one at all later states."""
        return tuple(o for o in self.open_orbits if o.outcomes > 1)

    @property
    def several_equilibria(self) -> tuple[OpenOrbit, ...]:
        """The orbits at which more than one equilibrium was found, whatever their win probabilities."""
        return tuple(o for o in self.open_orbits if len(o.equilibria) > 1)

    @cached_property
    def certificate(self) -> Certificate:
        """What an independent best-response computation over the whole game finds."""
        return certify(self.strategy, self.values)

    def exploitability(self) -> float:
        """The largest gain of any player at any state by any strategy, while the two others stay."""
        return self.certificate.gain

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        return (
            f"ThreeSolution({self.game}, value=({seats}), orbits without a pure equilibrium: {len(self.without_pure)})"
        )


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
        choose: for orbits, as in `OpenOrbit.needs`, the number of another equilibrium to play there, 0 being the
            one that the rule chooses.
        progress: is called with the number of orbits whenever so many more are solved.

    Raises:
        InputError: there is no such orbit or equilibrium to choose, the game allows passing, or its target is
            too large for three players.
    """
    check_three(game)
    gains, chances = plain_die(game)
    values = won_values(game.target)
    decisions = np.zeros(shape(game), np.uint8)
    mixed: dict[int, float] = {}
    opened: list[OpenOrbit] = []
    chosen = dict(choose or {})
    for orbits in orbits_by_total(game.target):
        for needs in _solve_closed(orbits, values, decisions, gains, chances, workers or available_cores()):
            opened.append(_solve_open(needs, values, decisions, gains, chances, mixed, chosen.pop(needs, 0)))
        if progress is not None:
            progress(len(orbits))
    if chosen:
        raise InputError(f"there is nothing to choose at {next(iter(chosen))}: it has one equilibrium, or is no orbit.")
    codes = np.array(sorted(mixed), dtype=np.int64)
    strategy = Strategy(game, decisions, codes, np.array([mixed[c] for c in codes.tolist()]), "equilibrium")
    table = np.ascontiguousarray(np.moveaxis(values, 0, -1))
    table.setflags(write=False)
    return ThreeSolution(strategy, table, tuple(opened))


def _solve_closed(
    orbits: Ints, values: Floats, decisions: Bytes, gains: Ints, chances: Floats, workers: int
) -> list[tuple[int, int, int]]:
    """Solve what elimination solves; return the others."""
    stretches = [orbits[n : n + STRETCH] for n in range(0, len(orbits), STRETCH)]

    def run(stretch: Ints) -> Bytes:
        left = np.zeros(len(stretch), np.uint8)
        solve_orbits(stretch, values, decisions, gains, chances, left)
        return left

    left = np.concatenate(map_threads(run, stretches, workers))
    return [(a, b, c) for a, b, c in orbits[left > 0].tolist()]


def _solve_open(
    needs: tuple[int, int, int],
    values: Floats,
    decisions: Bytes,
    gains: Ints,
    chances: Floats,
    mixed: dict[int, float],
    chosen: int,
) -> OpenOrbit:
    orbit, turns = solve_open(needs, values, gains, chances)
    if not 0 <= chosen < len(orbit.equilibria):
        raise InputError(f"there is no equilibrium {chosen} at {needs}: it has {len(orbit.equilibria)}, from 0 on.")
    one = orbit.equilibria[chosen]
    for m in range(3):
        a, b, c = rotated(needs, m)
        values[:, a, b, c] = one.values[m]
        rolls = turns.rolls(one, m)
        decisions[a, b, c, :a] = np.where((rolls > 0) & (rolls < 1), MIXED, rolls)
        for k in np.flatnonzero(decisions[a, b, c, :a] == MIXED).tolist():
            mixed[int(np.ravel_multi_index((a, b, c, k), decisions.shape))] = float(rolls[k])
    return orbit
