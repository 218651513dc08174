"""The next generation: who is crossed with whom, what children have of their parents, who stays and who comes."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import CROSSOVERS, agree_or_random, blocks, fitter_parent, n_point, uniform
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.operators import Replacement, as_operator, pair_parents
from pigevo.evolution.population import Elites, Immigrants
from pigevo.evolution.toolbox import make_toolbox
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import context_of, few, grids, seeds, states_of
from tests.laws import RARE, fits, neighbours, tossed

GAME = Pig(target=5)
CHILDREN = 6000
BETWEEN = {"intermediate"}
"""Crossovers whose children have boundaries between those of their parents."""


def crossed(cross, genes, children=CHILDREN, seed=1, **options):
    """Children of parents who differ in every gene: 1 where a gene is the second's."""
    zeros, ones = np.zeros((children, genes), np.uint8), np.ones((children, genes), np.uint8)
    return cross(zeros, ones, context_of(GAME, Draw(seed, "crossover")), **options)


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
