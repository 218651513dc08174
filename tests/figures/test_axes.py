"""Every picture, on small data: drawn where the caller wants it, readable, and in colours that differ for everyone."""

import ast
import importlib
import importlib.util
import io
import re
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.selection.map_elites import MapElites
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.bonnet2018.drawing import Curves, plot_curves
from pigevo.experiments.common.spent import Spent, plot_anytime, plot_beside, plot_ecdf, plot_ecdf_beside, plot_spent
from pigevo.experiments.exeter2016.pictures import (
    Reproduction,
    cubes_data,
    density_data,
    operators_data,
    plot_cubes,
    plot_density,
    plot_operators,
    plot_reproduction,
)
from pigevo.experiments.reconstruction.scoring import Reading, Scored
from pigevo.experiments.rediscovery.study import learned_data, plot_learned
from pigevo.experiments.rules.front import Front, plot_fronts
from pigevo.figures.axes import (
    AMOUNTS,
    COLORS,
    DIVIDER,
    LEAST,
    ODDS,
    STYLE,
    WIDTH,
    add_caption,
    add_legend,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    save_figure,
    spread,
    styled,
)
from pigevo.figures.bands import (
    Panel,
    SettingOutcome,
    band,
    boxes_data,
    plot_bands,
    plot_boxes,
    plot_outcomes,
    plot_panels,
)
from pigevo.figures.curve import curve_data, plot_curve
from pigevo.figures.decisions import decisions_data, plot_decisions, plot_surfaces
from pigevo.figures.elites import landscape_data, plot_elites
from pigevo.figures.evolving import film_data, film_figures, plot_frame
from pigevo.figures.lineage import LineageCurves, plot_lineage
from pigevo.figures.matrices import MasterTournament, plot_master_tournament, plot_tournament
from pigevo.figures.page import new_page
from pigevo.figures.people import games_data, plot_games, plot_mean_scores, plot_scores, scores_data
from pigevo.figures.population import plot_dynamics, plot_shares, plot_simplex
from pigevo.figures.portrait import (
    plot_costs,
    plot_difference,
    plot_landscape,
    plot_map,
    plot_portrait,
    plot_slice,
    portrait_data,
)
from pigevo.figures.ranks import mean_ranks, plot_ranks
from pigevo.figures.strategy_curves import plot_distinct_states, plot_sticking, sticking_data
from pigevo.people import People, Person
from pigevo.runs.pictures import plot_champion
from pigevo.tournaments import Course
from tests.people.games import played

GAME = pigevo.Pig(target=20)
A, B = pigevo.hold_at(GAME, 8), pigevo.random_strategy(GAME, 1)
PORTRAIT = portrait_data([A, B])
SAMPLE = np.random.default_rng(0).normal(0.3, 0.02, (30, 12)).cumsum(axis=1) / np.arange(1, 13)
X = np.arange(12) * 100.0


BUDGET = load_study("budget")
COEVOLUTION = importlib.import_module("pigevo.experiments.coevolution.study")
THREE_PLAYERS = importlib.import_module("pigevo.experiments.bonnet2018.drawing")
MUTATION = importlib.import_module("pigevo.experiments.mutation_by_cube_size.tables")
ILLUMINATION = load_study("illumination")
LEARNING = importlib.import_module("pigevo.experiments.learning.report")
RECONSTRUCTION = importlib.import_module("pigevo.experiments.reconstruction.scoring")
EVIDENCE = importlib.import_module("pigevo.experiments.learning.report").evidence(pigevo.Pig(12, 3))


@dataclass(frozen=True)
class Case:
    """A picture.

    Args:
        draw: draws it, given `ax`.
        panels: how many; 0 for one that takes and returns axes themselves.
        solid: which of them have three dimensions.
    """

    draw: Any
    panels: int = 0
    solid: tuple[int, ...] = ()


def rows():
    sizes = [(1, "20"), (1, "20"), (2, "10"), (3, "5")]
    figures = {"best": 0.3, "mean": 0.2, "worst": 0.1}
    return [{"generation": n * 10, "wave": wave, "cube_size": size, **figures} for n, (wave, size) in enumerate(sizes)]


def bands(count):
    return {f"setting {n}": band(SAMPLE + n / 50, x=X) for n in range(count)}


def spent(count):
    return {f"a setting {n}": Spent(X[1:] + 1, 0.5 - 1 / (X[1:] + n + SAMPLE[:9, 1:])) for n in range(count)}


def groups():
    """The runs of two ways to cut the array at three rates."""
    runs = SimpleNamespace(generation=X, mean=SAMPLE, wave_ends=[400.0, 1100.0], seeds=range(30))
    return {(cubes, rate): runs for cubes in ("20", "20, 10") for rate in ("0", "0.01", "0.1")}


