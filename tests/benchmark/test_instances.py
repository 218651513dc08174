"""The tasks: their names, their numbers, and what an algorithm is told of them."""

import numpy as np
import pytest

from pigevo.benchmark.instances import SUITES, Instance, instance, instances
from pigevo.dice import Draw
from pigevo.errors import InputError


@pytest.mark.parametrize("name", sorted({name for names in SUITES.values() for name in names}))
def test_names_of_the_suites_are_told_as_they_are_read(name):
    assert instance(name).name == name


def test_what_is_left_away_is_usual():
    assert instance("t20") == Instance(20, sides=6, cube=1, games=0, opponent="none")
    assert instance("t12-g10-oracle") == Instance(12, games=10, opponent="optimal")


def test_a_suite_and_names_together_are_each_once():
    found = [one.name for one in instances("t9,quick,t10-d2-c1-exact")]
    assert found == ["t9-d6-c1-exact", *SUITES["quick"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("t20-c2-d3", "there is no instance 't20-c2-d3'; write it as t20-d3-c2-g100-oracle"),
        ("nothing", "or name a suite: quick, small"),
        ("t0", "has no such target: it must be from 1 to 200"),
        ("t999999999", "has no such target"),
        ("t99999999999999999999", "there is no instance"),
        ("t20-d1", "a die must have from 2 to"),
        ("t20-c0", "a cuboid size must be an integer from 1"),
        ("t20-g9", "has matches of 9 games: their number must be even"),
        ("", "there is no instance ''"),
    ],
)
def test_what_is_no_instance(words, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        instances(words)


def test_what_an_algorithm_is_told():
    exact, noisy = instance("t20-d3-c2").problem(4), instance("t20-d3-c2-g100-oracle").problem(4, 1050)
    assert (exact.unit, exact.cost, exact.pairs, exact.opponent) == ("evaluations", 1, 5000, False)
    assert (noisy.unit, noisy.cost, noisy.pairs, noisy.opponent) == ("games", 100, 10, True)
    assert exact.genes == instance("t20-d3-c2").grid.genes == 550


def test_starts_are_fair_coins_and_another_lot_for_each_number_and_seed():
    problem, other = instance("t20-d3-c2").problem(4), instance("t20-d3-c2").problem(5)
    start = problem.start(40)
    assert start.shape == (40, 550)
    assert start.dtype == np.uint8
    assert abs(start.mean() - 0.5) < 0.02
    assert (start == problem.start(40)).all()
    assert not (start == problem.start(40, 1)).all()
    assert not (start == other.start(40)).all()


def test_draws_of_an_algorithm_are_never_those_of_the_games():
    problem = instance("t9").problem(3)
    drawn = [
        problem.draw(stream, 7).words(4).tolist() for stream in ("population", "selection", "crossover", "mutation")
    ]
    assert Draw(3, "dice", 7).words(4).tolist() not in drawn
    assert len({tuple(words) for words in drawn}) == 4


@pytest.mark.parametrize("budget", [0, 199, 10**13, 2.5])
def test_a_budget_pays_for_two_pairs(budget):
    with pytest.raises(InputError, match="must be from 200 games, which pay for two pairs, to"):
        instance("t9-g100").problem(0, budget)
