"""The parts of the study of co-evolution beside what is known by other means, and the whole with its tables and README."""

import csv
import itertools
import os
import re
import subprocess
import sys
from dataclasses import replace
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import pigevo
from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.experiments import experiments_folder
from pigevo.experiments.benchmark.instances import Instance
from pigevo.experiments.coevolution import (
    authors,
    disengagement,
    generalised,
    interaction,
    kept,
    memories,
    noise,
    sizes,
    study,
    transitivity,
    worlds,
)
from pigevo.experiments.coevolution.noise import chance_of_wrong, selected
from pigevo.experiments.common.tables import read_sections
from pigevo.games import Pig
from pigevo.sweeps.job import SomeFailed
from tests.small import environment_of_a_process, marked, wait_for

SMALL = worlds.World("Piglet to 2", "piglet", (("target", 2),))


def random_survival(n, seed=0):
    """Chances to survive against each, of which those of both add up to 1."""
    upper = np.triu(Draw(seed, "validation").uniforms(n * n).reshape(n, n), 1)
    return upper + np.tril(1 - upper.T, -1) + np.eye(n) / 2


def cyclic_triples(wins):
    """By looking at each."""
    return [
        (a, b, c) for a, b, c in itertools.combinations(range(len(wins)), 3)
        if (wins[a, b] and wins[b, c] and wins[c, a]) or (wins[b, a] and wins[c, b] and wins[a, c])
    ]  # fmt: skip


def test_bilinear_by_counting():
    x, y = Draw(0, "validation").bits(3, 8), Draw(1, "validation").bits(2, 8)
    for i, j in itertools.product(range(3), range(2)):
        a, b = int(x[i].sum()), int(y[j].sum())
        assert interaction.bilinear(x, y, 0.25, 0.5)[i, j] == b * (a - 0.5 * 8) - 0.25 * 8 * a


def test_at_the_equilibrium_of_bilinear_nobody_gains_by_leaving():
    strings = np.tril(np.ones((9, 8), np.uint8), -1)  # 0 to 8 ones
    value = interaction.bilinear(strings[4:5], strings[2:3], 0.25, 0.5)[0, 0]
    assert (interaction.bilinear(strings, strings[2:3], 0.25, 0.5) <= value + 1e-12).all()
    assert (interaction.bilinear(strings[4:5], strings, 0.25, 0.5) >= value - 1e-12).all()


def test_the_worst_finds_the_equilibrium_of_bilinear_and_the_mean_circles(monkeypatch):
    monkeypatch.setattr(interaction, "STEPS", 300)
    worst, mean = (interaction.on_bilinear((0.5, 0.5, by, 1)) for by in ("worst", "mean"))
    assert worst["found"] == 1
    assert worst["away"] < 1
    assert mean["away"] > 4


def test_both_rules_are_compared_at_each_step():
    instance = Instance(Pig(10, 2))
    algorithm = interaction.Compared(instance.problem(0, 1000), 3, "worst")
    rows = (np.full((3, 3), 0.5), np.array([[0.9, 0.1, 0.9], [0.5, 0.4, 0.5], [0.2, 0.2, 0.2]]))
    for results in rows:
        algorithm.ask()
        algorithm.tell(results.ravel())
    assert algorithm.alike == [True, False]


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
    np.testing.assert_allclose(transitivity.of_two(survives), two)
    np.testing.assert_allclose(transitivity.of_four(survives), four)
    assert abs(two.sum() - 1) < 1e-12
    assert abs(four.sum() - 1) < 1e-12


def test_where_winning_is_transitive_it_is_the_tournament_by_a_fitness():
    """The theorem of 2008; and a single cycle breaks it."""
    fitness = np.array([3.0, 1.0, 4.0, 1.5, 9.0])
    survives = transitivity.order(fitness)
    by_wins = transitivity.order(survives.sum(axis=1))
    assert transitivity.distance(transitivity.of_four(survives), transitivity.of_four(by_wins)) < 1e-12
    survives[4, 1], survives[1, 4] = 0.0, 1.0
    by_wins = transitivity.order(survives.sum(axis=1))
    assert transitivity.cyclic_share(survives > 0.5) == 3 / 10
    assert transitivity.distance(transitivity.of_four(survives), transitivity.of_four(by_wins)) > 0.05


def test_the_chance_to_win_a_match_of_games():
    seats = np.array([[0.7, 0.2]])
    chance = 0.0
    for results in itertools.product((0, 1), repeat=4):  # two games in the first seat, two in the second
        p = np.prod([q if won else 1 - q for won, q in zip(results, (0.7, 0.7, 0.2, 0.2), strict=True)])
        chance += p * (1.0 if sum(results) > 2 else 0.5 if sum(results) == 2 else 0.0)
    result = transitivity.of_games(seats, 4)
    np.testing.assert_allclose(result, [[0.5, chance], [1 - chance, 0.5]])


def test_cycles_are_counted_as_by_looking_at_each():
    wins = random_survival(9) > 0.5
    triples = cyclic_triples(wins)
    assert len(triples) > 3
    through = [sum(n in one for one in triples) for n in range(9)]
    assert transitivity.cycles_of(wins).tolist() == through
    assert transitivity.cyclic_share(wins) == pytest.approx(len(triples) / 84)


