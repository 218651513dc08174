"""The program of Exeter 2016 by hand and beside the package, the likelihood of its runs, what is said of them, and slips."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.evolution.population import Chosen
from pigevo.experiments.reconstruction import optimum, scoring
from pigevo.experiments.reconstruction.optimum import Equations, by_levels, entries, of_all_states, read_off
from pigevo.experiments.reconstruction.program import (
    SIZE,
    Course,
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
    read,
    referee,
    select,
    worded,
)
from pigevo.experiments.reconstruction.scoring import (
    NINE,
    READING_ERROR,
    RECORDED,
    SENTENCES,
    UNSCORED,
    Reading,
    Scored,
    behind,
    curve,
    density,
    figure,
    log_share,
    luck,
    of_figure_9,
    true_of,
    two_sided,
)
from pigevo.experiments.reconstruction.search import without_cubes
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


def test_the_figures_of_a_curve():
    values = np.array([0.1, 0.4, 0.2, 0.3])
    found = [figure(name, values) for name in ("at 2", "level 2", "highest 2", "lowest 1")]
    assert found == pytest.approx([0.2, 0.25, 0.3, 0.2])


def test_the_predictive_law_covers_the_next_figure():
    """Of 4,000 figures drawn after eight others, as many are less probable than 10 % as should be (p > 1e-4)."""
    draws = 0.3 + 0.04 * Draw(1, "validation").normals(36_000).reshape(4000, 9)
    p = [two_sided(row[:8], row[8]) for row in draws]
    assert stats.binomtest(int(np.sum(np.array(p) < 0.1)), 4000, 0.1).pvalue > 1e-4


def test_the_density_integrates_to_one():
    ours = np.array([0.2, 0.25, 0.22])
    x = np.linspace(-20, 20, 400_001)
    for prior in (0, 4):
        total = np.trapezoid([np.exp(density(ours, value, prior)) for value in x[::40]], x[::40])
        assert total == pytest.approx(1, abs=0.02)
    assert density(np.full(3, 0.2), 0.2) == pytest.approx(stats.t.logpdf(0, 2) - np.log(READING_ERROR))


def test_what_is_recorded():
    seats = np.zeros((3, SIZE, 2))
    seats[:, :HALF], seats[:, :, 0] = 0.5, seats[:, :, 0] + 0.2
    seats[:, :HALF, 0] = 0.7
    survive = np.arange(SIZE) < HALF
    course = Course(seats, np.array([survive] * 3))
    expected = {"mean": 0.35, "half": 0.175, "moving first": 0.45, "moving second": 0.25, "first of both": 0.225,
                "survivors": 0.6, "survivors of all": 0.3, "best": 0.6, "worst": 0.1, "one member": 0.6,
                "average so far": 0.35}  # fmt: skip
    assert set(expected) == set(RECORDED)
    for name, chance in expected.items():
        recorded = RECORDED[name]
        found = np.array([curve(course, recorded, 0, seed) for seed in range(300)])
        assert found[:, 1:].mean() == pytest.approx(chance, abs=0.01), name
        assert found[:, 0].mean() == pytest.approx(0.35, abs=0.005), "the first population is recorded as it is"


def scored_of(values):
    ours = {("a", "x"): np.array(values), ("a", "y"): np.array(values) + 0.1}
    return Scored(
        Reading("r", ""),
        range(len(values)),
        ours,
        {("a", "x"): 0.2, ("a", "y"): 0.3},
        {"s": np.array([True] * len(values))},
    )


def test_a_cautious_likelihood_counts_a_curve_once():
    near, far = scored_of([0.19, 0.2, 0.22, 0.18]), scored_of([0.39, 0.4, 0.42, 0.38])
    one = density(near.figures["a", "x"], 0.2)
    assert near.likelihood() == pytest.approx(2 * one + log_share(np.ones(4, bool)))
    assert near.cautious() == pytest.approx(one + log_share(np.ones(4, bool)))
    apart, low, high = behind(near, far)
    assert low < apart < high
    assert low > 0
    assert far.farthest()[1] == pytest.approx(
        min(1, 2 * min(two_sided(v, far.published[k]) for k, v in far.figures.items()))
    )
    assert behind(near, near) == (0, 0, 0)


GAME = Pig(target=40)
BEST = pigevo.optimal(GAME).strategy


def first(roll):
    """What a strategy wins against the optimum, moving first."""
    return pigevo.win_probability(optimum._strategy(GAME, roll), BEST).overall


def test_strategy_iteration_without_a_slip_finds_the_optimum():
    assert first(by_levels(40)) == pytest.approx(0.5, abs=1e-12)
    *_, last = of_all_states(GAME)
    assert pigevo.win_probability(last, BEST).overall == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("equations", [Equations(1), Equations(-1), Equations(bust=(1, 0)), Equations(bust=(0, 1))])
def test_equations_with_an_index_one_off_find_something_else(equations):
    assert first(by_levels(40, equations=equations)) < 0.5 - 1e-7


def test_fewer_rounds_are_worse():
    wins = [first(by_levels(40, rounds)) for rounds in (0, 1, 4)]
    assert wins[0] < wins[2] - 1e-3
    assert wins[1] < wins[2] - 1e-3


def test_arrays_are_read_off_by_places():
    best = pigevo.optimal(Pig()).strategy.roll
    assert np.array_equal(read_off(100, (0, 1, -1))[5, 7, 9:40], best[5, 8, 8:39])
    assert read_off(98, (3, 0, 0)).shape == (100, 100, 100)


def test_the_entries_are_those_of_the_table_of_the_optimum():
    found = entries(pigevo.optimal(Pig()).strategy)
    assert found[0] == pytest.approx(0.530593, abs=1e-6)  # Neller & Presser 2004
    assert found[5] == pytest.approx(0.5715, abs=5e-5)
    assert optimum.agreeing({"it": found}, found.round(4)) == {"it": 9}
    assert optimum.agreeing({"it": found}, found.round(4) + 0.0002) == {"it": 0}


def flat(level, dip=0.0):
    values = np.full(61, level)
    values[0], values[21:41] = 0.1, level - dip
    values[50:] += 0.02
    return values


def test_sentences_are_true_of_curves_that_do_what_they_say():
    zigzag = flat(0.2, 0.05) + 0.01 * (-1.0) ** np.arange(61)
    true = of_figure_9(dict(zip(NINE, (flat(0.3, 0.05), flat(0.3, 0.05), zigzag), strict=True)))
    assert list(true.values()) == [True] * 5
    in_records, early = flat(0.3, 0.05), "all three rates peak in the first 10 generations"
    in_records[1:10] = np.linspace(0.12, 0.28, 9)  # .2 of the way by generation 10, all by the tenth record
    assert not of_figure_9(dict.fromkeys(NINE, in_records))[early]
    assert any(words.startswith("4.3: all rates peak in the first 10 records") for words in UNSCORED)
    slow = np.linspace(0.1, 0.2, 61)
    false = of_figure_9(dict(zip(NINE, (zigzag, slow, flat(0.4)), strict=True)))
    assert list(false.values()) == [False, False, True, False, False]


def published():
    return {
        (curve, name): np.array([float(value)])
        for group in read("published.yaml").values()
        for curve, said in group.items()
        for name, value in said["rows"].items()
    }


def test_sentences_are_true_of_the_published_figures_but_where_two_are_read_alike():
    true = true_of(published())
    assert len(true) == len(SENTENCES) == 15
    assert [words for words, said in true.items() if not said[0]] == [
        "4.5: score strategies are higher than hold-at ones with knockout"
    ]


WRONG = {
    "4.3: at all": ("figure 9, 5 %", "at 60", 0.13),
    "4.3.1": ("figure 9, 0.5 %", "highest 1", 0.13),
    "4.4: cubes": ("figure 14", "at 1", 0.44),
    "4.2: mutation": ("figure 6", "at 20", 0.41),
    "4.2: it falls": ("figure 5", "at 10", 0.42),
    "4.2: it ends": ("figure 5", "level 20", 0.16),
    "4.3: knockout": ("figure 8", "highest 1", 0.17),
    "4.4: knockout": ("figure 13", "level 25", 0.21),
    "4.4: it becomes": ("figure 13", "level 25", 0.14),
    "4.5: knockout": ("figure 16", "at 15", 0.44),
    "4.5: score strategies are higher than hold-at ones with": ("figure 16", "level 25", 0.11),
    "4.3: round robin": ("figure 7", "highest 0", 0.16),
    "4.4: round robin": ("figure 12", "lowest 0", 0.35),
    "4.5: round robin": ("figure 15", "highest 0", 0.5),
    "4.5: score strategies are higher than hold-at ones in": ("figure 15", "level 0", 0.41),
}


@pytest.mark.parametrize("start", WRONG)
def test_a_sentence_is_false_of_a_figure_that_contradicts_it(start):
    *key, value = WRONG[start]
    (words,) = (one.words for one in SENTENCES if one.words.startswith(start))
    assert not true_of(published() | {tuple(key): np.array([value])})[words][0]


def test_a_sentence_without_its_figures_is_left_out():
    assert true_of({("figure 14", "at 1"): np.array([0.2, 0.5])})[
        "4.4: cubes fall at once from hold-at strategies"
    ].tolist() == [True, False]


@pytest.mark.parametrize("start", scoring.GIVEN)
def test_the_given_strategies_win_as_often_as_the_sentences_say(start):
    grid, genomes = given(Program(), Setting(start), 0)
    assert referee(Program(), Members(grid, genomes)).mean() == pytest.approx(scoring.GIVEN[start], abs=5e-5)


@pytest.mark.parametrize("sides", [1, 2])
def test_luck_carries_a_curve_out_of_its_bounds_in_one_of_twenty_runs(sides):
    """Of 4,000 curves of 101 records, 5 % leave the bounds, as a normal law has it (within 4 standard errors)."""
    wins = 0.4 + (0.4 * 0.6 / (SIZE * 100)) ** 0.5 * Draw(1, "validation").normals(404_000).reshape(4000, 101)
    away = wins - 0.4 if sides == 1 else np.abs(wins - 0.4)
    assert np.mean(away.max(axis=1) > luck(0.4, sides)) == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 4000) ** 0.5)
