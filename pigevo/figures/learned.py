"""What evolution learned: a champion beside the optimum, where play comes, and what each decision is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact import gene_importance, optimal, reach
from pigevo.figures.decisions import decisions_data, first_hold_bar, show_first_hold
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Learned:
    """A champion beside the optimum.

    Args:
        target: points of the game.
        champion, best: turn totals at which the champion and the optimum first hold, shape (T, T), by own
            and opponent's score.
        turns: expected number of the champion's turns that begin at each pair of scores, shape (T, T).
        agreement: the share of the champion's decisions, weighted by how often play asks them, that are the optimum's.
        cells_agree: the share of all asked cells that are the optimum's.
        importance: win probability that the champion's decisions at each pair of scores are worth, summed over turn
            totals where they are the better ones, shape (T, T).
    """

    target: int
    champion: Ints
    best: Ints
    turns: Floats
    agreement: float
    cells_agree: float
    importance: Floats


def learned_data(champion: Strategy) -> Learned:
    """Compare a champion with the optimum of its game, in play against it.

    Raises:
        InputError: the game is no race of one die.
    """
    game = champion.game
    if not game.one_die:
        raise InputError(f"what a champion has learned is drawn for races of one die, not for {game}.")
    best = optimal(game).strategy
    visits = reach(champion, best).overall
    asked = np.broadcast_to(game.asked, game.shape)
    weights = np.where(asked, visits, 0.0)
    same = champion.roll == best.roll
    return Learned(
        target=game.target,
        champion=decisions_data(champion).first_hold,
        best=decisions_data(best).first_hold,
        turns=visits[:, :, 0],
        agreement=float(weights[same].sum() / weights.sum()) if weights.any() else 1.0,
        cells_agree=float(same[asked].mean()),
        importance=np.maximum(gene_importance(champion, best), 0).sum(axis=2),
    )


def plot_learned(data: Learned) -> Figure:
    """Draw champion and optimum, faded where play seldom comes, and the importance of the champion's decisions."""
    figure = Figure(figsize=(14, 4.8), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    for axes, first, name in ((panels[0], data.champion, "champion"), (panels[1], data.best, "optimum")):
        image = show_first_hold(axes, first, data.turns)
        axes.set_title(f"{name}: first holds at")
    panels[0].set_ylabel("opponent's score")
    label = "turn total, in points\n(faded: below 1 turn in 100 games, gone: 1 in 100,000)"
    first_hold_bar(figure, image, panels[:2], label)
    worth = np.log10(np.maximum(data.importance, 1e-8))
    extent = (0, data.target, 0, data.target)
    image = panels[2].imshow(worth.T, cmap="magma", vmin=-7, vmax=-2, origin="lower", extent=extent)
    panels[2].set(title="what the champion's decisions are worth", xlabel="own score")
    figure.colorbar(image, ax=panels[2], shrink=0.85, label="win probability, log10", extend="both")
    figure.suptitle(
        f"{data.agreement:.2%} of the decisions that play asks are the optimum's ({data.cells_agree:.1%} of all cells)"
    )
    return figure
