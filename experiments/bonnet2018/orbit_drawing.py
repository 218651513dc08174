"""Figure 2 of the paper: from a score of three players until one of them holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo import three_player
from pigevo.figures.axes import axes_or_new, styled
from pigevo.games import Piglet
from pigevo.three_player.rules import Needs, rotated


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