LEARNT = {f"a contestant {n}": ([1e4, 1e5, 1e6], list(0.01 + 0.02 * n + np.abs(SAMPLE[:3]) / 10)) for n in range(10)}
CURVES = Curves(X, {"first seat": SAMPLE[0], "second seat": SAMPLE[0] + 0.001}, "target", "win probability, exact")
LINEAGE = LineageCurves(
    np.arange(5), np.full(5, 0.5), np.full(5, 0.4), np.full(5, 0.3), np.arange(2, 5), np.array([0.3, 0.35, 0.4]),
    np.array([[0.1, -0.02, -0.05, 0.0]] * 4), np.array([1, 1, 2, 4, 20]),
)  # fmt: skip
CHAMPIONS = MasterTournament(
    tuple(range(0, 300, 10)), np.full((30, 30), 0.5), np.full(30, 0.49), ((0, 10, 20),), ((20, 0), (90, 30))
)
LONG = curve_data(rows())
MAP = landscape_data(GAME, MapElites(), np.where(np.arange(420).reshape(20, 21) % 3, np.nan, 0.3))
DISTINCT = {"A": pigevo.distinct_states(A, B), "B": pigevo.distinct_states(B, A)}
TITLE = decisions_data(A)
SHARES = Course(X, np.random.default_rng(1).dirichlet(np.ones(3), 12))
THREE = ("hold_at:20", "a strategy with a long name of its own", "optimal")
FRONTS = {
    name: Front(np.arange(1, 6), 0.05 / np.arange(1 + n, 6 + n), 0.04 / np.arange(1 + n, 6 + n))
    for n, name in enumerate(["published", "least loss", "least exploitable", "without looking at the opponent"])
}
OUTCOMES = {
    **{name: SettingOutcome(SAMPLE[:, 0], 0.3, 0.25, 0.35, bounds) for name, bounds in bands(6).items()},
    "random search, cubes of 20": SettingOutcome(SAMPLE[:, 1], 0.3, None, None, search=True),
}

NAMES = [f"{n} {'a name that is as long as can be written'.title()}" for n in range(40)]
PREFERENCES = ("averse", "neutral", "seeking", None)
CLASS = People(
    GAME, tuple(Person(name, PREFERENCES[n % 4]) for n, name in enumerate(NAMES)),
    tuple(game for n in range(20) for game in played(A, B, seed=n, names=(NAMES[2 * n], NAMES[2 * n + 1]))),
)  # fmt: skip
"""Forty players with long names."""

TWO = People(GAME, (Person("ann"), Person("bob")), tuple(played(A, B)))
CLASS_GAMES, CLASS_SCORES = games_data(CLASS), scores_data(CLASS)

PUBLISHED = {("figure 9, 1 %", "at 42"): 0.16, ("figure 9, 1 %", "lowest 5"): 0.2, ("figure 14", "highest 1"): 0.245}
READINGS = [
    Scored(Reading(f"a reading {n}", ""), range(3), dict.fromkeys(PUBLISHED, 0.2 + SAMPLE[n, :3] / 9), PUBLISHED, {})
    for n in range(6)
]

