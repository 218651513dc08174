"""The figures of the publication and ours, each from data of its own, and the file that each of them becomes.

They are reproduced curves with the published points on them, the density of random populations, a strategy as the cubes
that its genes decide, one generation gene by gene, surfaces of decisions, averages and boxes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from scipy import stats

import pigevo
from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.core.text import counted, percent
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import agree_or_random
from pigevo.evolution.mutation.flips import bit_flip
from pigevo.evolution.operators import Context
from pigevo.evolution.population import random_population
from pigevo.exact import win_probability
from pigevo.figures.axes import (
    COLORS,
    DIVIDER,
    LEAST,
    PALE,
    SKY,
    WIDTH,
    Given,
    Panels,
    add_caption,
    add_legend,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    new_figure,
    panels_in,
    panels_or_new,
    save_figure,
    styled,
    ticks,
)
from pigevo.figures.bands import Band, boxes_data, draw_bands, plot_boxes
from pigevo.figures.curve import moving_average
from pigevo.figures.decisions import AXES, VIEWS, decisions_data, plot_surfaces
from pigevo.games import Pig
from pigevo.games.game import OPPONENT, OWN, TOTAL
from pigevo.strategies import CubeGrid, Strategy

from ..common.group import Group
from ..common.tables import FEWEST
from .answers import RATES
from .rows import MEASURED, REPEATS, cubes, match_variation, median_peaks, short, with_luck

MARKS = ("o", "s", "D", "^")
"""Markers of published points, by the number of their band."""

MARK_SIZES = (14, 8, 6, 4)
"""Their sizes where there are several: all can be seen where they meet."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A reproduced figure of a publication.

    Args:
        title: the title of the figure.
        bands: our bands, by setting.
        published: points (generation, win probability) from the publication, by setting.
        random: the 2.5 %, 50 % and 97.5 % quantiles of random populations; empty if there are none.
        random_name: the name of the random populations.
        ends: the last generation of each wave except the last wave.
        ordered: whether the settings are numbers in order, so that their colours are ordered too.
    """

    title: str
    bands: Mapping[str, Band]
    published: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    random: tuple[float, ...] = ()
    random_name: str = "random populations"
    ends: Sequence[float] = ()
    ordered: bool = False


@styled
def plot_reproduction(data: Reproduction, by: str, ax: Axes | None = None) -> Axes:
    """Draw our bands and the published points in one picture.

    Args:
        data: the figure to draw.
        by: the source of the published points.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.6))
    ends, end = {}, max(band.x[-1] for band in data.bands.values())
    if data.random:
        low, middle, high = data.random
        axes.axhspan(low, high, color=PALE, lw=0)
        (ends[f"{data.random_name}\n(means, 95 %)"],) = axes.plot([0, end], [middle] * 2, color="0.35", lw=1.2)
    looks = [line(number, len(data.bands) if data.ordered else 0) for number in range(len(data.bands))]
    draw_bands(axes, data.bands, looks)
    numbers = {name: number for number, name in enumerate(data.bands)}
    seeds, whole = {}, {name for name, band in data.bands.items() if band.level == 1}
    spread = "range" if len(whole) == len(data.bands) else "90 %"
    for name, band in data.bands.items():
        seeds[name] = counted(band.runs, "seed") + (": range" if spread != "range" and name in whole else "")
    alike = len(set(seeds.values())) == 1
    between = {name: "\n" if band.x[-1] == end else " " for name, band in data.bands.items()}  # amid curves one line
    named = {name: name if alike else f"{name}{between[name]}({seeds[name]})" for name in seeds}
    ends |= {named[name]: drawn for drawn in axes.lines if (name := str(drawn.get_label())) in named}
    for name, points in data.published.items():
        label = f"{by}, {name}" if len(data.published) > 1 else by
        number = numbers[name]
        look: dict[str, Any] = {"mfc": "w", "mec": looks[number]["color"], "mew": 1.8, "ms": 8, "zorder": 3}
        if len(data.published) > 1:
            look |= {"mfc": "none", "ms": MARK_SIZES[number % len(MARKS)]}
        axes.plot(*zip(*points, strict=True), MARKS[number % len(MARKS)], **look, label=label, clip_on=False)
    for end in data.ends:
        axes.axvline(end, **DIVIDER)
    axes.axhline(0.5, color="k", lw=1, ls=":")
    axes.text(0.99, 0.505, "the optimum", transform=axes.get_yaxis_transform(), fontsize=LEAST, ha="right")
    axes.set(
        title=f"{data.title} ({f'{next(iter(seeds.values()))}: ' if alike else ''}median and {spread})",
        xlabel="generation",
        ylabel="population mean against the optimum, exact",
        ylim=(0, 0.55),
    )
    axes.margins(x=0.01)
    label_ends(axes, ends)
    marked = [line for line in axes.lines if line.get_marker() in MARKS]
    if marked:
        look = {"loc": "outside lower center", "ncols": 4, "frameon": False}
        add_legend(axes, ax is None, handles=marked, **look)
    return axes


