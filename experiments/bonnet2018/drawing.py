"""The pictures of the study: curves over the target, hold values, and figure 2 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pigevo
from pigevo import three_player
from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import (
    AMOUNTS,
    LEAST,
    WIDTH,
    Given,
    Panels,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    save_figure,
    set_plain,
    styled,
)
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.games import Piglet
from pigevo.three_player.lifted_optimum import VIEWS
from pigevo.three_player.rules import Needs, rotated
from pigevo.three_player.solver import ThreeSolution

from .records import SEATS, Table, column, read


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over one axis.

    Args:
        x: the numbers of the axis, shape (n,).
        series: the curves by name, shape (n,) each; NaN leaves a gap.
        xlabel: what the horizontal axis shows, with its unit.
        ylabel: what the vertical axis shows, with its unit.
        dots: single points in addition to the curves: the name of the curve, x and y.
        dots_mean: what they are, written above the panel.
        steps: whether curves are counts, drawn as steps.
        window: the part to show, `(x from, x to, y from, y to)`; by default everything.
        log: whether the vertical axis is logarithmic.
        ordered: whether the curves are for numbers in order, so that their colours are ordered too.
    """

    x: Floats | Ints
    series: Mapping[str, Floats]
    xlabel: str
    ylabel: str
    dots: tuple[tuple[str, float, float], ...] = ()
    dots_mean: str = ""
    steps: bool = False
    window: tuple[float, float, float, float] | None = None
    log: bool = False
    ordered: bool = False


def seats_data(solution: ThreeSolution) -> Curves:
    """Win probability by seat for every target up to the solution's target.

    Args:
        solution: the solution for the largest target; it contains the solutions for all smaller targets.
    """
    targets = np.arange(1, solution.game.target + 1)
    table = solution.values[targets, targets, targets]
    return Curves(
        targets, {f"{seat} seat": table[:, n] for n, seat in enumerate(SEATS)}, "target", "win probability, exact"
    )


def orbits_data(solution: ThreeSolution) -> Curves:
    """The number of orbits without a pure equilibrium, and with several equilibria of different win probabilities.

    Args:
        solution: the solution for the largest target; it contains the solutions for all smaller targets.
    """
    targets = np.arange(1, solution.game.target + 1)
    kinds = {"no pure equilibrium": solution.without_pure, "several equilibria": solution.several}
    series = {
        name: np.array([sum(max(o.needs) <= t for o in orbits) for t in targets], dtype=np.float64)
        for name, orbits in kinds.items()
    }
    return Curves(targets, series, "target", "orbits", steps=True)


@styled
def plot_curves(panels: Sequence[Curves], ax: Given = None) -> Panels:
    """Draw curves, two panels side by side, with the name of each curve at its end.

    Args:
        panels: the curves of each panel.
        ax: a panel for each; by default in a new figure.
    """
    size = (WIDTH / min(2, len(panels)), 4.2)
    drawn = panels_or_new(ax, len(panels), grid_of(len(panels), 2, size, fill=True))
    for axes, curves in zip(drawn, panels, strict=True):
        _draw(axes, curves)
    return drawn


def _draw(axes: Axes, curves: Curves) -> None:
    lines = {}
    for number, (name, y) in enumerate(curves.series.items()):
        style = "steps-post" if curves.steps else "default"
        look = line(number, len(curves.series) if curves.ordered else 0)
        (lines[name],) = axes.plot(curves.x, y, **look, label=name, drawstyle=style)
    for name, dot_x, dot_y in curves.dots:
        axes.plot([dot_x], [dot_y], "o", ms=3.5, color=lines[name].get_color())
    axes.set(xlabel=curves.xlabel, ylabel=curves.ylabel, yscale="log" if curves.log else "linear")
    if curves.window is not None:
        axes.axis(curves.window)
    if curves.log:
        set_plain(axes.yaxis)
    axes.grid(alpha=0.3)
    if curves.dots:
        axes.set_title(curves.dots_mean, fontsize=LEAST)
    label_ends(axes, lines)


@dataclass(frozen=True)
class Chain:
    """The Markov chain of an orbit of Piglet with pure turns.

    Args:
        needs: points that the three players need.
        holds: the heads at which each of them holds.
        leaves: the chance that each of them gets there.
        after: the points needed after each of these holds.
    """

    needs: Needs
    holds: Needs
    leaves: tuple[float, float, float]
    after: tuple[Needs, Needs, Needs]


def chain_data(game: Piglet, needs: Needs) -> Chain:
    """The chain at an orbit of an equilibrium of Piglet.

    Args:
        game: the game.
        needs: points that the three players need, in the order of their turns.
    """
    strategy = three_player.solve(game).strategy
    states = [rotated(needs, m) for m in range(3)]
    first, second, third = (next((k for k in range(1, s[0]) if not strategy.chance(*s, k)), s[0]) for s in states)
    a, b, c = needs
    after = ((a - first, b, c), (a, b - second, c), (a, b, c - third))
    p = game.heads
    return Chain(needs, (first, second, third), (p**first, p**second, p**third), after)


@styled
def plot_chain(chain: Chain, ax: Axes | None = None) -> Axes:
    """Draw a chain: the player to move in brackets, final states with a thick frame.

    Args:
        chain: of `chain_data`.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (9, 3.6))
    arrow = {"arrowstyle": "-|>", "color": "black", "shrinkA": 30, "shrinkB": 30}
    axes.annotate("", (0, 1), (-0.8, 1), arrowprops=arrow | {"lw": 2.5, "shrinkA": 0})
    for m, (hold, leaves, name) in enumerate(zip(chain.holds, chain.leaves, "αβγ", strict=True)):
        _state(axes, m, 1, _score(chain.needs, m), lw=0.8)
        _state(axes, m, 0, _score(chain.after[m], (m + 1) % 3), lw=2.2)
        axes.annotate("", (m, 0), (m, 1), arrowprops=arrow | {"shrinkA": 15, "shrinkB": 15})
        axes.text(m + 0.05, 0.5, f"holds at {name} = {hold}:  {leaves:.4g}", va="center")
        if m < 2:
            axes.annotate("", (m + 1, 1), (m, 1), arrowprops=arrow)
            axes.text(m + 0.5, 1.07, f"{1 - leaves:.4g}", ha="center")
    back = arrow | {"connectionstyle": "arc3,rad=0.35", "shrinkA": 18, "shrinkB": 18}
    axes.annotate("", (0, 1.05), (2, 1.05), arrowprops=back)
    axes.text(1, 1.3, f"{1 - chain.leaves[2]:.4g}", ha="center")
    axes.set(
        xlim=(-0.9, 2.9),
        ylim=(-0.25, 1.65),
        title="Piglet: points needed by three players until one holds",
        xticks=[],
        yticks=[],
    )
    axes.axis("off")
    return axes


def _state(axes: Axes, x: float, y: float, text: str, lw: float) -> None:
    frame = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": "black", "linewidth": lw}
    axes.text(x, y, text, ha="center", va="center", bbox=frame)


def _score(needs: Needs, mover: int) -> str:
    return ", ".join(f"[{need}]" if m == mover else str(need) for m, need in enumerate(np.array(needs).tolist()))


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