CASES = {
    "plot_anytime": Case(lambda ax: plot_anytime(bands(7), "games", ax=ax)),
    "plot_bands": Case(lambda ax: plot_bands(bands(7), ax=ax)),
    "plot_beside": Case(lambda ax: plot_beside(spent(6), ax=ax), 5),
    "plot_boxes": Case(lambda ax: plot_boxes(boxes_data([25, 50, 100], SAMPLE.T[:3]), ax=ax)),
    "plot_budget": Case(
        lambda ax: BUDGET.plot_budget({
            name: {power: dict(zip(("generations", "population", "games"), 0.2 + SAMPLE[:3] / power, strict=True))
                   for power in (5, 6, 7)} for name in ("the paper's algorithm", "twins")
        }, ax=ax), 2
    ),
    "plot_by_seeds": Case(
        lambda ax: COEVOLUTION.plot_by_seeds({"one": (X, SAMPLE.T), "two": (X, SAMPLE.T + 0.1)}, "across", "up", ax=ax)
    ),
    "plot_chain": Case(lambda ax: THREE_PLAYERS.plot_chain(THREE_PLAYERS.chain_data(pigevo.Piglet(4), (2, 3, 4)), ax=ax)),
    "plot_champion": Case(lambda ax: plot_champion(A, ax=ax), 2),
    "plot_cubes": Case(lambda ax: plot_cubes([cubes_data(A, n) for n in (10, 5, 1)], ax=ax), 3, (0, 1, 2)),
    "plot_curve": Case(lambda ax: plot_curve(curve_data(rows(), 0.25, SAMPLE, SAMPLE / 2), ax=ax)),
    "plot_curves": Case(lambda ax: plot_curves([CURVES] * 3, ax=ax), 3),
    "plot_decisions": Case(lambda ax: plot_decisions([TITLE, decisions_data(B)], ax=ax), 2),
    "plot_density": Case(lambda ax: plot_density(density_data(SAMPLE, {"one": 0.4, "two": 0.45}), ax=ax)),
    "plot_costs": Case(lambda ax: plot_costs(PORTRAIT, ax=ax)),
    "plot_difference": Case(lambda ax: plot_difference(PORTRAIT, ax=ax)),
    "plot_distinct_states": Case(lambda ax: plot_distinct_states(DISTINCT, ax=ax)),
    "plot_dynamics": Case(lambda ax: plot_dynamics(THREE, SHARES, SHARES, np.full(3, 1 / 3), ax=ax), 3),
    "plot_elites": Case(lambda ax: plot_elites(MAP, ax=ax)),
    "plot_ecdf": Case(lambda ax: plot_ecdf(bands(7), ax=ax)),
    "plot_ecdf_beside": Case(lambda ax: plot_ecdf_beside(bands(6), ax=ax), 5),
    "plot_frame": Case(lambda ax: plot_frame(film_data({0: A})[0], film_data({0: A}, LONG)[1][0], LONG, ax), 3),
    "plot_fronts": Case(lambda ax: plot_fronts(FRONTS, ax=ax), 2),
    "plot_games": Case(lambda ax: plot_games(CLASS_GAMES[:6], "both", ax=ax), 6),
    "plot_groups_by_seeds": Case(
        lambda ax: COEVOLUTION.plot_groups_by_seeds(
            {"a group": {"one": (X, SAMPLE.T)}, "two": {"one": (X, SAMPLE.T + 0.1)}}, "across", "up", ax=ax), 2
    ),
    "plot_hold_table": Case(lambda ax: THREE_PLAYERS.plot_hold_table(np.ones((6, 6), dtype=int), ax=ax)),
    "plot_landscape": Case(lambda ax: plot_landscape(TITLE, 20, ax=ax), 0, (0,)),
    "plot_learned": Case(lambda ax: plot_learned(learned_data(B), ax=ax), 4),
    "plot_learning": Case(
        lambda ax: LEARNING.plot_learning({"Pig": LEARNT}, "games", "loss", {"Pig": EVIDENCE}, ax=ax), 1
    ),
    "plot_lineage": Case(lambda ax: plot_lineage(LINEAGE, ax=ax), 3),
    "plot_maps": Case(lambda ax: ILLUMINATION.plot_maps({"illuminate": MAP, "rediscover": MAP}, ax=ax), 2),
    "plot_map": Case(lambda ax: plot_map(TITLE, 20, ax=ax)),
    "plot_master_tournament": Case(lambda ax: plot_master_tournament(CHAMPIONS, ax=ax), 2),
    "plot_mean_scores": Case(lambda ax: plot_mean_scores(CLASS_SCORES, "means", ax=ax), 4),
    "plot_means": Case(lambda ax: MUTATION.plot_means(groups(), ax=ax), 2),
    "plot_operators": Case(lambda ax: plot_operators(operators_data(pigevo.CubeGrid(GAME, 7), 0.3), ax=ax), 3),
    "plot_outcomes": Case(
        lambda ax: plot_outcomes(OUTCOMES, "generation", "mean", "champion", ((400, "20"), (1500, "5")), True, ax=ax), 2
    ),
    "plot_panels": Case(
        lambda ax: plot_panels([Panel(f"p{n}", bands(6), {"random": (0.1, 0.11, 0.12)}) for n in range(3)],
                               "generation", "population mean", True, ax=ax), 3),
    "plot_paths": Case(
        lambda ax: COEVOLUTION.plot_paths({"worst": SAMPLE[:2].T, "mean": SAMPLE[:2].T}, (0.3, 0.3), ax=ax), 2
    ),
    "plot_portrait": Case(lambda ax: plot_portrait(PORTRAIT, title="both", ax=ax), 9, (7, 8)),
    "plot_ranks": Case(lambda ax: plot_ranks(mean_ranks({f"mutation={n}": SAMPLE[n] for n in range(30)}), ax=ax)),
    "plot_readings": Case(lambda ax: RECONSTRUCTION.plot_readings(READINGS, ax=ax), 2),
    "plot_reproduction": Case(
        lambda ax: plot_reproduction(
            Reproduction("t", bands(4), {"setting 1": [(0, 0.3)], "setting 3": [(100, 0.4)]}, (0.1, 0.12, 0.14), ends=[400]),
            "Paper", ax=ax)),
    "plot_shares": Case(lambda ax: plot_shares(THREE, SHARES, ax=ax)),
    "plot_simplex": Case(lambda ax: plot_simplex(THREE, {"one": SHARES}, np.full(3, 1 / 3), ax=ax)),
    "plot_scores": Case(lambda ax: plot_scores(CLASS_SCORES, "each", ax=ax), 4),
    "plot_slice": Case(lambda ax: plot_slice(PORTRAIT, 4, ax=ax)),
    "plot_spent": Case(lambda ax: plot_spent(spent(7), ax=ax)),
    "plot_sticking": Case(lambda ax: plot_sticking(sticking_data(), ax=ax)),
    "plot_surfaces": Case(lambda ax: plot_surfaces([TITLE, TITLE], ax=ax), 4, (0, 1, 2, 3)),
    "plot_tournament": Case(lambda ax: plot_tournament([f"hold_at:{n}" for n in range(40)], np.full((40, 40), 0.5), ax=ax), 2),
}  # fmt: skip

