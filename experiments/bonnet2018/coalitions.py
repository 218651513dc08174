"""Coalitions: what two players can take from the third, and whether policy orbits are coalitions, made and broken.

At an orbit without a pure equilibrium two players mix two turns each. If in turn each takes what is better for him,
they go round the four pairs of turns, as iterations do. Each switch brings a little to the player who makes it; what
matters to the others is who pays. A switch that brings something to the other one of the two takes it from the third:
it *makes* a coalition. A switch that takes from the other one *breaks* it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo import three_player
from pigevo.core.arrays import Floats, Ints
from pigevo.core.machine import Progress, available_cores
from pigevo.games import Race
from pigevo.three_player.equilibria import OpenOrbit, best_turns
from pigevo.three_player.orbit_kernels import start_values
from pigevo.three_player.rules import check_three, map_orbits, orbits_by_total, throws_of

from .kernels import solve_coalition
from .records import Rows
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


Pair = tuple[int, int]

TURNS: tuple[Pair, ...] = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The lower or the higher of the two turns of each of two players."""


@dataclass(frozen=True)
class Switch:
    """One step of a cycle: win probability, counted where player 0 of the orbit moves.

    Args:
        needs: points that the player who switches still needs.
        own, partner, third: what the switch changes for that player, for the other one who mixes, and for the third.
    """

    needs: int
    own: float
    partner: float
    third: float

    @property
    def makes(self) -> bool:
        """Whether the partner gains and the third player loses."""
        return self.partner > 0 > self.third

    @property
    def breaks(self) -> bool:
        """Whether the partner loses and the third player gains."""
        return self.partner < 0 < self.third


@dataclass(frozen=True)
class OrbitCycle:
    """The cycle of an orbit in which two players mix.

    Args:
        orbit: the orbit.
        pair: the two who mix, as numbers in it.
        switches: the four steps, beginning with the first that makes a coalition after one that breaks it.
        joint: what each of the pair, and the third, win more than in equilibrium at the pair of turns at which the
            third player wins least.
        after_making: whether this is where the steps that make the coalition lead.
    """

    orbit: OpenOrbit
    pair: Pair
    switches: tuple[Switch, ...]
    joint: tuple[float, float, float]
    after_making: bool


def cycle_of(solution: three_player.ThreeSolution, orbit: OpenOrbit) -> OrbitCycle | None:
    """The cycle of an orbit; None unless exactly two players mix there.

    Args:
        solution: of the game.
        orbit: one of its orbits without a pure equilibrium.
    """
    one = orbit.equilibria[0]
    mixing = [m for m in range(3) if 0 < one.weights[m] < 1]
    if len(mixing) != 2:
        return None
    x, y = mixing
    order = (x, y, 3 - x - y)
    worth = {taken: _pays(solution, orbit, dict(zip((x, y), taken, strict=True)))[list(order)] for taken in TURNS}
    steps = _cycle(worth)
    makes_after_breaks = (n for n in range(4) if steps[n][2].makes and steps[n - 1][2].breaks)
    start = next(makes_after_breaks, 0) if _alternates(steps) else 0
    steps = [*steps[start:], *steps[:start]]
    needs = (orbit.needs[x], orbit.needs[y])
    least = min(worth, key=lambda taken: worth[taken][2])
    reached = {to for n, (_, to, switch) in enumerate(steps) if switch.makes and not steps[(n + 1) % 4][2].makes}
    switches = tuple(Switch(needs[who], s.own, s.partner, s.third) for who, _, s in steps)
    joint = (worth[least] - one.values[0][list(order)]).tolist()
    return OrbitCycle(orbit, (x, y), switches, (joint[0], joint[1], joint[2]), reached == {least})


def _alternates(steps: list[tuple[int, Pair, Switch]]) -> bool:
    return any(s.makes for *_, s in steps) and any(s.breaks for *_, s in steps)


def _pays(solution: three_player.ThreeSolution, orbit: OpenOrbit, taken: dict[int, int]) -> Floats:
    """Win probabilities of the orbit's players, with player 0 to move, if some take the higher of their two turns."""
    values = np.ascontiguousarray(np.moveaxis(solution.values, -1, 0))
    left, low = best_turns(orbit.needs, values, throws_of(solution.game)).left, orbit.equilibria[0].turns
    lines = np.array([left[m][low[m] + taken.get(m, 0)] for m in range(3)])
    return np.array(start_values(lines, 0))


def _cycle(worth: dict[Pair, Floats]) -> list[tuple[int, Pair, Switch]]:
    """The four steps: who of the pair switches (0 or 1), to which turns, and what it changes."""
    steps: list[tuple[int, Pair, Switch]] = []
    taken: Pair = (0, 0)
    for _ in range(4):
        for who, to in ((0, (1 - taken[0], taken[1])), (1, (taken[0], 1 - taken[1]))):
            change = worth[to] - worth[taken]
            if change[who] > 0:
                steps.append((who, to, Switch(who, float(change[who]), float(change[1 - who]), float(change[2]))))
                taken = to
                break
        else:
            raise ArithmeticError(f"nobody gains by leaving the turns {taken}, so the orbit has a pure equilibrium")
    return steps


def cycles(solution: three_player.ThreeSolution) -> Rows:
    """Every switch of every cycle, in percentage points, and what the pair wins together at its best.

    Args:
        solution: of the game.
    """
    rows = []
    for orbit in solution.without_pure:
        cycle = cycle_of(solution, orbit)
        if cycle is None:
            continue
        a, b, c = orbit.needs
        for number, switch in enumerate(cycle.switches, start=1):
            kind = "makes" if switch.makes else "breaks" if switch.breaks else "neither"
            rows.append({
                "a": a, "b": b, "c": c, "step": number, "switcher_needs": switch.needs, "kind": kind,
                "own": 100 * switch.own, "partner": 100 * switch.partner, "third": 100 * switch.third,
                "joint_first": 100 * cycle.joint[0], "joint_second": 100 * cycle.joint[1],
                "joint_third": 100 * cycle.joint[2], "after_making": cycle.after_making,
            })  # fmt: skip
    return rows
