"""An equilibrium of a game for three players, solved orbit by orbit, with its properties.

Bonnet, Neller & Viennot (2018) found that every iteration they tried cycles from a target of
62 on.  Scores never fall, so when orbits are solved in the order of the points still needed, the
only unknowns of an orbit are the values after its busts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.notebook import NotebookDisplay
from pigevo.core.threads import Progress, available_cores
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.three_player.best_turns import SolverTables, best_turns
from pigevo.three_player.equilibria import OpenOrbit, solve_open
from pigevo.three_player.evaluation import Certificate, certify, evaluate
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.rewards import WIN_ONLY, Rewards, end_values
from pigevo.three_player.rules import Needs, check_three, map_orbits, orbits_by_total, shape, throws_of
from pigevo.three_player.strategy import Strategy


@dataclass(frozen=True, eq=False)
class ThreeSolution(NotebookDisplay):
    """An equilibrium of a game for three.

    Args:
        strategy: the strategy of each player.
        values: win probabilities (with other rewards, expected rewards) of mover, next and third player, shape
            (T + 1, T + 1, T + 1, 3), by the points that mover, next and third player still need.
        open_orbits: the orbits where elimination leaves more than one turn to a player; all others have one
            equilibrium, and it is pure. Values there are shares of rewards, from 0 to 1.
        rewards: what the places are worth.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> round(sum(map(float, solution.value)), 12)
        1.0
    """

    strategy: Strategy
    values: Floats
    open_orbits: tuple[OpenOrbit, ...]
    rewards: Rewards = WIN_ONLY

    @property
    def game(self) -> Race:
        """The game."""
        return self.strategy.game

    @property
    def value(self) -> tuple[float, float, float]:
        """Win probabilities, or expected rewards, of first, second and third seat at the start of the game."""
        first, second, third = self.values[(self.game.target,) * 3].tolist()
        return first, second, third

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The states (a, b, c, k) (points needed, turn total) with a mixed choice, each with its chance to roll."""
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
        """The orbits with more than one equilibrium, even if their win probabilities are equal."""
        return tuple(o for o in self.open_orbits if len(o.equilibria) > 1)

    @cached_property
    def certificate(self) -> Certificate:
        """The result of an independent best-response computation over the whole game."""
        return certify(self.strategy, self.values, self.rewards)

    def place_chances(self) -> Floats:
        """The probabilities that each seat comes first, second and third, shape (3, 3) by seat and place.

        Equal scores at the end count half as second and half as third place.
        """
        on, t = self.rewards.after_first_win, self.game.target
        shares = [evaluate([self.strategy] * 3, Rewards(places, on)) for places in ((1, 0, 0), (1, 1, 0))]
        first, second = (table[0, :, t, t, t] for table in shares)
        return np.stack([first, second - first, 1 - second], axis=1)

    def exploitability(self) -> float:
        """The largest gain of any player at any state by another strategy, while the two others keep theirs."""
        return self.certificate.gain

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        rewards = "" if self.rewards.win_only else f"rewards {self.rewards}, "
        without = f"orbits without a pure equilibrium: {len(self.without_pure)}"
        return f"ThreeSolution({self.game}, {rewards}value=({seats}), {without})"


def solve(
    game: Race,
    workers: int | None = None,
    choose: Mapping[Needs, int] | None = None,
    progress: Progress | None = None,
    rewards: Rewards = WIN_ONLY,
) -> ThreeSolution:
    """An equilibrium of a game for three, and all equilibria at the orbits that have several.

    If an orbit has several, the one with the fewest mixing players is chosen, and among these the
    one with the smallest chance that all three bust one after the other.

    Args:
        game: Pig, Piglet or any race without passing.
        workers: threads, all cores by default; the result does not depend on it.
        choose: by orbit (`OpenOrbit.needs`), the number of another equilibrium to use there; 0 is the one that the
            rule chooses.
        progress: called with the number of orbits solved since the last call.
        rewards: the values of the places; by default only a win counts.

    Raises:
        InputError: an orbit or equilibrium in `choose` does not exist, the game allows passing, or its target is too
            large for three players.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=10))
        >>> [round(float(one), 4) for one in solution.value], len(solution.without_pure)
        ([0.634, 0.2597, 0.1064], 0)
    """
    check_three(game)
    work, workers, chosen = _Work(game, rewards), workers or available_cores(), dict(choose or {})
    opened: list[OpenOrbit] = []
    for orbits in orbits_by_total(game.target):
        for needs in work.solve_closed(orbits, workers):
            opened.append(work.solve_open(needs, chosen.pop(needs, 0)))
        if progress is not None:
            progress(len(orbits))
    if chosen:
        raise InputError(
            f"there is nothing to choose at {next(iter(chosen))}: it has one equilibrium, or is not an orbit."
        )
    return work.solution(opened)


class _Work(SolverTables):
    """The tables of a game for three, in shares of rewards."""

    def __init__(self, game: Race, rewards: Rewards) -> None:
        super().__init__(end_values(game, rewards))
        self.game, self.throws, self.rewards = game, throws_of(game), rewards

    def solve_closed(self, orbits: Ints, workers: int) -> list[Needs]:
        """Solve those orbits of one total that elimination solves; return the others."""

        def run(stretch: Ints) -> Bytes:
            return solve_orbits(stretch, self.by_state, self.decisions, self.throws, True)[0]

        is_open = np.concatenate(map_orbits(run, orbits, workers))
        return [(a, b, c) for a, b, c in orbits[is_open > 0].tolist()]

    def solve_open(self, needs: Needs, chosen: int) -> OpenOrbit:
        """Solve an open orbit, and use the equilibrium with the given number."""
        turns = best_turns(needs, self.values, self.throws)
        orbit = solve_open(turns)
        if not 0 <= chosen < len(orbit.equilibria):
            raise InputError(f"there is no equilibrium {chosen} at {needs}: it has {len(orbit.equilibria)}, from 0 on.")
        one = orbit.equilibria[chosen]
        self.write(needs, one.values, [turns.rolls(m, one.bust[m], one.turns[m], one.weights[m]) for m in range(3)])
        return orbit

    def solution(self, opened: list[OpenOrbit]) -> ThreeSolution:
        """The present strategy as a solution."""
        decisions, codes, chances = self.played
        values = self.rewards.in_units(np.ascontiguousarray(np.moveaxis(self.values, 0, -1)), self.game)
        values.setflags(write=False)
        strategy = Strategy(self.game, decisions.reshape(shape(self.game)), codes, chances, "equilibrium")
        return ThreeSolution(strategy, values, tuple(opened), self.rewards)
