"""Evolution as a film: the champion of one generation after the other."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from PIL import Image

from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.decisions import decisions_data
from pigevo.files import write_bytes
from pigevo.strategies import Strategy

SECONDS = 12
LAST = 3000
"""Milliseconds that the last picture stays."""
COLOURS = 64


def save_evolving(path: Path, champions: Mapping[int, Strategy]) -> None:
    """Write a GIF: turn totals at which champions first hold, faded where play seldom comes, beside the optimum.

    Args:
        path: the file.
        champions: by generation, in the order of the film; all of one game.
    """
    best = optimal(next(iter(champions.values())).game).strategy
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    images = [_show(axes, best, best) for axes in panels]
    panels[0].set_ylabel("opponent's score")
    panels[1].set_title("optimum")
    bar = figure.colorbar(images[1], ax=panels, extend="max", shrink=0.85, label="turn total at which it first holds")
    if bar.solids is not None:
        bar.solids.set_alpha(1)
    pictures = []
    for number, champion in champions.items():
        images[0].remove()
        images[0] = _show(panels[0], champion, best)
        panels[0].set_title(f"generation {number}: {win_probability(champion, best).overall:.2%}")
        pictures.append(_picture(figure))
    pause = 1000 * SECONDS // len(pictures)
    content = io.BytesIO()
    pauses = [*[pause] * (len(pictures) - 1), LAST]
    pictures[0].save(content, format="GIF", save_all=True, append_images=pictures[1:], duration=pauses, loop=0)
    write_bytes(path, content.getvalue())


def _show(axes: Axes, strategy: Strategy, best: Strategy) -> AxesImage:
    turns = reach(strategy, best).overall[:, :, 0]
    faded = np.clip(1 + np.log10(np.maximum(turns, 1e-12) / 1e-2) / 3, 0.03, 1)
    target = strategy.game.target
    axes.set_xlabel("own score")
    return axes.imshow(
        decisions_data(strategy).first_hold.T, alpha=faded.T, origin="lower", cmap="viridis",
        vmin=0, vmax=max(40, target // 2), extent=(0, target, 0, target),
    )  # fmt: skip


def _picture(figure: Figure) -> Image.Image:
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=70)
    return Image.open(content).convert("RGB").quantize(COLOURS)
