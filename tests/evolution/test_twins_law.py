"""Laws of the evolution strategy that needs no oracle: mirrored twins, intermediate recombination, siblings' matches."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.crossover import Intermediate
from pigevo.evolution.fitness.games import Siblings, neighbours
from pigevo.evolution.hold_boundary import genomes_of, holds_of, most_of
from pigevo.evolution.mutation.boundary import mirrored
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of, tables_of

GAME = Pig(target=60)
GRID = CubeGrid(GAME, (10, 10, 1))
CUBES = CubeGrid(GAME, (10, 10, 4))


def drawn(n, low, high, grid=GRID, seed=1):
    """Boundaries anywhere between two slices, none beyond what can be rolled for."""
    places = len(most_of(grid))
    found = low + (Draw(seed, "population").uniforms(n * places * grid.row_genes) * (high - low + 1)).astype(np.int64)
    return np.minimum(found.reshape(n, places, grid.row_genes), most_of(grid)[:, None])


@pytest.mark.parametrize("grid", [GRID, CUBES], ids=["points", "cubes"])
def test_a_boundary_is_where_the_strategy_first_holds(grid):
    holds = drawn(3, 2, 9, grid)
    genomes = genomes_of(grid, holds)
    assert np.array_equal(holds_of(grid, genomes), holds)
    for genome, own in zip(genomes, holds, strict=True):
        roll = grid.strategy(genome).roll
        for i, j in [(0, 0), (13, 38), (29, 7), (31, 51)]:
            first = next(k for k in range(1, 60) if not roll[i, j, k])
            assert -(-first // grid.edges[2]) == min(own[i // 10, j // 10], -(-(60 - i) // grid.edges[2]))


def test_random_genomes_are_read_by_their_first_hold():
    genome = Draw(5, "population").bits(1, GRID.genes)
    roll, holds = GRID.strategy(genome[0]).roll, holds_of(GRID, genome)[0]
    for i in (0, 10, 40):
        for j in (0, 20, 50):
            assert holds[i // 10, j // 10] == next(k for k in range(1, 60) if not roll[i, j, k])


def test_children_are_the_mean_of_all_parents_rounded_up_or_down():
    holds = drawn(8, 2, 9)
    parents, children = genomes_of(GRID, holds), 4000
    which = np.arange(children) % 8
    found = holds_of(GRID, Intermediate()(parents[which], parents[which[::-1]], context_of(GRID, Draw(2, "crossover"))))
    mean = holds.mean(axis=0)
    assert ((found == np.floor(mean)) | (found == np.ceil(mean))).all()
    off = (found.mean(axis=0) - mean) / np.sqrt(np.maximum((mean % 1) * (1 - mean % 1), 1e-9) / children)
    assert np.abs(off[mean % 1 > 0]).max() < stats.norm.isf(0.001 / mean.size / 2)  # p = 0.001 of all together


@pytest.mark.parametrize(("generation", "deviation"), [(0, 6.0), (50, 3.0), (100, 1.5), (500, 1.5)])
def test_twins_step_opposite_ways_and_as_far_as_the_schedule_says(generation, deviation):
    bases = np.full((400, *drawn(1, 2, 2).shape[1:]), 25)[:, :3]  # far from both ends
    holds = np.concatenate([bases, np.full((400, 3, GRID.row_genes), 5)], axis=1)
    genomes = np.repeat(genomes_of(GRID, holds), 2, axis=0)
    context = context_of(GRID, Draw(1, "mutation", generation))
    found = holds_of(GRID, mirrored(genomes, context, step=6.0, end=1.5, over=100, until=501)).reshape(
        400, 2, *holds.shape[1:]
    )
    steps = found[:, 0, :3] - bases
    assert np.array_equal(found[:, 1, :3] - bases, -steps)
    n, expected = steps.size, deviation**2 + 1 / 12  # of a uniform law, rounded
    assert abs(steps.mean()) < 4 * np.sqrt(expected / n)
    assert abs(steps.var() / expected - 1) < 4 * np.sqrt(1 / n)
    assert np.abs(steps).max() <= np.sqrt(3) * deviation + 0.5


def test_nobody_is_changed_from_the_last_generation_of_the_schedule_on():
    genomes = genomes_of(GRID, drawn(6, 2, 9))
    for generation, same in ((6, False), (7, True), (8, True)):
        found = mirrored(genomes, context_of(GRID, Draw(1, "mutation", generation)), until=7)
        assert np.array_equal(found, genomes) == same


def test_a_twin_that_had_nothing_more_to_roll_for_holds_both_back():
    most = most_of(GRID)
    holds = np.broadcast_to((most - 1)[None, :, None], (500, len(most), GRID.row_genes)).copy()
    genomes = np.repeat(genomes_of(GRID, holds), 2, axis=0)
    found = holds_of(GRID, mirrored(genomes, context_of(GRID, Draw(1, "mutation")), step=8.0))
    assert set(np.unique(found - (most - 1)[None, :, None])) == {-1, 0, 1}
    assert np.array_equal(found[::2] + found[1::2], 2 * holds)


def test_siblings_share_the_games_of_their_match():
    game = Pig(target=16)
    members = [pigevo.hold_at(game, n) for n in (3, 8, 5, 5, 12)]
    found = Siblings(2000)(tables_of(members), context_of(game, Draw(1, "dice"), pairs=np.array([[0, 4]])))
    assert neighbours(5).tolist() == [[0, 1], [2, 3], [4, 0]]
    assert found.scores[2] == found.scores[3] == 0.5  # equal twins win every couple of paired games once each
    third = 2 * found.scores[0] - (1 - found.scores[1])
    assert found.scores[4] + third == pytest.approx(1, abs=1e-12)
    assert (found.games, found.played.tolist()) == (6000, [4000, 2000, 2000, 2000, 2000])
    matrix = pigevo.win_matrix(members)
    assert abs(found.scores[1] - matrix[1, 0]) < 4.5 * 0.5 / 2000**0.5


@pytest.mark.parametrize(("generation", "kept"), [(0, 0.0), (20, 0.4), (50, 0.8)])
def test_what_everyone_has_is_kept_beside_what_parents_have(generation, kept):
    everyone, n = drawn(10, 2, 9), 4000
    crossover = Intermediate(keep=0.8, over=40)
    genomes = genomes_of(GRID, everyone)
    context = context_of(GRID, Draw(2, "crossover", generation))
    assert Intermediate(keep=0).remember(genomes, context) == {}
    told = context_of(GRID, context.draw, state=crossover.remember(genomes, context))
    which = np.arange(n) % 3
    found = holds_of(GRID, crossover(genomes[which], genomes[which], told)).mean(axis=0)
    expected = kept * everyone.mean(axis=0) + (1 - kept) * everyone[:3].mean(axis=0)
    assert np.abs(found - expected).max() < 4.5 * 0.5 / n**0.5


def test_patches_step_as_one_and_begin_anywhere():
    grid = CubeGrid(GAME, (3, 3, 1))
    bases = np.full((600, len(most_of(grid)), grid.row_genes), 8)
    genomes = np.repeat(genomes_of(grid, bases), 2, axis=0)
    context = context_of(grid, Draw(1, "mutation"))
    steps = (holds_of(grid, mirrored(genomes, context, step=4.0, widest=4))[::2] - bases)[:, :10]  # 8 are still asked
    assert abs(steps.var() / (16 + 1 / 12) - 1) < 0.1
    apart = np.diff(steps, axis=2) != 0  # a border between two neighbours, or two patches that step alike
    often = apart.any(axis=1)
    shares = []
    for edge in (1, 2, 3, 4):
        regular = [row for row in often if row.any() and np.diff(np.flatnonzero(row)).min(initial=edge) >= edge]
        shares.append(len(regular) / len(often))
    assert shares[0] == 1
    expected = [np.log(5 / edge) / np.log(5) for edge in (1, 2, 3, 4)]  # at least so wide, log-uniform
    assert np.abs(np.array(shares) - expected).max() < 4.5 * 0.5 / 600**0.5
    begins = {int(np.flatnonzero(row)[0]) for row in often if row.any()}
    assert begins >= {0, 1, 2, 3}
