"""Exeter 2017 done again: equations, tournaments, fair tests, cycles, responses, iteration and people."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from omegaconf import OmegaConf

import pigevo
from pigevo.figures.axes import save_figure
from pigevo.games import GAMES, Game

from ..common.tables import write_section
from . import adapting, cycles, holds, optimum, persons
from .holds import as_table

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent


def run(folder: Path, seeds: int, workers: int) -> None:
    """Make every table and picture of the study.

    Args:
        folder: where everything goes.
        seeds: not used: nothing here depends on chance but games that are played, whose numbers are the report's.
        workers: threads.
    """
    game: Game = GAMES["pig"].bind({})
    passing: Game = GAMES["pig"].bind({"allow_pass": True})
    said = read_published()
    for part in (_exact, _played, _cycles, _optimising, _people):
        begin = time.perf_counter()
        part(folder, game, passing, said, workers)
        LOG.info("%s, %.0f s", part.__name__.strip("_"), time.perf_counter() - begin)


def read_published() -> Any:
    """The content of `published.yaml`: what the report prints."""
    return OmegaConf.to_container(OmegaConf.load(HERE / "published.yaml"))


def _exact(folder: Path, game: Game, passing: Game, said: Any, workers: int) -> None:
    matrix = holds.solve(game, workers)
    lines = [
        *optimum.lines_of_equations(game, said),
        *holds.lines_of_holds(matrix, said),
        *optimum.lines_of_optimum(game, said),
    ]
    _table(folder, "table", as_table([*lines, *cycles.turtle_lines(passing, said)]))
    _table(folder, "equations", optimum.equations_table(game))
    _table(folder, "order", holds.order_table(matrix))
    _table(folder, "tournaments", holds.tournaments_table(matrix, workers))
    _picture(folder, "figure_18", holds.figure_18(matrix))
    states = optimum.reachable(game)
    _table(folder, "states", optimum.states_table(game, *states))
    _picture(folder, "figure_01", optimum.picture_optimum(game))
    _picture(folder, "figure_02", optimum.picture_states(game, states[0]))
    _picture(folder, "figure_04", optimum.picture_utilities(game))


def _played(folder: Path, game: Game, passing: Game, said: Any, workers: int) -> None:
    _table(folder, "practical", holds.practical_table(game, said, workers))
    rates, exact = optimum.box_rates(game, workers), optimum.box_exact(game)
    _table(folder, "boxes", optimum.boxes_table(rates, exact))
    _picture(folder, "boxes", optimum.picture_boxes(rates, exact))
    repeats, tests = holds.rates_by_length(game, workers), holds.fair_tests(game, workers)
    _table(folder, "fair", holds.fair_table(game, repeats, tests, said["fair_test"]))
    _picture(folder, "figure_15_16", holds.picture_fair(repeats, tests, said["fair_test"]["distance"]))
    _table(folder, "stalemates", cycles.stalemates_table(passing, said["stalemates"]))


def _cycles(folder: Path, game: Game, passing: Game, said: Any, workers: int) -> None:
    _table(folder, "roll_and_wait", cycles.roll_and_wait_table(passing, said, workers))
    _table(folder, "cycles", cycles.cycles_table(passing, game, workers))
    found = cycles.courses(game, passing, workers)
    _table(folder, "exploiters", cycles.exploiters_table(found))
    _picture(folder, "exploiters", cycles.picture_exploiters(found))


def _optimising(folder: Path, game: Game, passing: Game, said: Any, workers: int) -> None:
    found = optimum.histories(game, workers)
    _table(folder, "responses", optimum.responses_table(game, found))
    _picture(folder, "responses", optimum.picture_responses(found))
    _table(folder, "faces", optimum.faces_table(workers))
    _table(folder, "risk", optimum.risk_table(game))
    best = pigevo.optimal(game).strategy
    begin = time.perf_counter()
    pigevo.best_response(best)  # the same policy iteration as for the optimum, which is remembered
    seconds = time.perf_counter() - begin
    kinds = {name: list(optimum.sweeps(game, in_order)) for name, in_order in
             (("all states at once", False), ("from the largest turn total down", True))}  # fmt: skip
    _table(folder, "iteration", optimum.iteration_table(game, kinds, seconds, said))
    _picture(folder, "iteration", optimum.picture_iteration(kinds))


def _people(folder: Path, game: Game, passing: Game, said: Any, workers: int) -> None:
    people, found = persons.drawn(game)
    parts = persons.write(folder, people, found), persons.slopes(game, said["slopes"]), persons.mirroring(game)
    _table(folder, "people", "\n".join(parts))
    for name, figure in persons.pictures(people).items():
        _picture(folder, name, figure)
    _table(folder, "adapting", adapting.adapting_table(game, workers))
    _table(folder, "both_scores", adapting.both_scores_table(game, workers))


def _table(folder: Path, name: str, text: str) -> None:
    write_section(folder, name, text)


def _picture(folder: Path, name: str, figure: Figure) -> None:
    save_figure(folder / f"{name}.png", figure)


PIG: Game = GAMES["pig"].bind({})

SINGLE_FIGURES: Mapping[str, Callable[[Path, int, int], Figure]] = {
    "1": lambda folder, seeds, workers: optimum.picture_optimum(PIG),
    "2": lambda folder, seeds, workers: optimum.picture_states(PIG, optimum.reachable(PIG)[0]),
    "4": lambda folder, seeds, workers: optimum.picture_utilities(PIG),
    "15": lambda folder, seeds, workers: holds.figure_15(
        holds.rates_by_length(PIG, workers), read_published()["fair_test"]["distance"]
    ),
    "16": lambda folder, seeds, workers: holds.figure_16(holds.fair_tests(PIG, workers)),
    "18": lambda folder, seeds, workers: holds.figure_18(holds.solve(PIG, workers)),
    "boxes": lambda folder, seeds, workers: optimum.picture_boxes(
        optimum.box_rates(PIG, workers), optimum.box_exact(PIG)
    ),
}
"""The box plot of section 2.3.4 has no number."""