LONG_NAMES = ["rule: 21+(j-i)/8; race either>=71 or both>=60", "champion of generation 3600 of my longest run"]
FEW = {
    "plot_curve with a moving average": Case(lambda ax: plot_curve(LONG, ax=ax, average=20)),
    "plot_games of one": Case(lambda ax: plot_games(games_data(TWO), "both", ax=ax), 1),
    "plot_scores of two players": Case(lambda ax: plot_scores(scores_data(TWO), "each", ax=ax), 1),
    "plot_mean_scores of two players": Case(lambda ax: plot_mean_scores(scores_data(TWO), "means", ax=ax), 1),
    "plot_beside of one": Case(lambda ax: plot_beside(spent(2), ax=ax), 1),
    "plot_ranks with the best": Case(
        lambda ax: plot_ranks(mean_ranks(dict(zip(LONG_NAMES, SAMPLE, strict=False))), ax=ax, first=LONG_NAMES)
    ),
    "plot_ranks of two": Case(lambda ax: plot_ranks(mean_ranks(dict(zip(LONG_NAMES, SAMPLE, strict=False))), ax=ax)),
    "plot_tournament of two": Case(
        lambda ax: plot_tournament(["hold_at:20", "optimal"], np.array([[0.5, 0.4998], [0.5002, 0.5]]), ax=ax), 2
    ),
    "plot_tournament of long names": Case(
        lambda ax: plot_tournament(LONG_NAMES * 2, np.linspace(0.1, 0.9, 16).reshape(4, 4), ax=ax), 2
    ),
    "plot_tournament of two long names": Case(
        lambda ax: plot_tournament(LONG_NAMES, np.array([[0.5, 0.4], [0.6, 0.5]]), ax=ax), 2
    ),
}
"""Pictures of as little as they can show, and of long names."""


def plots():
    """Every function of the package and of the studies whose name begins with `plot_`."""
    for home in (Path(pigevo.__file__).parent, experiments_folder()):
        for path in home.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("plot_"):
                    yield node


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_the_same_figure_is_the_same_file_and_its_text_is_text(tmp_path, kind, monkeypatch):
    """Whatever the clock and the user's own settings say; a PDF has letters of TrueType, which publishers take."""
    files = []
    for number, day in enumerate((1, 86400 * 400)):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(day))
        with mpl.rc_context({"svg.fonttype": "path", "pdf.fonttype": 3, "font.size": 8 + number}):
            figure = figure_of(CASES["plot_curve"].draw(None))
            files.append(save_figure(tmp_path / f"{number}.{kind}", figure).read_bytes())
    assert files[0] == files[1]
    mark = {"png": b"PNG", "pdf": b"/FontFile2", "svg": b"generation</text>"}[kind]
    assert mark in files[0]


def test_every_picture_is_tried_here_and_needs_no_axes():
    functions = list(plots())
    assert sorted(node.name for node in functions) == sorted(CASES)
    for node in functions:
        defaults = dict(zip([a.arg for a in node.args.args[::-1]], node.args.defaults[::-1], strict=False))
        assert ast.unparse(defaults["ax"]) == "None", node.name


def axes_for(case):
    """Axes of a caller's figure: themselves for one panel, an array for several."""
    figure, count = Figure(figsize=(20, 20), layout="constrained"), max(case.panels, 1)
    axes = [figure.add_subplot(3, 3, n + 1, projection="3d" if n in case.solid else None) for n in range(count)]
    return figure, (np.array(axes, dtype=object) if case.panels else axes[0])


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_picture_is_drawn_where_the_caller_says(name):
    case = CASES[name]
    figure, ax = axes_for(case)
    with mpl.rc_context({"font.size": 5, "lines.linewidth": 9}):
        panels = case.draw(ax)
    assert panels == (tuple(ax) if case.panels else ax)
    for panel in np.ravel(panels):
        assert panel.has_data() or panel.texts  # a chain of states is text in frames, and arrows
        assert panel.figure is figure
    assert (figure.legends, figure.get_suptitle()) == ([], "") or name == "plot_panels"


@pytest.mark.parametrize("name", ["plot_costs", "plot_difference", "plot_elites", "plot_map"])
def test_a_colour_bar_and_its_labels_stay_within_the_axes_of_a_figure_without_layout(name):
    """They lie on no neighbour; the letters are as large as those of the caller's axes."""
    figure = Figure(figsize=(10, 4))
    ax, _ = figure.subplots(1, 2)
    right = ax.bbox.x1
    CASES[name].draw(ax)
    FigureCanvasAgg(figure).draw()
    bar = figure.axes[2]
    assert ax.bbox.x1 < bar.get_tightbbox().x0 < bar.get_tightbbox().x1 <= right
    assert bar.yaxis.label.get_fontsize() == ax.yaxis.label.get_fontsize()


