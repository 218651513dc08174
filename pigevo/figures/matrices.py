"""Win matrices: of the strategies of a tournament, and of the champions of a run, generation against generation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from pigevo.core.arrays import Floats
from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import counted
from pigevo.errors import InputError
from pigevo.exact import optimal, win_matrix
from pigevo.figures.axes import (
    BALANCE,
    COLORS,
    LEAST,
    OPTIMUM,
    POINTS,
    SHORT,
    WIDTH,
    Given,
    Panels,
    color_bar,
    figure_of,
    line,
    panels_in,
    panels_or_new,
    plain,
    refuse_empty,
    styled,
    whole,
)
from pigevo.strategies import Strategy

DARK = 0.48  # the lightness of a cell below which its number is white
MOST_NUMBERS = 12  # the largest number of strategies with numbers in the cells of their matrix
MOST_FOUR = 8  # the largest number of strategies for which these numbers have four places
LEAST_PLACES = 3  # numbers with fewer places are not written
GAP = 2.5  # the distance between two numbers, in points
DIGIT = 0.64  # the width of a digit, as a share of its size
MOST_LABELS = 30  # the largest number of names along an axis that can be read
MOST_LETTERS = 55  # the number of letters that fit side by side below a matrix


@styled
def plot_tournament(names: Sequence[str], overall: Floats, ax: Given = None) -> Panels:
    """Draw the matrix as colours, the best strategy first, and beside it the mean win probability of each strategy.

    The colours are centred on a half. Small matrices have numbers in their cells, in the unit of the scale.

    Args:
        names: the names of the strategies, in the order of the matrix.
        overall: win probability of the row against the column, shape (n, n).
        ax: two panels; by default in a new figure.
    """
    n = len(names)
    refuse_empty(names, "strategy")
    if overall.shape != (n, n):
        raise InputError(f"the matrix of {counted(n, 'strategy')} has the shape {(n, n)}, not {overall.shape}.")
    mean = (overall.sum(axis=1) - np.diag(overall)) / (n - 1) if n > 1 else np.full(n, np.nan)
    order = np.argsort(-mean, kind="stable")
    names, overall, mean = [names[number] for number in order], overall[np.ix_(order, order)], mean[order]
    ticks = range(0, n, -(-n // MOST_LABELS))
    labels = [plain(names[p], SHORT) for p in ticks]
    if len({*labels}) < len({names[p] for p in ticks}):  # names that differ only in the middle
        labels = [f"{p + 1}: {plain(names[p], SHORT - 4)}" for p in ticks]
    upright = len(labels) * max(map(len, labels)) > MOST_LETTERS
    height = max(3.5, 1.0 + 0.28 * len(labels)) + (0.09 * max(map(len, labels)) if upright else 0)
    panels = panels_or_new(ax, 2, panels_in((WIDTH, height), 1, 2, sharey=True, width_ratios=(4, 1)))
    axes, means = panels
    spread = color_spread(overall)
    image = axes.imshow(overall, cmap=BALANCE, vmin=0.5 - spread, vmax=0.5 + spread, aspect="auto")
    axes.set_xticks(ticks, labels, rotation=90 if upright else 0, parse_math=False)
    axes.set_yticks(ticks, labels, parse_math=False)
    axes.set(xlabel="against", ylabel="strategy")
    means.plot(mean, np.arange(n), "o", ms=5, color=COLORS[0])
    means.axvline(0.5, color="k", lw=1, ls=":")
    means.set(xlabel="mean", ylim=axes.get_ylim())
    means.tick_params(labelleft=False)
    means.margins(x=0.15)
    means.locator_params(axis="x", nbins=1)
    if n == 1:  # there is no mean
        means.set_xticks([0.5])
    color_bar(image, axes, "win probability of the row,\nboth seats", location="left", extend="both")
    if ax is None:
        with CHANGES_OF_PROCESS, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about letters that the font lacks
            figure_of(axes).draw_without_rendering()  # which makes the layout, and so the room in a cell
    if n <= MOST_NUMBERS:
        _write_numbers(axes, image, overall)
    return panels


def _write_numbers(axes: Axes, image: AxesImage, overall: Floats) -> None:
    """Write the win probabilities into the cells, with as many places as there is room for, at least three."""
    n = len(overall)
    room = (axes.bbox.width * POINTS / figure_of(axes).dpi / n - GAP) / (DIGIT * LEAST)
    digits = min(4 if n <= MOST_FOUR else 3, int(room - 1.5))  # the zero and the point are as wide as one and a half
    for row, column in np.ndindex(n, n) if digits >= LEAST_PLACES else ():
        if row != column:
            red, green, blue, _ = image.cmap(image.norm(overall[row, column]))
            ink = "k" if 0.3 * red + 0.59 * green + 0.11 * blue > DARK else "w"
            axes.text(
                column, row, f"{overall[row, column]:.{digits}f}", ha="center", va="center", color=ink, fontsize=LEAST
            )


def color_spread(overall: Floats) -> float:
    """The difference from a half that has the darkest colour in a win matrix, at least .01.

    A tenth of the pairs differ more, and those of the strategy that differs most from the others are left out: one bad
    entrant of a small class is in more than a tenth of the pairs, and would make all others alike.
    """
    differences = np.abs(overall - 0.5)
    if len(overall) > 3:
        rest = np.argsort(differences.sum(axis=1))[:-1]
        differences = differences[np.ix_(rest, rest)]
    pairs = differences[~np.eye(len(differences), dtype=bool)]
    return max(0.01, float(np.quantile(pairs, 0.9)) if pairs.size else 0.0)


MOST_GENERATIONS = 12  # the largest number of generations that are labelled along an axis


@dataclass(frozen=True, eq=False)
class MasterTournament:
    """The champions of one run against each other: its master tournament (Nolfi & Floreano 1998).

    Args:
        generations: the generations of the champions.
        matrix: exact overall win probability of row against column, shape (n, n).
        referee: the win probability of each champion against the optimum, shape (n,).
        cycles: generations of three champions of which each beats the next and the last beats the first; those with the
            largest margins come first.
        lost: pairs of generations (later, earlier) in which the earlier champion beats the later one.
        optimum: the win probability of the optimum against itself.
    """

    generations: tuple[int, ...]
    matrix: Floats
    referee: Floats
    cycles: tuple[tuple[int, int, int], ...]
    lost: tuple[tuple[int, int], ...]
    optimum: float = 0.5


def master_tournament_data(
    generations: Sequence[int], champions: Sequence[Strategy], margin: float = 1e-9
) -> MasterTournament:
    """The exact win probabilities of all champions against each other.

    Args:
        generations: the generations of the champions, ascending.
        champions: a champion for each generation.
        margin: a champion beats another if it wins more against it than it loses, by more than twice this; in games
            without draws, if its win probability is above one half by more than this.
    """
    matrix = win_matrix([*champions, optimal(champions[0].game).strategy])
    numbers = tuple(int(g) for g in generations)
    ahead = matrix - matrix.T
    beats = ahead > 2 * margin
    cycles = []
    for trio in combinations(range(len(numbers)), 3):
        for a, b, c in (trio, trio[::-1]):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                least = min(ahead[a, b], ahead[b, c], ahead[c, a])
                cycles.append((-least, (numbers[a], numbers[b], numbers[c])))
    lost = tuple((numbers[b], numbers[a]) for a, b in combinations(range(len(numbers)), 2) if beats[a, b])
    widest_first = tuple(cycle for _, cycle in sorted(cycles))
    return MasterTournament(numbers, matrix[:-1, :-1], matrix[:-1, -1], widest_first, lost, float(matrix[-1, -1]))


@styled
def plot_master_tournament(data: MasterTournament, ax: Given = None) -> Panels:
    """Draw the win matrix, with a ring where an earlier champion beats a later one, and below it the referee's figures.

    Args:
        data: result of `master_tournament_data`.
        ax: two panels; by default in a new figure.
    """
    panels = panels_or_new(ax, 2, panels_in((9, 9.6), 2, 1, height_ratios=(4, 1)))
    axes, below = panels
    spread = max(0.02, min(0.1, float(abs(data.matrix - data.optimum).max())))
    image = axes.imshow(data.matrix, cmap=BALANCE, vmin=data.optimum - spread, vmax=data.optimum + spread)
    step = -(-len(data.generations) // MOST_GENERATIONS)
    ticks = range(0, len(data.generations), step)
    labels = [f"{data.generations[n]:,}" for n in ticks]
    axes.set_xticks(list(ticks), labels, rotation=60)
    axes.set_yticks(list(ticks), labels)
    letters = int(axes.bbox.width * POINTS / figure_of(axes).dpi / (0.5 * LEAST))
    axes.set(
        xlabel="against the champion of generation",
        ylabel="champion of generation",
        title=fill(_cycles_in_words(data), letters),
    )
    number = {generation: n for n, generation in enumerate(data.generations)}
    if data.lost:
        rows, columns = zip(*((number[later], number[earlier]) for later, earlier in data.lost), strict=True)
        axes.plot(columns, rows, "o", ms=4, mfc="w", mec="k", mew=0.8, ls="", label="the earlier champion wins")
        axes.legend(loc="upper right")
    color_bar(image, axes, "win probability, both seats, exact", extend="both")
    below.plot(data.generations, data.referee, **line(0), marker="o", ms=4)
    below.axhline(data.optimum, **OPTIMUM)
    below.set(xlabel="generation", ylabel="champion against\nthe optimum")
    below.xaxis.set_major_locator(whole())
    below.grid(alpha=0.3)
    return panels


def _cycles_in_words(data: MasterTournament) -> str:
    if not data.cycles:
        return f"no cycles of three; {counted(len(data.lost), 'pair')} in which the earlier champion wins"
    cycle = " beats ".join(f"{g:,}" for g in (*data.cycles[0], data.cycles[0][0]))
    return f"{len(data.cycles)} {'cycle' if len(data.cycles) == 1 else 'cycles'} of three, such as {cycle}"
