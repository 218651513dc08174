"""Populations: the first one, how members are passed on, who is crossed with whom, who stays, and who comes."""

import itertools
import operator
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo.core import machine
from pigevo.core.portable_math import log1m
from pigevo.dice import Draw, gaps_to_draw
from pigevo.errors import InputError
from pigevo.evolution import crossover, gene_kernels, loop
from pigevo.evolution.crossover import CROSSOVERS, agree_or_random, blocks, fitter_parent, n_point, uniform
from pigevo.evolution.gene_kernels import AT_ONCE, choose_by_coins, flip_after_gaps
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.mutation import flips as mutation
from pigevo.evolution.operators import Replacement, as_operator, lazy, pair_parents
from pigevo.evolution.population import Chosen, Elites, Immigrants, hold_at, named, optimal, random_population, score
from pigevo.evolution.toolbox import make_toolbox
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from tests.cases import RARE, fits, neighbours, tossed
from tests.evolution.conftest import BASE, context_of, course_of, few, grids, seeds, states_of

PIG_5, PIG_24 = Pig(target=5), Pig(target=24)
CELLS = CubeGrid(PIG_24, 1)
CONTEXT = context_of(CELLS, Draw(1, "population"))


def strategies(genomes, grid=CELLS):
    return [grid.strategy(g) for g in genomes]


def test_random_genomes_on_a_coarse_grid_are_coins_of_cubes():
    grid = CubeGrid(PIG_24, 8)
    genomes = np.concatenate([random_population(50, context_of(grid, Draw(s, "population"))) for s in range(40)])
    assert genomes.shape == (2000, grid.genes)
    assert min(stats.binomtest(int(n), 2000).pvalue for n in genomes.sum(axis=0)) > RARE / grid.genes


def test_names_and_saved_strategies_take_turns_until_the_population_is_full(tmp_path):
    saved = pigevo.random_strategy(PIG_24, seed=8)
    genomes = named(7, CONTEXT, ["hold_at:5", "score:9", str(saved.save(tmp_path / "s.npz"))])
    a, b = pigevo.hold_at(PIG_24, 5), pigevo.score(PIG_24, 9)
    assert strategies(genomes) == [a, b, saved, a, b, saved, a]


def test_hold_at_score_and_optimal_are_populations_of_their_values():
    assert strategies(hold_at(3, CONTEXT, (4, 6))) == [pigevo.hold_at(PIG_24, n) for n in (4, 6, 4)]
    assert strategies(score(3, CONTEXT, (4, 6))) == [pigevo.score(PIG_24, n) for n in (4, 6, 4)]
    assert (
        strategies(hold_at(10, CONTEXT)) == [pigevo.hold_at(PIG_24, n) for n in (10, 15, 20, 25, 30)] * 2
    )  # the paper's
    assert set(strategies(optimal(4, CONTEXT))) == {pigevo.optimal(PIG_24).strategy}


@pytest.mark.parametrize(
    ("population", "part"),
    [
        ({"name": "named", "names": ["hold_up"]}, "population.names: there is no .*'hold_up'; did you mean hold_at"),
        ({"name": "named", "names": ["roll_and_wait"]}, "allow_pass"),
        ({"name": "named", "names": []}, "population.names is empty"),
        ({"name": "score", "values": []}, "population.values is empty"),
    ],
)
def test_a_plan_refuses_wrong_populations_before_the_run(make_plan, population, part):
    with pytest.raises(InputError, match=part):
        make_plan(population={"size": 8} | population)


def test_strategies_in_place_of_a_population_are_refused_with_the_way_to_pass_them():
    strategies = [pigevo.hold_at(Pig(target=9), n) for n in (2, 3, 4, 5)]
    words = ("debug=fast", "game.target=9", "baseline=none", "population.size=4", "mutation=0", "crossover=n_point")
    for population in (strategies, lambda size, context: strategies):
        with pytest.raises(InputError, match=r"context\.grid\.from_strategies\(strategies\)"):
            first_state(pigevo.Settings.of(*words, population=population).plan)
    right = pigevo.Settings.of(*words, population=lambda size, context: context.grid.from_strategies(strategies)).plan
    assert np.array_equal(first_state(right).genomes, right.waves[0].grid.from_strategies(strategies))


