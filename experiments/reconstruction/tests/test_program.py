"""The program of the report: its text is pigevo's algorithm, and each slip does what its name says."""

from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.evolution.population import Chosen
from pigevo.experiments.reconstruction.courses import worded
from pigevo.experiments.reconstruction.joint import without_cubes
from pigevo.experiments.reconstruction.program import (
    SIZE,
    Program,
    Setting,
    bred,
    crossed,
    evolve,
    exchanged,
    given,
    laid,
    matches,
    mutated,
    opponent,
    products,
    select,
)
from pigevo.games import Pig
from pigevo.strategies import CubeGrid, Members

SMALL = Program(target=20, sizes=(10, 5), wave=20)
CUBES, CELLS = Setting("random", 0.02, cubes=True), Setting("hold_at", 0.02, generations=20)
GRID = CubeGrid(Pig(target=20), 5)
HALF = SIZE // 2


def context(stream="mutation", rate=0.1, grid=GRID):
    return Context(Draw(7, stream), grid, rate=rate)


def test_the_text_is_the_algorithm_of_the_package():
    """Means of the last populations of thirty runs of both: the same within three standard errors."""
    words = ["cube_random", "debug=fast", "game.target=20", "cubes.sizes=[10,5]", "cubes.generations=20", "mutation=0.02",
             "record_every=40", "baseline=none", "population.size=20", "fitness.games=100"]  # fmt: skip
    theirs = [pigevo.evolve(*words, seed=seed).metrics["mean"][-1] for seed in range(30)]
    ours = [evolve(SMALL, CUBES, seed).seats[-1].mean() for seed in range(30)]
    error = np.sqrt((np.var(theirs, ddof=1) + np.var(ours, ddof=1)) / 30)
    assert abs(np.mean(theirs) - np.mean(ours)) < 3 * error
    assert error < 0.02


def test_a_run_has_a_record_before_the_first_generation_and_as_many_as_the_report():
    course = evolve(SMALL, CUBES, 0)
    assert course.seats.shape == (41, SIZE, 2)
    assert course.survive[0].all()
    assert (course.survive[1:].sum(axis=1) == HALF).all()
    grid, genomes = given(SMALL, CUBES, 0)
    assert grid.genes == CubeGrid(SMALL.game, 1).genes == genomes.shape[1]
    again = evolve(SMALL, CUBES, 0)
    assert np.array_equal(course.seats, again.seats)


def breed(program, setting=CELLS):
    grid, genomes = given(replace(program, target=20), setting, 1)
    survivors, beaten = select(program, setting, Members(grid, genomes), 1, 0)
    beginning = np.ones_like(genomes)
    return genomes, survivors, beaten, *bred(program, setting, grid, genomes, beginning, survivors, beaten, 1, 1)


@pytest.mark.parametrize(
    ("next_", "expected"),
    [
        ("survivors", lambda genomes, survivors, beaten: genomes[survivors]),
        ("losers", lambda genomes, survivors, beaten: genomes[beaten]),
        ("holds", lambda genomes, survivors, beaten: 0 * genomes[beaten]),
        ("first_ten", lambda genomes, survivors, beaten: 0 * genomes[beaten] + 1),
    ],
)
def test_half_of_the_next_population_is_what_the_slip_says(next_, expected):
    genomes, survivors, beaten, _, after = breed(Program(next=next_, target=20))
    assert np.array_equal(after[HALF:], expected(genomes, survivors, beaten))


def test_nobody_is_replaced_and_strangers_are_new():
    genomes, _, _, _, after = breed(Program(next="same", target=20))
    assert after is genomes
    *_, before, after = breed(Program(next="strangers", evaluated="before", target=20))
    assert np.array_equal(before[HALF:], after[HALF:])
    assert 0.4 < after[HALF:].mean() < 0.6
    assert len(np.unique(after[HALF:], axis=0)) == HALF


