"""The pictures of the study, from the solution and the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import AMOUNTS, axes_or_new, figure_of, save_figure, styled
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.three_player.lifted_optimum import VIEWS
from pigevo.three_player.solver import ThreeSolution

from .curves import SEATS, Curves, orbits_data, plot_curves, seats_data
from .orbit_drawing import chain_data, plot_chain
from .records import Table, column, read


def draw(folder: Path, solution: ThreeSolution) -> None:
    """Draw all pictures.

    Args:
        folder: where the tables are, and where the pictures go.
        solution: the solution that the tables were made from.
    """
    panels = {
        "seats": [seats_data(solution), orbits_data(solution)],
        "piglet": piglet_panels(read(folder / "piglet.csv")),
        "coins": coin_panels(read(folder / "coins.csv")),
        "losses": loss_panels(read(folder / "shortfall.csv"), read(folder / "coalition.csv")),
    }
    for name, curves in panels.items():
        save_figure(folder / f"{name}.png", figure_of(plot_curves(curves)))
    for name, figure in {"piglet_holds": piglet_holds(), "orbit": orbit(), "surface": surface()}.items():
        save_figure(folder / f"{name}.png", figure)


def piglet_holds() -> Figure:
    """Figure 1 of the paper: hold values of Piglet for two."""
    return figure_of(plot_hold_table(hold_table(pigevo.optimal(pigevo.Piglet(10)).strategy)))


def orbit() -> Figure:
    """Figure 2 of the paper: from a score until a player holds."""
    return figure_of(plot_chain(chain_data(pigevo.Piglet(10), (4, 3, 5))))


def surface() -> Figure:
    """Figure 6 of the paper: the roll/hold boundary for two."""
    best = decisions_data(pigevo.optimal(pigevo.Pig()).strategy)
    return figure_of(plot_surfaces([best], views=[(25, -130)]))


def piglet_panels(rows: Table) -> list[Curves]:
    """Figures 3 and 4 of the paper, and what a coalition of the second and third seat changes for each seat.

    Args:
        rows: the table `piglet.csv`.
    """
    targets = column(rows, "goal")
    gains = {f"{s} seat": column(rows, s) for s in SEATS}
    effect = {f"{s} seat": column(rows, f"coalition_{s}") - column(rows, s) for s in SEATS}
    both = {"everyone\nfor himself": gains["first seat"], "against\na coalition": column(rows, "coalition_first")}
    return [
        Curves(targets, gains, "target", "expected gain (points)"),
        Curves(targets, both, "target", "expected gain of the first seat\n(points)", window=(3, 30, 0.03, 0.14)),
        Curves(targets, effect, "target", "change by a coalition against\nthe first seat (points)"),
    ]


def coin_panels(rows: Table) -> list[Curves]:
    """Figure 5 of the paper, whole on a logarithmic scale, and enlarged where it has gaps.

    Args:
        rows: the table `coins.csv`.
    """
    whole = coins_data(rows)
    return [replace(whole, log=True, window=(0.05, 0.9, 0.008, 2)), replace(whole, window=(0.25, 0.75, 0.04, 0.16))]


def loss_panels(short: Table, lost: Table) -> list[Curves]:
    """What the two-player optimum loses among three, as the mean of the seats, and what a coalition takes.

    Args:
        short: the table `shortfall.csv`.
        lost: the table `coalition.csv`.
    """
    views = {}
    for view in VIEWS:
        mine = [row for row in short if row["view"] == view]
        views[f"looks at\n{view}"] = 100 * np.mean([column(mine, s) for s in SEATS], axis=0)
    seats = {f"{s} seat": 100 * column(lost, f"lost_{s}") for s in SEATS}
    t = column(lost, "target")
    return [
        Curves(t, views, "target", "lost by the two-player optimum\n(percentage points)"),
        Curves(t, seats, "target", "lost to a coalition\n(percentage points)"),
    ]


def coins_data(rows: Sequence[Mapping[str, str]]) -> Curves:
    """Expected gain of the first seat by the coin (Bonnet et al. 2018, figure 5), in every equilibrium.

    Args:
        rows: the `heads`, `goal` and `gain` of each coin, target and equilibrium.

    Returns:
        One curve for each target; where equilibria differ in payoff it has a gap, and a dot for each payoff.
    """
    found: dict[tuple[int, float], set[float]] = {}
    for row in rows:
        found.setdefault((int(row["goal"]), float(row["heads"])), set()).add(round(float(row["gain"]), 10))
    x = sorted({heads for _, heads in found})
    series: dict[str, Floats] = {}
    dots: list[tuple[str, float, float]] = []
    for target in sorted({target for target, _ in found}):
        here = [sorted(found[target, heads]) for heads in x]
        series[f"target {target}"] = np.array([g[0] if len(g) == 1 else np.nan for g in here])
        dots += [(f"target {target}", p, y) for p, g in zip(x, here, strict=True) if len(g) > 1 for y in g]
    return Curves(
        np.array(x), series, "chance of heads", "expected gain of the first seat (points)", tuple(dots),
        "a dot: one of several equilibria", ordered=True,
    )  # fmt: skip


def hold_table(strategy: pigevo.Strategy) -> Ints:
    """The turn total at which a two-player strategy holds (figure 1 of the paper).

    Args:
        strategy: of two-player Pig or Piglet.

    Returns:
        Shape (T, T), by the points that the player and its opponent need, from 1 on.
    """
    return decisions_data(strategy).first_hold[::-1, ::-1]


@styled
def plot_hold_table(holds: Ints, ax: Axes | None = None) -> Axes:
    """Draw a small table with its numbers.

    Args:
        holds: of `hold_table`, shape (T, T).
        ax: where; by default in a figure of its own.
    """
    size = len(holds)
    axes = axes_or_new(ax, (1.5 + 0.55 * size, 1.2 + 0.55 * size))
    axes.imshow(holds, origin="lower", cmap=AMOUNTS, alpha=0.4, extent=(0.5, size + 0.5, 0.5, size + 0.5))
    for a, b in np.ndindex(size, size):
        axes.text(b + 1, a + 1, str(holds[a, b]), ha="center", va="center")
    needs = np.arange(1, size + 1)
    axes.set(xlabel="points needed by the opponent", ylabel="points needed by the player", xticks=needs, yticks=needs)
    axes.set_title("turn total at which the player holds")
    return axes
