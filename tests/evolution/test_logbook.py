"""The logbook: a row of figures a generation, and the best strategies ever seen; what a run's own fitness measured, beside the truth."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.evolution import logbook
from pigevo.evolution.diversity import diversity
from pigevo.evolution.evaluation import Evaluation, every_pair, referee
from pigevo.evolution.fitness.archive import Archive, ArchiveGames
from pigevo.evolution.fitness.win_rates import Games, Siblings
from pigevo.evolution.logbook import COLUMNS, HALL_SIZE, MEASURED, MOST_ELITES, Logbook, measured
from pigevo.evolution.loop import evaluate
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of, course_of, states_of, tables_of


@pytest.mark.parametrize(("n", "genes"), [(2, 1), (2, 50), (5, 33), (8, 200)])
def test_diversity_is_the_mean_share_of_genes_in_which_two_members_differ(n, genes):
    genomes = Draw(n, "population").bits(n, genes)
    pairs = [np.mean(a != b) for a, b in itertools.combinations(genomes, 2)]
    assert diversity(genomes) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_diversity_counts_large_populations_without_overflow():
    genomes = np.repeat(np.array([[1], [0]], np.uint8), 300, axis=0)
    assert diversity(genomes) == pytest.approx(2 * 300 * 300 / (600 * 599))
    assert diversity(genomes[:, :0]) == 0


def test_a_row_is_the_referee_s_view_of_the_population(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [5, 2], "generations": 3})
    logbook, state = Logbook(), states_of(plan)[5]
    row = logbook.record(evaluate(plan, state), 1.23456)
    members = [plan.waves[1].grid.strategy(g) for g in state.genomes]
    best = pigevo.optimal(plan.game).strategy
    values = [pigevo.win_probability(m, best).overall for m in members]
    assert tuple(row) == (*COLUMNS, "entropy", "digest")
    assert row["digest"] == state.digest
    assert (row["best"], row["worst"]) == (pytest.approx(max(values)), pytest.approx(min(values)))
    assert row["mean"] == pytest.approx(np.mean(values), abs=1e-12)
    assert row["diversity"] == diversity(state.genomes)
    assert (row["generation"], row["wave"], row["cube_size"], row["seconds"]) == (5, 2, "2", 1.235)
    assert (row["evaluations"], row["games"]) == (40, 5 * 4 * 20)
    assert list(logbook.rows) == [row]


def test_the_hall_of_fame_keeps_the_best_ever_seen(make_plan):
    plan = make_plan(population={"name": "random", "size": 12}, mutation=0.1, generations=12)
    logbook, values = Logbook(), {}
    for generation in course_of(plan):
        logbook.record(generation, 0.0)
        rows = generation.grid.to_tables(generation.genomes)
        values |= {np.packbits(r).tobytes(): v for r, v in zip(rows, referee(plan.game, rows).tolist(), strict=True)}
    hall = [(np.asarray(member).tobytes(), member.fitness.values[0]) for member in logbook.hall]
    assert len(values) > 100
    assert [value for _, value in hall] == sorted(values.values(), reverse=True)[:HALL_SIZE]
    assert all(values[packed] == value for packed, value in hall)


def test_the_hall_of_fame_keeps_no_one_twice():
    game = Pig(target=12)
    grid, logbook = CubeGrid(game, 1), Logbook()
    genomes = grid.from_strategies([pigevo.hold_at(game, n) for n in (3, 4, 5)] * 6)
    for _ in range(3):
        logbook.enter(grid, genomes, referee(game, grid.to_tables(genomes)))
    assert len(logbook.hall) == 3


GAME = Pig(target=16)
MEMBERS = [pigevo.random_strategy(GAME, seed=s) for s in range(4)] + [pigevo.hold_at(GAME, n) for n in (3, 6)]
PAST = {"archive": np.packbits(np.stack([pigevo.hold_at(GAME, n).table for n in (5, 9)]).reshape(2, -1), axis=1)}
SOME = np.array([4, 1])


def context(**more):
    return context_of(GAME, Draw(3, "dice", 5), pairs=every_pair(len(MEMBERS)), **more)


def test_the_truth_of_games_is_the_mean_exact_result_against_the_same_members():
    matrix = pigevo.win_matrix(MEMBERS)
    expected = (matrix.sum(axis=1) - matrix.diagonal()) / (len(MEMBERS) - 1)
    assert np.allclose(Games().truth(tables_of(MEMBERS), context(), SOME), expected[SOME], atol=1e-12)
    two = replace(context(), pairs=np.array([[0, 1], [2, 4], [4, 3]]))
    met = [(matrix[4, 2] + matrix[4, 3]) / 2, matrix[1, 0]]
    assert np.allclose(Games().truth(tables_of(MEMBERS), two, SOME), met, atol=1e-12)


@pytest.mark.parametrize("by", ["worst", "mean"])
def test_the_truth_of_an_archive_is_the_exact_fitness_against_the_same_opponents(by):
    fitness, tables = ArchiveGames(by=by), tables_of(MEMBERS)
    expected = Archive(by=by, exploring_starts=0)(tables, context(state=PAST)).scores
    assert np.allclose(fitness.truth(tables, context(state=PAST), SOME), expected[SOME], atol=1e-12)
    against_first = pigevo.win_matrix(MEMBERS)[:, 0]  # before there are champions
    assert np.allclose(fitness.truth(tables, context(), SOME), against_first[SOME], atol=1e-12)


def test_the_truth_of_siblings_is_their_exact_match():
    matrix = pigevo.win_matrix(MEMBERS)
    assert np.allclose(Siblings().truth(tables_of(MEMBERS), context(), SOME), [matrix[4, 5], matrix[1, 0]], atol=1e-12)


FITNESSES = {
    "games": Games(20_000),
    "paired": Games(20_000, paired=True),
    "archive": ArchiveGames(games=40_000, by="mean"),
    "siblings": Siblings(20_000),
}


@pytest.mark.parametrize("fitness", FITNESSES.values(), ids=list(FITNESSES))
def test_scores_of_many_games_come_near_their_truth(fitness):
    tables, met = tables_of(MEMBERS), context(state=PAST)
    returned = fitness(tables, met)
    evaluation = (
        Evaluation.of_matches(len(MEMBERS), met.pairs, returned) if isinstance(returned, np.ndarray) else returned
    )
    truth = fitness.truth(tables, met, np.arange(len(MEMBERS)))
    assert np.abs(evaluation.scores - truth).max() < 4.5 * 0.5 / 20_000**0.5


def test_luck_is_the_champions_score_less_its_truth(make_plan):
    plan = make_plan(population={"name": "random", "size": 30}, generations=2)
    for generation in course_of(plan):
        order, evaluation = generation.final_order
        figures = measured(plan, generation.state, order, evaluation)
        matrix = pigevo.win_matrix(generation.strategies)
        luck = evaluation.scores - (matrix.sum(axis=1) - matrix.diagonal()) / 29
        assert tuple(figures) == MEASURED
        assert figures["measured"] == evaluation.scores[generation.best] == evaluation.scores.max()
        assert figures["measured_games"] == 29 * 20
        won = round(figures["measured"] * 29 * 20)
        assert (figures["measured_low"], figures["measured_high"]) == share_interval(won, 29 * 20)
        assert figures["luck"] == pytest.approx(luck[generation.best], abs=1e-12)
        assert figures["elites_luck"] == pytest.approx(luck[order[:3]].mean(), abs=1e-12)


def test_the_best_of_many_by_few_games_is_lucky(make_plan):
    plan = make_plan(population={"name": "random", "size": 20}, generations=0, fitness={"name": "games", "games": 1})
    luck = []
    for seed in range(30):
        (generation,) = course_of(replace(plan, seed=seed))
        luck.append(measured(generation.plan, generation.state, *generation.final_order)["luck"])
    assert np.mean(luck) > 3 * np.std(luck) / 30**0.5 > 0


def test_elites_are_few(make_plan, monkeypatch):
    plan = make_plan(population={"name": "random", "size": 150}, fitness={"name": "games", "games": 2}, generations=0)
    (generation,), numbers = course_of(plan), []
    monkeypatch.setattr(logbook, "true_scores", lambda plan, state, pairs, members: numbers.append(len(members)))
    assert tuple(measured(plan, generation.state, *generation.final_order)) == MEASURED[:4]
    assert numbers == [MOST_ELITES]


def test_nothing_is_measured_where_nothing_is_played(make_plan):
    generation = course_of(make_plan(fitness={"name": "exact"}))[0]
    assert measured(generation.plan, generation.state, *generation.final_order) == {}