DENSITY_POINTS = 400


@dataclass(frozen=True, eq=False)
class Density:
    """A sample's density.

    Args:
        x: positions along the axis, shape (points,).
        density: the kernel estimate (Gaussian, Scott's width), shape (points,).
        normal: the normal density with the same mean and standard deviation, shape (points,).
        tail: the 95 % quantile of the normal distribution.
        marks: other results to mark, by name.
    """

    x: Floats
    density: Floats
    normal: Floats
    tail: float
    marks: Mapping[str, float]


def density_data(sample: Floats, marks: Mapping[str, float] | None = None) -> Density:
    """The density of a sample of any shape with at least three different values."""
    flat = np.asarray(sample, dtype=float).ravel()
    mean, deviation = float(flat.mean()), float(flat.std(ddof=1))
    ends = [mean - 4.5 * deviation, mean + 4.5 * deviation, *(marks or {}).values()]
    x = np.linspace(min(ends), max(ends), DENSITY_POINTS)
    law = stats.norm(mean, deviation)
    return Density(
        x=x,
        density=stats.gaussian_kde(flat)(x),
        normal=law.pdf(x),
        tail=float(law.ppf(0.95)),
        marks=dict(marks or {}),
    )


@styled
def plot_density(data: Density, ax: Axes | None = None) -> Axes:
    """Draw the density, the normal distribution with its upper 5 % shaded, and a line with a name for each mark.

    Args:
        data: result of `density_data`.
        ax: axes to draw on; the caller sets their labels.
    """
    axes = axes_or_new(ax, (10, 5.6))
    axes.plot(data.x, data.density, **line(0), label="random populations")
    axes.plot(data.x, data.normal, **line(1), label="normal, same mean and standard deviation")
    above = data.x >= data.tail
    axes.fill_between(data.x[above], data.normal[above], color=COLORS[1], alpha=0.4, lw=0, label="its upper 5 %")
    axes.set_ylim(bottom=0)
    for name, value in data.marks.items():
        axes.axvline(value, color="0.35", lw=1.2)
        axes.annotate(
            f"{name}: {value:.4f}", (value, 0.97), (-4, 0), xycoords=("data", "axes fraction"), va="top", ha="right",
            textcoords="offset points", rotation=90, fontsize=LEAST,
        )  # fmt: skip
    return axes


@dataclass(frozen=True, eq=False)
class Cubes:
    """The cubes of a grid in which a strategy rolls.

    Args:
        size: the size of a cube, as text.
        genes: number of genes of the grid.
        rolls: whether the gene of a cube is to roll, by slices of own score, opponent's score and turn total.
        edges: the beginnings and ends of the slices along each of the three axes, in points.
    """

    size: str
    genes: int
    rolls: Bools
    edges: tuple[Ints, Ints, Ints]