QUICK = {"plot_curve", "plot_fronts", "plot_master_tournament", "plot_reproduction", "plot_surfaces", "plot_tournament"}
"""Some with names beside curves, with many panels, with three dimensions, with long names along an axis."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in (*QUICK, *FEW) else pytest.mark.slow) for n in (*sorted(CASES), *FEW)]
)
def test_in_a_figure_of_its_own_a_picture_can_be_read_from_the_last_row(name):
    """No text is too small at the full width of a slide, and no word lies on another, whatever the user's settings are."""
    with mpl.rc_context({"font.size": 5, "xtick.labelsize": 4}):
        figure = figure_of((CASES | FEW)[name].draw(None))
        assert figure.get_size_inches()[0] <= WIDTH
        FigureCanvasAgg(figure).draw()
    words = [text for text in figure.findobj(mpl.text.Text) if text.get_text().strip() and text.get_visible()]
    assert min(text.get_fontsize() for text in words) >= LEAST
    texts = {text: mpl.text.Text.get_window_extent(text).padded(-1) for text in visible_texts(figure)}  # without arrows
    boxes = [(text.get_text(), box) for text, box in texts.items()]
    assert boxes
    assert [(a, b) for (a, first), (b, second) in combinations(boxes, 2) if first.overlaps(second)] == []
    right, top = figure.bbox.x1 + 2, figure.bbox.y1 + 2
    assert [word for word, box in boxes if min(box.x0, box.y0) < -2 or box.x1 > right or box.y1 > top] == []


def visible_texts(figure):
    """The text that is drawn: titles, labels, names, legends, and the numbers of the ticks inside flat axes."""
    visible = [ax for ax in figure.axes if ax.get_visible()]
    legends = [*figure.legends, *(ax.get_legend() for ax in visible if ax.get_legend() is not None)]
    texts = [*figure.texts, *(text for legend in legends for text in legend.get_texts())]
    for ax in visible:
        texts += [ax.title, ax._left_title, *ax.texts]
        if hasattr(ax, "get_zlim"):
            continue
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            texts += [axis.label, *(tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)]
    return [text for text in texts if text.get_text().strip() and text.get_visible()]


@pytest.mark.parametrize(
    ("count", "message"), [(3, r"has 9 panels, but ax has 3: give one"), (9, r"panel 8 has three dimensions")]
)
def test_wrong_panels_are_refused(count, message):
    with pytest.raises(InputError, match=message):
        plot_portrait(PORTRAIT, ax=[Figure().add_subplot() for _ in range(count)])


def test_a_run_plots_a_figure():
    run = pigevo.evolve("debug=fast", "game.target=9", "population.size=4", "generations=2")
    assert isinstance(run.plot(), Figure)


def test_a_legend_stands_inside_axes_that_are_not_alone():
    ax = axes_or_new(None, (3, 2))
    ax.plot([1, 2], label="a")
    add_legend(ax, False, loc="outside lower center", ncols=3, fontsize=7)
    assert [text.get_fontsize() for text in ax.get_legend().get_texts()] == [7]
    assert tuple(figure_of(ax).get_size_inches()) == (3, 2)


@pytest.mark.parametrize(("count", "across"), [(1, 1), (2, 1), (3, 2), (4, 1), (5, 2)])
def test_the_last_panel_fills_its_row(count, across):
    panels = panels_or_new(None, count, grid_of(count, 2, (3, 2), fill=True, sharex=True))
    figure_of(panels).canvas.draw()
    assert len(panels) == count
    assert sum(axes.get_visible() for axes in figure_of(panels).axes) == count
    if across == 2 and count > 1:
        assert panels[count - 2].xaxis.get_tick_params()["labelbottom"]
    columns = panels[-1].get_subplotspec().colspan
    assert len(columns) == across
    wide, first = panels[-1].get_position().width, panels[0].get_position().width
    assert wide > 1.8 * first if across == 2 else wide == pytest.approx(first, rel=0.1)


def test_no_word_of_a_caption_stands_alone_in_its_last_line():
    figure = Figure(figsize=(WIDTH, 4))
    for words in range(1, 60):
        add_caption(figure.add_subplot(), "scores " * words)
        lengths = [len(line) for line in figure.get_supxlabel().splitlines()]
        assert max(lengths) - min(lengths) <= len("scores ") * len(lengths)


def test_thousands_have_commas_along_linear_axes():
    axes = axes_or_new(None, (5, 4))
    axes.plot([0, 4000], [0, 0.5])
    figure_of(axes).draw_without_rendering()
    labels = [label.get_text() for label in axes.get_xticklabels() + axes.get_yticklabels()]
    assert {"1,000", "2,000", "0.2"} <= set(labels)
    assert not {"1000", "2000"} & set(labels)


EYES = {
    "all cones": np.eye(3),
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}  # fmt: skip
"""On linear RGB, of full severity: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, IEEE TVCG 15 (2009), 1291-1298."""

APART = 8.0
"""The least difference of two colours in lightness L*, of 100."""


def lightness(colors, eye):
    """CIE L* of colours, shape (n, 3), as an eye sees them: what a grey print keeps."""
    srgb = np.asarray(colors, dtype=float)
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    y = np.clip(linear @ np.transpose(EYES[eye]), 0, 1) @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