def test_draws_can_break_an_order_without_a_cycle():
    draws = np.array([[0.5, 0.5, 1.0], [0.5, 0.5, 0.5], [0.0, 0.5, 0.5]])
    assert transitivity.cyclic_share(draws > 0.5) == 0
    assert not transitivity.is_order(draws)
    assert not transitivity.is_order(np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]))
    assert transitivity.is_order(transitivity.order(np.array([2.0, 1.0, 2.0, 3.0])))


def test_equal_strategies_are_decided_by_a_coin():
    survives = transitivity.decided(np.array([0.5 + 1e-15, 0.6, 0.4]))
    assert survives.tolist() == [[0.5, 0.5, 1.0], [0.5, 0.5, 0.0], [0.0, 1.0, 0.5]]


def test_populations_are_of_their_kind():
    world = worlds.TEN
    near = transitivity.population(world, "near the optimum", 0)
    assert 0.01 < (near != world.best).mean() < 0.1
    one, other = (transitivity.population(world, kind, 0) for kind in ("random", "evolved"))
    assert world.against_optimum(other).mean() > world.against_optimum(one).mean() + 0.02
    assert 0.45 < one.mean() < 0.55


def test_who_enters_the_dominance_tournament_beats_all_before():
    instance = Instance(Pig(10, 2), cube=2)
    algorithm, _ = worlds.ended(memories.MEMORIES["dominance tournament"], instance, 1, 4000)
    dominant = algorithm._dominant
    assert len(dominant) > 3
    won = pigevo.win_matrix([instance.grid.strategy(one) for one in dominant])
    assert (won[np.tril_indices(len(dominant), -1)] > 0.5).all()
    np.testing.assert_array_equal(algorithm.champion, dominant[-1])


def test_the_best_of_a_generation_wants_to_enter_the_dominance_tournament():
    algorithm = memories.DominanceTournament(Instance(Pig(10, 2)).problem(0, 1000), size=6)
    genomes, wins = algorithm.ask().genomes, np.array([0.3, 0.4, 0.8, 0.9, 0.7, 0.2])
    algorithm.tell(wins)
    question = algorithm.ask()
    np.testing.assert_array_equal(question.genomes, genomes[[3, 6]])
    assert question.pairs.tolist() == [[0, 1]]
    algorithm.tell(np.array([0.5]))  # a draw does not beat
    np.testing.assert_array_equal(algorithm.champion, genomes[6])
    np.testing.assert_array_equal(algorithm.ask().genomes[:3], genomes[[3, 2, 4]])


def test_the_loss_of_a_mixture_is_the_mean_of_its_strategies():
    key = ("t10-d2-c1-exact", "Nash memory", 1, 3000)
    instance = memories.INSTANCES[key[0]]
    algorithm, _ = worlds.ended(memories.NashMemory, instance, 1, 3000)
    genomes, weights = algorithm.mixture
    best = pigevo.optimal(instance.game).strategy
    loss = sum(w * (0.5 - pigevo.win_probability(instance.grid.strategy(g), best).overall)
               for g, w in zip(genomes, weights, strict=True))  # fmt: skip
    assert memories.figures(key)["mixture loss"] == pytest.approx(loss, abs=1e-12)


LEVEL = 1e-4


def test_the_chance_that_games_miss_by_an_error():
    for mean, games, error in ((0.3, 5, 0.15), (0.55, 8, 0.1), (0.5, 10, 0.1), (0.05, 4, 0.2)):
        chance = sum(
            np.prod([mean if won else 1 - mean for won in results])
            for results in itertools.product((0, 1), repeat=games) if abs(sum(results) / games - mean) > error + 1e-9
        )  # fmt: skip
        assert generalised.missing(np.array([mean]), games, error) == pytest.approx(chance)


def test_the_fewest_games_miss_seldom_enough():
    mean = np.array([0.4, 0.5])
    games = generalised.needed_games(mean, 0.2)
    assert (generalised.missing(mean, games, 0.2) <= 0.05).all()
    assert all((generalised.missing(mean, fewer, 0.2) > 0.05).any() for fewer in range(1, games))


def test_chebyshev_holds_and_estimates_are_right_on_average(monkeypatch):
    monkeypatch.setattr(generalised, "WORLDS", {"small": SMALL})
    monkeypatch.setattr(generalised, "LEARNERS", 4)
    generalised.truth.cache_clear()
    _, matrix = generalised.truth("small")
    result = generalised.figures(("small", 10, 0))
    for error in generalised.ERRORS:
        assert result[f"mean {error}"] <= result[f"most {error}"]
        assert result[f"most {error}"] <= generalised.chebyshev(matrix.var(axis=1).max(), 10, error) + 0.1
    exact = generalised.whole(("small", 0))
    assert exact["variance"] == pytest.approx(matrix.var(axis=1).max())
    assert exact["champion exploitability"] < 1e-12
    assert exact["best mean"] == pytest.approx(matrix.mean(axis=1).max())
    generalised.truth.cache_clear()


