"""The study of three players: every table and picture of `README.md`, made again.

    pigevo study bonnet2018

What is there already is not computed again: remove a file to have it made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from tqdm import tqdm

import pigevo
from pigevo import three_player
from pigevo.figures.axes import figure_of
from pigevo.games import Race
from pigevo.three_player.rules import Needs, count_orbits, won_values
from pigevo.three_player.solver import OrbitSolver

from .coalitions import coalition as two_against_one
from .coalitions import cycles
from .drawing import Curves, coin_panels, draw, orbit, piglet_holds, piglet_panels, plot_curves, surface
from .iterations import ORBIT, iterations, one_orbit, regret, regret_whole
from .n_players import FOUR, THREE, leads_to, players_table, small_games
from .piglet import coins, piglet
from .proofs import bounds_by_target, enclose, fractions, margins
from .records import SEATS, Rows, read, write_once
from .rewarded_solver import rewards

TARGET = 100
GAMES = 1_000_000

COUNTED = (20, 40, 42, 43, 49, 50, 61, 62, 80, 100)
"""Targets at which the equilibria of all orbits are counted."""

SELECTED_TARGET = 62

SELECTIONS = {"the rule": 0, "the second": 1, "the last": -1}
"""Which equilibrium is played at every orbit with several."""

FEWEST_SEEDS = 1
"""The seeds are simulations beside exact values, and one is a result."""


def run(folder: Path, seeds: int = 1, workers: int = 2) -> None:
    """Write all tables (CSV) and pictures (PNG) into a folder.

    Args:
        folder: where they go; what is there already stays.
        seeds: how many simulations of a million games each are set beside the exact values.
        workers: threads.
    """
    solution = solved(folder, workers)
    write_once(folder / "targets.csv", lambda: targets(solution))
    write_once(folder / "orbits.csv", lambda: open_orbits(solution))
    write_once(folder / "mixed.csv", lambda: mixed(solution))
    write_once(folder / "target62.csv", lambda: target62(workers))
    write_once(folder / "shortfall.csv", lambda: shortfall(solution))
    write_once(folder / "coalition.csv", lambda: coalition(solution, workers))
    write_once(folder / "piglet.csv", piglet)
    write_once(folder / f"simulation_{seeds}.csv", lambda: simulation(solution, seeds, workers))
    write_once(folder / "coins.csv", lambda: coins(folder))
    write_once(folder / "one_orbit.csv", lambda: one_orbit(workers))
    write_once(folder / "regret.csv", lambda: regret(workers))
    write_once(folder / "regret_whole.csv", regret_whole)
    write_once(folder / "iterations.csv", lambda: iterations(folder))
    write_once(folder / "cycles.csv", lambda: cycles(solution))
    every_equilibrium(folder, solution)
    write_once(folder / "fractions.csv", fractions)
    write_once(folder / "rewards.csv", lambda: rewards(workers))
    write_once(folder / "uniqueness.csv", lambda: uniqueness(solution))
    write_once(folder / "selections.csv", lambda: selections(workers))
    write_once(folder / "players.csv", lambda: players_table(folder, {4: FOUR, 3: THREE}, workers))
    write_once(folder / "small_games.csv", lambda: small_games(workers))
    draw(folder, solution)


def solved(folder: Path, workers: int) -> three_player.ThreeSolution:
    """The solution to target 100, from its file if it is there; certified either way.

    Args:
        folder: where the solution's file is or goes.
        workers: threads.
    """
    path = folder / "solution.npz"
    if path.exists():
        solution = three_player.load(path)
        if solution.game != three_player.Game(target=TARGET):
            raise pigevo.InputError(f"{path} is a solution of {solution.game}: remove it, and it is made anew.")
    else:
        with tqdm(total=count_orbits(TARGET), desc="orbits", disable=None) as bar:
            solution = three_player.solve(three_player.Game(target=TARGET), workers, progress=bar.update)
        three_player.save(solution, path)
    if not solution.certificate.holds:
        raise pigevo.InputError(f"{path} fails its certificate: remove it, and it is made anew.")
    return solution


def targets(solution: three_player.ThreeSolution) -> Rows:
    """Every target: win probabilities by seat, orbits without a pure equilibrium, orbits with several.

    Args:
        solution: of target `TARGET`.
    """
    rows = []
    for t in range(1, TARGET + 1):
        first, second, third = solution.values[t, t, t].tolist()
        rows.append({
            "target": t, "first": first, "second": second, "third": third, "orbits": (t**3 + 2 * t) // 3,
            "without_pure": sum(max(o.needs) <= t for o in solution.without_pure),
            "several": sum(max(o.needs) <= t for o in solution.several),
            "mixed_states": sum(max(state[:3]) <= t for state, _ in solution.mixed),
        })  # fmt: skip
    return rows


def every_equilibrium(folder: Path, solution: three_player.ThreeSolution) -> None:
    """Write what holds whichever equilibrium is played, and the margins of the orbits without a pure one.

    Args:
        folder: where the tables go; what is there already stays.
        solution: of target `TARGET`.
    """
    if (folder / "bounds.csv").exists() and (folder / "margins.csv").exists():
        return
    with tqdm(total=count_orbits(solution.game.target), desc="enclosures", disable=None) as bar:
        enclosure = enclose(solution.game, bar.update)
    write_once(folder / "bounds.csv", lambda: bounds_by_target(enclosure))
    write_once(folder / "margins.csv", lambda: margins(solution, enclosure))


def open_orbits(solution: three_player.ThreeSolution) -> Rows:
    """Every equilibrium of every orbit that elimination leaves open; number 0 is the one played.

    Args:
        solution: of target `TARGET`.
    """
    return [
        {
            "a": o.needs[0], "b": o.needs[1], "c": o.needs[2], "equilibrium": number, "mixing_players": one.mixing,
            "all_bust": one.stay, "mover": one.values[0][0], "next": one.values[0][1], "third": one.values[0][2],
        }
        for o in solution.open_orbits for number, one in enumerate(o.equilibria)
    ]  # fmt: skip


def mixed(solution: three_player.ThreeSolution) -> Rows:
    """Every state with a mixed choice: points needed by mover, next, third; turn total; chance to roll.

    Args:
        solution: of target `TARGET`.
    """
    return [{"a": a, "b": b, "c": c, "k": k, "roll": p} for (a, b, c, k), p in solution.mixed]


def target62(workers: int) -> Rows:
    """Target 62 with each of the equilibria of the one orbit with several that its mixed orbit can lead to.

    Args:
        workers: threads.
    """
    game = three_player.Game(target=62)
    plain = three_player.solve(game, workers)
    before = [o for o in plain.several if leads_to(ORBIT, o.needs)]
    rows = []
    for o in before:
        for number in range(len(o.equilibria)):
            t = solve_choosing(game, {o.needs: number}, workers)
            rows.append({
                "earlier_orbit": " ".join(map(str, o.needs)), "its_equilibrium": number,
                "without_pure": "; ".join(" ".join(map(str, w.needs)) for w in t.without_pure),
                "mixed": "; ".join(f"{' '.join(map(str, state))}: {p:.12f}" for state, p in t.mixed),
                "first": t.value[0], "second": t.value[1], "third": t.value[2], "largest_gain": t.exploitability(),
            })  # fmt: skip
    return rows


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


def shortfall(solution: three_player.ThreeSolution) -> Rows:
    """How much less the two-player optimum wins than the equilibrium, against two who play the equilibrium.

    Args:
        solution: of target `TARGET`.
    """
    return [
        {"view": view, "target": t, **dict(zip(SEATS, lost, strict=True))}
        for view in three_player.VIEWS
        for t, lost in enumerate(three_player.lifted_loss(solution, view).tolist(), start=1)
    ]


def coalition(solution: three_player.ThreeSolution, workers: int) -> Rows:
    """What two players who only want the third to lose take from that player, by seat, for every target.

    Args:
        solution: of target `TARGET`.
        workers: threads.
    """
    with tqdm(total=count_orbits(TARGET), desc="coalitions", disable=None) as bar:
        found = two_against_one(solution.game, workers, progress=bar.update)
    rows = []
    for t in range(1, TARGET + 1):
        alone = np.diag(found.at(t))
        lost = solution.values[t, t, t] - alone
        rows.append({"target": t, **{f"alone_{s}": v for s, v in zip(SEATS, alone, strict=True)},
                     **{f"lost_{s}": v for s, v in zip(SEATS, lost, strict=True)}})  # fmt: skip
    return rows


def simulation(solution: three_player.ThreeSolution, seeds: int, workers: int) -> Rows:
    """Simulated games of the equilibrium beside its exact values, with 95 % intervals.

    Args:
        solution: of target `TARGET`.
        seeds: how many simulations.
        workers: threads.
    """
    rows = []
    for seed in range(seeds):
        match = three_player.play([solution.strategy] * 3, GAMES, seed, workers)
        for seat, rate, (low, high), exact in zip(
            SEATS, match.win_rates, match.intervals(), solution.value, strict=True
        ):
            rows.append({"seed": seed, "seat": seat, "games": GAMES, "rate": rate, "low": low, "high": high,
                         "exact": exact})  # fmt: skip
    return rows


def _piglet(folder: Path) -> Sequence[Curves]:
    """Panels of figures 3 and 4, from their table, which is written if it is missing."""
    write_once(folder / "piglet.csv", piglet)
    return piglet_panels(read(folder / "piglet.csv"))


def _coins(folder: Path) -> Sequence[Curves]:
    """Panels of figure 5, from their table, which is written if it is missing."""
    write_once(folder / "coins.csv", lambda: coins(folder))
    return coin_panels(read(folder / "coins.csv"))


SINGLE_FIGURES: Mapping[str, Callable[[Path, int, int], Figure]] = {
    "1": lambda folder, seeds, workers: piglet_holds(),
    "2": lambda folder, seeds, workers: orbit(),
    "3": lambda folder, seeds, workers: figure_of(plot_curves(_piglet(folder)[:1])),
    "4": lambda folder, seeds, workers: figure_of(plot_curves(_piglet(folder)[1:])),
    "5": lambda folder, seeds, workers: figure_of(plot_curves(_coins(folder))),
    "6": lambda folder, seeds, workers: surface(),
}
