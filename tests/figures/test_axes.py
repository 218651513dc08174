"""Every picture of one pair of axes is drawn where the caller wants it."""

import ast
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import pigevo
from pigevo.figures import axes as module
from pigevo.figures.axes import add_legend, axes_or_new, figure_of
from pigevo.figures.bands import band
from pigevo.figures.curve import curve_data, plot_curve
from pigevo.figures.reproduction import Reproduction, plot_reproduction
from pigevo.figures.spent import Spent, plot_spent
from tests.figures.test_curve import WAVES

HOME = Path(module.__file__).parent
PLOTS = [node for path in sorted(HOME.glob("*.py")) for node in ast.parse(path.read_text()).body
         if isinstance(node, ast.FunctionDef) and node.name.startswith("plot_")]  # fmt: skip


@pytest.mark.parametrize("node", PLOTS, ids=lambda node: node.name)
def test_a_picture_is_of_figures_or_takes_axes_and_returns_them(node):
    if ast.unparse(node.returns) in ("Figure", "Iterator[Figure]"):
        return
    assert "ax" in [argument.arg for argument in node.args.args]
    assert ast.unparse(node.returns) in ("Axes", "Any")


DRAWN = [
    lambda ax: plot_curve(curve_data(WAVES, 0.4), ax),
    lambda ax: plot_reproduction(Reproduction("one", {"a": band(np.ones((3, 4)))}), "Paper", ax),
    lambda ax: plot_spent({"a": Spent("games", np.array([1.0, 2.0]), np.array([[0.1, 0.2]]))}, ax),
]


@pytest.mark.parametrize("draw", DRAWN)
def test_it_is_drawn_where_the_caller_says_and_else_in_a_figure_of_its_own(draw):
    figure = Figure()
    ax = figure.add_subplot(1, 2, 1)
    assert draw(ax) is ax
    assert ax.lines
    assert ax.get_legend() is not None
    assert (figure.axes, figure.legends) == ([ax], [])
    alone = draw(None)
    assert figure_of(alone) is not figure
    assert len(figure_of(alone).legends) == 1
    figure.canvas.draw()


def test_a_run_plots_a_figure():
    run = pigevo.evolve("debug=fast", "game.target=9", "population.size=4", "generations=2")
    assert isinstance(run.plot(), Figure)


def test_a_legend_stands_inside_axes_that_are_not_alone():
    ax = axes_or_new(None, (3, 2))
    ax.plot([1, 2], label="a")
    add_legend(ax, False, loc="outside lower center", ncols=3, fontsize=7)
    assert ax.get_legend().get_texts()[0].get_fontsize() == 7
    assert tuple(figure_of(ax).get_size_inches()) == (3, 2)
