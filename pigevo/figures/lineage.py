"""Generation against generation: do later champions beat the earlier ones, or does evolution go in circles?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.exact import optimal, win_matrix
from pigevo.figures.axes import Given, Panels, color_bar, new_figure, panels_or_new
from pigevo.figures.style import ODDS, line, styled
from pigevo.strategies import Strategy

LABELS = 12
"""Generations that are named along an axis, at most."""


@dataclass(frozen=True, eq=False)
class Lineage:
    """The champions of one run.

    Args:
        generations: whose champions they are.
        matrix: exact overall win probability of row against column, shape (n, n).
        referee: of each against the optimum, shape (n,).
        cycles: generations of three champions of which each beats the next and the last the first, the widest first.
        lost: pairs of generations (later, earlier) of which the earlier champion beats the later one.
    """

    generations: tuple[int, ...]
    matrix: Floats
    referee: Floats
    cycles: tuple[tuple[int, int, int], ...]
    lost: tuple[tuple[int, int], ...]


def lineage_data(generations: Sequence[int], champions: Sequence[Strategy], margin: float = 1e-9) -> Lineage:
    """Everyone against everyone, exactly.

    Args:
        generations: of the champions, ascending.
        champions: one for each.
        margin: how far above one half a win probability must be to count as beating.
    """
    matrix = win_matrix([*champions, optimal(champions[0].game).strategy])
    told = tuple(int(g) for g in generations)
    beats = matrix > 0.5 + margin
    cycles = []
    for trio in combinations(range(len(told)), 3):
        for a, b, c in (trio, trio[::-1]):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                least = min(matrix[a, b], matrix[b, c], matrix[c, a])
                cycles.append((-least, (told[a], told[b], told[c])))
    lost = tuple((told[b], told[a]) for a, b in combinations(range(len(told)), 2) if beats[a, b])
    found = tuple(cycle for _, cycle in sorted(cycles))
    return Lineage(told, matrix[:-1, :-1], matrix[:-1, -1], found, lost)


@styled
def plot_lineage(data: Lineage, ax: Given = None) -> Panels:
    """Draw the win matrix, with a dot where an earlier champion beats a later one, and below it the referee's view.

    Args:
        data: of `lineage_data`.
        ax: two panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, 2, _new)
    axes, below = panels
    spread = max(0.02, min(0.1, float(abs(data.matrix - 0.5).max())))
    image = axes.imshow(data.matrix, cmap=ODDS, vmin=0.5 - spread, vmax=0.5 + spread)
    step = -(-len(data.generations) // LABELS)
    ticks = range(0, len(data.generations), step)
    labels = [str(data.generations[n]) for n in ticks]
    axes.set_xticks(list(ticks), labels, rotation=60)
    axes.set_yticks(list(ticks), labels)
    axes.set(xlabel="against the champion of generation", ylabel="champion of generation", title=_title(data))
    number = {generation: n for n, generation in enumerate(data.generations)}
    if data.lost:
        rows, columns = zip(*((number[later], number[earlier]) for later, earlier in data.lost), strict=True)
        axes.plot(columns, rows, "o", ms=4, mfc="w", mec="k", mew=0.8, ls="", label="the earlier champion wins")
        axes.legend(loc="upper right")
    color_bar(image, axes, "win probability, both seats, exact", extend="both")
    below.plot(data.generations, data.referee, **line(0), marker="o", ms=4)
    below.set(
        xlabel="generation",
        ylabel="champion against\nthe optimum",
        ylim=(max(0.4, float(data.referee.min()) - 0.005), 0.501),
    )
    below.grid(alpha=0.3)
    return panels


def _new() -> Iterable[Axes]:
    panels: Iterable[Axes] = new_figure((9, 9.6)).subplots(2, 1, height_ratios=(4, 1))
    return panels


def _title(data: Lineage) -> str:
    if not data.cycles:
        return f"no cycles of three; {len(data.lost)} pairs in which the earlier champion wins"
    cycle = " beats ".join(str(g) for g in (*data.cycles[0], data.cycles[0][0]))
    return f"{len(data.cycles)} {'cycle' if len(data.cycles) == 1 else 'cycles'} of three, such as {cycle}"
