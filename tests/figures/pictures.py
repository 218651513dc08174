"""Every picture of the package and of the studies, on small data: how it is drawn, and into how many panels."""

import ast
import importlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import pigevo
from pigevo.evolution.selection.map_elites import MapElites
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.benchmark.anytime import plot_anytime, plot_ecdf, plot_ecdf_beside
from pigevo.experiments.bonnet2018.drawing import Curves, plot_curves
from pigevo.experiments.common.spent import Spent, plot_beside, plot_spent
from pigevo.experiments.exeter2016.drawing import (
    Reproduction,
    cubes_data,
    density_data,
    operators_data,
    plot_cubes,
    plot_density,
    plot_operators,
    plot_reproduction,
)
from pigevo.experiments.reconstruction.scoring import Reading, Scored
from pigevo.experiments.rediscovery.learned import learned_data, plot_learned
from pigevo.experiments.rules.front import Front, plot_fronts
from pigevo.figures.bands import (
    Panel,
    SettingOutcome,
    band,
    boxes_data,
    plot_bands,
    plot_boxes,
    plot_outcomes,
    plot_panels,
)
from pigevo.figures.curve import curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions, plot_surfaces
from pigevo.figures.elites import landscape_data, plot_elites
from pigevo.figures.evolving import film_data, plot_frame
from pigevo.figures.lineage import LineageCurves, plot_lineage
from pigevo.figures.matrices import MasterTournament, plot_master_tournament, plot_tournament
from pigevo.figures.people import games_data, plot_games, plot_mean_scores, plot_scores, scores_data
from pigevo.figures.population import plot_dynamics, plot_shares, plot_simplex
from pigevo.figures.portrait import (
    plot_costs,
    plot_difference,
    plot_landscape,
    plot_map,
    plot_portrait,
    plot_slice,
    portrait_data,
)
from pigevo.figures.ranks import mean_ranks, plot_ranks
from pigevo.figures.strategy_curves import plot_distinct_states, plot_sticking, sticking_data
from pigevo.people import People, Person
from pigevo.runs.pictures import plot_champion
from pigevo.tournaments import Course
from tests.people.games import played

GAME = pigevo.Pig(target=20)
A, B = pigevo.hold_at(GAME, 8), pigevo.random_strategy(GAME, 1)
PORTRAIT = portrait_data([A, B])
SAMPLE = np.random.default_rng(0).normal(0.3, 0.02, (30, 12)).cumsum(axis=1) / np.arange(1, 13)
X = np.arange(12) * 100.0


BUDGET = load_study("budget")
COEVOLUTION = importlib.import_module("pigevo.experiments.coevolution.drawing")
DRAWING = importlib.import_module("pigevo.experiments.bonnet2018.drawing")
MUTATION = importlib.import_module("pigevo.experiments.mutation_by_cube_size.tables")
ILLUMINATION = load_study("illumination")
LEARNING = importlib.import_module("pigevo.experiments.learning.report")
RECONSTRUCTION = importlib.import_module("pigevo.experiments.reconstruction.scoring")
EVIDENCE = importlib.import_module("pigevo.experiments.learning.bound").evidence(pigevo.Pig(12, 3))


@dataclass(frozen=True)
class Case:
    """A picture.

    Args:
        draw: draws it, given `ax`.
        panels: how many; 0 for one that takes and returns axes themselves.
        solid: which of them have three dimensions.
    """

    draw: Any
    panels: int = 0
    solid: tuple[int, ...] = ()


def rows():
    sizes = [(1, "20"), (1, "20"), (2, "10"), (3, "5")]
    figures = {"best": 0.3, "mean": 0.2, "worst": 0.1}
    return [{"generation": n * 10, "wave": wave, "cube_size": size, **figures} for n, (wave, size) in enumerate(sizes)]


def bands(count):
    return {f"setting {n}": band(SAMPLE + n / 50, x=X) for n in range(count)}


def spent(count):
    return {f"a setting {n}": Spent(X[1:] + 1, 0.5 - 1 / (X[1:] + n + SAMPLE[:9, 1:])) for n in range(count)}


