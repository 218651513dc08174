"""Generation against generation: do later champions beat the earlier ones, or does evolution go in circles?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from matplotlib.figure import Figure

from pigevo.arrays import Floats
from pigevo.exact import optimal, win_matrix
from pigevo.strategies import Strategy


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


def plot_lineage(data: Lineage) -> Figure:
    """Draw the win matrix, with the referee's view below it."""
    figure = Figure(figsize=(7, 7.6), layout="constrained")
    axes, below = figure.subplots(2, 1, height_ratios=(4, 1))
    spread = max(0.02, min(0.1, float(abs(data.matrix - 0.5).max())))
    image = axes.imshow(data.matrix, cmap="RdBu", vmin=0.5 - spread, vmax=0.5 + spread)
    step = max(1, len(data.generations) // 10)
    ticks = range(0, len(data.generations), step)
    labels = [str(data.generations[n]) for n in ticks]
    axes.set_xticks(list(ticks), labels, rotation=60)
    axes.set_yticks(list(ticks), labels)
    axes.set(xlabel="champion of generation", ylabel="champion of generation", title=_title(data))
    figure.colorbar(image, ax=axes, label="win probability of row against column, exact", extend="both")
    below.plot(data.generations, data.referee, marker=".")
    below.set(
        xlabel="generation", ylabel="against the optimum", ylim=(max(0.4, float(data.referee.min()) - 0.005), 0.501)
    )
    below.grid(alpha=0.3)
    return figure


def _title(data: Lineage) -> str:
    if not data.cycles:
        return f"no cycles of three; {len(data.lost)} pairs in which the earlier champion wins"
    cycle = " beats ".join(str(g) for g in (*data.cycles[0], data.cycles[0][0]))
    return f"{len(data.cycles)} cycles of three, such as {cycle}"