GRID = pigevo.CubeGrid(pigevo.Pig(target=8), 2)
GENOMES = Draw(1, "population").bits(3, GRID.genes)
OBJECTS = {
    "gathers its rows": Chosen(GENOMES, np.array([2, 0])),
    "computes all decisions": pigevo.strategies.Members(GRID, GENOMES),
}
USES = {
    "compared": lambda one: one == one,
    "compared with an array": lambda one: np.zeros(2) == one,
    "unequal": lambda one: one != one,
    "smaller": lambda one: one < 1,
    "added": lambda one: one + 1,
    "subtracted from": lambda one: 1 - one,
    "both": lambda one: one & one,
    "inverted": operator.inv,
    "mean": lambda one: one.mean(axis=1),
    "numpy's mean": np.mean,
    "as an array": np.asarray,
    "chosen by numpy": lambda one: np.where(True, one, one),
    "a function of numpy": np.logical_not,
    "a sequence": list,
    "contained": lambda one: 1 in one,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("reading", OBJECTS)
def test_a_lazy_object_refuses_to_be_taken_for_an_array(reading, use):
    with pytest.raises((TypeError, AttributeError), match=reading):
        USES[use](OBJECTS[reading])


def keep_common(first, second, context):
    """Keeps the genes on which both agree; a coin decides every other gene."""
    return np.where(first == second, first, context.draw.bits(*first.shape))


def near_the_optimum(tables, context):
    return (tables == pigevo.optimal(context.game).strategy.roll).mean(axis=(1, 2, 3))


@pytest.mark.parametrize(("kind", "function"), [("crossover", keep_common), ("fitness", near_the_optimum)])
def test_a_function_is_given_the_same_inside_the_package_and_outside(make_plan, kind, function):
    outside = make_plan(**{kind: function})
    inside = replace(make_plan(), **{kind: as_operator(kind, function)})
    assert kind in outside.user_code
    assert kind not in inside.user_code
    assert [state.digest for state in states_of(inside)] == [state.digest for state in states_of(outside)]


def test_a_function_that_is_declared_lazy_and_compares_is_refused(make_plan):
    crossover = as_operator("crossover", lazy(lambda *data: keep_common(*data)))
    with pytest.raises(TypeError, match=r"Chosen is no array: rows\[:\] gathers"):
        states_of(replace(make_plan(), crossover=crossover))


def test_a_class_that_overrides_a_lazy_method_is_passed_arrays(make_plan):
    seen = []

    class Mine(type(make_plan(fitness={"name": "exact"}).fitness)):
        def __call__(self, tables, context):
            seen.append(type(tables))
            return super().__call__(tables, context)

    mine, exact = (make_plan(fitness=fitness) for fitness in (Mine, {"name": "exact"}))
    assert [state.digest for state in states_of(mine)] == [state.digest for state in states_of(exact)]
    assert set(seen) == {np.ndarray}


WORDS = ("population.size=12", "game.target=20", "generations=2", "baseline=none", "workers=2", "mutation=0.01")
RUNS = [
    ("crossover=agree_or_random", "fitness.games=10"),
    ("crossover=fitter_parent", "fitness=sets", "fitness.sets=5", "fitness.games=10"),
    ("crossover=blocks", "fitness=exact", "selection=round_robin"),
    ("crossover=deap", "fitness=exact_vs_optimal"),
    ("crossover=n_point", "crossover.points=5", "crossover.chance=0.8", "fitness=exact"),
    ("crossover=uniform", "crossover.share=0.3", "crossover.chance=0.8", "fitness=exact"),
    ("fitness=archive", "selection=truncation"),
    ("fitness=archive_games", "fitness.games=20", "selection=truncation"),
    ("game=two_dice", "fitness.games=10"),
    ("game=two_dice", "fitness=exact"),
]


def states(words):
    plan = Settings.of(*WORDS, *words).plan
    return [(generation.state.digest, generation.exact.tobytes()) for generation in course_of(plan)]


SLOW = (0, 3, 6, 9)  # the same pieces as in another run
CASES = [pytest.param(words, marks=pytest.mark.slow if n in SLOW else []) for n, words in enumerate(RUNS)]


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_runs_are_the_same(monkeypatch, words):
    """In pieces and by compiled kernels, or not."""
    whole = states(words)
    laid_out = []
    original = CubeGrid.to_tables
    monkeypatch.setattr(
        CubeGrid, "to_tables", lambda grid, genomes: laid_out.append(len(genomes)) or original(grid, genomes)
    )
    monkeypatch.setattr(machine, "PIECE", 5000)
    assert states(words) == whole
    assert max(laid_out, default=0) < 12 or "game=two_dice" in words  # otherwise never all at once


@pytest.mark.parametrize("size", [1, 3])
def test_no_member_s_table_is_laid_out_to_play_games(monkeypatch, size):
    words = [word for word in WORDS if not word.startswith("generations")]
    plan = Settings.of(*words, "fitness.games=10", "cubes=waves", f"cubes.sizes=[{size}]", "cubes.generations=[2]").plan
    generation = loop.evaluate(plan, loop.first_state(plan))
    monkeypatch.setattr(CubeGrid, "to_tables", lambda *_: pytest.fail("laid out"))
    assert len(loop.next_state(generation).genomes) == 12


def test_a_toolbox_mutates_a_copy_unless_it_may_work_in_place(make_plan):
    plan = make_plan()
    toolbox, genomes = make_toolbox(plan, plan.waves[0].grid), loop.first_state(plan).genomes.copy()
    before = genomes.copy()
    mutated = toolbox.mutate(genomes, np.zeros(len(genomes)), 0)
    assert np.array_equal(genomes, before)
    assert not np.array_equal(genomes, mutated)
    toolbox.mutate(genomes, np.zeros(len(genomes)), 0, in_place=True)
    assert np.array_equal(genomes, mutated)


@pytest.mark.parametrize("genes", [1, 5, 63, 64, 65, 128, 1000])
def test_a_crossover_takes_the_second_gene_where_the_coin_is_1(genes):
    parents, others = Draw(1, "population").bits(2, 4, genes) + np.array([[[0]], [[2]]], np.uint8)
    first, second = np.array([3, 0, 0, 2, 1]), np.array([1, 1, 3, 0, 2])
    draw = Draw(2, "crossover")
    children = np.full((5, genes), 9, np.uint8)
    choose_by_coins(parents, first, others, second, draw.key, children)
    assert np.array_equal(children, np.where(draw.bits(5, genes), others[second], parents[first]))


@pytest.mark.parametrize("compiled_from", [0, 10**9])
def test_parents_are_the_same_gathered_or_not(monkeypatch, compiled_from):
    """Many genes and few, arrays that are not contiguous, and parents as `Chosen`."""
    genomes = Draw(1, "population").bits(6, 1001)
    first, second = np.array([5, 0, 2]), np.array([1, 0, 4])
    context = context_of(PIG_5, Draw(3, "crossover"))
    expected = np.where(context.draw.bits(3, 1001), genomes[second], genomes[first])
    monkeypatch.setattr(crossover, "COMPILED_FROM", compiled_from)
    for parents in (
        (genomes[first], genomes[::-1][5 - second]),
        (Chosen(genomes, first), Chosen(genomes[::-1], 5 - second)),
    ):
        assert np.array_equal(crossover.agree_or_random(*parents, context), expected)


GENES = 150_001


@pytest.mark.parametrize("rate", [1e-4, 0.003, 0.01, 0.3, 0.5, 0.97])
def test_mutation_flips_the_places_of_the_draw(rate):
    genomes = Draw(1, "population").bits(GENES)
    done = 0
    for seed in range(8):
        draw, genes, expected = Draw(seed, "mutation", 5).at(pair=2, part=seed), genomes.copy(), genomes.copy()
        expected[draw.positions(GENES, rate)] ^= 1
        flipped = flip_after_gaps(draw.key, gaps_to_draw(GENES, rate), float(1 / log1m(rate)), genes)
        assert np.array_equal(genes, expected if flipped else genomes)
        done += flipped
    assert done >= 6  # now and then a gap is too close to a whole number


@pytest.mark.parametrize("count", [1, 5, AT_ONCE, AT_ONCE + 3])
def test_nothing_is_flipped_where_the_words_do_not_suffice(count):
    genes = np.zeros(GENES, np.uint8)
    assert not flip_after_gaps(Draw(1, "mutation").key, count, float(1 / log1m(0.01)), genes)
    assert not genes.any()


@pytest.mark.parametrize("word", [0, 3, AT_ONCE + 7])
def test_nothing_is_flipped_where_rounding_might_decide(word):
    """A scale at which one of the gaps is a whole number."""
    draw, genes = Draw(1, "mutation"), np.zeros(GENES, np.uint8)
    scale = float(20 / log1m(draw.uniforms(word + 1)[word]))
    assert not flip_after_gaps(draw.key, 50_000, scale, genes)
    assert not genes.any()
    assert flip_after_gaps(draw.key, 50_000, scale * (1 + 1e-6), genes)


def test_mutation_is_the_same_compiled_or_not(monkeypatch):
    genomes = Draw(1, "population").bits(30, 5000)
    context = context_of(PIG_5, Draw(3, "mutation"), rate=0.02)
    plain = mutation.bit_flip(genomes, context)
    monkeypatch.setattr(mutation, "COMPILED_FROM", 0)
    assert np.array_equal(mutation.bit_flip(genomes, context), plain)
    monkeypatch.setattr(gene_kernels, "flip_after_gaps", lambda *_: False)
    assert np.array_equal(mutation.bit_flip(genomes, context), plain)
    assert 0.01 < np.mean(plain != genomes) < 0.03


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1.0, 1.0000000000000002, 1.5, 1.9])
def test_a_rate_of_one_or_more_flips_every_gene(rate):
    """One of a mutator that hands on a rate which it has computed."""
    context = context_of(PIG_5, Draw(3, "mutation"), rate=rate)
    assert mutation.bit_flip(np.zeros((10, 5000), np.uint8), context).all()