def groups():
    """The runs of two ways to cut the array at three rates."""
    runs = SimpleNamespace(generation=X, mean=SAMPLE, wave_ends=[400.0, 1100.0], seeds=range(30))
    return {(cubes, rate): runs for cubes in ("20", "20, 10") for rate in ("0", "0.01", "0.1")}


LEARNT = {f"a contestant {n}": ([1e4, 1e5, 1e6], list(0.01 + 0.02 * n + np.abs(SAMPLE[:3]) / 10)) for n in range(10)}
CURVES = Curves(X, {"first seat": SAMPLE[0], "second seat": SAMPLE[0] + 0.001}, "target", "win probability, exact")
LINEAGE = LineageCurves(
    np.arange(5), np.full(5, 0.5), np.full(5, 0.4), np.full(5, 0.3), np.arange(2, 5), np.array([0.3, 0.35, 0.4]),
    np.array([[0.1, -0.02, -0.05, 0.0]] * 4), np.array([1, 1, 2, 4, 20]),
)  # fmt: skip
CHAMPIONS = MasterTournament(
    tuple(range(0, 300, 10)), np.full((30, 30), 0.5), np.full(30, 0.49), ((0, 10, 20),), ((20, 0), (90, 30))
)
LONG = curve_data(rows())
MAP = landscape_data(GAME, MapElites(), np.where(np.arange(420).reshape(20, 21) % 3, np.nan, 0.3))
DISTINCT = {"A": pigevo.distinct_states(A, B), "B": pigevo.distinct_states(B, A)}
TITLE = decisions_data(A)
SHARES = Course(X, np.random.default_rng(1).dirichlet(np.ones(3), 12))
THREE = ("hold_at:20", "a strategy with a long name of its own", "optimal")
FRONTS = {
    name: Front(np.arange(1, 6), 0.05 / np.arange(1 + n, 6 + n), 0.04 / np.arange(1 + n, 6 + n))
    for n, name in enumerate(["published", "least loss", "least exploitable", "without looking at the opponent"])
}
OUTCOMES = {
    **{name: SettingOutcome(SAMPLE[:, 0], 0.3, 0.25, 0.35, bounds) for name, bounds in bands(6).items()},
    "random search, cubes of 20": SettingOutcome(SAMPLE[:, 1], 0.3, None, None),
}

NAMES = [f"{n} {'a name that is as long as can be written'.title()}" for n in range(40)]
PREFERENCES = ("averse", "neutral", "seeking", None)
CLASS = People(
    GAME, tuple(Person(name, PREFERENCES[n % 4]) for n, name in enumerate(NAMES)),
    tuple(game for n in range(20) for game in played(A, B, seed=n, names=(NAMES[2 * n], NAMES[2 * n + 1]))),
)  # fmt: skip
"""Forty players with long names."""

TWO = People(GAME, (Person("ann"), Person("bob")), tuple(played(A, B)))
CLASS_GAMES, CLASS_SCORES = games_data(CLASS), scores_data(CLASS)

PUBLISHED = {("figure 9, 1 %", "at 42"): 0.16, ("figure 9, 1 %", "lowest 5"): 0.2, ("figure 14", "highest 1"): 0.245}
READINGS = [
    Scored(Reading(f"a reading {n}", ""), range(3), dict.fromkeys(PUBLISHED, 0.2 + SAMPLE[n, :3] / 9), PUBLISHED, {})
    for n in range(6)
]

