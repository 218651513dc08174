"""Figures 1, 2 and 4: the optimum, the states that it can come to, and utilities for three risk preferences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Bools
from pigevo.figures.axes import COLORS, DIVIDER, figure_of, line, styled
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.games import Game

from ..common import tables
from .drawing import panels
from .optimising import turn_rule

SHOWN = (0, 50, 90)
"""Scores of the opponent in figure 2."""

KINDS = (COLORS[1], COLORS[0])
"""The colours of figure 2, of holding and rolling: it is blue in the pictures of cubes, too."""

UTILITIES: Mapping[float, str] = {0.5: "risk averse", 1.0: "risk neutral", 2.0: "risk seeking"}


def optimum(game: Game) -> Figure:
    """Figure 1: where the optimum holds."""
    return figure_of(plot_surfaces([decisions_data(pigevo.optimal(game).strategy)]))


def reachable(game: Game) -> tuple[Bools, Bools]:
    """Which states the optimum can come to against any opponent, and against itself, shape (T, T, T).

    Any opponent is one who may do either thing in every state.
    """
    best = pigevo.optimal(game).strategy
    anyone = pigevo.Strategy.from_function(game, lambda i, j, k: 0.5, "any opponent", mixed=True)
    found = [np.asarray(pigevo.reach(best, other).overall > 0) for other in (anyone, best)]
    return found[0], found[1]


def states(game: Game, any_opponent: Bools, itself: Bools) -> str:
    """How many states those are."""
    inside = np.broadcast_to(game.decision_states | game.starts, game.shape)
    rolls = pigevo.optimal(game).strategy.roll
    rows = [
        ("all in which the game goes on", f"{int(inside.sum()):,}", ""),
        (
            "that the optimum can come to",
            f"{int((any_opponent & inside).sum()):,}",
            f"{(any_opponent & inside & rolls).sum():,}",
        ),
        (
            "that it can come to against itself",
            f"{int((itself & inside).sum()):,}",
            f"{(itself & inside & rolls).sum():,}",
        ),
    ]
    return tables.table(["states", "number", "in which it rolls"], rows)


@styled
def picture_states(game: Game, any_opponent: Bools) -> Figure:
    """Figure 2, by slices: states that the optimum can come to, and what it does there."""
    figure, axes = panels(len(SHOWN), "States that the optimum can come to", 3.6, columns=3)
    rolls = pigevo.optimal(game).strategy.roll
    for panel, j in zip(axes, SHOWN, strict=True):
        kinds = np.where(any_opponent[:, j], np.where(rolls[:, j], 2.0, 1.0), np.nan)
        panel.imshow(kinds.T, origin="lower", cmap=ListedColormap(KINDS), vmin=0.5, vmax=2.5, interpolation="nearest")
        panel.plot([0, game.target], [game.target, 0], **DIVIDER)
        panel.set(title=f"opponent's score {j}", xlabel="own score", ylabel="turn total")
    for name, color in zip(("it holds", "it rolls"), KINDS, strict=True):
        axes[-1].plot([], [], "s", ms=9, color=color, label=name)
    axes[-1].legend(frameon=False)
    return figure


@styled
def picture_utilities(game: Game) -> Figure:
    """Figure 4: utilities of the points of a turn, and where each makes a player hold."""
    figure, (axes,) = panels(1, "What the points of a turn may be worth", 5.6)
    points = np.arange(61)
    for number, (power, name) in enumerate(UTILITIES.items()):
        hold, look = int(np.flatnonzero(~turn_rule(game, power))[0]), line(number)
        said = f"{name}: points to the power of {power:g}, holds at {hold} (dot)"
        axes.plot(points, (points / 60) ** power, **look, label=said)
        axes.plot([hold], [(hold / 60) ** power], "o", ms=9, color=look["color"])
    axes.set(xlabel="points of a turn", ylabel="utility (that of 60 points is 1)", ylim=(-0.03, 1.25))
    axes.legend(frameon=False, loc="upper left")
    return figure