CHILDREN = 6000
BETWEEN = {"intermediate"}
"""Crossovers whose children have boundaries between those of their parents."""


def crossed(cross, genes, children=CHILDREN, seed=1, **options):
    """Children of parents who differ in every gene: 1 where a gene is the second's."""
    zeros, ones = np.zeros((children, genes), np.uint8), np.ones((children, genes), np.uint8)
    return cross(zeros, ones, context_of(PIG_5, Draw(seed, "crossover")), **options)


def changes(children):
    """Where one parent follows the other, as 0/1 of shape (n, genes - 1)."""
    return children[:, 1:] ^ children[:, :-1]


@few
@given(st.sampled_from(sorted(CROSSOVERS.keys() - BETWEEN)), grids, st.integers(0, 9), seeds)
def test_each_gene_of_a_child_is_from_one_of_its_parents(name, grid, children, seed):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = Draw(seed, "validation").uniforms(2 * children).reshape(2, children)
    context = context_of(grid, Draw(seed, "crossover"), scores)
    cross = as_operator("crossover", CROSSOVERS[name].bind(CROSSOVERS[name].completed({})))
    child = cross(first, second, context)
    assert ((child == first) | (child == second)).all()
    assert np.array_equal(cross(first, first.copy(), context), first)


@few
@given(grids, st.integers(1, 9), seeds, st.floats(0.5, 1))
def test_a_crossover_with_no_share_for_one_parent_is_the_other(grid, children, seed, follow):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = np.stack([np.ones(children), np.zeros(children)])
    context = context_of(grid, Draw(seed, "crossover"), scores)
    assert np.array_equal(blocks(first, second, context, share=0.0), first)
    assert np.array_equal(fitter_parent(first, second, context, follow=1.0), first)
    swapped = context_of(grid, Draw(seed, "crossover"), scores[::-1])  # the fitter parent may be either
    a, b = fitter_parent(first, second, context, follow), fitter_parent(second, first, swapped, follow)
    assert np.array_equal(a, b)


