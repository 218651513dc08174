"""Figures of games for three: seats, orbits, coalitions, coins, and the two-player optimum among three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.exact.three.solve import ThreeSolution
from pigevo.strategies import Strategy

SEATS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over one axis.

    Args:
        x: the numbers of the axis, shape (n,).
        series: the curves by name, shape (n,) each; NaN leaves a gap.
        xlabel, ylabel: what the axes show, with units.
        dots: single points beside the curves: the curve's name, x and y.
        steps: whether curves are counts, drawn as steps.
        window: what is shown, `(x from, x to, y from, y to)`; by default all.
    """

    x: Floats | Ints
    series: Mapping[str, Floats]
    xlabel: str
    ylabel: str
    dots: tuple[tuple[str, float, float], ...] = ()
    steps: bool = False
    window: tuple[float, float, float, float] | None = None


def seats_data(solution: ThreeSolution) -> Curves:
    """Win probability by seat for every target up to the solution's."""
    targets = np.arange(1, solution.game.target + 1)
    table = solution.values[targets, targets, targets]
    return Curves(
        targets, {f"{seat} seat": table[:, n] for n, seat in enumerate(SEATS)}, "target", "win probability, exact"
    )


def orbits_data(solution: ThreeSolution) -> Curves:
    """How many orbits have no pure equilibrium, and how many have several, for every target."""
    targets = np.arange(1, solution.game.target + 1)
    kinds = {"no pure equilibrium": solution.without_pure, "several equilibria": solution.several}
    series = {
        name: np.array([sum(max(o.needs) <= t for o in orbits) for t in targets], dtype=np.float64)
        for name, orbits in kinds.items()
    }
    return Curves(targets, series, "target", "orbits", steps=True)


def coins_data(rows: Sequence[Mapping[str, str]]) -> Curves:
    """Expected gain of the first seat by the coin (Bonnet et al. 2018, figure 5), with every equilibrium.

    Args:
        rows: of each coin, goal and equilibrium the `heads`, `goal` and `gain`.

    Returns:
        One curve for each goal; it has a gap where equilibria differ in payoff, filled with a dot for each.
    """
    found: dict[tuple[int, float], set[float]] = {}
    for row in rows:
        found.setdefault((int(row["goal"]), float(row["heads"])), set()).add(round(float(row["gain"]), 10))
    x = sorted({heads for _, heads in found})
    series: dict[str, Floats] = {}
    dots: list[tuple[str, float, float]] = []
    for goal in sorted({goal for goal, _ in found}):
        here = [sorted(found[goal, heads]) for heads in x]
        series[f"goal {goal}"] = np.array([g[0] if len(g) == 1 else np.nan for g in here])
        dots += [(f"goal {goal}", p, y) for p, g in zip(x, here, strict=True) if len(g) > 1 for y in g]
    return Curves(np.array(x), series, "chance of heads", "expected gain of the first seat (points)", tuple(dots))


def plot_curves(panels: Sequence[Curves]) -> Figure:
    """Draw curves side by side, each panel with its own legend."""
    figure = Figure(figsize=(6.4 * len(panels), 4.4), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for panel, curves in zip(axes, panels, strict=True):
        _draw(panel, curves)
    return figure


def _draw(axes: Axes, curves: Curves) -> None:
    colors = {}
    for number, (name, y) in enumerate(curves.series.items()):
        style = "steps-post" if curves.steps else "default"
        (line,) = axes.plot(curves.x, y, lw=1.3, label=name, color=f"C{number % 10}", drawstyle=style)
        colors[name] = line.get_color()
    for name, dot_x, dot_y in curves.dots:
        axes.plot([dot_x], [dot_y], ".", ms=4, color=colors[name])
    axes.set(xlabel=curves.xlabel, ylabel=curves.ylabel)
    if curves.window is not None:
        axes.axis(curves.window)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8, ncols=2 if len(colors) > 4 else 1)


@dataclass(frozen=True, eq=False)
class HoldTable:
    """At which turn total a player holds, shape (T, T), by the points that he and his opponent need, from 1 on."""

    name: str
    holds: Ints


def hold_table_data(strategy: Strategy) -> HoldTable:
    """The turn totals at which a strategy first holds, by points needed (Bonnet et al. 2018, figures 1 and 6)."""
    target = strategy.game.target
    first = np.where(strategy.roll.all(axis=2), target, strategy.roll.argmin(axis=2))
    first = np.minimum(first, target - np.arange(target)[:, None])
    return HoldTable(strategy.name, first[::-1, ::-1])


def plot_hold_table(table: HoldTable) -> Figure:
    """Draw a small table with its numbers (figure 1)."""
    size = len(table.holds)
    figure = Figure(figsize=(1.5 + 0.42 * size, 1.2 + 0.42 * size), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(table.holds, origin="lower", cmap="viridis", alpha=0.5, extent=(0.5, size + 0.5, 0.5, size + 0.5))
    for a, b in np.ndindex(size, size):
        axes.text(b + 1, a + 1, str(table.holds[a, b]), ha="center", va="center", fontsize=9)
    needs = np.arange(1, size + 1)
    axes.set(xlabel="points needed by the opponent", ylabel="points needed by the player", xticks=needs, yticks=needs)
    return figure


def plot_surface(table: HoldTable) -> Figure:
    """Draw a large table as a surface over the scores (figure 6): a player rolls below it."""
    size = len(table.holds)
    figure = Figure(figsize=(7, 5.6), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    own, other = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    heights = table.holds[::-1, ::-1]
    axes.plot_surface(own, other, heights, cmap="viridis", rstride=2, cstride=2, linewidth=0)
    axes.set(xlabel="own score", ylabel="opponent's score", zlabel="holds at")
    axes.view_init(elev=25, azim=-130)
    axes.set_box_aspect(None, zoom=0.85)
    return figure
