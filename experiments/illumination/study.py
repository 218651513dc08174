"""The landscape of good play in Pig: MAP-Elites beside evolution that looks for the best strategy alone."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import ndimage

import pigevo
from pigevo.core.arrays import Bools, Floats
from pigevo.core.intervals import SHARE, Range
from pigevo.evolution.loop import Generation
from pigevo.evolution.selection.map_elites import MapElites, behaviours_of
from pigevo.exact import turn_starts
from pigevo.figures.axes import (
    WIDTH,
    Given,
    Panels,
    add_caption,
    figure_of,
    grid_of,
    panels_or_new,
    save_figure,
    styled,
)
from pigevo.figures.elites import CAPTION, NEAR, ElitesData, landscape_data, plot_elites
from pigevo.games import Pig
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.storage.records import archive, write_arrays
from pigevo.strategies import CubeGrid

from ..common.settings import read_settings
from ..common.tables import WINS, mean_of, table, write_section

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
AMOUNT: Range = (0.0, np.inf)
TARGET, BUDGET, FRESH, MOST_SEEDS = 60, 3000, 6000, 30
"""The game, the evaluations of a run, and the seeds: the first one on which nothing was chosen, and how many."""

FIGURES = ("cells", "coverage", "qd_score", "best", "near")
FORMS = dict(zip(FIGURES, (".1f", ".4f", ".2f", ".5f", ".1f"), strict=True))
ENDS = dict(zip(FIGURES, (AMOUNT, SHARE, AMOUNT, WINS, AMOUNT), strict=True))
"""How each figure is printed, and the smallest and the largest that there can be."""
RATIOS = FIGURES[:-1]  # of cells near the optimum may be none
MAP, VISITED = MapElites(), MapElites(behaviours=("visited_hold", "visited_slope"))

RARE = (0.0, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2)
"""Turns in a game below which they begin rarely at a pair of scores."""


@dataclass(frozen=True, eq=False)
class Reached:
    """What a run has reached: the best win probability in each cell, NaN where nobody came, and its evaluations."""

    wins: Floats
    evaluations: int

    @property
    def figures(self) -> dict[str, float]:
        """The figures of `FIGURES`; `near` is how many cells have somebody within `NEAR` of the optimum."""
        found = self.wins[np.isfinite(self.wins)]
        near = int((found >= 0.5 - NEAR).sum())
        return {
            "cells": len(found), "coverage": len(found) / self.wins.size, "qd_score": float(found.sum()),
            "best": float(found.max()), "near": near,
        }  # fmt: skip


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: how many each experiment has, `MOST_SEEDS` at most.
        workers: threads of a run.
    """
    settings = read_settings(HERE / "settings.yaml")
    words, visited = settings["compared"], settings["visited"]["visited"]
    found: dict[str, dict[int, Reached]] = {name: {} for name in words}
    for seed in range(FRESH, FRESH + min(seeds, MOST_SEEDS)):
        for name, overrides in words.items():
            LOG.info("%s with seed %d", name, seed)
            found[name][seed] = reached_by(
                folder / "runs" / name / f"seed_{seed}.npz", overrides.split(), seed, workers
            )
    game = Pig(target=TARGET)
    write_section(folder, "table", compared(found))
    union = {name: best_of([one.wins for one in runs.values()]) for name, runs in found.items()}
    write_bytes(folder / "cells.csv", csv_bytes(cells_of(found)))
    write_section(folder, "landscape", landscape(game, union))
    write_section(folder, "rarely", rarely(game))
    played = {
        seed: reached_by(folder / "runs" / "visited" / f"seed_{seed}.npz", visited.split(), seed, workers, VISITED)
        for seed in found["illuminate"]
    }
    where = best_of([reached.wins for reached in played.values()])
    write_bytes(folder / "runs.csv", csv_bytes(rows_of({**found, "visited": played})))
    write_section(folder, "visited", landscape(game, {"visited": where}, VISITED))
    save_figure(folder / "visited.png", figure_of(plot_elites(landscape_data(game, VISITED, where))))
    shown = {name: landscape_data(game, MAP, wins) for name, wins in union.items()}
    save_figure(folder / "map.png", figure_of(plot_maps(shown)))


def reached_by(path: Path, overrides: Sequence[str], seed: int, workers: int, chosen: MapElites = MAP) -> Reached:
    """What a run has reached, from its file, or by making it."""
    if not path.exists():
        made = watched(pigevo.generations(*at_budget(overrides), f"seed={seed}", f"workers={workers}"), chosen)
        write_arrays(path, {"wins": made.wins, "evaluations": np.array(made.evaluations)})
    with archive(path, "map of a run") as file:
        return Reached(file.array("wins", np.float64, list(MAP.cells)), int(file.array("evaluations", None, [])))


