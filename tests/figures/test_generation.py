"""The pictures of one generation and of cuboids show what the operators and the grid really do."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

import pigevo
from pigevo.errors import InputError
from pigevo.figures.axes import COLORS
from pigevo.figures.cuboids import cuboids_data, plot_cuboids
from pigevo.figures.operators import operators_data, plot_operators

PIG = pigevo.Pig(target=30)
GRID = pigevo.CubeGrid(PIG, 10)


@pytest.mark.parametrize("seed", range(5))
def test_a_generation_keeps_what_the_parents_share_and_flips_what_it_says(seed):
    data = operators_data(GRID, 0.2, seed)
    a, b, c, d = (GRID.strategy(one) for one in data.genomes)
    exact = [pigevo.win_probability(*pair).overall for pair in ((a, b), (b, a), (c, d), (d, c))]
    assert data.wins.tolist() == pytest.approx(exact)
    assert data.survives.tolist() == [exact[0] >= 0.5, exact[1] > 0.5, exact[2] >= 0.5, exact[3] > 0.5]
    first, second = data.genomes[data.survives]
    assert (data.agree == (first == second)).all()
    assert (data.child[data.agree] == first[data.agree]).all()


def test_a_generation_is_random_where_it_should_be():
    generations = [operators_data(GRID, 0.2, seed) for seed in range(40)]
    coins = np.concatenate([one.child[~one.agree] for one in generations])
    assert 0.4 < coins.mean() < 0.6
    assert 0.14 < np.mean([one.child != one.mutated for one in generations]) < 0.26
    assert (operators_data(GRID, 0, 3).mutated == operators_data(GRID, 0, 3).child).all()


def test_the_picture_marks_coins_and_flips():
    data = operators_data(GRID, 0.3, 4)
    for panel, row, color, marked in ((1, 2, COLORS[1], ~data.agree), (2, 1, COLORS[2], data.child != data.mutated)):
        axes = plot_operators(data)[panel]
        cells = [one for one in axes.patches if isinstance(one, Rectangle)]
        colored = {(one.get_x(), one.get_y()) for one in cells if one.get_facecolor()[:3] == to_rgb(color)}
        assert colored == {(gene, row) for gene in np.flatnonzero(marked)}
        assert marked.any()
    digits = [text.get_text() for text in plot_operators(data)[2].texts if text.get_text() in ("0", "1")]
    assert digits == [str(gene) for gene in (*data.child, *data.mutated)]


def test_genes_that_nobody_can_read_are_refused():
    with pytest.raises(InputError, match="a picture shows at most 40 genes, but this grid has 75: use larger cubes"):
        operators_data(pigevo.CubeGrid(pigevo.Pig(), 20), 0.1)


@pytest.mark.parametrize("size", [10, 7, (15, 10, 4)])
def test_cuboids_are_those_of_the_genome(size):
    grid = pigevo.CubeGrid(PIG, size)
    genome = np.random.default_rng(2).integers(0, 2, grid.genes, dtype=np.uint8)
    strategy, data = grid.strategy(genome), cuboids_data(grid.strategy(genome), size)
    assert (data.genes, data.size) == (grid.genes, grid.label)
    assert [edges[-1] for edges in data.edges] == [30, 30, 30]
    seen = 0
    for (i, j, k), rolls in np.ndenumerate(data.rolls):
        cell = [data.edges[0][i], data.edges[1][j], max(1, data.edges[2][k])]
        if cell[0] + cell[2] < 30:
            assert strategy.roll[tuple(cell)] == rolls
            seen += 1
        else:
            assert not rolls
    assert seen == grid.genes


def test_each_side_that_is_seen_is_drawn_once_and_one_gene_in_orange():
    data = cuboids_data(pigevo.roll_to_win(PIG), 10)
    (axes,) = plot_cuboids([data])
    (faces,) = axes.collections
    assert data.rolls.sum() == data.genes == 18
    assert len(faces.get_facecolor()) == 3 * 3 + 6 + 3 * 3  # towards own score 30, towards opponent's score 0, on top
    orange = [color for color in faces.get_facecolor() if color[0] > color[2]]
    assert len(orange) == 1  # the first cuboid: only its front is seen
    assert axes.get_title() == "cubes of 10: 18 genes"


def test_cuboids_of_other_games_are_refused():
    from pigevo.games.ten_rounds import TenRounds

    with pytest.raises(InputError, match="cuboids are drawn for games with three dimensions"):
        cuboids_data(pigevo.hold_at(TenRounds(turns=2), 5), 10)
