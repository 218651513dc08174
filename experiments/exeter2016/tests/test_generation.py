"""The pictures of generations, cubes, densities and reproductions show what the operators and the grid really do."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from scipy import stats

import pigevo
from pigevo.errors import InputError
from pigevo.experiments.exeter2016.cubes import cubes_data, plot_cubes
from pigevo.experiments.exeter2016.drawing import Reproduction, density_data, plot_density, plot_reproduction
from pigevo.experiments.exeter2016.operators import operators_data, plot_operators
from pigevo.figures.axes import COLORS, figure_of
from pigevo.figures.bands import band
from pigevo.games.pig_variants import TenRounds

PIG = pigevo.Pig(target=30)
GRID = pigevo.CubeGrid(PIG, 10)


@pytest.mark.parametrize("seed", range(5))
def test_a_generation_keeps_what_the_parents_share_and_flips_what_it_says(seed):
    data = operators_data(GRID, 0.2, seed)
    a, b, c, d = (GRID.strategy(genome) for genome in data.genomes)
    exact = [pigevo.win_probability(*pair).overall for pair in ((a, b), (b, a), (c, d), (d, c))]
    assert data.wins.tolist() == pytest.approx(exact)
    assert data.survives.tolist() == [exact[0] >= 0.5, exact[1] > 0.5, exact[2] >= 0.5, exact[3] > 0.5]
    first, second = data.genomes[data.survives]
    assert (data.agree == (first == second)).all()
    assert (data.child[data.agree] == first[data.agree]).all()


def test_a_generation_is_random_where_it_should_be():
    generations = [operators_data(GRID, 0.2, seed) for seed in range(40)]
    coins = np.concatenate([data.child[~data.agree] for data in generations])
    assert 0.4 < coins.mean() < 0.6
    assert 0.14 < np.mean([data.child != data.mutated for data in generations]) < 0.26
    assert (operators_data(GRID, 0, 3).mutated == operators_data(GRID, 0, 3).child).all()


def test_the_picture_marks_coins_and_flips():
    data = operators_data(GRID, 0.3, 4)
    for panel, row, color, marked in ((1, 2, COLORS[1], ~data.agree), (2, 1, COLORS[2], data.child != data.mutated)):
        axes = plot_operators(data)[panel]
        cells = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        colored = {(cell.get_x(), cell.get_y()) for cell in cells if cell.get_facecolor()[:3] == to_rgb(color)}
        assert colored == {(gene, row) for gene in np.flatnonzero(marked)}
        assert marked.any()
    digits = [text.get_text() for text in plot_operators(data)[2].texts if text.get_text() in ("0", "1")]
    assert digits == [str(gene) for gene in (*data.child, *data.mutated)]


def test_pictures_that_nobody_can_read_are_refused():
    with pytest.raises(InputError, match="a picture shows at most 40 genes, but this grid has 75: use larger cubes"):
        operators_data(pigevo.CubeGrid(pigevo.Pig(), 20), 0.1)
    with pytest.raises(InputError, match="cubes are drawn for games with three dimensions"):
        cubes_data(pigevo.hold_at(TenRounds(turns=2), 5), 10)


@pytest.mark.parametrize("size", [10, 7, (15, 10, 4)])
def test_cubes_are_those_of_the_genome(size):
    grid = pigevo.CubeGrid(PIG, size)
    genome = np.random.default_rng(2).integers(0, 2, grid.genes, dtype=np.uint8)
    strategy, data = grid.strategy(genome), cubes_data(grid.strategy(genome), size)
    assert (data.genes, data.size) == (grid.genes, grid.label)
    assert [edges[-1] for edges in data.edges] == [30, 30, 30]
    i, j, k = np.meshgrid(*(edges[:-1] for edges in data.edges), indexing="ij")
    decided = i + np.maximum(k, 1) < 30
    assert decided.sum() == grid.genes
    assert np.array_equal(data.rolls, decided & strategy.roll[i, j, np.maximum(k, 1)])


def test_each_side_that_is_seen_is_drawn_once_and_one_gene_in_orange():
    data = cubes_data(pigevo.roll_to_win(PIG), 10)
    (axes,) = plot_cubes([data])
    (faces,) = axes.collections
    assert data.rolls.sum() == data.genes == 18
    assert len(faces.get_facecolor()) == 3 * 3 + 6 + 3 * 3  # towards own score 30, towards opponent's score 0, on top
    orange = [color for color in faces.get_facecolor() if color[0] > color[2]]
    assert len(orange) == 1  # the first cube: only its front is seen
    assert axes.get_title() == "cubes of 10: 18 genes"


SAMPLE = np.random.default_rng(0).normal(0.1, 0.01, (3, 200))


def test_the_density_and_its_normal_law_have_an_area_of_1_and_the_tail_5_percent():
    data = density_data(SAMPLE, {"mark": 0.15})
    for curve in (data.density, data.normal):
        assert np.trapezoid(curve, data.x) == pytest.approx(1, abs=0.002)
    assert stats.norm(data.mean, data.deviation).sf(data.tail) == pytest.approx(0.05)
    assert data.normality > 0.01
    assert [text.get_text() for text in plot_density(data).texts] == ["mark: 0.1500"]


def test_a_reproduction_shows_bands_and_published_points():
    bands = {"a": band(SAMPLE), "b": band(SAMPLE + 0.1)}
    data = Reproduction("t", bands, {"b": [(10, 0.2), (20, 0.3)]}, (0.1, 0.12, 0.14), "cells", [100])
    axes = plot_reproduction(data, "Paper")
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"cells\n(means, 95 %)", "a", "b", "the optimum"}
    assert [text.get_text() for text in figure_of(axes).legends[0].get_texts()] == ["Paper"]
    assert axes.get_title() == "t (3 seeds: median and 90 %)"


def test_curves_of_different_numbers_of_seeds_say_theirs():
    bands = {"a": band(SAMPLE), "b": band(SAMPLE[:1]), "short": band(SAMPLE[:2, :50])}
    axes = plot_reproduction(Reproduction("t", bands), "Paper")
    assert {text.get_text() for text in axes.texts} == {"a\n(3 seeds)", "b\n(1 seed)", "short (2 seeds)", "the optimum"}
    assert axes.get_title() == "t (median and 90 %)"
