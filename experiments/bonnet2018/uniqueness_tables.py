"""How many equilibria the orbits have, and whether that depends on which are played at others."""

from __future__ import annotations

from collections.abc import Mapping

from pigevo import three_player
from pigevo.games import Race
from pigevo.three_player.rules import Needs, won_values
from pigevo.three_player.solver import OrbitSolver

from .records import Rows

COUNTED = (20, 40, 42, 43, 49, 50, 61, 62, 80, 100)
"""Targets of the table."""

SELECTED_TARGET = 62

SELECTIONS = {"the rule": 0, "the second": 1, "the last": -1}
"""Which equilibrium is played at every orbit with several."""


def uniqueness(solution: three_player.ThreeSolution) -> Rows:
    """Orbits by how many equilibria they have, for some targets.

    Elimination leaves one turn to each player in those `by_elimination`: one equilibrium, and it is pure. In the others
    all equilibria are enumerated.

    Args:
        solution: of a target of at least those of the table, of which larger ones are left away.
    """
    rows = []
    for target in (t for t in COUNTED if t <= solution.game.target):
        left = [o for o in solution.open_orbits if max(o.needs) <= target]
        several = [o for o in left if len(o.equilibria) > 1]
        alone = [o for o in left if len(o.equilibria) == 1]
        rows.append({
            "target": target, "orbits": (target**3 + 2 * target) // 3,
            "by_elimination": (target**3 + 2 * target) // 3 - len(left), "left": len(left),
            "one_pure": sum(o.has_pure for o in alone), "one_mixed": sum(not o.has_pure for o in alone),
            "several": len(several), "several_with_pure": sum(o.has_pure for o in several),
            "of_different_values": sum(o.outcomes > 1 for o in several),
        })  # fmt: skip
    return rows


def selections(workers: int) -> Rows:
    """Pig with another equilibrium at every orbit that has several: where several turns are left then.

    Args:
        workers: threads.
    """
    rows, plain, target = [], set[tuple[int, ...]](), SELECTED_TARGET
    for name, number in SELECTIONS.items():
        solution = solve_with(target, number, workers)
        left: set[tuple[int, ...]] = {o.needs for o in solution.open_orbits}
        plain = plain or left
        first, second, third = solution.value
        rows.append({
            "target": target, "selection": name, "left": len(left), "several": len(solution.several_equilibria),
            "without_pure": len(solution.without_pure), "newly_left": len(left - plain),
            "no_longer_left": len(plain - left), "first": first, "second": second, "third": third,
            "largest_gain": solution.exploitability(),
        })  # fmt: skip
    return rows


def solve_with(target: int, number: int, workers: int) -> three_player.ThreeSolution:
    """Solve Pig, and play the equilibrium of this number (-1: the last) at every orbit, the last where it has fewer."""

    def choose(orbit: three_player.OpenOrbit) -> int:
        last = len(orbit.equilibria) - 1
        return last if number < 0 else min(number, last)

    return OrbitSolver(three_player.Game(target=target), won_values(target)).solve(workers, choose=choose)


def solve_choosing(game: Race, chosen: Mapping[Needs, int], workers: int | None = None) -> three_player.ThreeSolution:
    """Solve a game, and play the equilibria of these numbers at these orbits (`OpenOrbit.needs`)."""
    solver = OrbitSolver(game, won_values(game.target))
    return solver.solve(workers, choose=lambda orbit: chosen.get(orbit.needs, 0))