@pytest.mark.parametrize("eye", EYES)
def test_colours_of_lines_differ_in_grey_and_for_the_colour_blind(eye):
    levels = lightness([mpl.colors.to_rgb(color) for color in COLORS], eye)
    apart = {(a, b): abs(levels[a] - levels[b]) for a, b in combinations(range(len(COLORS)), 2)}
    assert min(apart.values()) >= APART


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", [AMOUNTS, ODDS])
def test_maps_of_amounts_grow_lighter_for_everyone(name, eye):
    levels = lightness(colormaps[name](np.linspace(0, 1, 64))[:, :3], eye)
    assert (np.diff(levels) > 0).all()


def contrast_on_white(color):
    srgb = np.array(mpl.colors.to_rgb(color))
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_every_line_has_a_contrast_of_3_to_1_on_white():
    lines = [*(line(n) for n in range(20)), *(line(n, 7) for n in range(7)), line(0, 1), DIVIDER]
    assert min(contrast_on_white(style["color"]) for style in lines) >= 3


def test_ordered_lines_go_from_dark_to_light():
    shades = [line(n, 6)["color"][:3] for n in range(6)]
    assert (np.diff(lightness(shades, "all cones")) > 3).all()


def test_twenty_lines_are_all_different():
    assert len({tuple(line(n).values()) for n in range(20)}) == 20
    assert len({line(n)["linestyle"] for n in range(4)}) == 4


def test_the_style_is_the_house_s_and_the_user_s_stays():
    @styled
    def size():
        return mpl.rcParams["font.size"]

    with mpl.rc_context({"font.size": 3}):
        assert size() == STYLE["font.size"]
        assert mpl.rcParams["font.size"] == 3


DARK = {
    **mpl.style.library["dark_background"], "axes.grid": True, "axes.formatter.use_mathtext": True,
    "savefig.bbox": "tight", "savefig.transparent": True, "path.sketch": (1, 100, 2), "_internal.classic_mode": True,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize("name", ["plot_curve", "plot_slice", "plot_boxes", "plot_surfaces"])
def test_a_picture_is_the_same_whatever_the_user_s_style(tmp_path, name, kind):
    """On a dark background the lines in black, such as the optimum's, would not be seen."""
    files = []
    for style in ({}, DARK):
        with mpl.rc_context(style):
            before = dict(mpl.rcParams)
            figure = figure_of(CASES[name].draw(None))
            files.append(save_figure(tmp_path / f"{len(files)}.{kind}", figure, 40).read_bytes())
            assert dict(mpl.rcParams) == before
    assert files[0] == files[1]


@pytest.mark.parametrize("ways", ["notebook", "savefig", "a film"])
def test_a_figure_keeps_its_background_and_letters_however_it_is_displayed(tmp_path, ways):
    """A film draws hold values anew for each frame."""
    champions, seen = {0: pigevo.hold_at(pigevo.Pig(1), 1), 1: pigevo.hold_at(pigevo.Pig(1), 2)}, []
    for style in ({}, mpl.style.library["dark_background"]):
        with mpl.rc_context(style):
            film = list(film_figures(*film_data(champions)))[-1] if ways == "a film" else None
            figure = film or figure_of(CASES["plot_curve"].draw(None))
            if ways == "savefig":
                figure.savefig(tmp_path / "own.png", dpi=40)
            picture = (tmp_path / "own.png").read_bytes() if ways == "savefig" else figure._repr_png_()
            seen.append(np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")))
    assert seen[0][0, 0].tolist() == [255, 255, 255]
    assert np.array_equal(*seen)


def test_in_the_caller_s_axes_letters_have_the_caller_s_colour():
    with mpl.rc_context(mpl.style.library["dark_background"]):
        axes, shares, early = Figure().subplots(1, 3)
        plot_curve(curve_data(rows(), 0.25), axes)
        plot_shares(THREE, SHARES, shares)
        early.set_xlim(0, 1)
        label_ends(early, {"early": early.plot([0, 0.1], [0, 1])[0]})
    assert {text.get_color() for text in axes.get_legend().get_texts()} == {"white"}
    boxed = [text for text in (*shares.texts, *early.texts) if text.get_bbox_patch()]
    assert [text.get_color() for text in boxed] == ["k"] * 2  # in white boxes


def test_a_page_to_print_is_as_large_as_its_paper(tmp_path):
    page = new_page()
    page.text(100, 100, "a word")
    with mpl.rc_context({"savefig.bbox": "tight"}):
        content = save_figure(tmp_path / "page.pdf", figure_of(page)).read_bytes()
    (size,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    assert [float(points) / 72 * 25.4 for points in size] == pytest.approx([210, 297])


DOLLARS = r"$5_{ or $6\frac"
PRICED = pigevo.Strategy(GAME, A.roll, DOLLARS)


@pytest.mark.parametrize(
    ("panels", "draw"),
    [
        (2, lambda ax: plot_decisions([decisions_data(PRICED)] * 2, ax)),
        (1, lambda ax: plot_costs(portrait_data([PRICED, B]), ax[0])),
        (2, lambda ax: plot_tournament([DOLLARS, "b"], np.full((2, 2), 0.5), ax)),
        (1, lambda ax: plot_ranks(mean_ranks({DOLLARS: SAMPLE[0], "b": SAMPLE[1]}), ax[0])),
        (1, lambda ax: plot_panels([Panel(DOLLARS, bands(2), {})], "x", "y", True, ax)),
        (2, lambda ax: plot_outcomes({DOLLARS: OUTCOMES["setting 0"]}, "x", "y", "z", ax=ax)),
        (1, lambda ax: plot_games([replace(CLASS_GAMES[0], name=DOLLARS)], ax=ax)),
    ],
)
def test_dollars_in_names_are_dollars_in_axes_that_have_been_drawn_before(panels, draw):
    """Their titles and ticks exist already, and read formulas."""
    figure = Figure(figsize=(9, 5))
    ax = np.ravel(figure.subplots(1, panels))
    figure.draw_without_rendering()
    draw(ax)
    figure.draw_without_rendering()
    assert any(text.get_text().endswith(DOLLARS) and not text.get_parse_math() for text in figure.findobj(Text))


def test_pictures_with_logarithmic_axes_are_drawn_whatever_numpy_s_error_state():
    with np.errstate(all="raise"):
        figure_of(CASES["plot_anytime"].draw(None)).draw_without_rendering()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: curve_data([]), lambda: boxes_data([], np.zeros((0, 3))), lambda: plot_decisions([]),
        lambda: plot_surfaces([]), lambda: plot_surfaces([TITLE], views=[]), lambda: plot_games([]),
        lambda: plot_scores({}), lambda: plot_mean_scores({}), lambda: plot_panels([], "x", "y", True),
        lambda: plot_outcomes({}, "x", "y", "z"), lambda: plot_tournament([], np.zeros((0, 0))),
        lambda: plot_shares([], Course(X, np.zeros((12, 0)))),
        lambda: landscape_data(GAME, MapElites(), np.full((20, 21), np.nan)),
    ],
)  # fmt: skip
def test_nothing_to_draw_is_one_sentence(draw):
    with pytest.raises(InputError, match="there is nothing to draw"):
        draw()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.01, 0.1))
