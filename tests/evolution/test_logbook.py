"""The logbook: a row of figures a generation, and the best strategies ever seen."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.evaluation import referee
from pigevo.evolution.logbook import COLUMNS, HALL_SIZE, Logbook, diversity
from pigevo.evolution.loop import evaluate, first_state, generations
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import states_of


@pytest.mark.parametrize(("n", "genes"), [(2, 1), (2, 50), (5, 33), (8, 200)])
def test_diversity_is_the_mean_share_of_genes_in_which_two_members_differ(n, genes):
    genomes = Draw(n, "population").bits(n, genes)
    pairs = [np.mean(a != b) for a, b in itertools.combinations(genomes, 2)]
    assert diversity(genomes) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_diversity_of_copies_is_0_and_of_opposites_1():
    genome = Draw(1, "population").bits(40)
    assert diversity(np.stack([genome] * 7)) == 0
    assert diversity(np.stack([genome, 1 - genome])) == 1
    assert diversity(np.empty((4, 0), dtype=np.uint8)) == 0


def test_diversity_counts_large_populations_without_overflow():
    genomes = np.zeros((600, 3), dtype=np.uint8)
    genomes[:300] = 1
    assert diversity(genomes) == pytest.approx(2 * 300 * 300 / (600 * 599))


def test_a_row_is_the_referee_s_view_of_the_population(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [5, 2], "generations": 3})
    logbook, state = Logbook(), states_of(plan)[5]
    row = logbook.record(evaluate(plan, state), 1.23456)
    members = [plan.waves[1].grid.strategy(g) for g in state.genomes]
    best = pigevo.optimal(plan.game).strategy
    values = [pigevo.win_probability(m, best).overall for m in members]
    assert tuple(row) == (*COLUMNS, "digest")
    assert row["digest"] == state.digest
    assert (row["best"], row["worst"]) == (pytest.approx(max(values)), pytest.approx(min(values)))
    assert row["mean"] == pytest.approx(np.mean(values), abs=1e-12)
    assert row["diversity"] == diversity(state.genomes)
    assert (row["generation"], row["wave"], row["cube_size"], row["seconds"]) == (5, 2, "2", 1.235)
    assert (row["evaluations"], row["games"]) == (40, 5 * 4 * 20)
    assert list(logbook.rows) == [row]


def test_the_hall_of_fame_keeps_the_best_ever_seen(make_plan):
    plan = make_plan(population={"name": "random", "size": 12}, mutation=0.1, generations=12)
    logbook, seen = Logbook(), {}
    for generation in generations(plan, first_state(plan)):
        logbook.record(generation, 0.0)
        rows = generation.grid.to_tables(generation.genomes)
        seen |= {np.packbits(r).tobytes(): v for r, v in zip(rows, referee(plan.game, rows).tolist(), strict=True)}
    kept = [member.fitness.values[0] for member in logbook.hall]
    assert len(seen) > 100
    assert kept == sorted(seen.values(), reverse=True)[:HALL_SIZE]
    for member, value in zip(logbook.hall, kept, strict=True):
        assert seen[np.asarray(member).tobytes()] == value


def test_the_hall_of_fame_keeps_no_one_twice():
    game = Pig(target=12)
    grid, logbook = CubeGrid(game, 1), Logbook()
    genomes = grid.from_strategies([pigevo.hold_at(game, n) for n in (3, 4, 5)] * 6)
    for _ in range(3):
        logbook.enter(grid, genomes, referee(game, grid.to_tables(genomes)))
    assert len(logbook.hall) == 3


def test_further_columns_stand_before_the_digest(make_plan):
    generation = next(generations(plan := make_plan(), first_state(plan)))
    logbook = Logbook()
    row = logbook.record(generation, 0.0, {"mine": 0.5})
    assert tuple(row) == (*COLUMNS, "mine", "digest")
    assert logbook.rows[0]["mine"] == 0.5


def test_the_referee_gives_the_optimum_a_half_and_nobody_more():
    game = Pig(target=25)
    rows = np.stack([pigevo.optimal(game).strategy.table, *[pigevo.hold_at(game, n).table for n in range(1, 25)]])
    values = referee(game, rows)
    assert values[0] == pytest.approx(0.5, abs=1e-12)
    assert values.max() < 0.5 + 1e-12
    assert np.array_equal(values, referee(game, rows, workers=2))