def at_budget(overrides: Sequence[str]) -> list[str]:
    """The words of a run of the study's game that ends where the budget does."""
    return [
        *overrides, f"game.target={TARGET}", "stop=evaluations", f"stop.evaluations={BUDGET}", "baseline=none",
        "figures=none",
    ]  # fmt: skip


def watched(generations: Iterator[Generation], chosen: MapElites = MAP) -> Reached:
    """The best win probability in each cell of all strategies that are evaluated, by a fitness that is this figure."""
    wins, evaluations = np.full(tuple(MAP.cells), -np.inf), 0
    for one in generations:
        new = slice(len(one.genomes) - one.state.fresh, None)
        measures = behaviours_of(chosen.behaviours, one.grid, one.genomes[new])
        np.maximum.at(wins, tuple(chosen.cells_of(one.plan.game, measures).T), one.scores[new])
        evaluations += one.state.fresh
    return Reached(np.where(np.isfinite(wins), wins, np.nan), evaluations)


def best_of(maps: Sequence[Floats]) -> Floats:
    """The best of each cell over several maps."""
    return np.asarray(np.fmax.reduce(maps))


def rows_of(found: Mapping[str, Mapping[int, Reached]]) -> list[list[object]]:
    """The figures of each run."""
    rows: list[list[object]] = [["experiment", "seed", "evaluations", *FIGURES]]
    for name, runs in found.items():
        rows += [[name, seed, one.evaluations, *one.figures.values()] for seed, one in runs.items()]
    return rows


def compared(found: Mapping[str, Mapping[int, Reached]]) -> str:
    """The means of each experiment with their intervals, and of the difference seed by seed."""
    columns = {name: {key: np.array([one.figures[key] for one in runs.values()]) for key in FIGURES}
               for name, runs in found.items()}  # fmt: skip
    first, second = columns.values()
    rows = [
        *((name, *(mean_of(values, FORMS[key], ENDS[key]) for key, values in figures.items()))
          for name, figures in columns.items()),
        ("difference", *(mean_of(first[key] - second[key], FORMS[key]) for key in FIGURES)),
        ("ratio seed by seed", *(mean_of(first[key] / second[key], ".3f", AMOUNT) for key in RATIOS), ""),
        ("ratio of the means", *(f"{first[key].mean() / second[key].mean():.3f}" for key in RATIOS), ""),
    ]  # fmt: skip
    better = int((first["best"] > second["best"]).sum())
    spent = {name: np.mean([one.evaluations for one in runs.values()]) for name, runs in found.items()}
    said = [f"{name}: {mean:,.0f} evaluations on average" for name, mean in spent.items()]
    lines = [
        f"Means over {len(first['best'])} seeds with 95 % intervals. {'; '.join(said)}.",
        f"The best strategy is better with {next(iter(found))} in {better} of {len(first['best'])} seeds.",
    ]
    head = ["experiment", "cells", "coverage", "QD score", "best", f"cells within {NEAR:g} of the optimum"]
    return "\n".join([table(head, rows), *lines, ""])


def cells_of(found: Mapping[str, Mapping[int, Reached]]) -> list[list[object]]:
    """Each cell that anybody reached: in how many runs of each experiment, and the best there."""
    stacks = {name: np.array([one.wins for one in runs.values()]) for name, runs in found.items()}
    counts = {name: np.isfinite(stack).sum(axis=0) for name, stack in stacks.items()}
    rows: list[list[object]] = [["x", "y", *(f"{name} {what}" for name in stacks for what in ("runs", "best"))]]
    for x, y in np.argwhere(sum(counts.values()) > 0).tolist():
        best = {name: stack[np.isfinite(stack[:, x, y]), x, y] for name, stack in stacks.items()}
        shown = (([len(one), float(one.max())] if len(one) else [0, ""]) for one in best.values())
        rows.append([x, y, *(cell for pair in shown for cell in pair)])
    return rows