class TestAgreeOrRandom:
    @few
    @given(grids, st.integers(1, 9), seeds)
    def test_agreement_is_kept_whoever_is_the_first(self, grid, children, seed):
        first, second = Draw(seed, "population").bits(2, children, grid.genes)
        context = context_of(grid, Draw(seed, "crossover"))
        child, swapped = agree_or_random(first, second, context), agree_or_random(second, first, context)
        assert np.array_equal(child ^ swapped, first ^ second)  # the same coins, seen from the other side

    def test_throws_independent_fair_coins_where_parents_disagree(self):
        children = crossed(agree_or_random, 400, 400, seed=3)
        assert tossed(children) > RARE
        assert neighbours(children) > RARE
        for axis in (0, 1):  # by gene, and by child
            ones = children.sum(axis=axis)
            tails = 2 * stats.binom.sf(np.maximum(ones, 400 - ones) - 1, 400, 0.5)
            assert tails.min() > RARE / 400


class TestPoints:
    @pytest.mark.parametrize("points", [1, 2, 3, 7, 20])
    def test_the_parents_change_at_so_many_places(self, points):
        for genes in (1, 2, 5, 30):
            assert set(changes(crossed(n_point, genes, 200, points=points)).sum(axis=1)) == {min(points, genes - 1)}

    @pytest.mark.parametrize("points", [1, 2, 3, 4])
    def test_every_set_of_places_is_as_likely(self, points):
        seen = changes(crossed(n_point, 7, points=points)) @ (1 << np.arange(6))
        sets = [sum(1 << place for place in places) for places in itertools.combinations(range(6), points)]
        counts = [int((seen == number).sum()) for number in sets]
        assert sum(counts) == CHILDREN
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_fair_coin_that_follows_no_place_says_who_begins(self):
        children = crossed(n_point, 7, points=1)
        table = np.zeros((2, 6), int)
        np.add.at(table, (children[:, 0], changes(children).argmax(axis=1)), 1)
        assert stats.binomtest(int(table[1].sum()), CHILDREN).pvalue > RARE
        assert stats.chi2_contingency(table).pvalue > RARE


