"""Every picture is drawn where the caller wants it, and can be read."""

import ast
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import pigevo
from pigevo.errors import InputError
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    add_caption,
    add_legend,
    axes_or_new,
    figure_of,
    grid_of,
    panels_or_new,
    save_figure,
)
from pigevo.figures.portrait import plot_portrait
from tests.figures.pictures import CASES, FEW, PORTRAIT, plots


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
def test_it_is_drawn_where_the_caller_says(name):
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
def test_in_a_figure_of_its_own_it_can_be_read_from_the_last_row(name):
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
