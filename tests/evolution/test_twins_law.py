"""Laws of the evolution strategy that needs no oracle: mirrored twins, intermediate recombination, siblings' matches."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.crossover import Intermediate
from pigevo.evolution.fitness.win_rates import Siblings, sibling_pairs
from pigevo.evolution.hold_boundary import decided_slices, genomes_of, holds_of
from pigevo.evolution.mutation.boundary import mirrored
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of, tables_of

GAME = Pig(target=60)
GRID = CubeGrid(GAME, (10, 10, 1))
CUBES = CubeGrid(GAME, (10, 10, 4))


def drawn(n, low, high, grid=GRID, seed=1):
    """Boundaries anywhere between two slices, none beyond what can be rolled for."""
    places = len(decided_slices(grid))
    uniforms = Draw(seed, "population").uniforms(n * places * grid.row_genes)
    holds = low + (uniforms * (high - low + 1)).astype(np.int64).reshape(n, places, grid.row_genes)
    return np.minimum(holds, decided_slices(grid)[:, None])


def first_hold(roll, i, j):
    """The least turn total at which a strategy holds."""
    return next(k for k in range(1, 60) if not roll[i, j, k])


def stepped(holds, generation=0, grid=GRID, **options):
    """The boundaries of two children of each parent, shape (n, 2, ...)."""
    genomes = np.repeat(genomes_of(grid, holds), 2, axis=0)
    children = mirrored(genomes, context_of(grid, Draw(1, "mutation", generation)), **options)
    return holds_of(grid, children).reshape(len(holds), 2, *holds.shape[1:])


@pytest.mark.parametrize("grid", [GRID, CUBES], ids=["points", "cubes"])
def test_a_boundary_is_where_the_strategy_first_holds(grid):
    """Also in random genomes, which roll again beyond it; of cubes, those that roll in the first."""
    holds = drawn(3, 2, 9, grid)
    other = Draw(5, "population").bits(1, grid.genes) | genomes_of(grid, holds[:1] * 0 + 1)
    genomes = np.concatenate([genomes_of(grid, holds), other])
    boundaries = holds_of(grid, genomes)
    assert np.array_equal(boundaries[:3], holds)
    for genome, boundary in zip(genomes, boundaries, strict=True):
        roll = grid.strategy(genome).roll
        for i, j in [(0, 0), (13, 38), (29, 7), (31, 51)]:
            most = -(-(60 - i) // grid.edges[2])
            assert -(-first_hold(roll, i, j) // grid.edges[2]) == min(boundary[i // 10, j // 10], most)


def test_children_are_the_mean_of_all_parents_rounded_up_or_down():
    holds, children = drawn(8, 2, 9), 4000
    parents, which = genomes_of(GRID, holds), np.arange(children) % 8
    context = context_of(GRID, Draw(2, "crossover"))
    born = holds_of(GRID, Intermediate()(parents[which], parents[which[::-1]], context))
    mean = holds.mean(axis=0)
    assert ((born == np.floor(mean)) | (born == np.ceil(mean))).all()
    deviations = (born.mean(axis=0) - mean) / np.sqrt(np.maximum((mean % 1) * (1 - mean % 1), 1e-9) / children)
    assert np.abs(deviations[mean % 1 > 0]).max() < stats.norm.isf(0.001 / mean.size / 2)  # p = 0.001 of all together


@pytest.mark.parametrize(("generation", "deviation"), [(0, 6.0), (50, 3.0), (100, 1.5), (500, 1.5)])
def test_twins_step_opposite_ways_and_as_far_as_the_schedule_says(generation, deviation):
    holds = np.full((400, 6, GRID.row_genes), 5)
    holds[:, :3] = 25  # far from both ends
    steps = stepped(holds, generation, step=6.0, end=1.5, over=100, until=501)[:, :, :3] - 25
    assert np.array_equal(steps[:, 1], -steps[:, 0])
    n, expected = steps[:, 0].size, deviation**2 + 1 / 12  # of a uniform law, rounded
    assert abs(steps[:, 0].mean()) < 4 * np.sqrt(expected / n)
    assert abs(steps[:, 0].var() / expected - 1) < 4 * np.sqrt(1 / n)
    assert np.abs(steps).max() <= np.sqrt(3) * deviation + 0.5


def test_nobody_is_changed_from_the_last_generation_of_the_schedule_on():
    holds = drawn(6, 2, 9)
    for generation, same in ((6, False), (7, True), (8, True)):
        assert np.array_equal(stepped(holds, generation, until=7)[:, 0], holds) == same


def test_a_twin_that_had_nothing_more_to_roll_for_holds_both_back():
    most = decided_slices(GRID)
    holds = np.broadcast_to((most - 1)[None, :, None], (500, len(most), GRID.row_genes)).copy()
    steps = stepped(holds, step=8.0) - holds[:, None]
    assert set(np.unique(steps)) == {-1, 0, 1}
    assert np.array_equal(steps[:, 0], -steps[:, 1])


def test_siblings_share_the_games_of_their_match():
    game = Pig(target=16)
    members = [pigevo.hold_at(game, n) for n in (3, 8, 5, 5, 12)]
    context = context_of(game, Draw(1, "dice"), pairs=np.array([[0, 4]]))
    evaluation = Siblings(2000)(tables_of(members), context)
    scores = evaluation.scores
    assert sibling_pairs(5).tolist() == [[0, 1], [2, 3], [4, 0]]
    assert scores[2] == scores[3] == 0.5  # equal twins win every couple of paired games once each
    third = 2 * scores[0] - (1 - scores[1])
    assert scores[4] + third == pytest.approx(1, abs=1e-12)
    assert (evaluation.games, evaluation.played.tolist()) == (6000, [4000, 2000, 2000, 2000, 2000])
    assert abs(scores[1] - pigevo.win_probability(members[1], members[0]).overall) < 4.5 * 0.5 / 2000**0.5


@pytest.mark.parametrize(("generation", "share"), [(0, 0.0), (20, 0.4), (50, 0.8)])
def test_a_share_of_what_everyone_has_is_kept_beside_what_parents_have(generation, share):
    everyone, n = drawn(10, 2, 9), 4000
    crossover, genomes = Intermediate(keep=0.8, over=40), genomes_of(GRID, everyone)
    context = context_of(GRID, Draw(2, "crossover", generation))
    assert Intermediate(keep=0).remember(genomes, context) == {}
    remembering = context_of(GRID, context.draw, state=crossover.remember(genomes, context))
    which = np.arange(n) % 3
    mean = holds_of(GRID, crossover(genomes[which], genomes[which], remembering)).mean(axis=0)
    expected = share * everyone.mean(axis=0) + (1 - share) * everyone[:3].mean(axis=0)
    assert np.abs(mean - expected).max() < 4.5 * 0.5 / n**0.5


def test_patches_step_together_and_begin_anywhere():
    grid = CubeGrid(GAME, (3, 3, 1))
    holds = np.full((600, len(decided_slices(grid)), grid.row_genes), 8)
    steps = stepped(holds, grid=grid, step=4.0, widest=4)[:, 0, :10] - 8  # where turns may go on beyond 8
    assert abs(steps.var() / (16 + 1 / 12) - 1) < 0.1
    borders = (np.diff(steps, axis=2) != 0).any(axis=1)  # between two sibling_pairs, unless their patches step alike
    widths = [np.diff(np.flatnonzero(row)).min(initial=4) if row.any() else 0 for row in borders]
    shares = [np.mean(np.array(widths) >= edge) for edge in (1, 2, 3, 4)]
    assert shares[0] == 1
    expected = [np.log(5 / edge) / np.log(5) for edge in (1, 2, 3, 4)]  # at least so wide, log-uniform
    assert np.abs(np.array(shares) - expected).max() < 4.5 * 0.5 / 600**0.5
    assert {int(np.flatnonzero(row)[0]) for row in borders if row.any()} >= {0, 1, 2, 3}