class TestUniform:
    @pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5])
    def test_each_gene_is_a_coin_of_its_own(self, share):
        children = crossed(uniform, 12, share=share)
        law = stats.binom(12, share)
        pmf = (law.pmf(np.arange(13)) + law.pmf(12 - np.arange(13))) / 2  # a fair coin says whose the share is
        assert fits(np.bincount(children.sum(axis=1, dtype=np.int64), minlength=13), pmf) > RARE

    def test_genes_and_children_are_independent(self):
        assert neighbours(crossed(uniform, 300, 300, share=0.5)) > RARE
        assert tossed(changes(crossed(uniform, 2, 40_000, share=0.1)), 2 * 0.1 * 0.9) > RARE


@pytest.mark.parametrize("cross", [n_point, uniform])
@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_a_child_is_crossed_with_its_chance_and_else_a_copy_of_either_parent(cross, chance):
    whole = crossed(cross, 60, chance=chance).sum(axis=1)
    copies = np.isin(whole, (0, 60))
    assert stats.binomtest(int((~copies).sum()), CHILDREN, chance).pvalue > RARE
    if chance < 1:
        assert stats.binomtest(int((whole[copies] == 60).sum()), int(copies.sum())).pvalue > RARE


def pairs_of(survivors, children, generation=0):
    first, second = pair_parents(survivors, children, Draw(1, "crossover", generation, part=1)).T
    return list(zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.parametrize(("survivors", "children"), [(10, 20), (2, 4), (10, 3), (50, 100), (4, 9), (5, 40), (9, 9)])
def test_everyone_has_one_partner_and_pairs_have_equally_many_children(survivors, children):
    pairs = Counter(pairs_of(survivors, children))
    assert sum(pairs.values()) == children
    assert len(pairs) == min(children, (survivors + 1) // 2)
    assert max(pairs.values()) - min(pairs.values()) <= 1
    parents = Counter(itertools.chain(*pairs))
    if survivors % 2:  # the odd member is paired with the first
        parents[next(iter(pairs))[0]] -= 1
    assert set(parents.values()) == {1}
    assert len(parents) == min(survivors, 2 * children)


def test_the_only_survivor_is_both_parents():
    assert pairs_of(1, 2) == [(0, 0), (0, 0)]


def test_all_matchings_are_as_likely():
    seen = Counter(frozenset(map(frozenset, pairs_of(4, 4, g))) for g in range(3000))
    assert len(seen) == 3
    assert stats.chisquare(list(seen.values())).pvalue > RARE


def test_the_odd_partner_is_anyone():
    twice = Counter(Counter(itertools.chain(*set(pairs_of(3, 4, g)))).most_common(1)[0][0] for g in range(3000))
    assert len(twice) == 3
    assert stats.chisquare(list(twice.values())).pvalue > RARE


def test_a_crossover_says_how_many_positions_it_draws():
    """The memory of a run is estimated by it."""
    shares = {"uniform": ({}, 0.0), "fitter_parent": ({}, 0.2), "fitter_parent of a half": ({"follow": 0.5}, 0.5)}
    for name, (options, share) in shares.items():
        crossover = as_operator("crossover", CROSSOVERS[name.split()[0]].bind(options))
        assert crossover.drawn_share == pytest.approx(share)


TRUE = {"name": "exact_vs_optimal"}
LOSING = {"name": "tournament", "k": 1}  # selects at random, so that it loses the best one soon


def rows(genomes):
    return [genome.tobytes() for genome in genomes]


def best_of(state, plan, count):
    order = np.argsort(-evaluate(plan, state).scores, kind="stable")
    return rows(state.genomes[order[:count]])


class TestElites:
    @pytest.mark.parametrize("elites", [0, 1, 3, 7])
    def test_the_best_of_everyone_stay_whoever_was_selected(self, make_plan, elites):
        plan = make_plan(replacement={"name": "elites", "elites": elites}, fitness=TRUE, selection=LOSING, mutation=0.5)
        for before, after in itertools.pairwise(states_of(plan)):
            assert rows(after.genomes[:elites]) == best_of(before, plan, elites)
            assert after.fresh == 8 - elites

    def test_they_are_those_whom_truncation_selects_first_ties_and_all(self, make_plan):
        options = {
            "fitness": {"name": "exact_vs", "opponent": "hold_at:1"},  # random strategies of a small game tie here
            "selection": {"name": "truncation", "share": 0.25},
            "game": {"name": "pig", "target": 3},
        }
        plan = make_plan(replacement={"name": "elites", "elites": 2}, **options)
        other = make_plan(replacement={"name": "survivors_and_offspring"}, **options)
        first = first_state(plan)
        scores = evaluate(plan, first).scores
        assert len(set(scores)) < len(scores)
        assert rows(next_state(evaluate(plan, first)).genomes) == rows(next_state(evaluate(other, first)).genomes)

    def test_they_keep_their_decisions_on_a_finer_grid(self):
        game = pigevo.Pig(target=12)
        coarse, fine = pigevo.CubeGrid(game, 4), pigevo.CubeGrid(game, 2)
        genomes = Draw(1, "population").bits(6, coarse.genes)
        context = context_of(coarse, Draw(1, "selection"), scores=np.arange(6.0))
        state = Elites(2).remember(genomes, context)
        elites = Elites(2)(genomes, context_of(fine, scores=np.arange(6.0), state=state))
        assert np.array_equal(fine.to_tables(elites), coarse.to_tables(genomes[[5, 4]]))

    @pytest.mark.parametrize("elites", [8, 9])
    def test_as_many_as_there_are_members_are_refused_before_the_run(self, elites):
        for name in ("elites", "immigrants"):
            with pytest.raises(InputError, match=f"replacement.elites = {elites} leaves no place .* population of 8"):
                _ = Settings.read(BASE | {"replacement": {"name": name, "elites": elites}}).plan


class TestImmigrants:
    @pytest.mark.parametrize(("share", "elites", "strangers"), [(0.0, 1, 0), (0.25, 1, 2), (0.5, 0, 4), (1.0, 3, 5)])
    def test_so_many_strangers_come_last_and_are_newly_made(self, make_plan, share, elites, strangers):
        plan = make_plan(
            replacement={"name": "immigrants", "share": share, "elites": elites},
            population={"name": "named", "names": ["hold_at:5"], "size": 8}, mutation=0.0, fitness=TRUE,
        )  # fmt: skip
        first = first_state(plan)
        state = next_state(evaluate(plan, first))
        known = set(rows(first.genomes))  # all alike, so that children are copies
        assert [row in known for row in rows(state.genomes)] == [True] * (8 - strangers) + [False] * strangers
        assert state.fresh == 8 - elites
        after = next_state(evaluate(plan, state))
        assert after.evaluations == state.evaluations + state.fresh

    def test_their_genes_are_fair_coins_that_differ_by_generation_and_follow_nothing_else(self):
        grid = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
        made = np.array([
            Immigrants(share=0.5).arrivals(8, context_of(grid, Draw(1, "selection", n), scores=np.zeros(8)))
            for n in range(30)
        ])  # fmt: skip
        ties = Draw(1, "selection", 0).bits(4, grid.genes)  # the same numbers would tie genes to the order of the equal
        assert tossed(made[0] ^ ties) > RARE
        assert tossed(made) > RARE
        assert min(stats.binomtest(int(n), 120).pvalue for n in made.sum(axis=(0, 1))) > RARE / made.shape[-1]
        for differ in (made[1:] ^ made[:-1], made[:, 1:] ^ made[:, :-1], made[..., 1:] ^ made[..., :-1]):
            assert tossed(differ) > RARE

    def test_too_many_of_the_user_s_own_are_refused_before_the_run(self):
        class Crowd(Replacement):
            def __call__(self, survivors, context):
                return survivors[:0]

            def arrivals(self, places, context):
                return context.draw.bits(places + 1, context.grid.genes)

        with pytest.raises(InputError, match=r"the replacement .*Crowd .* must return at most 8 genomes"):
            _ = Settings.read(BASE | {"replacement": {"name": "custom"}}, own={"replacement": Crowd}).plan


class TestEvolutionStrategies:
    def plan(self, make_plan, mu, replacement, **more):
        of = Settings.of("selection=mu_best", f"replacement={replacement}").values["replacement"]
        return make_plan(selection={"name": "mu_best", "mu": mu}, replacement=of, fitness=TRUE, **more)

    @pytest.mark.parametrize(("mu", "stay"), [(1, 1), (3, 3), (2, 0)])
    def test_plus_keeps_the_best_of_parents_and_children_and_comma_nobody(self, make_plan, mu, stay):
        plan = self.plan(make_plan, mu, "mu_plus_lambda" if stay else "mu_comma_lambda", mutation=0.5)
        for before, after in itertools.pairwise(states_of(plan)):
            assert rows(after.genomes[:stay]) == best_of(before, plan, stay)
            assert after.fresh == 8 - stay
            assert not {*rows(before.genomes)} & {*rows(after.genomes[stay:])}

    @pytest.mark.parametrize("replacement", ["mu_plus_lambda", "mu_comma_lambda"])
    def test_children_are_those_of_the_best_alone(self, make_plan, replacement):
        plan = self.plan(make_plan, 1, replacement, mutation=0.0)
        states = states_of(plan)
        assert set(rows(states[1].genomes)) == set(best_of(states[0], plan, 1))

    @pytest.mark.parametrize("mu", [8, 20])
    def test_everyone_cannot_be_selected(self, mu):
        with pytest.raises(InputError, match=f"selection.mu = {mu} selects all 8 members of the population"):
            _ = Settings.read(BASE | {"selection": {"name": "mu_best", "mu": mu}}).plan


@pytest.mark.parametrize(("name", "stay"), [("offspring", 0), ("survivors_and_offspring", 4)])
def test_survivors_stay_unchanged_and_children_fill_the_other_places(make_plan, name, stay):
    plan = make_plan(replacement={"name": name}, mutation=0.5)
    toolbox, state = make_toolbox(plan, plan.waves[0].grid), first_state(plan)
    survivors = toolbox.select(toolbox.evaluate(state.genomes, 0), 0)
    following = next_state(evaluate(plan, state))
    assert following.genomes.shape == state.genomes.shape
    assert following.fresh == 8 - stay
    assert np.array_equal(following.genomes[:stay], state.genomes[survivors[:stay]])
    assert not {*rows(state.genomes)} & {*rows(following.genomes[stay:])}