def test_an_estimate_misses_as_often_as_it_does(monkeypatch):
    """Two results, equally often: the mean of n of them is binomial."""
    fair = np.array([[0.0, 1.0]] * 2)
    monkeypatch.setattr(generalised, "truth", lambda _: (None, fair))
    monkeypatch.setattr(generalised, "LEARNERS", 2)
    shares = [generalised.figures(("any", 10, seed))["mean 0.1"] for seed in range(10)]
    missed = round(sum(shares) * generalised.SAMPLES)
    chance = float(generalised.missing(np.array([0.5]), 10, 0.1)[0])
    assert stats.binomtest(missed, 10 * generalised.SAMPLES, chance).pvalue > LEVEL


def test_levels_are_by_strength_and_as_large_as_each_other():
    matrix = random_survival(40)
    level, strength = transitivity.levels(matrix)
    assert np.bincount(level).tolist() == [4] * 10
    means = [(matrix[n].sum() - 0.5) / 39 for n in range(40)]
    np.testing.assert_allclose(strength, means)
    assert all(strength[level == n].max() <= strength[level == n + 1].min() for n in range(9))


def test_mixtures_reach_from_the_worst_to_the_best():
    genomes = transitivity.mixtures(worlds.TWENTY, 0)
    alike = (genomes == worlds.TWENTY.best).mean(axis=1)
    assert alike[0] < 0.02
    assert alike[-1] > 0.98
    assert abs(alike[len(alike) // 2] - 0.5) < 0.1


def test_the_cycles_of_a_set_are_those_of_its_levels(monkeypatch):
    monkeypatch.setattr(transitivity, "EXHAUSTED", {"small": replace(worlds.BLOCKS, size=(5, 10, 5))})
    monkeypatch.setattr(transitivity, "LEVELS", 2)
    result = transitivity.figures_by_level(("small", 0))
    matrix = transitivity.EXHAUSTED["small"].matrix(transitivity.EXHAUSTED["small"].everything())
    triples = cyclic_triples(worlds.beats(matrix))
    level, _ = transitivity.levels(matrix)
    n = len(matrix)
    for one in range(2):
        members = np.flatnonzero(level == one)
        through = np.mean([sum(m in t for t in triples) for m in members]) / ((n - 1) * (n - 2) / 2)
        inside = sum(all(m in members for m in t) for t in triples)
        assert result[f"through {one}"] == pytest.approx(through)
        assert result[f"within {one}"] == pytest.approx(
            inside / (len(members) * (len(members) - 1) * (len(members) - 2) / 6)
        )


def test_results_are_means_of_all_pairs():
    learners, opponents = Draw(0, "population").bits(3, 550), Draw(1, "population").bits(2, 550)
    strategies = [worlds.TWENTY.grid.strategy(one) for one in (*learners, *opponents)]
    means = [np.mean([pigevo.win_probability(a, b).overall for b in strategies[3:]]) for a in strategies[:3]]
    np.testing.assert_allclose(disengagement.results(learners, opponents), means, atol=1e-12)


def test_the_gradient_by_all_outcomes(monkeypatch):
    monkeypatch.setattr(disengagement, "GAMES", 3)
    fitness, alike, right = np.array([0.2, 0.6]), 0.0, 0.0
    for a, b in itertools.product(range(4), repeat=2):
        p = stats.binom.pmf(a, 3, 0.2) * stats.binom.pmf(b, 3, 0.6)
        alike += p * (a == b)
        right += p * (1.0 if b > a else 0.5 if b == a else 0.0)
    result = disengagement.gradient(fitness, np.array([1.0, 2.0]))
    assert result["all alike"] == pytest.approx(alike)
    assert result["right"] == pytest.approx(right)
    assert result["spread"] == pytest.approx(0.2)
    assert result["rank"] == pytest.approx(1)


def test_learners_become_stronger_and_keep_their_better_half():
    learners, opponents = (
        Draw(0, "population").bits(6, 550),
        worlds.mutants(worlds.TWENTY.best, 3, 0.2, Draw(0, "dice")),
    )
    once = disengagement.evolved(learners, opponents, 1, 0, 0)
    order = np.argsort(-disengagement.results(learners, opponents))
    np.testing.assert_array_equal(once[:3], learners[order[:3]])
    later = disengagement.evolved(learners, opponents, 10, 0, 0)
    assert disengagement.results(later, opponents).mean() > disengagement.results(learners, opponents).max()


def test_a_population_spends_its_games_or_exact_evaluations(monkeypatch):
    monkeypatch.setattr(sizes, "GENERATIONS", 2)
    seen = []

    def spent(make, instance, seed, budget):
        seen.append((instance.game, instance.games, make.keywords["size"], make.keywords["stay"], budget))
        return None, {}

    monkeypatch.setattr(sizes, "ended", spent)
    monkeypatch.setattr(sizes, "population_loss", lambda algorithm, instance: 0.0)
    sizes.figures((sizes.SHORT, sizes.STAY, 1280, 64, 0))
    sizes.figures((sizes.LONG, sizes.CHILDREN, 6400, 16, 0))
    sizes.figures((sizes.SHORT, sizes.CHILDREN, -64, 16, 0))
    assert seen == [
        (Pig(20, 3), 40, 64, True, 2560),
        (Pig(100, 6), 800, 16, False, 12_800),
        (Pig(20, 3), 0, 16, False, 64),
    ]
    for size, spent in itertools.product(sizes.SIZES, sizes.PER_GENERATION):
        assert spent % (size // 2) == 0
        assert spent // (size // 2) % 2 == 0


def test_the_change_with_each_doubling():
    by_size = {16: np.array([0.1, 0.3]), 32: np.array([0.15, 0.3]), 64: np.array([0.2, 0.3])}
    assert sizes.slope(by_size) == pytest.approx([0.05, 0.0])


def test_the_loss_of_a_population_is_the_mean_of_its_members():
    instance = Instance(Pig(10, 2), cube=2)
    algorithm, _ = worlds.ended(sizes.Knockout, instance, 0, 100)
    best = pigevo.optimal(instance.game).strategy
    members = [instance.grid.strategy(one) for one in algorithm.population]
    loss = 0.5 - np.mean([pigevo.win_probability(one, best).overall for one in members])
    assert worlds.population_loss(algorithm, instance) == pytest.approx(loss, abs=1e-12)


NOISE = np.array([-1.0, 1.0] * 10)
NOISE *= 0.002 * 20**0.5 / NOISE.std(ddof=1)
"""Twenty values around 0 whose mean has a standard error of .002."""


@pytest.mark.parametrize(
    ("values", "claimed", "holds", "refuted", "reading"),
    [
        (0.05 + NOISE, "more", True, False, "as claimed, and large enough"),
        (0.012 + NOISE, "more", True, False, "as claimed"),
        (0.005 + NOISE, "more", True, True, "as claimed, and small"),
        (NOISE, "more", False, True, "equivalent"),
        (-0.05 + NOISE, "more", False, True, "the opposite"),
        (10 * NOISE, "more", False, False, "undecided"),
        (-0.05 + NOISE, "less", True, False, "as claimed, and large enough"),
        (NOISE, "same", True, False, "equivalent, as claimed"),
        (0.0062 + NOISE, "same", True, False, "equivalent, as claimed"),
        (-0.0062 + NOISE, "same", True, False, "equivalent, as claimed"),
        (0.009 + NOISE, "same", False, False, "undecided"),
        (0.0145 + NOISE, "same", False, False, "undecided"),
        (0.02 + NOISE, "same", False, True, "apart"),
        (-0.02 + NOISE, "same", False, True, "apart"),
    ],
)
def test_how_a_difference_reads_beside_the_smallest_effect_of_interest(values, claimed, holds, refuted, reading):
    effect = kept.effect("s", values, claimed, 2 if claimed == "same" else 1)
    assert (effect.holds, effect.refuted) == (holds, refuted)
    assert effect.reading == reading


def test_equivalence_is_both_one_sided_tests():
    values = np.random.default_rng(3).normal(0.004, 0.012, 20)
    for interest in (0.0105, 0.02):
        both = max(stats.ttest_1samp(values, -interest, alternative="greater").pvalue,
                   stats.ttest_1samp(values, interest, alternative="less").pvalue)  # fmt: skip
        reading = kept.effect("s", values, "more", 1, interest=interest).reading
        assert (reading in ("equivalent", "as claimed, and small")) == (both < 0.05)


def test_one_setting_of_four_is_no_claim_that_holds():
    def of(holds, refuted):
        return kept.Effect("s", holds, refuted, "")

    yes, no, vague = of(True, False), of(False, True), of(False, False)
    assert kept.claim_verdict([yes, yes]).startswith(f"{kept.HOLDS}, in all 2 settings |")
    assert kept.claim_verdict([yes, vague, vague, vague]).startswith(f"{kept.UNDECIDED} |")
    assert kept.claim_verdict([yes, no]).startswith(f"{kept.FAILS} in general |")
    assert kept.claim_verdict([of(True, True)]).startswith(f"{kept.HOLDS} |")


def test_many_settings_without_an_effect_are_seldom_refuted_where_there_is_one():
    """An effect as large as is of interest, in four settings: one of them is refuted in 5 % of cases at most."""
    drawn, refuted = np.random.default_rng(5).normal(kept.INTEREST, 0.01, (600, 4, 20)), 0
    for settings in drawn:
        refuted += any(kept.effect("s", one, "more", 4).refuted for one in settings)
    assert refuted / 600 < 0.05 + 3 * (0.05 * 0.95 / 600) ** 0.5


def test_rock_paper_scissors_has_the_equilibrium_that_is_said():
    nashpy = pytest.importorskip("nashpy")
    (equilibrium,) = nashpy.Game(memories.matrix()).vertex_enumeration()
    assert np.array(equilibrium) == pytest.approx(np.full((2, 3), 1 / 3))
    assert (memories.matrix() + memories.matrix().T == 1).all()
    bits = np.triu(np.ones((6, 5), np.uint8))
    assert memories.played(bits).tolist() == [2, 1, 0, 2, 1, 0]


def strings_of(*halves, bits=50):
    """Genomes with so many ones in each half."""
    return np.array([[n < one for one in pair for n in range(bits)] for pair in halves]).astype(np.uint8)


def test_the_numbers_that_differ_most_or_least_are_compared():
    first, second = strings_of((5, 2)), strings_of((3, 9), (5, 1), (5, 2))
    assert authors.NEAREST.values(first).tolist() == [[5, 2]]
    assert authors.NEAREST.by(first, second).tolist() == [[2, 0, 0]]  # 5 against 3; 5 against 5
    assert authors.Numbers(2, 50).by(first, second).tolist() == [[-7, 1, 0]]  # 2 against 9; 2 against 1


def test_opponents_are_drawn_by_their_chances():
    results = np.array([[True, False], [False, True]])
    draw = Draw(1, "selection")
    assert authors.wins(results, np.array([1.0, 0.0]), 7, draw).tolist() == [7, 0]
    won = authors.wins(results, np.array([0.25, 0.75]), 4000, draw)
    assert stats.binomtest(int(won[0]), 4000, 0.25).pvalue > LEVEL
    assert stats.binomtest(int(won[1]), 4000, 0.75).pvalue > LEVEL


def test_parents_are_drawn_in_proportion_to_their_wins_and_bits_anew():
    genomes = np.repeat(np.array([[0], [1], [1]], np.uint8), 4000, axis=1)
    born = np.concatenate([authors.bred(genomes, np.array([1, 3, 0]), seed, 0) for seed in range(200)])
    ones = born.mean(axis=1)
    assert stats.binomtest(int((ones > 0.5).sum()), len(born), 0.75).pvalue > LEVEL
    flipped = int(np.minimum(born.sum(axis=1), 4000 - born.sum(axis=1)).sum())
    assert stats.binomtest(flipped, born.size, authors.RATE / 2).pvalue > LEVEL
    assert authors.bred(genomes, np.zeros(3, int), 1, 0).shape == genomes.shape


def test_a_memory_lets_in_whom_its_kind_does():
    nash, hall, dominant = (authors.Memory(kind, 2) for kind in authors.MEMORIES)
    circle, draw, weak = [(5, 5), (6, 1), (1, 2)], (6, 6), (1, 1)  # each of the circle beats the one before
    for pair in (*circle[:2], draw, circle[2], weak):
        for memory in (nash, hall, dominant):
            memory.meet(strings_of(pair)[0])
    ones = [authors.NEAREST.values(memory.known.genomes).tolist() for memory in (hall, dominant)]
    assert ones == [[[1, 2], [1, 1]], [[0, 0], [5, 5], [6, 1]]]
    assert hall.weights.tolist() == [0.5, 0.5]
    assert authors.NEAREST.values(nash.known.genomes[nash.weights > 0]).tolist() == [[5, 5], [6, 1], [1, 2]]
    assert nash.weights[nash.weights > 0] == pytest.approx([1 / 3] * 3)
    assert hall.handed_over() == 0.02
    assert dominant.handed_over() == 0.07
    assert nash.handed_over() == pytest.approx(0.2 / 3)


def test_with_many_opponents_both_populations_climb():
    """As the authors' page says of 15 opponents; without any selection half of the bits would be ones."""
    assert authors.on_numbers((authors.CLIMB, 3))["ones"] > 0.9


def test_a_world_has_the_truth():
    genomes = SMALL.everything()
    assert genomes.shape == (2**SMALL.genes, SMALL.genes)
    assert len(np.unique(genomes, axis=0)) == len(genomes)
    strategies = [SMALL.grid.strategy(one) for one in genomes]
    np.testing.assert_allclose(SMALL.matrix(genomes), pigevo.win_matrix(strategies), atol=1e-12)
    best = pigevo.optimal(SMALL.grid.game).strategy
    won = [pigevo.win_probability(one, best).overall for one in strategies]
    np.testing.assert_allclose(SMALL.against_optimum(genomes), won, atol=1e-12)
    assert SMALL.exploitability(SMALL.best) < 1e-12
    assert SMALL.exploitability(1 - SMALL.best) > 0.01


@pytest.mark.parametrize("world", [worlds.TEN, worlds.TWENTY, worlds.FORTY], ids=lambda one: one.name)
def test_in_every_world_there_is_something_to_find(world):
    assert 0.1 < world.best.mean() < 0.9
    assert world.exploitability(world.best) < 0.01


def chance_of_wrong_by_hand(truth, games):
    """By every outcome of all games."""
    wrong, best = 0.0, max(truth)
    for wins in itertools.product(*(range(g + 1) for g in games)):
        chance = np.prod([comb(g, w) * p**w * (1 - p) ** (g - w) for p, g, w in zip(truth, games, wins, strict=True)])
        shares = [w / g for w, g in zip(wins, games, strict=True)]
        top = [n for n, share in enumerate(shares) if abs(share - max(shares)) < 1e-12]
        wrong += chance * sum(truth[n] < best for n in top) / len(top)
    return wrong


@pytest.mark.parametrize(
    ("truth", "games"),
    [
        ((0.5, 0.6), (1, 1)),
        ((0.3, 0.35), (7, 7)),
        ((0.5, 0.4, 0.45), (5, 5, 5)),
        ((0.5, 0.4, 0.45), (3, 6, 4)),
        ((0.2, 0.2, 0.1, 0.15), (4, 4, 4, 4)),
        ((0.7, 0.6, 0.5, 0.4, 0.3), (3, 3, 3, 3, 3)),
        ((1.0, 0.0), (3, 2)),
        ((0.5, 0.5), (3, 3)),
    ],
)
def test_the_chance_to_select_wrongly_is_the_sum_over_all_outcomes(truth, games):
    assert chance_of_wrong(np.array(truth), np.array(games)) == pytest.approx(
        chance_of_wrong_by_hand(truth, games), abs=1e-12
    )


def test_the_chance_to_select_wrongly_of_two_is_the_convolution_of_their_games():
    from scipy.stats import binom

    wins = np.arange(201)
    first, second = binom.pmf(wins, 200, 0.52), binom.pmf(wins, 200, 0.5)
    level = (first * second).sum()
    more = (second * binom.cdf(wins - 1, 200, 0.52)).sum()
    assert chance_of_wrong(np.array([0.52, 0.5]), 200) == pytest.approx(more + level / 2, abs=1e-12)


def test_simulated_selection_comes_near_the_exact_chance():
    truth = np.array([0.52, 0.5, 0.49, 0.45])
    scores = np.array([(Draw(n, "validation").uniforms(400).reshape(4, 100) < truth[:, None]).mean(axis=1)
                       for n in range(3000)])  # fmt: skip
    outcome = selected(truth, scores, np.full(3000, 400))
    exact = chance_of_wrong(truth, 100)
    assert share_interval(round(outcome.wrong * 3000), 3000, 0.999)[0] < exact
    assert share_interval(round(outcome.wrong * 3000), 3000, 0.999)[1] > exact
    assert outcome.wrong_low < outcome.wrong < outcome.wrong_high
    assert (outcome.games, outcome.times) == (400, 3000)


def test_who_is_selected_is_judged_by_the_truth():
    truth, scores = np.array([0.5, 0.4, 0.45]), np.array([[3.0, 2, 1], [1, 2, 3], [3, 1, 2], [2, 1, 3]])
    best, best_two = (selected(truth, scores, np.zeros(4), n) for n in (1, 2))
    assert (best.wrong, best.lost) == (0.5, pytest.approx(0.025))
    assert (best_two.wrong, best_two.lost) == (0.5, pytest.approx((0.475 - 0.45 + 0.475 - 0.425) / 4))


@pytest.mark.parametrize(("truth", "games"), [([0.5], 3), ([0.5, 1.2], 3), ([0.5, 0.4], 0)])
def test_what_cannot_be_selected_is_refused(truth, games):
    with pytest.raises(InputError):
        chance_of_wrong(np.array(truth), games)


PLACE = experiments_folder() / "coevolution"
README, TABLES = readme_and_tables("coevolution")


@pytest.fixture
def tiny(monkeypatch):
    """The study with next to nothing to do."""
    for module, name, value in (
        (interaction, "STEPS", 20), (interaction, "BUDGET", 1800), (memories, "BUDGET", 800), (sizes, "SIZES", (4, 8)),
        (sizes, "NOISY", ((sizes.SHORT, sizes.STAY, 80),)), (sizes, "EXACT", ((sizes.SHORT, sizes.CHILDREN, -40),)),
        (sizes, "GENERATIONS", 2), (disengagement, "GENERATIONS", 1), (disengagement, "SHARES", (0.5, 1.0)),
        (transitivity, "GENERATIONS", 1), (transitivity, "MIXTURES", 30), (transitivity, "EXHAUSTED", {}), (generalised, "SAMPLES", 2),
        (generalised, "WORLDS", {"small": SMALL}), (generalised, "TESTS", (5, 9)), (memories, "MATRIX_BUDGET", 600),
        (sizes, "ASKED", {"a larger population is better": sizes.Asked(
            "somebody", ((sizes.SHORT, sizes.STAY, 80), (sizes.SHORT, sizes.CHILDREN, -40)), "less", 4, 8)}),
        (authors, "GENERATIONS", 20), (authors, "STEPS", 20), (authors, "LENGTHS", (50,)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(study, "_noise", lambda folder, seeds, workers: None)
    monkeypatch.setattr(transitivity, "WORLDS", {worlds.TEN.name: worlds.TEN})
    generalised.truth.cache_clear()
    yield
    generalised.truth.cache_clear()


@pytest.mark.slow
def test_the_study_writes_every_table_and_picture_and_goes_on(tiny, tmp_path, monkeypatch):
    study.run(tmp_path, 2, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    parts = ["interaction", "fitnessless", "memories", "generalised", "tops", "disengagement", "sizes", "matrices"]
    assert {"claims", "authors", *parts} == set(read_sections(tmp_path))
    assert {f"{part}.csv" for part in [*parts, "authors_numbers", "authors_memories", "authors_bilinear"]} <= names
    pictures = {f"{one}.png" for one in ("bilinear", "tops", "generalised", "disengagement", "sizes")}
    assert {name for name in names if name.endswith(".png")} == pictures
    claims = read_sections(tmp_path)["claims"]
    assert claims.count("\n") > 15
    assert all(line.count(" | ") == 4 for line in claims.splitlines()[2:])
    before = {name: (tmp_path / name).read_bytes() for name in names if not name.endswith(".png")}
    monkeypatch.setattr(kept, "_compute", lambda work, keys, workers, add: keys and pytest.fail("it is computed again"))
    study.run(tmp_path, 2, 1)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_only_what_is_missing_is_computed(tmp_path):
    done = []

    def work(key):
        done.append(key)
        return {"sum": key[1] + 0.1, "twice": 2.0 * key[1]}

    path = tmp_path / "rows.csv"
    first = kept.kept(path, ("name", "seed"), [("a", 1), ("a", 2)], work)
    again = kept.kept(path, ("name", "seed"), [("a", 2), ("b", 3)], work)
    assert done == [("a", 1), ("a", 2), ("b", 3)]
    assert first == {("a", "1"): {"sum": 1.1, "twice": 2.0}, ("a", "2"): {"sum": 2.1, "twice": 4.0}}
    assert list(again) == [("a", "2"), ("b", "3")]
    assert again["a", "2"] == first["a", "2"]
    assert len(path.read_text().splitlines()) == 4


NAMES = ("name", "seed")
WHOLE = "name,seed,sum,twice\na,1,1.1,2.0\na,2,2.1,\n"
DAMAGES = {
    "": "it has no rows",
    "name,seed,sum,twice\n": "it has no rows",
    WHOLE.replace("seed", "other"): "it has no column seed",
    WHOLE.replace("1.1", "abc"): "abc",
    WHOLE.replace("1.1", "nan"): "nan is not a finite number",
    WHOLE.replace("2.1", ""): "the row of a, 2 has no figures",
    WHOLE.replace(",2.1,", ""): "line 3 has another number of columns",
    WHOLE[:-2]: "line 3 has another number of columns",
    WHOLE[:-1]: "its last line is cut off",
}


@pytest.mark.parametrize("content", DAMAGES)
def test_a_damaged_table_is_refused_and_stays(content, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(content)
    sentence = (
        rf"^{re.escape(str(path))} is damaged \([^()]*{DAMAGES[content]}[^()]*\): remove it, and it is made anew\.$"
    )
    with pytest.raises(InputError, match=sentence):
        kept.kept(path, NAMES, [("a", 1)], pytest.fail)
    assert path.read_text() == content


def test_a_whole_table_is_read_also_if_some_rows_have_fewer_figures(tmp_path):
    (tmp_path / "rows.csv").write_text(WHOLE)
    rows = kept.kept(tmp_path / "rows.csv", NAMES, [("a", 1), ("a", 2)], pytest.fail)
    assert rows == {("a", "1"): {"sum": 1.1, "twice": 2.0}, ("a", "2"): {"sum": 2.1}}


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.write_bytes(b"\xff\xfe")])
def test_what_is_no_table_is_refused_in_a_sentence(make, tmp_path):
    make(tmp_path / "rows.csv")
    with pytest.raises(InputError, match=r"rows\.csv (cannot be read: it is a folder|is damaged)"):
        kept.kept(tmp_path / "rows.csv", NAMES, [("a", 1)], pytest.fail)


def test_a_process_that_ends_while_it_computes_is_told_with_its_key(tmp_path):
    with pytest.raises(SomeFailed, match=r"^\('a', [12]\): its process ended with status 1.*the same command goes on"):
        kept.kept(tmp_path / "rows.csv", NAMES, [("a", 1), ("a", 2)], os._exit, 2)


@pytest.mark.slow
def test_other_processes_find_the_same_and_write_the_same_file(tmp_path):
    keys = [(0.5, 0.5, "worst", seed) for seed in range(3)]
    names = ("alpha", "beta", "by", "seed")
    alone = kept.kept(tmp_path / "alone.csv", names, keys, interaction.on_bilinear)
    assert alone == kept.kept(tmp_path / "both.csv", names, keys, interaction.on_bilinear, 2)
    assert (tmp_path / "alone.csv").read_bytes() == (tmp_path / "both.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_process_is_left_by_a_study_that_is_killed(tmp_path):
    words = [
        "-m",
        "pigevo",
        "study",
        "coevolution",
        "--seeds",
        "6",
        "--workers",
        "2",
        "--folder",
        str(tmp_path / "study"),
    ]
    environment = environment_of_a_process() | {"OF_THIS_TEST": str(tmp_path)}
    process = subprocess.Popen([sys.executable, *words], cwd=tmp_path, env=environment)
    wait_for((tmp_path / "study" / "interaction_bilinear.csv").exists)
    process.kill()
    process.wait()
    wait_for(lambda: not marked(str(tmp_path)))


@pytest.mark.slow
def test_every_way_to_spend_games_spends_as_many():
    cells = noise.table(2, 1, (120,))
    assert len({(cell.way, cell.common, cell.generations) for cell in cells}) == len(cells) == 10
    for cell in cells:
        assert 0.7 * 2400 < cell.found.games <= 2400, cell
        assert cell.found.times == 2
    rows = list(csv.DictReader(noise.as_csv(cells).splitlines()))
    assert [row["way"] for row in rows] == [cell.way.partition(":")[0] for cell in cells]
    assert len(noise.as_markdown(cells).splitlines()) == 2 + 10 + 2


def test_the_chance_to_select_wrongly_is_exact_and_falls_with_the_games():
    own, opponent, truth = noise.members()
    assert truth[3] == pigevo.win_probability(own[3], opponent).overall
    chances = [chance for _, chance in noise.exact()]
    assert 1 - 1 / len(own) > chances[0] > chances[1] > chances[2] > 0


def test_the_table_of_noise_is_that_of_its_figures():
    rows = list(csv.DictReader((PLACE / "noise.csv").open()))
    kept = read_sections(PLACE)["noise"]
    assert {row["games_each"] for row in rows} == {str(each) for each in noise.EACH}
    for row in rows:
        wrong = f"{float(row['wrong']):.3f} ({float(row['wrong_low']):.3f} to {float(row['wrong_high']):.3f})"
        lost = f"{float(row['lost']):.5f}"
        assert any(
            wrong in line and lost in line and f"| {row['way']}" in line and f"{int(row['games_each']):,}" in line
            for line in kept.splitlines()
        )
    assert np.isfinite([float(row["games"]) for row in rows]).all()


LEVELS = SimpleNamespace(measured=transitivity.measured_by_level, as_markdown=transitivity.levels_as_markdown,
                         verdicts=transitivity.verdicts_on_levels)  # fmt: skip
MATRICES = SimpleNamespace(measured=memories.measured_on_matrix, as_markdown=memories.matrix_as_markdown,
                           verdicts=memories.verdicts_on_matrix)  # fmt: skip
PARTS = {
    "interaction": interaction, "fitnessless": transitivity, "memories": memories, "generalised": generalised,
    "tops": LEVELS, "disengagement": disengagement, "sizes": sizes, "matrices": MATRICES, "authors": authors,
}  # fmt: skip


@pytest.fixture
def nothing_is_computed(monkeypatch):
    def refuse(work, keys, workers, add):
        assert not keys, f"{len(keys)} rows are missing: {keys[:2]}"

    monkeypatch.setattr(kept, "_compute", refuse)


@pytest.mark.parametrize("part", PARTS)
def test_tables_and_verdicts_follow_from_the_kept_rows(part, nothing_is_computed):
    module = PARTS[part]
    rows = module.measured(PLACE, study.MOST_SEEDS, 1)
    rows = rows if isinstance(rows, tuple) else (rows,)
    assert module.as_markdown(*rows) == TABLES[part]
    for verdict in module.verdicts(*rows) if hasattr(module, "verdicts") else ():
        assert f"| {' | '.join(verdict)} |" in TABLES["claims"]


def test_the_seeds_that_decide_are_fresh():
    for name in (*PARTS, "interaction_bilinear", "authors_numbers", "authors_memories", "authors_bilinear"):
        if (PLACE / f"{name}.csv").exists() and name != "tops":
            seeds = {int(row["seed"]) for row in csv.DictReader((PLACE / f"{name}.csv").open())}
            assert min(seeds) >= kept.FIRST


def test_what_a_theorem_says_is_so(nothing_is_computed):
    """Where winning is transitive the knockout is a tournament; no estimate misses more often than its bound."""
    transitive = {key: one for key, one in transitivity.measured(PLACE, study.MOST_SEEDS, 1).items() if one["order"]}
    assert len(transitive) > 90
    assert max(one[f"by wins {n}"] for one in transitive.values() for n in (2, 4)) < 1e-12
    missed, _ = generalised.measured(PLACE, study.MOST_SEEDS, 1)
    for (_, tests), result in kept.by_setting(missed, 2).items():
        for error in generalised.ERRORS:
            assert result[f"most {error}"].mean() <= generalised.chebyshev(generalised.LARGEST, int(tests), error)


INTERVAL = re.compile(r"\(([+-][\d.]+) to ([+-][\d.]+)\)")


@pytest.mark.parametrize("table", ["interaction", "memories", "sizes", "disengagement"])
def test_an_interval_leaves_0_out_where_its_verdict_is_settled_and_only_there(table):
    differences = [line for line in TABLES[table].splitlines() if INTERVAL.search(line)]
    assert len(differences) >= 5
    for line in differences:
        low, high = map(float, INTERVAL.search(line).groups())
        assert (low <= 0 <= high) == bool(re.search(r"\bopen \|$", line)), line


@pytest.mark.parametrize("table", sorted(TABLES))
def test_no_interval_reaches_beyond_what_its_figure_can_be(table):
    """All that is printed without a sign is a share, a loss or a count."""
    assert not re.search(r"[| ]\(?-[\d.]+ to [\d.]+\)", TABLES[table])


def test_sentences_that_compare_say_what_the_tables_say():
    """The columns are the distances of the knockout's law from that of the true strength, exactly and with games."""
    exact, with_games = (
        [numbers(cells_of(TABLES["fitnessless"], f"Pig to 20, 3 sides | {kind} | 40")[0][column])[0].value
         for kind in ("near the optimum", "random")] for column in (9, 10)
    )  # fmt: skip
    assert with_games[0] > exact[0]
    assert abs(with_games[1] - exact[1]) < 0.01


def test_the_verdicts_of_the_readme_are_those_of_the_rules():
    printed = re.findall(r"^\| \d \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    assert sorted(printed) == sorted(tuple(cells[1:4]) for cells in cells_of(TABLES["claims"])[1:])
    for *_, verdict in printed:
        assert verdict.startswith((kept.HOLDS, kept.FAILS, kept.UNDECIDED))


def test_the_title_says_which_games_there_are():
    assert README.startswith(
        "# Claims about co-evolution, on small games of Pig, on Pig to 100, and on games of numbers\n"
    )
    long = [line for line in TABLES["claims"].splitlines() if sizes.LONG in line]
    assert len(long) == 3
    assert all("larger populations" in line for line in long)
