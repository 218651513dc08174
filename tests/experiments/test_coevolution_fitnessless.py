"""The study of co-evolution: selection without a fitness, beside all brackets and all triples."""

import itertools

import numpy as np
import pytest

from pigevo.studies.find import load_study
from tests.experiments.coevolution import cyclic_triples, random_survival

load_study("coevolution")
from pigevo_study_coevolution import fitnessless, worlds  # noqa: E402


def test_the_chances_of_both_selections_are_those_of_all_brackets():
    survives, n = random_survival(6), 6
    two, four = np.zeros(n), np.zeros(n)
    for a, b in itertools.permutations(range(n), 2):
        two[a] += survives[a, b] / (n * (n - 1))
        two[b] += survives[b, a] / (n * (n - 1))
    brackets = list(itertools.permutations(range(n), 4))
    for a, b, c, d in brackets:  # a meets b, c meets d
        for x, y in ((a, b), (b, a)):
            for p, q in ((c, d), (d, c)):
                both = survives[x, y] * survives[p, q] / len(brackets)
                four[x] += both * survives[x, p]
                four[p] += both * survives[p, x]
    np.testing.assert_allclose(fitnessless.of_two(survives), two)
    np.testing.assert_allclose(fitnessless.of_four(survives), four)
    assert abs(two.sum() - 1) < 1e-12
    assert abs(four.sum() - 1) < 1e-12


def test_where_winning_is_transitive_it_is_the_tournament_by_a_fitness():
    """The theorem of 2008; and a single cycle breaks it."""
    fitness = np.array([3.0, 1.0, 4.0, 1.5, 9.0])
    survives = fitnessless.order(fitness)
    by_wins = fitnessless.order(survives.sum(axis=1))
    assert fitnessless.distance(fitnessless.of_four(survives), fitnessless.of_four(by_wins)) < 1e-12
    survives[4, 1], survives[1, 4] = 0.0, 1.0
    by_wins = fitnessless.order(survives.sum(axis=1))
    assert fitnessless.cyclic_share(survives > 0.5) == 3 / 10
    assert fitnessless.distance(fitnessless.of_four(survives), fitnessless.of_four(by_wins)) > 0.05


def test_the_chance_to_win_a_match_of_games():
    seats = np.array([[0.7, 0.2]])
    chance = 0.0
    for results in itertools.product((0, 1), repeat=4):  # two games in the first seat, two in the second
        p = np.prod([q if won else 1 - q for won, q in zip(results, (0.7, 0.7, 0.2, 0.2), strict=True)])
        chance += p * (1.0 if sum(results) > 2 else 0.5 if sum(results) == 2 else 0.0)
    found = fitnessless.of_games(seats, 4)
    np.testing.assert_allclose(found, [[0.5, chance], [1 - chance, 0.5]])


def test_cycles_are_counted_as_by_looking_at_each():
    wins = random_survival(9) > 0.5
    triples = cyclic_triples(wins)
    assert len(triples) > 3
    through = [sum(n in one for one in triples) for n in range(9)]
    assert fitnessless.cycles_of(wins).tolist() == through
    assert fitnessless.cyclic_share(wins) == pytest.approx(len(triples) / 84)


def test_draws_can_break_an_order_without_a_cycle():
    draws = np.array([[0.5, 0.5, 1.0], [0.5, 0.5, 0.5], [0.0, 0.5, 0.5]])
    assert fitnessless.cyclic_share(draws > 0.5) == 0
    assert not fitnessless.is_order(draws)
    assert not fitnessless.is_order(np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]))
    assert fitnessless.is_order(fitnessless.order(np.array([2.0, 1.0, 2.0, 3.0])))


def test_equal_strategies_are_decided_by_a_coin():
    survives = fitnessless.decided(np.array([0.5 + 1e-15, 0.6, 0.4]))
    assert survives.tolist() == [[0.5, 0.5, 1.0], [0.5, 0.5, 0.0], [0.0, 1.0, 0.5]]


def test_populations_are_of_their_kind():
    world = worlds.TEN
    near = fitnessless.population(world, "near the optimum", 0)
    assert 0.01 < (near != world.best).mean() < 0.1
    one, other = (fitnessless.population(world, kind, 0) for kind in ("random", "evolved"))
    assert world.against_optimum(other).mean() > world.against_optimum(one).mean() + 0.02
    assert 0.45 < one.mean() < 0.55
