"""The tasks: their names, their numbers, and what an algorithm knows of them."""

import re

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.experiments.benchmark.instances import SUITES, Instance, instance, instances
from pigevo.games import Pig, Piglet, Race


@pytest.mark.parametrize("name", sorted({name for names in SUITES.values() for name in names}))
def test_names_of_the_suites_are_read_as_they_are_written(name):
    assert instance(name).name == name


def test_names_have_the_game_and_its_own_numbers():
    assert instance("piglet-t12-c2") == Instance(Piglet(12), cube=2)
    assert instance("pig-t20").name == "t20-d6-c1-exact"
    assert instance("ten_rounds-n3-m20").name == "ten_rounds-n3-m20-d6-c1-exact"
    assert instance("two_dice-t30-d4-c3-g10").game.sides == 4
    assert "piglet" in {type(task.game).__name__.lower() for task in instances("games")}


@pytest.mark.parametrize("game", [Pig(10, weights=(1, 2, 1, 1, 1, 1)), Race(10, {1: 0.5}, 0.5), Piglet(10, heads=0.3)])
def test_a_game_that_no_name_describes_is_refused(game):
    with pytest.raises(InputError, match="is no game of an instance: it must be one of pigevo's, in which only target"):
        Instance(game)


def test_parts_left_out_of_a_name_have_defaults():
    assert instance("t20") == Instance(Pig(20), cube=1, games=0, opponent="none")
    assert instance("t12-g10-oracle") == Instance(Pig(12), games=10, opponent="optimal")


def test_an_instance_named_twice_is_there_once():
    names = [task.name for task in instances("t9,quick,t10-d2-c1-exact")]
    assert names == ["t9-d6-c1-exact", *SUITES["quick"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("t20-c2-d3", "there is no instance 't20-c2-d3'; write it as t20-d3-c2-g100-oracle"),
        ("nothing", "or name a suite: games, quick, small"),
        ("pigs-t20", "there is no game 'pigs' for the instance pigs-t20; did you mean pig or piglet?"),
        ("skunk-m30-t20", "the numbers of skunk are t (target), m (cap), d (sides)."),
        ("piglet-t20-d3", "the numbers of piglet are t (target)."),
        ("ten_rounds-n300", "the instance ten_rounds-n300 has no such turns: it must be from 1 to 200"),
        ("t0", "has no such target: it must be from 1 to 200"),
        ("t99999999999999999999", "there is no instance"),
        ("t20-d1", "game.sides = 1 is out of range: it must be from 2 to 1000."),
        ("t20-c0", "a cube size must be an integer from 1"),
        ("t20-g9", "has matches of 9 games: their number must be even"),
        ("", "there is no instance ''"),
    ],
)
def test_words_of_no_instance_are_refused(words, message):
    with pytest.raises(InputError, match=re.escape(message)):
        instances(words)


def test_a_problem_has_units_costs_and_pairs():
    exact, noisy = instance("t20-d3-c2").problem(4), instance("t20-d3-c2-g100-oracle").problem(4, 1050)
    assert (exact.unit, exact.cost, exact.pairs, exact.opponent) == ("evaluations", 1, 5000, False)
    assert (noisy.unit, noisy.cost, noisy.pairs, noisy.opponent) == ("games", 100, 10, True)
    assert exact.genes == instance("t20-d3-c2").grid.genes == 550


def test_starts_are_fair_coins_that_differ_by_number_and_seed():
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
