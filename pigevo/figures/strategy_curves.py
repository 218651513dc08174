"""Curves about single strategies: how many states their games reach, and when the blog's formula sticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.exact import DistinctStates
from pigevo.figures.axes import (
    DIVIDER,
    LEAST,
    SHORT,
    add_caption,
    add_legend,
    axes_or_new,
    label_ends,
    line,
    plain,
    set_plain,
    styled,
)
from pigevo.strategies.stick_formula import sticking

SAMPLES = 120  # points of a curve
MOST_GAMES = 1e9
MOST_LETTERS = 4 * SHORT  # of a name: shorter ones of different strategies could be the same


@styled
def plot_distinct_states(states: Mapping[str, DistinctStates], share: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the number of distinct states that games reach, as shares of all states, with the limit for many games.

    Args:
        states: results of `pigevo.distinct_states`, by name; all for the same game.
        share: the share at which a line is drawn.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    games, ends = np.geomspace(1, MOST_GAMES, SAMPLES), {}
    for number, (name, reached) in enumerate(states.items()):
        look, lines = line(number), fill(plain(name, MOST_LETTERS), SHORT)
        (ends[lines],) = axes.plot(games, [100 * reached.share(n) for n in games], **look, label=name)
        axes.plot([MOST_GAMES / 4, MOST_GAMES], [100 * reached.most / reached.states] * 2, color=look["color"], lw=0.8)
    axes.axhline(100 * share, **DIVIDER)
    axes.annotate(f"{100 * share:g} %", (1.2, 100 * share), (0, 3), textcoords="offset points", fontsize=LEAST)
    axes.set(xscale="log", xlabel="games", ylabel="share of all states, %", xlim=(1, MOST_GAMES), ylim=(0, None))
    set_plain(axes.xaxis)
    axes.grid(alpha=0.3, lw=0.5)
    axes.set_title("distinct states in a number of games, on average", fontsize=LEAST, loc="left")
    label_ends(axes, ends)
    add_caption(axes, "A thin line at the right is the share of states that play can reach at all.")
    return axes


VALUES = (1.0, 0.8, 0.6, 0.4, 0.2)  # mean rolls, as shares of the largest; the blog has a slider for them

MOST_ROLLS = 10

STEPS = 20  # points of a curve from one roll to the next


@dataclass(frozen=True, eq=False)
class Sticking:
    """The formula's chance of sticking.

    Args:
        power, divisor: the parameters of the formula.
        v: mean rolls, as shares of the largest, shape (n,).
        rolls: numbers of rolls, including values between whole numbers, shape (m,).
        chance: the chance of sticking, shape (n, m).
    """

    power: float
    divisor: float
    v: Floats
    rolls: Floats
    chance: Floats


def sticking_data(power: float = 4.0, divisor: float = 50.0, v: Sequence[float] = VALUES) -> Sticking:
    """The curves of `rolls ** (power * v) / divisor`; values above 1 count as 1.

    Args:
        power, divisor: the parameters of the formula.
        v: mean rolls, as shares of the largest; there is a curve for each.

    Example:
        >>> curves = sticking_data(4, 50, v=[1.0])
        >>> bool(np.isclose(curves.chance[0, curves.rolls == 2], 2 ** 4 / 50).all())
        True
    """
    rolls = np.linspace(1, MOST_ROLLS, STEPS * (MOST_ROLLS - 1) + 1)
    means = np.asarray(v, dtype=np.float64)
    return Sticking(power, divisor, means, rolls, sticking(rolls, means[:, None], power, divisor))


@styled
def plot_sticking(data: Sticking, ax: Axes | None = None) -> Axes:
    """Draw the curves, with a dot at each whole number of rolls.

    Args:
        data: result of `sticking_data`.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (7.0, 4.4))
    for number, (v, chance) in enumerate(zip(data.v.tolist(), data.chance, strict=True)):
        axes.plot(
            data.rolls, chance, **line(number, len(data.v)), marker="o", ms=4, markevery=STEPS, label=f"v = {v:g}"
        )
    axes.set(xlabel="rolls of the turn", ylabel="chance of sticking", ylim=(0, 1.03), xlim=(1, data.rolls[-1]))
    axes.set_title(f"rolls^({data.power:g} v) / {data.divisor:g}")
    axes.grid(color="0.9")
    add_legend(axes, ax is None, loc="outside right upper")
    return axes
