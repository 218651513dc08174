"""What each reference algorithm does on a small instance; test_algorithms.py has what all must do."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.exact import matrix_of_tables, pairs_of_tables
from pigevo.experiments.benchmark.algorithms.generational import Knockout, RoundRobin
from pigevo.experiments.benchmark.algorithms.nash import NashMemory, ResponseOracles, equilibrium
from pigevo.experiments.benchmark.algorithms.one_comma_lambda import OneCommaLambda, next_parents
from pigevo.experiments.benchmark.algorithms.past_champions import HallOfFame, WorstCaseArchive
from pigevo.experiments.benchmark.breeding import mutants
from pigevo.experiments.benchmark.instances import Instance
from pigevo.games import Pig

EXACT = Instance(Pig(10), cube=2)
LEVEL = 1e-4


def problem_of(seed=0, instance=EXACT, budget=2000):
    return instance.problem(seed, budget)


def driven(make, problem, steps):
    """An algorithm after some questions with exact answers, and the last question and answer."""
    algorithm = make(problem)
    for _ in range(steps):
        question = algorithm.ask()
        wins = pairs_of_tables(EXACT.game, EXACT.grid.to_tables(question.genomes), question.pairs).mean(axis=1)
        algorithm.tell(wins)
    return algorithm, question, wins


def test_mutants_differ_from_their_parents():
    problem = problem_of()
    genomes = problem.start(200)
    flips = (mutants(problem, genomes, 1) != genomes).sum(axis=1)
    assert flips.min() == 1
    assert 1.2 < flips.mean() < 1.55  # 1 + (1 - 1/75)^75 = 1.365 are expected


def test_ties_of_parents_are_broken_at_random():
    alike = np.full((4, 3), 0.5)
    parents = np.array([next_parents(alike, "worst", Draw(1, "selection", n)) for n in range(1200)])
    for column, count in ((0, 4), (1, 3)):
        seen = np.bincount(parents[:, column], minlength=count)
        assert stats.chisquare(seen).pvalue > LEVEL
    assert stats.chi2_contingency(np.histogram2d(*parents.T, bins=(4, 3))[0]).pvalue > LEVEL


@pytest.mark.parametrize("by", ["worst", "mean"])
def test_the_next_parents_are_the_best_mutants(by):
    problem = problem_of(5)
    algorithm, question, wins = driven(partial(OneCommaLambda, mutants=6, by=by), problem, 3)
    results = wins.reshape(6, 6)
    fold = np.min if by == "worst" else np.mean
    first = max(fold(results[n]) for n in range(6))
    second = max(fold(1 - results[:, n]) for n in range(6))
    (row,) = (question.genomes[:6] == algorithm.champion).all(axis=1).nonzero()
    assert fold(results[row[0]]) == first
    (column,) = (question.genomes[6:] == algorithm._parents[1]).all(axis=1).nonzero()
    assert fold(1 - results[:, column[0]]) == second


def test_a_small_budget_pays_for_a_step_of_one_comma_lambda():
    assert len(OneCommaLambda(problem_of(budget=30)).ask().pairs) == 25


@pytest.mark.parametrize("stay", [True, False])
def test_winners_of_the_knockout_have_children_with_the_genes_of_both_and_may_stay(stay):
    algorithm, question, wins = driven(partial(Knockout, rate=0.0, stay=stay), problem_of(1), 1)
    np.testing.assert_array_equal(np.sort(question.pairs.ravel()), np.arange(20))
    winners = question.genomes[np.where(wins >= 0.5, question.pairs[:, 0], question.pairs[:, 1])]
    born = algorithm.ask().genomes
    if stay:
        np.testing.assert_array_equal(born[:10], winners)
        born = born[10:]
    for child in born:
        agreeing = [(np.where(a == b, a, child) == child).all() for n, a in enumerate(winners) for b in winners[:n]]
        assert any(agreeing)
    assert (born[:, None] == winners).all(axis=2).sum() < 5


def test_the_round_robin_lets_the_better_half_survive():
    algorithm, question, wins = driven(partial(RoundRobin, stay=True), problem_of(2), 1)
    means = np.full((20, 20), np.nan)
    means[tuple(question.pairs.T)] = wins
    means[tuple(question.pairs.T[::-1])] = 1 - wins
    best = np.argsort(-np.nanmean(means, axis=1))[:10]
    np.testing.assert_array_equal(algorithm.ask().genomes[:10], question.genomes[best])
    np.testing.assert_array_equal(algorithm.champion, question.genomes[best[0]])


def test_the_famous_are_drawn_alike_and_without_repetition():
    seen = np.zeros(8)
    for seed in range(400):
        algorithm = HallOfFame(problem_of(seed), famous=3)
        algorithm._hall = np.arange(8, dtype=np.uint8)[:, None].repeat(algorithm._problem.genes, axis=1)
        famous = algorithm.ask().genomes[-3:, 0]
        assert len(set(famous.tolist())) == 3
        seen[famous] += 1
    assert stats.chisquare(seen).pvalue > LEVEL


def test_the_champion_of_each_generation_enters_the_hall():
    algorithm, question, wins = driven(HallOfFame, problem_of(), 4)
    best = wins.reshape(20, -1).mean(axis=1).argmax()
    np.testing.assert_array_equal(algorithm.champion, question.genomes[best])
    assert len(algorithm._hall) == 5


def test_the_archive_keeps_its_places_and_the_worst_counts():
    algorithm, *_ = driven(partial(WorstCaseArchive, places=3, every=2), problem_of(), 9)
    assert len(algorithm._archive) == 3
    genomes, wins = algorithm.ask().genomes, np.tile([0.9, 0.9, 0.1], (20, 1))
    wins[7] = 0.2  # the best at worst, and not on average
    algorithm.tell(wins.ravel())
    np.testing.assert_array_equal(algorithm.champion, genomes[7])


def test_the_equilibrium_of_a_cycle():
    """Gains of .4, .3 and .4 about the cycle: each weight is that of the pair without it."""
    wins = np.array([[0.5, 0.1, 0.9], [0.9, 0.5, 0.2], [0.1, 0.8, 0.5]])
    np.testing.assert_allclose(equilibrium(wins), np.array([3, 4, 4]) / 11)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 60])
def test_nobody_beats_an_equilibrium(n):
    upper = np.triu(Draw(n, "validation").uniforms(n * n).reshape(n, n), 1)
    wins = upper + np.tril(1 - upper.T, -1) + np.eye(n) / 2
    weights = equilibrium(wins)
    assert abs(weights.sum() - 1) < 1e-12
    assert (wins @ weights).max() < 0.5 + 1e-9


@pytest.mark.parametrize(("make", "known"), [(NashMemory, "_memory"), (ResponseOracles, "_known")])
def test_the_remembered_payoffs_are_the_exact_matrix(make, known):
    problem = problem_of(4)
    algorithm, *_ = driven(make, problem, 70)
    payoffs = getattr(algorithm, known)
    assert len(payoffs) > 2
    exact = matrix_of_tables(EXACT.game, EXACT.grid.to_tables(payoffs.genomes))
    np.testing.assert_allclose(payoffs.wins, exact, atol=1e-12)
    assert (payoffs.wins @ algorithm._weights).max() < 0.5 + 1e-9


def test_genomes_that_beat_the_mixture_enter_the_memory_of_limited_size():
    problem, entered = problem_of(4), 0
    algorithm = NashMemory(problem, places=1)
    for _ in range(60):
        mixture, weights = algorithm.mixture
        question = algorithm.ask()
        wins = pairs_of_tables(EXACT.game, EXACT.grid.to_tables(question.genomes), question.pairs).mean(axis=1)
        entering = len(algorithm._winners)
        algorithm.tell(wins)
        if entering:
            entered += 1
            assert len(algorithm._memory) <= (algorithm._weights > 0).sum() + 1
        for winner in algorithm._winners:
            tables = EXACT.grid.to_tables(np.concatenate([winner[None], mixture]))
            assert matrix_of_tables(EXACT.game, tables)[0, 1:] @ weights > 0.5
    assert entered > 1


def test_no_response_enters_twice():
    algorithm = ResponseOracles(problem_of(), mutants=3, steps=2)
    for _ in range(9):
        assert len(algorithm.ask().pairs) == 4
        algorithm.tell(np.array([0.1, 0.2, 0.3, 0.5]))  # no mutant is better than its parent
    assert len(algorithm._known) == 1
