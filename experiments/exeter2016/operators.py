"""One generation of Exeter 2016, gene by gene: the survivors, the origin of a child's genes, and the flipped genes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from pigevo.core.arrays import Bools, Bytes, Floats
from pigevo.core.text import percent
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import agree_or_random
from pigevo.evolution.mutation.flips import bit_flip
from pigevo.evolution.operators import Context
from pigevo.evolution.population import random_population
from pigevo.exact import win_probability
from pigevo.figures.axes import COLORS, LEAST, PALE, SKY, WIDTH, Given, Panels, panels_in, panels_or_new, styled
from pigevo.strategies import CubeGrid

LARGEST = 40
"""The largest number of genes in a row that can be read."""


@dataclass(frozen=True, eq=False)
class OneGeneration:
    """One generation of four genomes on a grid.

    Args:
        genomes: the four genomes; the first two and the last two are pairs, shape (4, genes).
        wins: the exact win probability of each against the other of its pair, shape (4,).
        survives: whether it wins more than the other; of equals the first survives, shape (4,).
        child: the child of both survivors, shape (genes,).
        agree: whether the survivors have the same gene, shape (genes,).
        mutated: the child after mutation, shape (genes,).
        rate: the probability that a gene of the child flips.
    """

    genomes: Bytes
    wins: Floats
    survives: Bools
    child: Bytes
    agree: Bools
    mutated: Bytes
    rate: float


def operators_data(grid: CubeGrid, rate: float, seed: int = 0) -> OneGeneration:
    """Four random genomes in two pairs, the better of each pair, their child by `agree_or_random`, and its mutation.

    The operators are those of runs, but pairs are compared by exact win probabilities instead of 100 games.

    Args:
        grid: a grid with at most 40 genes.
        rate: the probability that a gene flips.
        seed: the seed of all random numbers.
    """
    if grid.genes > LARGEST:
        raise InputError(f"a picture shows at most {LARGEST} genes, but this grid has {grid.genes}: use larger cubes.")
    contexts = {
        stream: Context(Draw(seed, stream), grid, rate=rate) for stream in ("population", "crossover", "mutation")
    }
    genomes = random_population(4, contexts["population"])
    players = [grid.strategy(one) for one in genomes]
    wins = np.array([win_probability(players[n], players[n ^ 1]).overall for n in range(4)])
    survives = np.array([wins[0] >= wins[1], wins[1] > wins[0], wins[2] >= wins[3], wins[3] > wins[2]])
    first, second = genomes[survives]
    child = agree_or_random(first[None], second[None], contexts["crossover"])
    return OneGeneration(
        genomes, wins, survives, child[0], first == second, bit_flip(child, contexts["mutation"])[0], rate
    )


@styled
def plot_operators(data: OneGeneration, ax: Given = None) -> Panels:
    """Draw the three steps: each genome is a row of zeros and ones, and genes that a step decides are coloured.

    Args:
        data: result of `operators_data`.
        ax: a panel for each step; by default in a new figure.
    """
    panels = panels_or_new(ax, 3, panels_in((WIDTH, 5.6), 3, 1, height_ratios=(4, 3, 2)))
    nothing, stay = np.zeros(len(data.child), np.bool_), np.ones(3, np.bool_)
    coins, flipped = ~data.agree, data.child != data.mutated
    names = [f"strategy {n}" for n in range(1, 5)]
    parents = [name for name, survives in zip(names, data.survives, strict=True) if survives]
    wins = [f"wins {percent(share)}{'' if survives else ': out'}"
            for share, survives in zip(data.wins, data.survives, strict=True)]  # fmt: skip
    steps = {
        "Selection: of each pair the one that wins more survives":
            (data.genomes, names, wins, [nothing] * 4, "", data.survives),
        "Crossover: a gene that both parents share stays, a coin decides the others (orange)":
            (np.array([*data.genomes[data.survives], data.child]), [*parents, "child"],
             ["", "", f"{np.count_nonzero(coins)} by coin"], [nothing, nothing, coins], COLORS[1], stay),
        f"Mutation: each gene flips with a chance of {100 * data.rate:g} % (dark)":
            (np.array([data.child, data.mutated]), ["child", "after"],
             ["", f"{np.count_nonzero(flipped)} flipped"], [nothing, flipped], COLORS[2], stay),
    }  # fmt: skip
    for axes, (title, step) in zip(panels, steps.items(), strict=True):
        _rows(axes, *step)
        axes.set_title(title, loc="left")
    return panels


def _rows(
    axes: Axes, genomes: Bytes, names: list[str], remarks: list[str], marked: list[Bools], color: str, stays: Bools
) -> None:
    """Draw genomes as rows of cells with names and remarks; marked genes are coloured, rejected genomes are grey."""
    for row, genome in enumerate(genomes):
        ink = "k" if stays[row] else "0.45"
        for gene, value in enumerate(genome.tolist()):
            mark = bool(marked[row][gene])
            face = color if mark else (SKY if value and stays[row] else PALE if value else "w")
            axes.add_patch(Rectangle((gene, row), 1, 0.86, facecolor=face, edgecolor=ink, lw=2.4 if mark else 0.8))
            written = "w" if mark and color == COLORS[2] else ink
            axes.text(gene + 0.5, row + 0.43, str(value), ha="center", va="center", color=written, fontsize=LEAST)
        axes.text(len(genome) + 0.3, row + 0.43, remarks[row], va="center", fontsize=LEAST, color=ink)
    axes.set(xlim=(0, len(genomes[0]) * 1.2), ylim=(len(genomes), -0.1), xticks=[])
    axes.set_yticks(np.arange(len(genomes)) + 0.43, names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