def test_names_stand_apart_in_the_order_of_their_curves(heights, size):
    moved = spread(np.array(heights), np.full(len(heights), size))
    assert (np.diff(moved[np.argsort(heights, kind="stable")]) >= size - 1e-9).all()
    assert size / 2 - 1e-9 <= moved.min() <= moved.max() <= 1 - size / 2 + 1e-9


@pytest.mark.parametrize(
    ("heights", "sizes", "moved"),
    [
        ([0.2, 0.5, 0.8], [0.1, 0.1, 0.1], [0.2, 0.5, 0.8]),
        ([0.5, 0.5], [0.1, 0.1], [0.45, 0.55]),
        ([0.5, 0.5], [0.1, 0.3], [0.4, 0.6]),
        ([], [], []),
    ],
)
def test_names_move_no_more_than_they_must(heights, sizes, moved):
    assert spread(np.array(heights), np.array(sizes)) == pytest.approx(moved)


def test_a_name_stands_at_the_margin_or_where_its_curve_ends():
    ax = Figure().add_subplot()
    lines = {
        "whole": ax.plot([0, 10], [0, 1])[0], "early": ax.plot([0, 4], [0, 0.5])[0],
        "gone": ax.plot([0, 10], [5, 5])[0], "gap": ax.plot([0, 9, 10], [0, 0.2, np.nan])[0],
    }  # fmt: skip
    ax.set(xlim=(0, 10), ylim=(0, 1))
    label_ends(ax, lines)
    placed = {text.get_text(): text for text in ax.texts}
    assert set(placed) == {"whole", "early", "gap"}
    assert placed["whole"].xy == pytest.approx((10, 1))
    assert placed["gap"].xy == pytest.approx((9, 0.2))
    assert placed["early"].arrow_patch is None
    assert placed["whole"].arrow_patch is not None


def test_no_leader_crosses_another_name_where_curves_end_together():
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    lines = {f"goal {n}": ax.plot([0, 1], [n / 10, 0.98 - n / 40])[0] for n in range(3)}
    ax.set(xlim=(0, 1.04), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    for text, other in permutations(ax.texts, 2):
        leader, word = text.arrow_patch.get_window_extent(), Text.get_window_extent(other)
        assert leader.x1 <= word.x0 or not leader.overlaps(word)


def test_many_names_of_curves_that_end_together_have_pieces_of_their_lines_in_the_order_of_the_ends():
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    looks = [line(n) for n in range(7)]
    lines = {f"goal {n}": ax.plot([0, 1], [0, 0.5 + n / 100], **look)[0] for n, look in enumerate(looks)}
    ax.set(xlim=(0, 1), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    names, pieces = ax.texts, [one for one in ax.lines if one not in lines.values()]
    assert not any(name.arrow_patch for name in names)
    assert [(one.get_color(), one.get_linestyle()) for one in pieces] == [tuple(look.values()) for look in looks]
    boxes = [Text.get_window_extent(name) for name in names]
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))
    for name, piece in zip(boxes, pieces, strict=True):
        drawn = piece.get_window_extent()
        assert ax.bbox.x1 < drawn.x0 < drawn.x1 < name.x0
        assert name.y0 < drawn.y0 <= drawn.y1 < name.y1


