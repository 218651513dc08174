"""How many distinct states games come to, which the report could not calculate (section 4.3.1); exactly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

import pigevo
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.exact import DistinctStates
from pigevo.figures.axes import figure_of, save_figure
from pigevo.figures.strategy_curves import plot_distinct_states

from ..common.tables import table

GAMES, SHARE = 1000, 0.05
"""The report's guess: so many games come to this share."""

RANDOM = 20
"""Pairs of random strategies, of which the means are told: their dice are seeds that nothing was chosen on."""


def found(pairs: int, target: int = 100) -> dict[str, list[DistinctStates]]:
    """What each kind of strategy comes to against its like; pairs of random ones, one pair of the others."""
    game = pigevo.Pig(target)
    random = [pigevo.random_strategy(game, seed=seed) for seed in range(pairs + 1)]
    same = {"hold at 20": pigevo.hold_at(game, 20), "the optimum": pigevo.optimal(game).strategy}
    return {
        "random": [pigevo.distinct_states(a, b) for a, b in pairwise(random)],
        **{name: [pigevo.distinct_states(one, one)] for name, one in same.items()},
    }


def as_markdown(kinds: dict[str, list[DistinctStates]]) -> str:
    """The table; intervals are of the means of the random pairs."""
    rows = []
    for name, ones in kinds.items():
        games = np.array([one.games_for(SHARE) for one in ones], dtype=float)
        shares = np.array([one.share(GAMES) for one in ones])
        rows.append((
            name, _mean(np.array([one.expected(1) for one in ones]), ".1f"), _mean(shares, ".2%"),
            _mean(games, ",.0f"), _mean(np.array([one.most / one.states for one in ones]), ".1%"),
        ))  # fmt: skip
    states = next(iter(kinds.values()))[0].states
    return "\n".join([
        f"One strategy's states, of {states:,}, in games against its like, half of which it begins: means of "
        f"{len(kinds['random'])} pairs of random strategies (95 % intervals), the others exactly.\n",
        table(["play", "distinct states in a game", f"in {GAMES:,} games", f"games to {100 * SHARE:g} %",
               "in any number of games"], rows),
    ])  # fmt: skip


def draw(file: Path, kinds: dict[str, list[DistinctStates]]) -> None:
    """The states by the number of games: the first random pair and the others."""
    save_figure(file, figure_of(plot_distinct_states({name: ones[0] for name, ones in kinds.items()}, SHARE)))


def _mean(figures: np.ndarray, form: str) -> str:
    low, high = mean_interval(figures) if len(figures) > 1 else (None, None)
    return with_interval(float(figures.mean()), low, high, form).replace("%", " %")