def cubes_data(strategy: Strategy, size: int | Sequence[int]) -> Cubes:
    """The cubes of the genome that is nearest to a strategy on a grid; if the strategy is from that grid, its genome.

    Args:
        strategy: a strategy for a race.
        size: edge of a cube, or three edges along own score, opponent's score and turn total.
    """
    game, grid = strategy.game, CubeGrid(strategy.game, size)
    if {axis.name for axis in game.axes} != {OWN, OPPONENT, TOTAL}:
        raise InputError(f"cubes are drawn for games with three dimensions, but a strategy for {game} has others.")
    genes = grid.from_strategies([strategy])[0].reshape(-1, grid.row_genes).astype(np.bool_)
    number = grid.row_numbers
    rolls = np.where(number[:, :, None] >= 0, genes[number], False).transpose(0, 2, 1)
    ends = zip(game.shape, grid.edges, grid.slices, strict=True)
    i, j, k = (np.minimum(np.arange(count + 1) * edge, length) for length, edge, count in ends)
    return Cubes(grid.label, grid.genes, np.asarray(rolls), (i, j, k))


@styled
def plot_cubes(grids: Sequence[Cubes], ax: Given = None) -> Panels:
    """Draw the cubes of each grid in which a strategy rolls; the cube of the first gene is orange.

    Args:
        grids: results of `cubes_data`, the largest cubes first.
        ax: a panel with three dimensions for each; by default in a new figure.
    """
    columns = min(3, len(grids))
    new = grid_of(len(grids), columns, (WIDTH / columns, 3.9), subplot_kw={"projection": "3d"})
    panels = panels_or_new(ax, len(grids), new, in_3d=range(len(grids)))
    for axes, data in zip(panels, grids, strict=True):
        _draw_cubes(axes, data)
    if ax is None:
        add_caption(panels[0], "Blue: roll. Empty: hold, or win. Orange: the cube of the first gene.")
    return panels


LIGHT = (0.72, 0.88, 1.0)
"""The brightness of the faces towards a higher own score, towards a lower opponent's score, and on top."""