@pytest.mark.parametrize(("parents", "kinds"), [("one_pair", 2), ("itself", 10)])
def test_parents_are_those_of_the_slip(parents, kinds):
    """Children that copy the first parent show who the parents were."""
    program = Program(parents=parents, crossover="first", target=20)
    _, _, _, before, _ = breed(program, Setting("random", 0.0))
    assert len(np.unique(before, axis=0)) == (1 if parents == "one_pair" else kinds // 2)


def test_siblings_are_copies_of_one():
    _, _, _, before, _ = breed(Program(siblings="copies", target=20), Setting("random", 0.0))
    assert len(np.unique(before, axis=0)) == 5
    _, _, _, before, _ = breed(Program(target=20), Setting("random", 0.0))
    assert len(np.unique(before, axis=0)) == SIZE


def test_winners_losers_and_first_ones_survive():
    grid, _ = given(Program(target=20), CELLS, 0)
    good, bad = (grid.from_strategies([pigevo.hold_at(Pig(target=20), n)])[0] for n in (10, 1))
    genomes = np.array([good, bad] * HALF)
    for selection, meet, kept in [("wins", "neighbours", good), ("losses", "neighbours", bad), ("exact", "neighbours", good),
                                  ("most_wins", "neighbours", good), ("first", "neighbours", good)]:  # fmt: skip
        program = Program(selection=selection, meet=meet, target=20)
        survivors, beaten = select(program, CELLS, Members(grid, genomes), 3, 0)
        assert (genomes[survivors] == kept).all(), selection
        assert sorted([*survivors, *beaten]) == list(range(SIZE))
    worst, _ = select(
        Program(selection="losses", target=20), replace(CELLS, round_robin=True), Members(grid, genomes), 3, 0
    )
    assert (genomes[worst] == bad).all()


def test_the_first_of_a_pair_always_begins_if_it_says_so():
    """Who begins wins more: with equal strategies the first of a pair survives more often than not."""
    grid, _ = given(Program(target=20), CELLS, 0)
    members = Members(grid, np.repeat(grid.from_strategies([pigevo.hold_at(Pig(target=20), 8)]), SIZE, axis=0))
    won = {
        seats: sum(
            int((select(Program(seats=seats, meet="neighbours", target=20), CELLS, members, 1, n)[0] % 2 == 0).sum())
            for n in range(10)
        )
        for seats in ("first", "alternate")
    }
    assert won["first"] > 90
    assert 30 < won["alternate"] < 70


def test_crossovers_decide_genes_on_which_parents_differ():
    first, second = np.repeat([[0], [1]], 3000, axis=1).astype(np.uint8)
    first, second = np.array([[*first, 0, 1]], np.uint8), np.array([[*second, 0, 1]], np.uint8)
    parents, share = (Chosen(first, np.array([0])), Chosen(second, np.array([0]))), {}
    for kind in ("coin", "roll", "two_thirds", "hold", "first", "all_coins", "inverted"):
        child = crossed(Program(crossover=kind), *parents, context("crossover"))[0]
        share[kind] = child[:-2].mean()
        assert kind in ("all_coins", "inverted") or child[-2:].tolist() == [0, 1]
    assert share["roll"] == 1
    assert share["hold"] == share["first"] == share["inverted"] == 0
    assert share["two_thirds"] == pytest.approx(2 / 3, abs=0.035)  # p < 1e-4
    assert share["coin"] == pytest.approx(0.5, abs=0.035)
    assert share["all_coins"] == pytest.approx(0.5, abs=0.035)


@pytest.mark.parametrize(
    ("kind", "rate"),
    [("gene", 0.1), ("share", 0.1), ("value", 0.05), ("none", 0), ("hundredth", 0.001), ("twice", 0.2), ("tenfold", 1),
     ("shared", 0.1), ("fixed", 0.1), ("large", 0.1), ("one", 7 / 64)],
)  # fmt: skip
def test_as_many_genes_flip_as_the_slip_says(kind, rate):
    """Four standard errors of independent flips, more where whole cubes or all children flip together."""
    program, genomes = replace(SMALL, mutation=kind), np.zeros((2000, GRID.genes), np.uint8)
    flips = [mutated(program, CUBES, genomes[n::20], Context(Draw(n, "mutation"), GRID, rate=0.1)) for n in range(20)]
    together = 100 if kind in ("shared", "fixed") else 8 if kind == "large" else 1
    error = np.sqrt(rate * (1 - rate) / genomes.size * together)
    assert np.mean(flips) == pytest.approx(rate, abs=4 * error + 1e-12)


def test_flips_are_as_many_as_on_the_largest_cubes():
    large = CubeGrid(Pig(target=20), 10)
    flips = mutated(replace(SMALL, mutation="first_wave"), CUBES, np.zeros((4000, GRID.genes), np.uint8), context())
    assert flips.sum(axis=1).mean() == pytest.approx(0.1 * large.genes, rel=0.12)


def test_the_same_genes_flip_in_all_children_or_in_all_generations():
    genomes = np.zeros((4, GRID.genes), np.uint8)
    shared, fixed = (
        [mutated(replace(SMALL, mutation=kind), CUBES, genomes, Context(Draw(1, "mutation", n), GRID, rate=0.1)) for n in (0, 1)]
        for kind in ("shared", "fixed")
    )  # fmt: skip
    assert all((one == one[0]).all() for one in [*shared, *fixed])
    assert np.array_equal(*fixed)
    assert not np.array_equal(*shared)


def test_a_product_of_coordinates_flips_a_block():
    flips = products(1, context(rate=3 / 64))[0].astype(bool)
    cells = np.argwhere(GRID.game.from_layout(GRID.to_tables(flips[None].astype(np.uint8))[0])[:, :, 1:])
    assert flips.any()
    sides = [len(np.unique(cells[:, axis])) for axis in range(3)]
    assert all(side <= 15 for side in sides)  # three slices of five cells at most


def test_cubes_begin_and_are_cut_as_the_slip_says():
    game = Pig(target=20)
    fine, genomes = given(Program(target=20), Setting("hold_at"), 0)
    hold = fine.from_strategies([pigevo.hold_at(game, 7)])
    ten, draw = CubeGrid(game, 10), Draw(0, "population", 1)
    held = {
        begin: laid(replace(SMALL, begin=begin), fine, hold, ten, 0, draw)[1][0]
        for begin in ("majority", "lowest", "highest")
    }
    first = ten.from_strategies([pigevo.hold_at(game, 10)])[0]
    assert np.array_equal(held["majority"], first)
    assert np.array_equal(held["lowest"], first)
    assert held["highest"].tolist() == [0, 0, 0, 0, 1, 1]  # at own scores from 10 on its last decision is at 18, 1
    coins = laid(replace(SMALL, begin="coin"), fine, genomes, ten, 0, draw)[1]
    assert np.array_equal(coins, draw.bits(SIZE, ten.genes))
    again = laid(replace(SMALL, between="coin"), ten, coins, GRID, 1, draw)[1]
    assert np.array_equal(again, draw.bits(SIZE, GRID.genes))
    assert np.array_equal(laid(SMALL, ten, coins, GRID, 1, draw)[1], ten.refine(coins, GRID))


def test_exchanged_scores_and_opponents_that_are_off():
    game = Pig(target=20)
    best = pigevo.optimal(game).strategy
    assert np.array_equal(exchanged(best.table[None])[0].swapaxes(0, 2)[:, 1:], best.table[:, 1:])
    assert np.array_equal(opponent("exchanged", game).roll[3, 5, 1:15], best.roll[5, 3, 1:15])
    assert opponent("total_off", game).roll[3, 5, 6] == best.roll[3, 5, 7]
    assert opponent("scores_off", game).roll[3, 5, 6] == best.roll[4, 6, 6]
    assert pigevo.win_probability(opponent("optimum", game), best).overall == pytest.approx(0.5)


@pytest.mark.parametrize("words", ["begin=coin between=coin", "mutation=large", "mutation=previous", "mutation=first_wave", "mutation=cells"])  # fmt: skip
def test_words_about_cubes_say_nothing_without_them(words):
    assert without_cubes(f"{words} next=survivors") == "next=survivors"
    plain, own = (evolve(worded(Program, f"target=20 {said}"), CELLS, 3) for said in ("", words))
    assert np.array_equal(plain.seats, own.seats)
    assert np.array_equal(plain.survive, own.survive)


def test_flips_before_cubes_are_cut_are_those_of_the_grid_of_the_wave_before():
    program = replace(SMALL, mutation="previous")
    zeros = np.zeros((SIZE, GRID.genes), np.uint8)
    before = CubeGrid(GRID.game, 10)
    flips = mutated(program, CUBES, zeros, context(rate=0.3))
    expected = mutated(
        replace(SMALL, mutation="gene"), CUBES, np.zeros((SIZE, before.genes), np.uint8), context(rate=0.3, grid=before)
    )
    assert np.array_equal(flips, before.refine(expected, GRID))
    first = mutated(program, CUBES, np.zeros_like(expected), context(rate=0.3, grid=before))
    assert np.array_equal(first, expected)


def test_ties_go_to_the_first_of_a_pair_or_to_a_coin():
    grid, genomes = given(
        SMALL, replace(CELLS, start="optimal"), 0
    )  # all alike, so that matches of two games often tie
    members = Members(grid, np.repeat(genomes[:1], SIZE, axis=0))
    program = replace(SMALL, games=2, meet="neighbours", ties="first")
    wins = matches(program, members, np.arange(SIZE).reshape(-1, 2), 2, Draw(0, "dice", 0))
    tied = wins[:, 0] == wins[:, 1]
    survivors = [select(replace(program, ties=ties), CELLS, members, 0, 0)[0] for ties in ("first", "coin")]
    assert tied.sum() > 2
    assert np.array_equal(survivors[0][tied], 2 * np.flatnonzero(tied))
    assert not np.array_equal(survivors[0][tied], survivors[1][tied])
    assert np.array_equal(survivors[0][~tied], survivors[1][~tied])
