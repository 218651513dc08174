"""The optimum against hold at 25 and against Neller's, and the box plot that tested the report's program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Floats
from pigevo.dice import Draw
from pigevo.figures.axes import LEAST, styled
from pigevo.figures.bands import boxes_data, plot_boxes
from pigevo.games import Game
from pigevo.simulation.match import play_pairs

from ..common import tables as markdown
from .drawing import panels
from .holds import GAMES, TESTS
from .lines import Line

SERIES, LENGTH = 1000, 1000
"""The box plot's series of games, and the games of each."""

NARROW = 6.8  # the width of a picture of a single box, in inches

MANY = TESTS * GAMES
NO_PASSES = "the optimum of a game with passing is the same: it never passes"


def lines(game: Game, published: Mapping[str, Any]) -> list[Line]:
    """The optimum against hold at 25, against itself, and the box plot's figure."""
    best = pigevo.optimal(game)
    p = pigevo.win_probability(best.strategy, pigevo.hold_at(game, 25))
    seats = ((p.first, 1 - p.second), published["optimum_and_25"])
    found = [
        Line(
            "3.3.5",
            "optimum against hold at 25, optimum first",
            seats[1]["computed"][0],
            p.first,
            0,
            'there "in general"',
        ),
        Line("3.3.5", "optimum against hold at 25, hold at 25 first", seats[1]["computed"][1], 1 - p.second),
    ]
    names = ("optimum first", "hold at 25 first", "optimum in general")
    for name, said, ours in zip(names, seats[1]["played"], (*seats[0], p.overall), strict=True):
        games = MANY if "general" in name else MANY // 2
        found.append(Line("3.3.5, played", f"optimum against hold at 25, {name}", said, ours, games))
    value = float(best.value)
    found.append(Line("3.3.5", "optimum against Neller's, who moves first", published["neller"]["computed"], value))
    for name, said in zip(("theirs first", "Neller's first"), published["neller"]["played"], strict=True):
        found.append(Line("3.3.5, played", f"optimum against Neller's, {name}", said, value, MANY // 2))
    found.append(
        Line("N&P 2004", "optimum against itself, who moves first", published["neller_and_presser_2004"], value)
    )
    what = "hold at 20 moving first against hold at 21"
    return [*found, Line("2.3.4", what, published["boxes"], box_exact(game))]


def box_exact(game: Game) -> float:
    """What hold at 20 wins, moving first, against hold at 21: the middle of the box plot."""
    return float(pigevo.win_probability(pigevo.hold_at(game, 20), pigevo.hold_at(game, 21)).first)


def played(game: Game, workers: int) -> Floats:
    """Win rates of hold at 20, moving first in every game, against hold at 21: of each series."""
    tables = np.stack([pigevo.hold_at(game, n).table for n in (20, 21)])
    rates = np.empty(SERIES)
    for series in range(SERIES):
        draw = Draw(20, "validation", series)
        outcomes = play_pairs(game, tables, [(0, 1)], 2 * LENGTH, draw, workers, sets=2 * LENGTH)
        rates[series] = outcomes[::2, 0].mean()  # the games in which hold at 20 moves first
    return rates


def boxes(rates: Floats, exact: float) -> str:
    """The box of the series beside the exact figure and the luck of so many games."""
    drawn = boxes_data(["20 v 21"], rates[None])
    (low, middle, high), (least, most) = drawn.quartiles[0].tolist(), drawn.whiskers[0].tolist()
    rows = [
        ("exact", f"{exact:.6f}"), ("mean of all series", f"{rates.mean():.6f}"), ("median", f"{middle:.4f}"),
        ("quartiles", f"{low:.4f} to {high:.4f}"), ("whiskers", f"{least:.4f} to {most:.4f}"),
        ("standard deviation", f"{rates.std(ddof=1):.4f}"),
        ("standard deviation by the binomial law", f"{(exact * (1 - exact) / LENGTH) ** 0.5:.4f}"),
    ]  # fmt: skip
    return markdown.table(
        [f"{SERIES:,} series of {LENGTH:,} games, hold at 20 first against hold at 21", "found"], rows
    )


@styled
def picture(rates: Floats, exact: float) -> Figure:
    """The box plot."""
    figure, (axes,) = panels(1, f"{SERIES:,} series of {LENGTH:,} games", height=5, width=NARROW)
    plot_boxes(boxes_data(["hold at 20, moving first, against hold at 21"], rates[None]), axes)
    axes.axhline(exact, color="k", ls="--", lw=1.4)
    axes.text(0.01, exact + 0.001, f"exact: {exact:.4f}", transform=axes.get_yaxis_transform(), fontsize=LEAST)
    axes.set_ylabel("share of games won by hold at 20")
    return figure
