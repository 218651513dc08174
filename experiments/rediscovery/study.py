"""The rediscovery study: how near to the optimum evolution comes, and what each of its ingredients gives.

Every run lies in a folder of its own, finished ones are not repeated, and stopped ones go on.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from pigevo.config import check, compose
from pigevo.evolve.plan import Plan, plan_from
from pigevo.figures.learned import learned_data, plot_learned
from pigevo.figures.lineage import lineage_data, plot_lineage
from pigevo.figures.spent import plot_spent, spent_data
from pigevo.files import write_bytes
from pigevo.runs import run as run_one
from pigevo.runs.naming import run_name
from pigevo.runs.pictures import save_figure
from pigevo.runs.remake import from_start
from pigevo.strategies import Strategy, load_strategy

SHORT = ["cubes=waves_fine", "cubes.generations=[100,200,300]", "cubes.sizes=[20,4,[4,4,1]]"]
"""The first three waves of `rediscover`: ingredients and baselines are compared under this budget."""

GOALS: dict[str, list[str]] = {
    "rediscover": ["experiment=rediscover"],
    "rediscover, target 50": ["experiment=rediscover", "game.target=50"],
    "rediscover, Piglet": ["experiment=rediscover", "game=piglet"],
    "exploit hold at 20": ["experiment=exploit"],
    "coevolve": ["experiment=coevolve"],
    "coevolve_noisy": ["experiment=coevolve_noisy"],
}
WHOLE = ["experiment=rediscover", *SHORT]
INGREDIENTS: dict[str, list[str]] = {
    "all ingredients": WHOLE,
    "moves chosen alike": [*WHOLE, "mutator.least=1.0"],
    "fixed law of moves": [*WHOLE, "mutator=boundary"],
    "flips alone": [*WHOLE, "mutator=expected_flips"],
    "flips, heavy tail": [*WHOLE, "mutator=heavy_tailed"],
    "no aim at visits": [*WHOLE, "mutator.aim=0"],
    "agree or random": [*WHOLE, "crossover=agree_or_random"],
    "fitter parent": [*WHOLE, "crossover=fitter_parent"],
    "half survives": [*WHOLE, "selection=truncation"],
    "survivors not kept": [*WHOLE, "replacement=offspring"],
    "cells from the start": [*WHOLE, "cubes.sizes=[1]", "cubes.generations=[600]"],
}
BASELINES: dict[str, list[str]] = {
    "bit-wise hill climber": [*WHOLE, "mutator=expected_flips", "crossover=fitter_parent", "crossover.follow=1.0",
                              "cubes.sizes=[1]", "cubes.generations=[600]"],
    "DEAP: cxUniform, mutFlipBit, selTournament": [*WHOLE, "selection=deap", "crossover=deap", "mutator=deap",
                                                   "mutation=0.001", "replacement=offspring"],
}  # fmt: skip


def run(folder: Path, seeds: int, workers: int) -> None:
    """Produce the study's tables and pictures, resuming what is there.

    Args:
        folder: where runs, `tables/*.csv` and `figures/*.png` go.
        seeds: runs of each setting, seeds 0, 1, ...
        workers: threads of each run.
    """
    goals = {name: _runs(folder, words, seeds, workers) for name, words in GOALS.items()}
    parts = {name: _runs(folder, words, seeds, workers) for name, words in (INGREDIENTS | BASELINES).items()}
    _write_table(folder / "tables" / "goals.csv", (_goal(name, places) for name, places in goals.items()))
    whole = _champions(parts["all ingredients"])
    rows = [_ingredient(name, _champions(places), whole) for name, places in parts.items()]
    rows.append(_random_search(parts["all ingredients"][0], seeds))
    _write_table(folder / "tables" / "ingredients.csv", rows)
    for axis in ("evaluations", "seconds"):
        curves = {name: spent_data([_metrics(p) for p in places], axis) for name, places in parts.items()}
        save_figure(folder / "figures" / f"ingredients_{axis}.png", plot_spent(curves))
    champion = load_strategy(goals["rediscover"][0] / "champion.npz")
    save_figure(folder / "figures" / "learned.png", plot_learned(learned_data(champion)))
    numbers, champions = lineage(goals["coevolve"][0], every=100)
    save_figure(folder / "figures" / "coevolve.png", plot_lineage(lineage_data(numbers, champions)))


def lineage(place: Path, every: int) -> tuple[list[int], list[Strategy]]:
    """The champions of a finished run of elitists, made once more: who was kept first in every so many generations."""
    config = json.loads((place / "result.json").read_text())["config"]
    plan: Plan = plan_from(config)
    found = [
        (s.generation, plan.waves[s.wave].grid.strategy(s.genomes[0], f"generation {s.generation}"))
        for s in from_start(plan, plan.generations)
        if s.generation and (s.generation % every == 0 or s.generation in plan.wave_ends)
    ]
    return [generation for generation, _ in found], [champion for _, champion in found]


def _runs(folder: Path, words: list[str], seeds: int, workers: int) -> list[Path]:
    places = []
    for seed in range(seeds):
        config = check(compose([*words, f"seed={seed}", f"workers={workers}"]))
        place = folder / "runs" / run_name(config, {})
        run_one(config, place)
        places.append(place)
    return places


def _result(place: Path) -> dict[str, Any]:
    return dict(json.loads((place / "result.json").read_text()))


def _metrics(place: Path) -> list[dict[str, str]]:
    with (place / "metrics.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _champions(places: list[Path]) -> np.ndarray:
    return np.array([_result(place)["champion"]["overall"] for place in places])


def _goal(name: str, places: list[Path]) -> dict[str, Any]:
    results = [_result(place) for place in places]
    values = np.array([own_figure(place, result) for place, result in zip(places, results, strict=True)])
    return {
        "experiment": name,
        "runs": len(values),
        "median": np.median(values),
        "least": values.min(),
        "greatest": values.max(),
        "strategies": results[0]["evaluations"],
        "games": results[0]["games"],
        "seconds (median)": np.median([result["seconds"] for result in results]),
    }


def own_figure(place: Path, result: Mapping[str, Any]) -> float:
    """The champion against the optimum; against a given opponent, less what the best response wins."""
    if result["config"]["fitness"]["name"] != "exact_vs":
        return float(result["champion"]["overall"])
    from pigevo import best_response, parse_strategy, win_probability

    champion = load_strategy(place / "champion.npz")
    opponent = parse_strategy(result["config"]["fitness"]["opponent"], champion.game)
    return win_probability(champion, opponent).overall - best_response(opponent).overall


def _ingredient(name: str, values: np.ndarray, whole: np.ndarray) -> dict[str, Any]:
    """A setting beside the whole one: the difference of runs with the same seed, with a 95 % t interval."""
    difference = values - whole
    low = high = float("nan")
    if len(difference) > 1 and difference.std() > 0:
        low, high = stats.t.interval(
            0.95, len(difference) - 1, difference.mean(), difference.std(ddof=1) / len(difference) ** 0.5
        )
    return {
        "setting": name, "runs": len(values), "median": np.median(values), "least": values.min(),
        "greatest": values.max(), "difference": difference.mean(), "low": low, "high": high,
    }  # fmt: skip


def _random_search(place: Path, seeds: int) -> dict[str, Any]:
    """The best of as many random strategies as the runs evaluated, for each of as many seeds."""
    from pigevo.dice import Draw
    from pigevo.evolve.referee import referee

    result = _result(place)
    grid = plan_from(result["config"]).waves[0].grid
    values = []
    for seed in range(seeds):
        best = 0.0
        for part in range(-(-result["evaluations"] // 500)):
            genomes = Draw(seed, "validation", part).bits(500, grid.genes)
            best = max(best, float(referee(grid.game, grid.to_rows(genomes)).max()))
        values.append(best)
    return {"setting": "random search", "runs": seeds, "median": np.median(values), "least": min(values),
            "greatest": max(values), "difference": float("nan"), "low": float("nan"), "high": float("nan")}  # fmt: skip


def _write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    listed = list(rows)
    lines = [",".join(listed[0])]
    for row in listed:
        lines.append(",".join(_shown(value) for value in row.values()))
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"' if "," in value else value
    return f"{value:.6f}" if isinstance(value, float) else str(value)
