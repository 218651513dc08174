"""Are policy orbits coalitions, made and broken? What each switch of a cycle does to all three players.

At an orbit without a pure equilibrium two players mix two turns each. If in turn each takes
what is better for him, they go round the four pairs of turns, as iterations do. Each switch
brings a little to the player who makes it; what matters to the others is who pays. A switch
that brings something to the other one of the two takes it from the third: it *makes* a
coalition. A switch that takes from the other one *breaks* it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo import three_player
from pigevo.core.arrays import Floats
from pigevo.three_player.equilibria import OpenOrbit, best_turns
from pigevo.three_player.orbit_kernels import start_values
from pigevo.three_player.rules import throws_of

from .records import Rows

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