def _draw_cubes(axes: Any, data: Cubes) -> None:
    faces, colors = [], []
    filled = data.rolls.copy()
    filled[0, 0, 0] = True
    for axis, light in enumerate(LIGHT):  # the three visible sides
        begin = axis == 1
        beside = np.roll(filled, 1 if begin else -1, axis)
        beside[(slice(None),) * axis + (0 if begin else -1,)] = False
        place = np.argwhere(filled & ~beside)
        faces.append(_squares(data.edges, place, axis, begin))
        shades = [light * np.array(to_rgb(color)) for color in (COLORS[0], COLORS[1])]
        colors.append(np.where((place == 0).all(axis=1, keepdims=True), shades[1], shades[0]))
    width = 0.7 if len(data.rolls) <= 10 else 0.3
    axes.add_collection3d(
        Poly3DCollection(np.concatenate(faces), facecolors=np.concatenate(colors), edgecolors="w", lw=width)
    )
    axes.set_title(f"cubes of {data.size}: {data.genes:,} genes", y=1.0)
    axes.view_init(*VIEWS[0])
    for name, ends in zip("xyz", data.edges, strict=True):
        end = int(ends[-1])  # three zeros would overlap other numbers
        axes.set(**{f"{name}ticks": [0, end // 2, end][name != "x" :]})
    axes.set(xlabel=AXES[OWN], ylabel=AXES[OPPONENT], zlabel="turn total")
    axes.set(xlim=data.edges[0][[0, -1]], ylim=data.edges[1][[0, -1]], zlim=data.edges[2][[0, -1]])
    axes.yaxis.labelpad = 11
    axes.set_box_aspect((1, 1, 1), zoom=0.8)


def _squares(edges: tuple[Ints, Ints, Ints], place: Ints, axis: int, begin: bool) -> Floats:
    """The corners of one side of each cube, shape (cubes, 4, 3)."""
    across, up = (other for other in range(3) if other != axis)
    steps = np.zeros((4, 3), np.int64)
    steps[:, across], steps[:, up], steps[:, axis] = (0, 1, 1, 0), (0, 0, 1, 1), not begin
    corners = place[:, None, :] + steps
    return np.stack([edges[n][corners[:, :, n]] for n in range(3)], axis=2).astype(np.float64)


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
        _rows_of_genes(axes, *step)
        axes.set_title(title, loc="left")
    return panels


def _rows_of_genes(
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


PAPER = "Exeter 2016"
GAMES = (25, 50, 100, 250, 500, 1000)
RATE_LABELS = {"0": "none", "0.0001": "0.01 %", "0.001": "0.1 %", "0.005": "0.5 %", "0.01": "1 %", "0.05": "5 %"}
CURVES = {
    "figure_05": {"figure_5": "ours"}, "figure_06": {"figure_6": "ours"}, "figure_07": {"figure_7": "ours"},
    "figure_08": {"figure_8": "ours"}, "figure_09": {f"figure_9_{r}": RATE_LABELS[r] for r in RATES[3:]},
    "figure_12": {"figure_12": "ours", "round_robin_hold_at_kept": "survivors stay"},
    "figure_13": {"figure_13": "ours", "hold_at_exact": "exact pairing"}, "figure_14": {"figure_14": "ours"},
    "figure_15": {"figure_15": "ours", "round_robin_score_kept": "survivors stay"}, "figure_16": {"figure_16": "ours"},
    "cubes_exact": {"figure_9_0.005": "100 games", "cubes_0.005_exact": "exact pairing",
                    "cubes_kept": "100 games, survivors stay", "cubes_exact_kept": "exact pairing, survivors stay"},
}  # fmt: skip
TITLES = {
    "figure_09": "Cubes from random strategies, by mutation rate",
    "cubes_exact": "Cubes from random strategies, 0.5 % mutation",
}


AVERAGED = ("figure_7", "figure_8", "figure_12", "figure_15")
"""Those whose pictures show a single run and the moving average of it."""

OVER = 100
"""Generations of the moving average; the paper does not say how many its own has."""

SIZES = (20, 10, 5)
SEED = 24
"""Of figure 1, whose game to 30 has fewer genes and whose mutation flips more of them than any run."""


def draw(folder: Path, groups: Mapping[str, Group], published: Mapping[str, Any], random: Mapping[str, Floats]) -> None:
    """Draw them all.

    Args:
        folder: where they go.
        groups: the runs of each setting.
        published: the content of `published.yaml`.
        random: win probabilities of random populations by the size of their cubes, shape (populations, size) each.
    """
    for name in CURVES:
        save_figure(folder / f"{name}.png", curves(name, groups, published, random))
    save_figure(folder / "figure_01.png", operators())
    save_figure(folder / "figure_02.png", grids())
    save_figure(folder / "averages.png", averages(groups, published))
    save_figure(folder / "figure_11.png", surfaces(groups["figure_9_0.005"].strategy()))
    save_figure(folder / "figure_10.png", density(median_peaks(groups, published, random["1"]), published, random["1"]))
    save_figure(folder / "figure_17.png", boxes())


def curves(
    name: str, groups: Mapping[str, Group], published: Mapping[str, Any], random: Mapping[str, Floats]
) -> Figure:
    """One of `CURVES`: our bands, the published points, and random populations; the arguments are those of `draw`."""
    settings = CURVES[name]
    points = {s: published[s]["points"] for s in settings if name.startswith("figure") and s in published}
    first = groups[next(iter(settings))]
    size = first.wave_sizes[0]
    few = {setting: len(groups[setting].seeds) < FEWEST for setting in settings}  # have no 5 % at either end
    data = Reproduction(
        title=TITLES.get(name) or published[next(iter(settings))]["title"],
        bands={label: groups[setting].band(few[setting]) for setting, label in settings.items()},
        published={settings[s]: [tuple(point) for point in found] for s, found in points.items()},
        random=tuple(np.quantile(random[size].mean(axis=1), (0.025, 0.5, 0.975)).tolist()),
        random_name=f"random {cubes(size)}",
        ends=first.wave_ends[:-1],
        ordered=name == "figure_09",
    )
    return figure_of(plot_reproduction(data, PAPER))


def operators() -> Figure:
    """Figure 1: selection, crossover and mutation of random genomes."""
    return figure_of(plot_operators(operators_data(CubeGrid(Pig(target=30), 10), rate=0.1, seed=SEED)))


def grids() -> Figure:
    """Figure 2: the optimum on the grids of the waves."""
    optimum = pigevo.optimal(Pig()).strategy
    return figure_of(plot_cubes([cubes_data(optimum, size) for size in SIZES]))


def surfaces(*strategies: Strategy) -> Figure:
    """Strategies and the optimum from two sides: figure 11 with a champion, figures 3 and 4 without."""
    shown = [*strategies, pigevo.optimal(Pig()).strategy]
    return figure_of(plot_surfaces([decisions_data(strategy) for strategy in shown]))


@styled
def density(medians: Mapping[str, float], published: Mapping[str, Any], cells: Floats) -> Figure:
    """Random populations and peaks, all with the luck of as many games, which the published ones contain.

    Args:
        medians: result of `median_peaks`, or of no runs.
        published: the content of `published.yaml`.
        cells: win probabilities of random populations of single cells, shape (populations, size).
    """
    names = ("figure_7", "figure_8")
    marks = {f"median peak of {short(s)}": medians[short(s)] for s in names if short(s) in medians}
    marks |= {f"{short(s)}, published": published[s]["peak"] for s in names}
    axes = plot_density(density_data(with_luck(cells.mean(axis=1)), marks))
    title = f"{len(cells)} random populations"
    axes.set(xlabel=f"population mean against the optimum, from {MEASURED:,} games", ylabel="density", title=title)
    figure = figure_of(axes)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


@styled
def averages(groups: Mapping[str, Group], published: Mapping[str, Any]) -> Figure:
    """The run of the first seed of each setting, as the paper has one run: its records, and their moving average."""
    figure = new_figure((10, 7))
    panels = list(map(ticks, figure.subplots(2, 2, sharex=True).ravel()))
    for axes, name in zip(panels, AVERAGED, strict=True):
        group = groups[name]
        axes.plot(group.generation, group.mean[0], "o", ms=3.5, color=COLORS[0], label="population mean, exact")
        smooth = moving_average(group.generation, group.mean[0], OVER)
        axes.plot(group.generation, smooth, color=COLORS[2], lw=2.4, label=f"moving average over {OVER} generations")
        axes.set_title(f"Figure {name.removeprefix('figure_')}: {published[name]['title']}")
        axes.set_ylim(0, 1.15 * group.mean[0].max())
    for axes in panels[2:]:
        axes.set_xlabel("generation")
    figure.supylabel("win probability against the optimum", fontsize=12)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


@styled
def boxes() -> Figure:
    """Figure 17: matches of hold at 20 against itself."""
    hold = pigevo.hold_at(Pig(), 20)
    axes = plot_boxes(boxes_data([f"{games:,}" for games in GAMES], match_variation(hold, GAMES, REPEATS)))
    axes.axhline(0.5, color="k", lw=1, ls=":")
    axes.text(1.01, 0.5, "0.5", transform=axes.get_yaxis_transform(), va="center", fontsize=LEAST)
    axes.set(
        title=f"Hold at 20 against itself: {REPEATS} matches of each length",
        xlabel="games of a match\n(box: the middle half of the matches; line: median; dots: beyond 1.5 boxes)",
        ylabel="share of games won in a match",
        ylim=(0.1, 0.9),
    )
    return figure_of(axes)