def test_the_ring_of_an_optimum_outside_a_map_of_elites_is_at_its_edge():
    ranges = ((0.0, 3.0), (-0.1, 0.1))
    data = landscape_data(GAME, MapElites(ranges=ranges), np.full((20, 21), 0.3))
    assert data.optimum[0] > 3
    axes = plot_elites(data)
    (ring,) = (line for line in axes.get_lines() if line.get_label() == "the optimum")
    for at, low, high in zip(ring.get_xydata()[0], *zip(*ranges, strict=True), strict=True):
        assert low <= at <= high


@pytest.mark.parametrize("name", ["plot_distinct_states", "plot_anytime"])
def test_names_are_those_of_their_curves_on_axes_that_have_lines(name):
    def named(axes):
        axes.figure.draw_without_rendering()
        return {text.get_text(): tuple(np.round(text.xy, 6)) for text in axes.texts if hasattr(text, "xy")}

    alone, shared = (Figure().add_subplot() for _ in range(2))
    shared.plot([1, 10], [0.5, 0.5], label="the caller's")
    for axes in (alone, shared):
        CASES[name].draw(axes)
    ends = named(alone)
    assert len(ends) > 1
    assert {text: named(shared)[text] for text in ends} == ends


def test_every_curve_has_its_name_also_where_names_are_long_and_alike_or_begin_with_an_underscore():
    long = [f"class/{'of a school ' * 2}{n}{' with a long name' * 2}" for n in range(2)]
    legend = plot_simplex(THREE, dict.fromkeys(long, SHARES)).get_legend()
    assert len(legend.get_texts()) == 2
    ends = plot_distinct_states(dict(zip(long, DISTINCT.values(), strict=True)))
    assert {name for name in long if any(text.get_text().replace("\n", " ") == name for text in ends.texts)} == {*long}
    bounds = {"_ann": band(np.array([[0.1, 0.2], [0.2, 0.3]])), "": band(np.array([[0.2, 0.2], [0.2, 0.3]]))}
    (alone,) = plot_panels([Panel("", bounds, {})], "x", "y", False)
    assert [text.get_text() for text in alone.texts] == ["_ann"]
    several = figure_of(plot_panels([Panel("", bounds, {}), Panel("", {"": bounds[""]}, {})], "x", "y", False))
    assert [text.get_text() for text in several.legends[0].get_texts()] == ["_ann"]
    unnamed = figure_of(plot_panels([Panel(title, {"": bounds[""]}, {}) for title in "ab"], "x", "y", False))
    unnamed.draw_without_rendering()


def test_names_of_curves_that_end_early_close_together_stand_apart():
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    lines = {f"goal {n}": ax.plot([0, 0.3], [0, 0.5 + n / 500])[0] for n in range(5)}
    ax.set(xlim=(0, 1), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    boxes = [Text.get_window_extent(name) for name in ax.texts]
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))
    assert boxes[2].y0 < ax.transData.transform((0.3, 0.504))[1] < boxes[2].y1


@pytest.mark.parametrize(("low", "alike"), [(0.0, True), (0.1, False)])
def test_two_curves_that_end_at_one_point_have_no_leaders_from_it(low, alike):
    ax = Figure(figsize=(5, 4.2), layout="constrained").add_subplot()
    lines = {f"goal {n}": ax.plot([0, 1], [n / 10, end])[0] for n, end in enumerate((0.0, low, 1.0))}
    ax.set(xlim=(0, 1.04), ylim=(0, 1))
    label_ends(ax, lines)
    assert [name.arrow_patch is None for name in ax.texts] == [alike] * 3


def test_a_tint_in_a_file_has_the_colour_of_its_line(tmp_path):
    ax = plot_bands({f"setting {n}": band(np.random.default_rng(n).normal(n, 0.2, (9, 40))) for n in range(5)})
    colors = [area.get_facecolor()[0] for area in ax.collections]
    image = np.asarray(Image.open(save_figure(tmp_path / "bands.png", figure_of(ax))).convert("RGB")).reshape(-1, 3)
    seen, counts = np.unique(image, axis=0, return_counts=True)
    tints = [255 * (1 - color[3] * (1 - color[:3])) for color in colors]
    areas = seen[counts > 2000].astype(float)
    assert all(np.abs(areas - tint).max(axis=1).min() <= 1.5 for tint in tints)


def test_names_stay_within_the_height_of_the_axes():
    ax = Figure(figsize=(5, 4), layout="constrained").add_subplot()
    ends = {"one\nabove": (10, 0), "high": (4, 1), "low": (4, 0)}
    lines = {name: ax.plot([0, x], [0.5, y])[0] for name, (x, y) in ends.items()}
    ax.set(xlim=(0, 10), ylim=(0, 1))
    label_ends(ax, lines)
    ax.get_figure().draw_without_rendering()
    for text in ax.texts:
        box = Text.get_window_extent(text)
        assert ax.bbox.y0 <= box.y0 < box.y1 <= ax.bbox.y1, text.get_text()