CASES = {
    "plot_anytime": Case(lambda ax: plot_anytime(bands(7), "games", ax=ax)),
    "plot_bands": Case(lambda ax: plot_bands(bands(7), ax=ax)),
    "plot_beside": Case(lambda ax: plot_beside(spent(6), ax=ax), 5),
    "plot_boxes": Case(lambda ax: plot_boxes(boxes_data([25, 50, 100], SAMPLE.T[:3]), ax=ax)),
    "plot_budget": Case(
        lambda ax: BUDGET.plot_budget({
            name: {power: dict(zip(("generations", "population", "games"), 0.2 + SAMPLE[:3] / power, strict=True))
                   for power in (5, 6, 7)} for name in ("the paper's algorithm", "twins")
        }, ax=ax), 2
    ),
    "plot_by_seeds": Case(
        lambda ax: COEVOLUTION.plot_by_seeds({"one": (X, SAMPLE.T), "two": (X, SAMPLE.T + 0.1)}, "across", "up", ax=ax)
    ),
    "plot_chain": Case(lambda ax: DRAWING.plot_chain(DRAWING.chain_data(pigevo.Piglet(4), (2, 3, 4)), ax=ax)),
    "plot_champion": Case(lambda ax: plot_champion(A, ax=ax), 2),
    "plot_cubes": Case(lambda ax: plot_cubes([cubes_data(A, n) for n in (10, 5, 1)], ax=ax), 3, (0, 1, 2)),
    "plot_curve": Case(lambda ax: plot_curve(curve_data(rows(), 0.25, SAMPLE, SAMPLE / 2), ax=ax)),
    "plot_curves": Case(lambda ax: plot_curves([CURVES] * 3, ax=ax), 3),
    "plot_decisions": Case(lambda ax: plot_decisions([TITLE, decisions_data(B)], ax=ax), 2),
    "plot_density": Case(lambda ax: plot_density(density_data(SAMPLE, {"one": 0.4, "two": 0.45}), ax=ax)),
    "plot_costs": Case(lambda ax: plot_costs(PORTRAIT, ax=ax)),
    "plot_difference": Case(lambda ax: plot_difference(PORTRAIT, ax=ax)),
    "plot_distinct_states": Case(lambda ax: plot_distinct_states(DISTINCT, ax=ax)),
    "plot_dynamics": Case(lambda ax: plot_dynamics(THREE, SHARES, SHARES, np.full(3, 1 / 3), ax=ax), 3),
    "plot_elites": Case(lambda ax: plot_elites(MAP, ax=ax)),
    "plot_ecdf": Case(lambda ax: plot_ecdf(bands(7), ax=ax)),
    "plot_ecdf_beside": Case(lambda ax: plot_ecdf_beside(bands(6), ax=ax), 5),
    "plot_frame": Case(lambda ax: plot_frame(film_data({0: A})[0], film_data({0: A}, LONG)[1][0], LONG, ax), 3),
    "plot_fronts": Case(lambda ax: plot_fronts(FRONTS, ax=ax), 2),
    "plot_games": Case(lambda ax: plot_games(CLASS_GAMES[:6], "both", ax=ax), 6),
    "plot_groups_by_seeds": Case(
        lambda ax: COEVOLUTION.plot_groups_by_seeds(
            {"a group": {"one": (X, SAMPLE.T)}, "two": {"one": (X, SAMPLE.T + 0.1)}}, "across", "up", ax=ax), 2
    ),
    "plot_hold_table": Case(lambda ax: DRAWING.plot_hold_table(np.ones((6, 6), dtype=int), ax=ax)),
    "plot_landscape": Case(lambda ax: plot_landscape(TITLE, 20, ax=ax), 0, (0,)),
    "plot_learned": Case(lambda ax: plot_learned(learned_data(B), ax=ax), 4),
    "plot_learning": Case(
        lambda ax: LEARNING.plot_learning({"Pig": LEARNT}, "games", "loss", {"Pig": EVIDENCE}, ax=ax), 1
    ),
    "plot_lineage": Case(lambda ax: plot_lineage(LINEAGE, ax=ax), 3),
    "plot_maps": Case(lambda ax: ILLUMINATION.plot_maps({"illuminate": MAP, "rediscover": MAP}, ax=ax), 2),
    "plot_map": Case(lambda ax: plot_map(TITLE, 20, ax=ax)),
    "plot_master_tournament": Case(lambda ax: plot_master_tournament(CHAMPIONS, ax=ax), 2),
    "plot_mean_scores": Case(lambda ax: plot_mean_scores(CLASS_SCORES, "means", ax=ax), 4),
    "plot_means": Case(lambda ax: MUTATION.plot_means(groups(), ax=ax), 2),
    "plot_operators": Case(lambda ax: plot_operators(operators_data(pigevo.CubeGrid(GAME, 7), 0.3), ax=ax), 3),
    "plot_outcomes": Case(
        lambda ax: plot_outcomes(OUTCOMES, "generation", "mean", "champion", ((400, "20"), (1500, "5")), True, ax=ax), 2
    ),
    "plot_panels": Case(
        lambda ax: plot_panels([Panel(f"p{n}", bands(6), {"random": (0.1, 0.11, 0.12)}) for n in range(3)],
                               "generation", "population mean", True, ax=ax), 3),
    "plot_paths": Case(
        lambda ax: COEVOLUTION.plot_paths({"worst": SAMPLE[:2].T, "mean": SAMPLE[:2].T}, (0.3, 0.3), ax=ax), 2
    ),
    "plot_portrait": Case(lambda ax: plot_portrait(PORTRAIT, title="both", ax=ax), 9, (7, 8)),
    "plot_ranks": Case(lambda ax: plot_ranks(mean_ranks({f"mutation={n}": SAMPLE[n] for n in range(30)}), ax=ax)),
    "plot_readings": Case(lambda ax: RECONSTRUCTION.plot_readings(READINGS, ax=ax), 2),
    "plot_reproduction": Case(
        lambda ax: plot_reproduction(
            Reproduction("t", bands(4), {"setting 1": [(0, 0.3)], "setting 3": [(100, 0.4)]}, (0.1, 0.12, 0.14), ends=[400]),
            "Paper", ax=ax)),
    "plot_shares": Case(lambda ax: plot_shares(THREE, SHARES, ax=ax)),
    "plot_simplex": Case(lambda ax: plot_simplex(THREE, {"one": SHARES}, np.full(3, 1 / 3), ax=ax)),
    "plot_scores": Case(lambda ax: plot_scores(CLASS_SCORES, "each", ax=ax), 4),
    "plot_slice": Case(lambda ax: plot_slice(PORTRAIT, 4, ax=ax)),
    "plot_spent": Case(lambda ax: plot_spent(spent(7), ax=ax)),
    "plot_sticking": Case(lambda ax: plot_sticking(sticking_data(), ax=ax)),
    "plot_surfaces": Case(lambda ax: plot_surfaces([TITLE, TITLE], ax=ax), 4, (0, 1, 2, 3)),
    "plot_tournament": Case(lambda ax: plot_tournament([f"hold_at:{n}" for n in range(40)], np.full((40, 40), 0.5), ax=ax), 2),
}  # fmt: skip