def landscape(game: Pig, union: Mapping[str, Floats], chosen: MapElites = MAP) -> str:
    """What the map over all runs of some experiments looks like."""
    data = landscape_data(game, chosen, best_of(list(union.values())))
    (x, y), near = chosen.cells_of(game, data.optimum[None])[0].tolist(), data.near
    regions, count = ndimage.label(near, np.ones((3, 3)))
    own = regions == regions[x, y] if near[x, y] else np.zeros_like(near)
    flat = int(chosen.cells_of(game, np.array([[0.0, 0.0]]))[0, 1])
    rows = [
        ("the optimum", f"mean hold {data.optimum[0]:.2f}, change {data.optimum[1]:.3f}, cell {x},{y}"),
        ("cells that were reached", f"{int(np.isfinite(data.wins).sum())} of {data.wins.size}"),
        *((f"of them by {name}", str(int(np.isfinite(wins).sum()))) for name, wins in union.items()),
        (f"cells within {NEAR:g} of the optimum", f"{int(near.sum())} in {count} connected regions"),
        ("of them in the optimum's region", str(int(own.sum()))),
        ("all of them", _spans(data, near)),
        ("of them in the optimum's column", _span(data, near, 1, x)),
        ("of them in the optimum's row", _span(data, near, 0, y)),
        ("best with a change of 0 (within half a cell)", f"{np.nanmax(data.wins[:, flat]):.4f}"),
        ("best with a change below that", f"{np.nanmax(data.wins[:, :flat]):.4f}"),
    ]  # fmt: skip
    best = [(f"{_middle(data, 1, n):.2f}", f"{np.nanmax(data.wins[:, n]):.4f}") for n in range(MAP.cells[1])
            if np.isfinite(data.wins[:, n]).any()]  # fmt: skip
    held = [(f"{_middle(data, 0, n):.2f}", f"{np.nanmax(data.wins[n]):.4f}") for n in range(MAP.cells[0])
            if np.isfinite(data.wins[n]).any()]  # fmt: skip
    return "\n".join([
        table(["what", "found"], rows), table(["change with the deficit (middle of the cells)", "best"], best),
        table(["mean hold value (middle of the cells)", "best"], held),
    ])  # fmt: skip


def rarely(game: Pig) -> str:
    """What the optimum wins against itself when it plays the other way round at scores where turns rarely begin.

    There it rolls to win where the opponent has less than half of the points, and holds at once where he has more: the
    least change with the deficit that there is.
    """
    best, grid = pigevo.optimal(game).strategy, CubeGrid(game, 1)
    begun = turn_starts(best, best)
    i, j, k = np.ogrid[tuple(map(slice, game.shape))]
    other = ((2 * j < game.target - 1) | (k == 0)) & (i + k < game.target)
    rows = []
    for least in RARE:
        changed = begun < least
        player = pigevo.Strategy(game, np.where(changed[:, :, None], other, best.roll), f"below {least:g}")
        hold, slope = behaviours_of(MAP.behaviours, grid, grid.from_strategies([player]))[0]
        wins = pigevo.win_probability(player, best).overall
        rows.append((f"{least:g}", f"{changed.mean():.3f}", f"{begun[changed].sum() / begun.sum():.4f}",
                     f"{hold:.2f}", f"{slope:.3f}", f"{wins:.4f}"))  # fmt: skip
    head = [
        "turns a game that begin there, below",
        "share of score pairs",
        "share of turns",
        "mean hold",
        "change",
        "wins",
    ]
    return table(head, rows)


def _middle(data: ElitesData, axis: int, n: int) -> float:
    return round(float(data.edges[axis][n : n + 2].mean()), 6) + 0.0  # never -0


def _spans(data: ElitesData, cells: Bools) -> str:
    return "; ".join(
        f"{what} from {data.edges[axis][ends.min()]:.2f} to {data.edges[axis][ends.max() + 1]:.2f}"
        for axis, what in enumerate(("mean hold", "change"))
        for ends in [np.nonzero(cells)[axis]]
        if len(ends)
    )


def _span(data: ElitesData, cells: Bools, axis: int, at: int) -> str:
    """From where to where cells lie along an axis, in the column or row of a number."""
    there = np.flatnonzero(cells[at] if axis else cells[:, at])
    if not len(there):
        return "none"
    low, high = data.edges[axis][there.min()], data.edges[axis][there.max() + 1]
    return f"{len(there)}, from {low:.2f} to {high:.2f}: {high - low:.2f} wide"


@styled
def plot_maps(maps: Mapping[str, ElitesData], ax: Given = None) -> Panels:
    """Draw the maps of several experiments side by side."""
    panels = panels_or_new(ax, len(maps), grid_of(len(maps), 2, (WIDTH / 2, 5.3)))
    for axes, (name, data) in zip(panels, maps.items(), strict=True):
        plot_elites(data, axes)
        axes.set_title(name)
    for axes in panels[:-1]:
        bar = axes.collections[0].colorbar
        assert bar is not None
        bar.remove()  # one is enough, as all have the same scale
    if ax is None:
        add_caption(panels[0], CAPTION)
    return panels
