"""The number of distinct states that games reach."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from pigevo.exact import DistinctStates
from pigevo.figures.axes import LEAST, add_caption, axes_or_new, label_ends, line, set_plain, styled

SAMPLES = 120  # points of a curve
MOST_GAMES = 1e9


@styled
def plot_distinct_states(states: Mapping[str, DistinctStates], share: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the number of distinct states that games reach, as shares of all states, with the limit for many games.

    Args:
        states: results of `pigevo.distinct_states`, by name; all for the same game.
        share: the share at which a line is drawn.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    games = np.geomspace(1, MOST_GAMES, SAMPLES)
    for number, (name, reached) in enumerate(states.items()):
        look = line(number)
        axes.plot(games, [100 * reached.share(n) for n in games], **look, label=name)
        axes.plot([MOST_GAMES / 4, MOST_GAMES], [100 * reached.most / reached.states] * 2, color=look["color"], lw=0.8)
    axes.axhline(100 * share, color="0.6", lw=0.8)
    axes.annotate(f"{100 * share:g} %", (1.2, 100 * share), (0, 3), textcoords="offset points", fontsize=LEAST)
    axes.set(xscale="log", xlabel="games", ylabel="share of all states, %", xlim=(1, MOST_GAMES), ylim=(0, None))
    set_plain(axes.xaxis)
    axes.grid(alpha=0.3, lw=0.5)
    axes.set_title("distinct states in a number of games, on average", fontsize=LEAST, loc="left")
    label_ends(axes, dict(zip(states, axes.get_lines()[::2], strict=False)))
    add_caption(axes, "A thin line at the right is the share of states that play can reach at all.")
    return axes