LONG_NAMES = ["rule: 21+(j-i)/8; race either>=71 or both>=60", "champion of generation 3600 of my longest run"]
FEW = {
    "plot_curve with a moving average": Case(lambda ax: plot_curve(LONG, ax=ax, average=20)),
    "plot_games of one": Case(lambda ax: plot_games(games_data(TWO), "both", ax=ax), 1),
    "plot_scores of two players": Case(lambda ax: plot_scores(scores_data(TWO), "each", ax=ax), 1),
    "plot_mean_scores of two players": Case(lambda ax: plot_mean_scores(scores_data(TWO), "means", ax=ax), 1),
    "plot_beside of one": Case(lambda ax: plot_beside(spent(2), ax=ax), 1),
    "plot_ranks with the best": Case(
        lambda ax: plot_ranks(mean_ranks(dict(zip(LONG_NAMES, SAMPLE, strict=False))), ax=ax, first=LONG_NAMES)
    ),
    "plot_ranks of two": Case(lambda ax: plot_ranks(mean_ranks(dict(zip(LONG_NAMES, SAMPLE, strict=False))), ax=ax)),
    "plot_tournament of two": Case(
        lambda ax: plot_tournament(["hold_at:20", "optimal"], np.array([[0.5, 0.4998], [0.5002, 0.5]]), ax=ax), 2
    ),
    "plot_tournament of long names": Case(
        lambda ax: plot_tournament(LONG_NAMES * 2, np.linspace(0.1, 0.9, 16).reshape(4, 4), ax=ax), 2
    ),
    "plot_tournament of two long names": Case(
        lambda ax: plot_tournament(LONG_NAMES, np.array([[0.5, 0.4], [0.6, 0.5]]), ax=ax), 2
    ),
}
"""Pictures of as little as they can show, and of long names."""


def plots():
    """Every function of the package and of the studies whose name begins with `plot_`."""
    for home in (Path(pigevo.__file__).parent, experiments_folder()):
        for path in home.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("plot_"):
                    yield node
