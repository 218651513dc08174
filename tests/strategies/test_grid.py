"""The cube grid against brute force over cells, for any target and any sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet
from pigevo.strategies import CubeGrid, hold_at, random_strategy

sizes = st.tuples(*[st.integers(1, 14)] * 3)
games = st.builds(lambda t, p: Piglet(target=t, allow_pass=p), st.integers(1, 12), st.booleans())
seeds = st.integers(0, 10**6)
fast = settings(max_examples=60, deadline=None)


def decision_cells(game):
    t = game.target
    return [(i, k, j) for i in range(t) for k in range(t) for j in range(t) if i + k < t and (k > 0 or game.allow_pass)]


def cubes(game, edges):
    """Decisions of each cube that has one, in the order of the genes: by i-, k- and j-slice."""
    a, b, c = edges
    cells_of = {}
    for i, k, j in decision_cells(game):
        cells_of.setdefault((i // a, k // c, j // b), []).append((i, k, j))
    return [cells_of[key] for key in sorted(cells_of)]


def genomes_of(grid, seed, n=3):
    return Draw(seed, "population").bits(n, grid.genes)


@given(games, sizes, seeds)
@fast
def test_every_decision_has_the_gene_of_its_cube_and_all_other_cells_are_fixed(game, size, seed):
    grid = CubeGrid(game, size)
    assert grid.genes == len(cubes(game, size))
    genomes = genomes_of(grid, seed)
    expected = np.zeros((3, *game.shape), dtype=np.uint8)
    own, total, _ = np.indices(game.shape)
    expected[:, own + total < game.target] = 1  # the forced first roll; all others are decisions
    for gene, cells in enumerate(cubes(game, size)):
        for cell in cells:
            expected[:, *cell] = genomes[:, gene]
    tables = grid.to_tables(genomes)
    assert np.array_equal(tables, expected)
    assert tables.dtype == np.uint8
    assert tables.flags.c_contiguous
    assert np.array_equal(grid.from_tables(tables), genomes)
    strategy = grid.strategy(genomes[1], "second")
    assert strategy.name == "second"
    assert np.array_equal(strategy.table, tables[1])


@given(games, sizes, seeds)
@fast
def test_a_strategy_becomes_the_majority_of_each_cube_and_a_tie_rolls(game, size, seed):
    strategy = random_strategy(game, seed=seed)
    genome = CubeGrid(game, size).from_strategies([strategy])[0]
    for gene, members in enumerate(cubes(game, size)):
        rolls = sum(bool(strategy.roll[i, j, k]) for i, k, j in members)
        assert genome[gene] == (rolls >= len(members) - rolls)


@given(games, sizes, sizes, seeds)
@fast
def test_refining_to_sizes_that_divide_changes_no_decision(game, fine, factors, seed):
    finer = CubeGrid(game, fine)
    coarse = CubeGrid(game, tuple(a * b for a, b in zip(fine, factors, strict=True)))
    genomes = genomes_of(coarse, seed)
    refined = coarse.refine(genomes, finer)
    assert refined.shape == (3, finer.genes)
    assert np.array_equal(finer.to_tables(refined), coarse.to_tables(genomes))


@given(games, sizes, sizes, seeds)
@fast
def test_refining_to_any_sizes_takes_the_gene_of_the_lowest_decision(game, before, after, seed):
    coarse, finer = CubeGrid(game, before), CubeGrid(game, after)
    genomes = genomes_of(coarse, seed)
    refined = coarse.refine(genomes, finer)
    rows = coarse.to_tables(genomes)
    for gene, members in enumerate(cubes(game, after)):
        i, k, j = (min(axis) for axis in zip(*members, strict=True))
        assert (i, k, j) in members
        assert (refined[:, gene] == rows[:, i, k, j]).all()


def test_a_game_without_decisions_has_no_genes():
    grid = CubeGrid(Pig(target=1), 4)
    assert grid.genes == 0
    assert grid.to_tables(np.empty((2, 0), dtype=np.uint8)).tolist() == [[[[1]]], [[[1]]]]
    assert grid.refine(np.empty((2, 0), dtype=np.uint8), CubeGrid(Pig(target=1), 1)).shape == (2, 0)


def test_hold_at_20_lies_on_the_grid_of_20_but_for_the_shared_first_slice():
    game = Pig()
    grid = CubeGrid(game, 20)
    assert grid.genes == 75  # 15 pairs of slices with i + k < 100, times 5
    assert grid.strategy(grid.from_strategies([hold_at(game, 20)])[0]) == hold_at(game, 20)
    assert CubeGrid(game, 1).genes == 4950 * 100


@pytest.mark.parametrize(
    ("size", "label"), [(20, "20"), ((20, 20, 20), "20"), ((20, 10, 5), "20x10x5"), ([7, 7, 8], "7x7x8")]
)
def test_the_label_tells_the_size(size, label):
    assert CubeGrid(Pig(), size).label == label


@pytest.mark.parametrize("size", [0, -1, (1, 2), (1, 2, 3, 4), (1, 2, 0), (1, 2.5, 3), (True, 1, 1)])
def test_wrong_sizes_are_refused(size):
    with pytest.raises(InputError, match="a cube"):
        CubeGrid(Pig(), size)


@pytest.mark.parametrize("shape", [(1, 7), (7,), (2, 3, 4)])
def test_genomes_of_another_length_are_refused(shape):
    with pytest.raises(InputError, match="has 75 genes"):
        CubeGrid(Pig(target=50), 10).to_tables(np.zeros(shape, dtype=np.uint8))
