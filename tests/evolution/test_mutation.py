"""Mutation: the rates of each mutator, and the laws of flips, moves of the boundary, patches and mirrored twins."""

import itertools
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import Intermediate, blocks, fitter_parent
from pigevo.evolution.fitness.win_rates import Siblings, sibling_pairs
from pigevo.evolution.gene_kernels import move_boundary
from pigevo.evolution.hold_boundary import (
    decided_slices,
    genomes_of,
    holds_of,
    log_uniform,
    patches_at,
    remember_model,
    turns,
    visited_pairs,
)
from pigevo.evolution.loop import evaluate
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.boundary import MOVES, Boundary, SelfAdapting, mirrored
from pigevo.evolution.mutation.flips import (
    InheritedRate,
    OneFifth,
    bit_flip,
    exact_share,
    expected_flips,
    heavy_tailed,
    log_odds,
    rate_at,
    scheduled,
)
from pigevo.evolution.operators import as_operator
from pigevo.evolution.plan import origins, parentage
from pigevo.evolution.waves_and_islands import CUBES
from pigevo.games import Pig
from pigevo.settings.schema import registry_of
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from tests.cases import RARE, fits, tossed
from tests.evolution.conftest import BASE, context_of, few, grids, seeds, states_of, tables_of

PIG_5 = Pig(target=5)


def rate_context(rate, seed=1, **more):
    return context_of(PIG_5, Draw(seed, "mutation"), rate=rate, **more)


@few
@given(st.sampled_from(["bit_flip", "deap"]), grids, st.integers(0, 9), seeds)
def test_a_mutation_at_rate_0_leaves_genomes_and_at_1_flips_every_gene(name, grid, size, seed):
    genomes = Draw(seed, "population").bits(size, grid.genes)
    mutate = as_operator("mutator", MUTATORS[name].bind(MUTATORS[name].completed({})))
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=0.0)), genomes)
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=1.0)), 1 - genomes)


@few
@given(grids, seeds, st.integers(1, len(MOVES) - 1))
def test_a_move_of_the_boundary_changes_no_more_of_the_opponent_s_scores_than_it_may(grid, seed, move):
    genomes = Draw(seed, "population").bits(4, grid.genes)
    context = context_of(grid, Draw(seed, "mutation"), state={"moves": np.full(4, move)})
    for mutate, widest in ((Boundary(share=1.0), 40), (SelfAdapting(), round(MOVES[move][1] * 1.5))):
        for changed in (mutate(genomes, context) != genomes).reshape(4, -1, grid.slices[1]):
            columns = np.flatnonzero(changed.any(axis=0))
            if len(columns):
                assert np.ptp(columns) * grid.edges[1] <= max(widest, grid.edges[1])


class TestBitFlip:
    @pytest.mark.parametrize("rate", [0.0005, 0.2, 0.9])
    def test_flips_a_binomial_number_of_genes(self, rate):
        genomes = Draw(1, "population").bits(50, 40)
        flips = [int((bit_flip(genomes, rate_context(rate, seed)) ^ genomes).sum()) for seed in range(800)]
        assert stats.binomtest(sum(flips), 2000 * 800, rate).pvalue > RARE
        assert fits(np.bincount(flips, minlength=2001), stats.binom(2000, rate).pmf(np.arange(2001))) > RARE

    def test_flips_every_gene_of_every_child_alike(self):
        genomes = Draw(1, "population").bits(10, 30)
        flips = sum((bit_flip(genomes, rate_context(0.05, seed)) ^ genomes).astype(int) for seed in range(4000))
        # cells of a binomial count have variance n p (1 - p): compare as 300 chi-squares of one degree each
        spread = ((flips - 200) ** 2 / (4000 * 0.05 * 0.95)).sum()
        assert stats.chi2(300).sf(spread) > RARE
        assert stats.chi2(300).cdf(spread) > RARE

    def test_flips_neighbours_independently(self):
        flipped = bit_flip(np.zeros((300, 1000), dtype=np.uint8), rate_context(0.1, 5))
        for both in (flipped[:, 1:] & flipped[:, :-1], flipped[1:] & flipped[:-1]):
            # pairs overlap, but their covariance is p^3 - p^4: the variance stays below 1.25 times the binomial one
            z = (both.sum() - both.size * 0.01) / (1.25 * both.size * 0.01 * 0.99) ** 0.5
            assert abs(z) < 4.5

    def test_is_the_same_for_any_order_in_memory_and_works_in_place_only_where_it_may(self):
        genomes = Draw(1, "population").bits(10, 99)
        before, flipped = genomes.copy(), bit_flip(genomes, rate_context(0.3))
        assert flipped.any()
        assert np.array_equal(genomes, before)
        for other in (np.asfortranarray(before), np.repeat(before, 2, axis=0)[::2], read_only(before)):
            assert np.array_equal(bit_flip(other, rate_context(0.3)), flipped)
            assert np.array_equal(bit_flip(other, rate_context(0.3, in_place=True)), flipped)
        assert bit_flip(genomes, rate_context(0.3, in_place=True)) is genomes
        assert np.array_equal(genomes, flipped)


def shared_flips(genes, rate, seed, n=4000):
    genomes = Draw(seed, "population").bits(n, genes)
    return exact_share(genomes, rate_context(rate, seed)) ^ genomes


class TestExactShare:
    @pytest.mark.parametrize(("genes", "rate", "count"), [(75, 0.04, 3), (40, 1.0, 40), (40, 0.0, 0), (10, 0.9, 9)])
    def test_a_whole_number_of_genes_is_flipped_exactly(self, genes, rate, count):
        assert (shared_flips(genes, rate, 1).sum(axis=1) == count).all()

    @pytest.mark.parametrize(("genes", "rate"), [(75, 0.005), (7, 0.5), (5, 0.99)])
    def test_of_a_share_that_is_no_whole_number_the_fraction_is_a_chance(self, genes, rate):
        counts = shared_flips(genes, rate, 2).sum(axis=1).astype(int)
        low = int(genes * rate)
        assert set(counts) == {low, low + 1}
        assert stats.binomtest(int((counts - low).sum()), len(counts), genes * rate - low).pvalue > RARE

    @pytest.mark.parametrize("rate", [0.4, 0.5, 0.7])
    def test_every_set_of_genes_is_as_likely(self, rate):
        """With 0.5 of five genes, sets of two and of three, alike often."""
        flips = shared_flips(5, rate, 3, n=20_000)
        counts = flips.sum(axis=1)
        for size in set(counts.tolist()):
            sets = itertools.combinations(range(5), size)
            numbers = [int((flips[:, list(genes)].all(axis=1) & (counts == size)).sum()) for genes in sets]
            assert stats.chisquare(numbers).pvalue > RARE
        assert sum(counts) / flips.size == pytest.approx(rate, abs=0.01)


PIG_20 = Pig(target=20)
GRIDS = [pigevo.CubeGrid(PIG_20, size) for size in (1, 5, (4, 3, 1), 7)]
PASSING = pigevo.CubeGrid(Pig(target=20, allow_pass=True), 1)


class TestFlips:
    @pytest.mark.parametrize("flips", [0.3, 1.0, 3.0])
    def test_expected_flips_is_poisson_and_leaves_no_copy(self, flips):
        genomes = np.zeros((4000, 600), dtype=np.uint8)
        counts = expected_flips(genomes, context_of(PIG_20, Draw(1, "mutation")), flips).sum(axis=1)
        law = stats.binom(600, flips / 600).pmf(np.arange(40))
        law[:2] = 0, law[0] + law[1]
        assert fits(np.bincount(counts.astype(int), minlength=40), law) > RARE

    def test_expected_flips_chooses_all_genes_alike(self):
        genomes = np.zeros((20_000, 50), dtype=np.uint8)
        by_gene = expected_flips(genomes, context_of(PIG_20, Draw(2, "mutation")), 0.5).sum(axis=0)
        assert stats.chisquare(by_gene).pvalue > RARE

    def test_heavy_tailed_flips_follow_the_power_law(self):
        genes, exponent = 40, 1.5
        context = context_of(PIG_20, Draw(3, "mutation"))
        flips = heavy_tailed(np.zeros((5000, genes), dtype=np.uint8), context, exponent).sum(axis=1)
        m = np.arange(1, genes // 2 + 1)
        weight = m**-exponent / (m**-exponent).sum()
        law = (weight[:, None] * stats.binom(genes, m[:, None] / genes).pmf(np.arange(genes + 1))).sum(axis=0)
        assert fits(np.bincount(flips.astype(int), minlength=genes + 1), law) > RARE


class TestPatches:
    @pytest.mark.parametrize("grid", [*GRIDS, PASSING], ids=lambda grid: grid.label)
    def test_hold_their_centre(self, grid):
        numbers = Draw(1, "mutation").uniforms(400).reshape(-1, 4)
        centres = (numbers[:, :2] * 20).astype(int)
        begins, ends = np.moveaxis(patches_at(grid, centres, np.full((100, 2), (6, 9)), numbers[:, 2:]), -1, 0)
        cubes = centres // grid.edges[:2]
        assert ((begins <= cubes) & (cubes < ends) & (ends <= grid.slices[:2])).all()

    def test_log_uniform_favours_no_order_of_magnitude(self):
        sizes = log_uniform(Draw(5, "mutation").uniforms(20_000)[:, None], [1023])[:, 0]
        octaves = np.bincount(np.log2(sizes).astype(int), minlength=10)
        assert stats.chisquare(octaves).pvalue > RARE


class TestBoundary:
    @settings(deadline=None)  # the first example loads the compiler
    @given(st.data())
    def test_is_what_the_sentence_says(self, data):
        grid = data.draw(st.sampled_from([*GRIDS, PASSING]))
        genome = Draw(data.draw(st.integers(0, 99)), "population").bits(grid.genes)
        by, level = data.draw(st.integers(-25, 25)), data.draw(st.integers(-1, 20))
        centre = np.array(data.draw(st.tuples(*[st.integers(0, 19)] * 2)))
        patch = patches_at(grid, centre[None], np.array([[6, 9]]), np.full((1, 2), 0.5))[0]
        rows, columns = (slice(*ends) for ends in patch)
        moved, past = genome.copy(), 3
        for i, j in product(range(*patch[0]), range(*patch[1])):
            move_boundary(moved.reshape(-1, grid.slices[1]), grid.row_numbers, i, j, level, by, past)
        for i, k, j in np.ndindex(grid.slices[0], grid.slices[2], grid.slices[1]):
            place = grid.row_numbers[i, k] * grid.slices[1] + j
            if place < 0:
                continue
            if not (rows.start <= i < rows.stop and columns.start <= j < columns.stop):
                assert moved[place] == genome[place]
                continue
            turn = [
                int(genome[row * grid.slices[1] + j]) if row >= 0 else int(n == 0)
                for n, row in enumerate(grid.row_numbers[i])
            ]
            first = turn.index(0) if 0 in turn else len(turn)
            new = max((first if level < 0 else level) + by, 0)
            cleared = new <= k < max(new + past, first)
            assert moved[place] == (0 if cleared else 1 if first <= k < new else turn[k])

    @pytest.mark.parametrize("size", [1, (2, 2, 1)])
    def test_on_hold_at_it_is_another_hold_value_in_a_rectangle(self, size):
        grid = pigevo.CubeGrid(PIG_20, size)
        parent = grid.from_strategies([pigevo.hold_at(PIG_20, 8)])
        children = Boundary(share=1.0, widest=6, farthest=3)(np.repeat(parent, 300, 0), context_of(grid))
        signs = []
        for rows in grid.to_tables(children):
            first = np.argmin(rows[:9], axis=1)  # where i + k stays below the target
            moved = first != 8
            if moved.any():
                i, j = np.nonzero(moved)
                assert moved[i.min() : i.max() + 1, j.min() : j.max() + 1].all()
                assert len(set(first[moved])) == 1
                assert abs(first[moved][0] - 8) <= 3
                signs.append(first[moved][0] > 8)
        assert stats.binomtest(sum(signs), len(signs)).pvalue > RARE

    def test_share_tells_boundaries_from_flips(self):
        grid = pigevo.CubeGrid(PIG_20, 1)
        parents = np.repeat(grid.from_strategies([pigevo.hold_at(PIG_20, 8)]), 500, 0)
        assert ((Boundary(share=0.0)(parents, context_of(grid)) != parents).sum(axis=1) > 0).all()


class TestVisited:
    def test_is_even_where_nothing_is_known(self):
        pairs = visited_pairs(PIG_20, {}, 1.0, Draw(1, "mutation").uniforms(40_000))
        assert stats.chisquare(np.bincount(pairs[:, 0] * 20 + pairs[:, 1], minlength=400)).pvalue > RARE

    def test_follows_the_visits_of_the_best_member_and_strays(self):
        grid = pigevo.CubeGrid(PIG_20, 1)
        genomes = grid.from_strategies([pigevo.hold_at(PIG_20, 3), pigevo.hold_at(PIG_20, 8)])
        state = remember_model(genomes, context_of(grid, scores=[0.1, 0.4]), 10)
        best = pigevo.hold_at(PIG_20, 8)
        expected = pigevo.reach(best, best).overall[:, :, 0]
        assert np.allclose(turns(PIG_20, state), expected)
        weights = np.sqrt(expected).ravel()
        law = 0.75 * weights / weights.sum() + 0.25 / 400
        pairs = visited_pairs(PIG_20, state, 0.5, Draw(2, "mutation").uniforms(100_000))
        counts = np.bincount(pairs[:, 0] * 20 + pairs[:, 1], minlength=400)
        assert stats.chisquare(counts, law * 100_000).pvalue > RARE


class TestSelfAdapting:
    def test_credits_the_moves_whose_children_were_better_than_all_who_stayed(self):
        grid, mutator = GRIDS[1], SelfAdapting()
        genomes = Draw(1, "population").bits(6, grid.genes)
        state = {"moves": np.array([4, 4, 7, 0, 9, 9]), "model": np.zeros(1000, np.uint8)}
        scores = [0.3, 0.2, 0.35, 0.25, 0.4, 0.3]
        after = mutator.remember(genomes, context_of(grid, scores=scores, generation=3, state=state, fresh=4))
        assert after["earned"][4] == pytest.approx(0.05)
        assert after["earned"][7] == pytest.approx(0.1)
        assert after["earned"].sum() == pytest.approx(0.15)
        assert after["tried"][[4, 7, 0, 9]].tolist() == [2, 1, 1, 0]

    def test_credits_no_move_with_a_member_that_it_has_not_made(self):
        grid, state = GRIDS[1], {"moves": np.array([4, 7, 0, 9, 9, 9])}
        genomes = Draw(1, "population").bits(6, grid.genes)
        scores = [0.3, 0.2, 0.35, 0.25, 0.9, 0.8]  # one who stays, three children, two immigrants
        context = context_of(grid, scores=scores, generation=3, state=state, fresh=5, arrived=2)
        after = SelfAdapting().remember(genomes, context)
        assert after["earned"].sum() == after["earned"][7] == pytest.approx(0.05)
        assert after["tried"].sum() == after["tried"][[4, 7, 0]].sum() == 3

    @pytest.mark.parametrize("arrivals", [
        {"replacement": {"name": "immigrants", "share": 0.25}},
        {"replacement": {"name": "elites"}, "islands": {"name": "ring", "count": 2, "interval": 2, "migrants": 2}},
        {"replacement": {"name": "survivors_and_offspring"}},
    ])  # fmt: skip
    def test_in_a_run_as_many_moves_are_credited_as_children_were_mutated(self, make_plan, monkeypatch, arrivals):
        mutator = {"name": "self_adapting", "decay": 1.0, "kinds": ["shift"], "exponent": 0.0}
        plan = make_plan(mutator=mutator, population={"name": "random", "size": 12}, generations=7, **arrivals)
        mutated, mutate = [], SelfAdapting.__call__

        def counting(self, genomes, context):
            mutated.append((context.generation + 1, len(genomes)))
            return mutate(self, genomes, context)

        monkeypatch.setattr(SelfAdapting, "__call__", counting)
        for state in states_of(plan)[1:]:
            tried = sum(memory["tried"].sum() for kind, memory in state.memory.items() if kind.startswith("mutator"))
            assert tried == sum(children for born, children in mutated if born < state.generation)

    def test_chooses_by_what_was_earned(self):
        mutator = SelfAdapting(least_share=0.2)
        earned, tried = np.zeros(len(MOVES)), np.full(len(MOVES), 9.0)
        assert np.allclose(mutator.chances(earned, tried), 1 / len(MOVES))
        earned[[3, 5]] = 0.01, 0.03
        chances = mutator.chances(earned, tried)
        assert chances.sum() == pytest.approx(1)
        assert chances[3] == pytest.approx(0.2 / len(MOVES) + 0.8 * 0.25)
        assert chances[5] == pytest.approx(0.2 / len(MOVES) + 0.8 * 0.75)

    def test_makes_moves_of_its_kinds_alone(self):
        grid, mutator = GRIDS[0], SelfAdapting(kinds=("level",))
        genomes = np.zeros((500, grid.genes), dtype=np.uint8)
        moves = mutator.remember(genomes, context_of(grid, scores=np.zeros(500)))["moves"]
        assert {MOVES[move][0] for move in moves} == {"level"}
        assert len(set(moves)) == sum(kind == "level" for kind, _, _ in MOVES)

    def test_a_level_move_makes_the_boundary_of_a_rectangle_flat(self):
        grid = GRIDS[0]
        level = next(n for n, move in enumerate(MOVES) if move == ("level", 12, 0))
        parents = np.repeat(grid.from_strategies([pigevo.optimal(PIG_20).strategy]), 200, 0)
        context = context_of(grid, Draw(3, "mutation"), state={"moves": np.full(200, level)})
        children = SelfAdapting()(parents, context)
        before = np.argmin(grid.to_tables(parents[:1])[0], axis=1)
        changed = 0
        for rows in grid.to_tables(children):
            first = np.argmin(rows, axis=1)
            moved = (first != before) & (np.arange(20)[:, None] + first < 20)  # beyond, everybody wins
            changed += bool(moved.any())
            assert len(set(first[moved])) <= 1
        assert changed > 50

    def test_the_moves_of_many_generations_have_their_chances(self):
        grid, mutator = GRIDS[1], SelfAdapting(decay=1.0, least_share=0.4)
        earned = np.zeros(len(MOVES))
        earned[2] = 1.0
        state = {"earned": earned, "tried": np.zeros(len(MOVES)), "model": np.zeros(1000, np.uint8)}
        genomes = np.zeros((10, grid.genes), np.uint8)
        contexts = [context_of(grid, scores=[0] * 10, generation=g + 1, state=state) for g in range(300)]
        made = [mutator.remember(genomes, context)["moves"] for context in contexts]
        moves = np.bincount(np.concatenate(made), minlength=len(MOVES))
        expected = 3000 * mutator.chances(earned, np.zeros(len(MOVES)))
        assert np.abs(moves - expected).max() <= 5  # the sequence fills evenly


@pytest.mark.parametrize("change", [Boundary(), SelfAdapting(), lambda no, context: blocks(no, no, context)])
def test_no_children_are_no_children(change):
    """All of a generation may be immigrants."""
    grid = GRIDS[1]
    parents = np.zeros((4, grid.genes), np.uint8)
    context = context_of(grid, state=SelfAdapting().remember(parents, context_of(grid, scores=np.zeros(4))))
    assert change(np.zeros((0, grid.genes), np.uint8), context).shape == (0, grid.genes)


class TestBlocks:
    @pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.label)
    def test_a_rectangle_of_score_pairs_is_the_second_parents(self, grid):
        first, second = np.zeros((300, grid.genes), np.uint8), np.ones((300, grid.genes), np.uint8)
        children = blocks(first, second, context_of(grid, Draw(1, "crossover")), share=0.6, widest=10)
        crossed = children.any(axis=1)
        assert stats.binomtest(int(crossed.sum()), 300, 0.6).pvalue > RARE
        numbers = grid.row_numbers
        for child in children[crossed]:  # a patch may lie in the scores where nothing is asked, and then shows nothing
            table = child.reshape(-1, grid.slices[1])
            whole = np.array([table[row[row >= 0]].min(axis=0) for row in numbers if (row >= 0).any()])
            some = np.array([table[row[row >= 0]].max(axis=0) for row in numbers if (row >= 0).any()])
            assert np.array_equal(whole, some)  # all turn totals of a pair together
            i, j = np.nonzero(whole)
            assert whole.sum() == (np.ptp(i) + 1) * (np.ptp(j) + 1)


class TestFitterParent:
    def test_follows_the_fitter_with_its_chance_and_keeps_agreement(self):
        first, second = Draw(1, "population").bits(2, 100, 900)
        scores = np.arange(100) % 2 * 1.0
        child = fitter_parent(first, second, context_of(PIG_20, Draw(2, "crossover"), [scores, 1 - scores]), follow=0.7)
        differ = first != second
        assert np.array_equal(child[~differ], first[~differ])
        fitter = np.where((scores > 0.5)[:, None], first, second)
        assert stats.binomtest(int((child == fitter)[differ].sum()), int(differ.sum()), 0.7).pvalue > RARE

    def test_of_equals_the_first_is_the_fitter(self):
        first, second = Draw(1, "population").bits(2, 40, 90)
        scores = np.repeat([0.1, 0.5], 20)
        child = fitter_parent(first, second, context_of(PIG_20, Draw(2, "crossover"), [scores, scores]), follow=1.0)
        assert np.array_equal(child, first)
        almost = [scores, np.nextafter(scores, 1)]
        assert np.array_equal(fitter_parent(first, second, context_of(PIG_20, scores=almost), follow=1.0), second)


PIG_60 = Pig(target=60)
TWIN_GRID = CubeGrid(PIG_60, (10, 10, 1))
TWIN_CUBES = CubeGrid(PIG_60, (10, 10, 4))


def drawn(n, low, high, grid=TWIN_GRID, seed=1):
    """Boundaries anywhere between two slices, none beyond what can be rolled for."""
    places = len(decided_slices(grid))
    uniforms = Draw(seed, "population").uniforms(n * places * grid.row_genes)
    holds = low + (uniforms * (high - low + 1)).astype(np.int64).reshape(n, places, grid.row_genes)
    return np.minimum(holds, decided_slices(grid)[:, None])


def first_hold(roll, i, j):
    """The least turn total at which a strategy holds."""
    return next(k for k in range(1, 60) if not roll[i, j, k])


def stepped(holds, generation=0, grid=TWIN_GRID, **options):
    """The boundaries of two children of each parent, shape (n, 2, ...)."""
    genomes = np.repeat(genomes_of(grid, holds), 2, axis=0)
    children = mirrored(genomes, context_of(grid, Draw(1, "mutation", generation)), **options)
    return holds_of(grid, children).reshape(len(holds), 2, *holds.shape[1:])


@pytest.mark.parametrize("grid", [TWIN_GRID, TWIN_CUBES], ids=["points", "cubes"])
def test_a_boundary_is_where_the_strategy_first_holds(grid):
    """Also in random genomes, which roll again beyond it; of cubes, those that roll in the first."""
    holds = drawn(3, 2, 9, grid)
    other = Draw(5, "population").bits(1, grid.genes) | genomes_of(grid, holds[:1] * 0 + 1)
    genomes = np.concatenate([genomes_of(grid, holds), other])
    boundaries = holds_of(grid, genomes)
    assert np.array_equal(boundaries[:3], holds)
    for genome, boundary in zip(genomes, boundaries, strict=True):
        roll = grid.strategy(genome).roll
        for i, j in [(0, 0), (13, 38), (29, 7), (31, 51)]:
            most = -(-(60 - i) // grid.edges[2])
            assert -(-first_hold(roll, i, j) // grid.edges[2]) == min(boundary[i // 10, j // 10], most)


def test_children_are_the_mean_of_all_parents_rounded_up_or_down():
    holds, children = drawn(8, 2, 9), 4000
    parents, which = genomes_of(TWIN_GRID, holds), np.arange(children) % 8
    context = context_of(TWIN_GRID, Draw(2, "crossover"))
    born = holds_of(TWIN_GRID, Intermediate()(parents[which], parents[which[::-1]], context))
    mean = holds.mean(axis=0)
    assert ((born == np.floor(mean)) | (born == np.ceil(mean))).all()
    deviations = (born.mean(axis=0) - mean) / np.sqrt(np.maximum((mean % 1) * (1 - mean % 1), 1e-9) / children)
    assert np.abs(deviations[mean % 1 > 0]).max() < stats.norm.isf(0.001 / mean.size / 2)  # p = 0.001 of all together


@pytest.mark.parametrize(("generation", "deviation"), [(0, 6.0), (50, 3.0), (100, 1.5), (500, 1.5)])
def test_twins_step_opposite_ways_and_as_far_as_the_schedule_says(generation, deviation):
    holds = np.full((400, 6, TWIN_GRID.row_genes), 5)
    holds[:, :3] = 25  # far from both ends
    steps = stepped(holds, generation, step=6.0, end=1.5, over=100, until=501)[:, :, :3] - 25
    assert np.array_equal(steps[:, 1], -steps[:, 0])
    n, expected = steps[:, 0].size, deviation**2 + 1 / 12  # of a uniform law, rounded
    assert abs(steps[:, 0].mean()) < 4 * np.sqrt(expected / n)
    assert abs(steps[:, 0].var() / expected - 1) < 4 * np.sqrt(1 / n)
    assert np.abs(steps).max() <= np.sqrt(3) * deviation + 0.5


def test_nobody_is_changed_from_the_last_generation_of_the_schedule_on():
    holds = drawn(6, 2, 9)
    for generation, same in ((6, False), (7, True), (8, True)):
        assert np.array_equal(stepped(holds, generation, until=7)[:, 0], holds) == same


def test_a_twin_that_had_nothing_more_to_roll_for_holds_both_back():
    most = decided_slices(TWIN_GRID)
    holds = np.broadcast_to((most - 1)[None, :, None], (500, len(most), TWIN_GRID.row_genes)).copy()
    steps = stepped(holds, step=8.0) - holds[:, None]
    assert set(np.unique(steps)) == {-1, 0, 1}
    assert np.array_equal(steps[:, 0], -steps[:, 1])


def test_siblings_share_the_games_of_their_match():
    game = Pig(target=16)
    members = [pigevo.hold_at(game, n) for n in (3, 8, 5, 5, 12)]
    context = context_of(game, Draw(1, "dice"), pairs=np.array([[0, 4]]))
    evaluation = Siblings(2000)(tables_of(members), context)
    scores = evaluation.scores
    assert sibling_pairs(5, 5).tolist() == [[0, 1], [2, 3], [4, 0]]
    assert sibling_pairs(6, 5).tolist() == [[1, 2], [3, 4], [5, 0]]
    assert sibling_pairs(5, 4).tolist() == [[1, 2], [3, 4], [0, 1]]
    assert scores[2] == scores[3] == 0.5  # equal twins win every couple of paired games once each
    third = 2 * scores[0] - (1 - scores[1])
    assert scores[4] + third == pytest.approx(1, abs=1e-12)
    assert (evaluation.games, evaluation.played.tolist()) == (6000, [4000, 2000, 2000, 2000, 2000])
    assert abs(scores[1] - pigevo.win_probability(members[1], members[0]).overall) < 4.5 * 0.5 / 2000**0.5


@pytest.mark.parametrize(("generation", "share"), [(0, 0.0), (20, 0.4), (50, 0.8)])
def test_a_share_of_what_everyone_has_is_kept_beside_what_parents_have(generation, share):
    everyone, n = drawn(10, 2, 9), 4000
    crossover, genomes = Intermediate(keep=0.8, over=40), genomes_of(TWIN_GRID, everyone)
    context = context_of(TWIN_GRID, Draw(2, "crossover", generation))
    assert Intermediate(keep=0).remember(genomes, context) == {}
    remembering = context_of(TWIN_GRID, context.draw, state=crossover.remember(genomes, context))
    which = np.arange(n) % 3
    mean = holds_of(TWIN_GRID, crossover(genomes[which], genomes[which], remembering)).mean(axis=0)
    expected = share * everyone.mean(axis=0) + (1 - share) * everyone[:3].mean(axis=0)
    assert np.abs(mean - expected).max() < 4.5 * 0.5 / n**0.5


def test_patches_step_together_and_begin_anywhere():
    grid = CubeGrid(PIG_60, (3, 3, 1))
    holds = np.full((600, len(decided_slices(grid)), grid.row_genes), 8)
    steps = stepped(holds, grid=grid, step=4.0, widest=4)[:, 0, :10] - 8  # where turns may go on beyond 8
    assert abs(steps.var() / (16 + 1 / 12) - 1) < 0.1
    borders = (np.diff(steps, axis=2) != 0).any(axis=1)  # between two sibling_pairs, unless their patches step alike
    widths = [np.diff(np.flatnonzero(row)).min(initial=4) if row.any() else 0 for row in borders]
    shares = [np.mean(np.array(widths) >= edge) for edge in (1, 2, 3, 4)]
    assert shares[0] == 1
    expected = [np.log(5 / edge) / np.log(5) for edge in (1, 2, 3, 4)]  # at least so wide, log-uniform
    assert np.abs(np.array(shares) - expected).max() < 4.5 * 0.5 / 600**0.5
    assert {int(np.flatnonzero(row)[0]) for row in borders if row.any()} >= {0, 1, 2, 3}


USES = {name: bool(MUTATORS[name].uses(MUTATORS[name].completed({}))) for name in MUTATORS}
"""Whether each mutator says that it uses the rate; that it is so is tested below."""
DEAP = [
    ("mutFlipBit", None, True),
    ("mutShuffleIndexes", {"indpb": 0.2}, False),
    ("mutInversion", None, False),
    ("mutUniformInt", None, True),
]
CHOICES = [({"name": name}, uses) for name, uses in USES.items()]
CHOICES += [({"name": "deap", "operator": o, "arguments": a}, uses) for o, a, uses in DEAP]


def settings_of(mutator, typed=(), **changes):
    return Settings.read(BASE | {"mutator": mutator} | changes, typed=typed)


@pytest.mark.parametrize(("choice", "uses"), CHOICES, ids=str)
class TestEachMutator:
    def test_two_rates_are_two_runs_only_if_it_uses_them(self, choice, uses):
        low, high = (settings_of(choice, mutation=rate, generations=2) for rate in (0.1, 0.6))
        assert (low.hash == high.hash) == (low.folder == high.folder) == (low == high) == (not uses)
        assert (low.mutation, high.mutation) == ((0.1, 0.6) if uses else (None, None))
        assert ("mutation" in low.values, "mutation" in low.identity) == (uses, uses)
        plans = [replace(low.plan, rate=rate) for rate in (0.1, 0.6)]  # also of a mutator that is handed a rate
        digests = [[state.digest for state in states_of(plan)] for plan in plans]
        assert (digests[0] == digests[1]) == (not uses)

    def test_a_rate_is_needed_if_it_uses_it_and_else_refused_where_it_is_typed(self, choice, uses):
        without = {key: value for key, value in (BASE | {"mutator": choice}).items() if key != "mutation"}
        if uses:
            assert settings_of(choice, typed=("mutation",), mutation=0.3).mutation == 0.3
            with pytest.raises(InputError, match=r"the setting mutation is missing: mutator=.* needs it"):
                Settings.read(without)
            return
        assert Settings.read(without).mutation is None
        message = f"mutation = 0.3 changes nothing with mutator={choice['name']}"
        with pytest.raises(InputError, match=message) as caught:
            settings_of(choice, typed=("mutation",), mutation=0.3)
        options = ["operator"] if choice["name"] == "deap" else list(MUTATORS[choice["name"]].options)
        assert not options or f"mutator.{options[0]}" in str(caught.value)


def test_a_mutator_of_the_user_s_gets_the_rate():
    rates = []

    def mine(genomes, context):
        rates.append(context.rate)
        return genomes

    low, high = (
        Settings.read(BASE | {"mutator": {"name": "custom"}, "mutation": rate}, own={"mutator": mine})
        for rate in (0.07, 0.2)
    )
    assert low.hash != high.hash
    rates.clear()
    states_of(low.plan)
    assert set(rates) == {0.07}


@pytest.mark.parametrize("kind", ["population", "fitness", "selection", "crossover", "replacement"])
def test_no_other_operator_s_result_depends_on_the_rate(make_plan, kind):
    for name in registry_of(kind):
        plan = make_plan(
            **{kind: {"name": name, **({"size": 8} if kind == "population" else {})}},
            mutator={"name": "heavy_tailed"},
            game={"name": "pig", "target": 10},
            generations=1,
        )
        low, high = ([state.digest for state in states_of(replace(plan, rate=rate))] for rate in (0.1, 0.6))
        assert low == high


@pytest.mark.parametrize(("name", "uses"), [("waves", False), ("none", True)])
def test_generations_belong_to_the_cubes_that_use_them(name, uses):
    assert CUBES[name].uses({}) == (("generations",) if uses else ())
    cubes = {"name": name} if uses else {"name": name, "sizes": [10], "generations": 3}
    few, many = (Settings.read(BASE | {"cubes": cubes, "generations": n}) for n in (5, 9))
    assert (few.hash == many.hash) == (not uses)
    assert (few.plan.generations, many.plan.generations) == ((5, 9) if uses else (3, 3))


RATE_GRID = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
NOBODY = np.zeros((200, RATE_GRID.genes), np.uint8)


def flips_at(mutate, law, **context):
    """The p-value of the number of flips under a rate."""
    flipped = mutate(NOBODY, context_of(RATE_GRID, Draw(1, "mutation"), **context))
    return tossed(flipped, law)


class TestSchedule:
    def test_zero_stays_zero_or_rises_by_steps(self):
        assert [rate_at(part, 0.0, 0.1, "exponential") for part in (0.0, 0.5, 1.0)] == [0.0, 0.0, 0.0]
        assert rate_at(0.5, 0.0, 0.1, "linear") == 0.05

    @pytest.mark.parametrize(
        ("generation", "shape", "rate"),
        [(0, "exponential", 0.4), (50, "exponential", 0.2), (100, "exponential", 0.1), (9999, "exponential", 0.1),
         (0, "linear", 0.4), (50, "linear", 0.25), (100, "linear", 0.1)],
    )  # fmt: skip
    def test_genes_flip_with_the_rate_of_their_generation(self, generation, shape, rate):
        def mutate(genomes, context):
            return scheduled(genomes, context, end=0.1, over=100, shape=shape)

        assert flips_at(mutate, rate, rate=0.4, generation=generation) > RARE
        assert flips_at(mutate, rate * 1.1, rate=0.4, generation=generation) < RARE  # which the law would notice


class TestOneFifth:
    def after(self, scores, fresh, rate=0.1, best=None, mutator=None, grid=RATE_GRID):
        """The rate after a generation with these scores, of which the last so many are the children's."""
        scores = np.asarray(scores, dtype=float)
        state = {"rate": np.array([rate])} | ({} if best is None else {"best": np.array([best])})
        context = context_of(grid, scores=scores, fresh=fresh, state=state, rate=0.9)
        return float((mutator or OneFifth()).remember(np.zeros((len(scores), grid.genes)), context)["rate"][0])

    @pytest.mark.parametrize(
        ("winners", "change"), [(0, 0.85), (1, 0.85), (2, 1.0), (3, 1 / 0.85), (10, 1 / 0.85)]
    )  # of ten children
    def test_the_rate_rises_above_a_fifth_falls_below_it_and_else_stays(self, winners, change):
        children = [0.6] * winners + [0.5] * (10 - winners)  # who are as good as the best are no success
        assert self.after([0.2, 0.5, *children], 10) == pytest.approx(0.1 * change)
        assert self.after(children, 10, best=0.5) == pytest.approx(0.1 * change)  # where nobody stays

    def test_who_was_not_mutated_is_no_child(self):
        state, scores = {"rate": np.array([0.1])}, np.array([0.5, *[0.4] * 10, *[0.9] * 10])
        context = context_of(RATE_GRID, scores=scores, fresh=20, arrived=10, state=state)
        assert OneFifth().remember(np.zeros((21, RATE_GRID.genes)), context)["rate"] == pytest.approx(0.085)
        alone = context_of(RATE_GRID, scores=scores[:2], fresh=1, arrived=1, state=state)
        assert OneFifth().remember(np.zeros((2, RATE_GRID.genes)), alone)["rate"] == 0.1

    def test_another_share_and_another_factor(self):
        mutator = OneFifth(success=0.5, factor=0.5)
        rates = [self.after([0.5, *[0.6] * n, *[0.4] * (4 - n)], 4, mutator=mutator) for n in (1, 2, 3)]
        assert rates == [0.05, 0.1, 0.2]

    def test_it_never_leaves_its_bounds(self):
        assert self.after([0.5, 0.4], 1, rate=1 / RATE_GRID.genes) == 1 / RATE_GRID.genes
        assert self.after([0.5, 0.6], 1, rate=0.49) == 0.5
        assert self.after([0.5, 0.4], 1, mutator=OneFifth(least=0.0), rate=1e-9) == pytest.approx(0.85e-9)

    def test_the_first_rate_is_that_of_the_run_and_nothing_is_judged_before_there_are_children(self):
        context = context_of(RATE_GRID, scores=np.arange(8.0), fresh=8, rate=0.3)
        state = OneFifth().remember(np.zeros((8, RATE_GRID.genes)), context)
        assert state["rate"].tolist() == [0.3]
        assert state["best"].tolist() == [7.0]
        assert flips_at(OneFifth(), 0.3, rate=0.3) > RARE

    def test_genes_flip_with_the_remembered_rate_within_the_bounds_of_their_grid(self):
        assert flips_at(OneFifth(), 0.07, rate=0.9, state={"rate": np.array([0.07])}) > RARE
        assert flips_at(OneFifth(), 1 / RATE_GRID.genes, rate=0.9, state={"rate": np.array([1e-7])}) > RARE

    @pytest.mark.parametrize("replacement", ["survivors_and_offspring", "offspring"])
    def test_in_a_run_every_step_is_one_of_the_rule(self, make_plan, replacement):
        plan = make_plan(
            mutator={"name": "one_fifth"}, fitness={"name": "exact_vs_optimal"}, replacement={"name": replacement},
            selection={"name": "mu_best", "mu": 2}, mutation=0.2, generations=25,
        )  # fmt: skip
        states = states_of(plan)
        rates = [float(state.memory["mutator"]["rate"][0]) for state in states[1:]]
        scores, stay = [evaluate(plan, state).scores for state in states], 2 if "survivors" in replacement else 0
        least, steps = 1 / plan.waves[0].grid.genes, set()
        assert rates[0] == 0.2
        for number, (before, after) in enumerate(itertools.pairwise(rates), start=1):
            bar = scores[number][:stay].max() if stay else scores[number - 1].max()
            step = -int(np.sign((scores[number][stay:] > bar).mean() - 0.2))
            assert after == pytest.approx(min(0.5, max(least, before * 0.85**step)))
            steps.add(step)
        assert {-1, 1} <= steps


RATES = np.array([0.01, 0.05, 0.2, 0.4])


def inheriting(parents, rates=RATES, **options):
    context = context_of(RATE_GRID, Draw(3, "mutation"), rate=0.03, state={"rates": rates}, parents=np.asarray(parents))
    return InheritedRate(**options).inherit(context)["rates"]


class TestLaw:
    def test_log_odds_of_children_are_normal_about_the_mean_of_their_parents(self):
        rates = log_odds(inheriting(np.tile([[1, 2], [2, 2]], (10_000, 1)), step=0.3))
        for child, middle in ((0, log_odds(RATES[1:3]).mean()), (1, log_odds(RATES[2]))):
            assert (rates[child::2] < log_odds(0.5)).all()  # no rate met its bound
            steps = (rates[child::2] - middle) / 0.3
            assert stats.kstest(steps, "norm").pvalue > RARE
            assert stats.kstest(steps * 1.1, "norm").pvalue < RARE

    def test_who_stays_keeps_the_rate_and_who_comes_has_the_first(self):
        assert inheriting([[3, -1], [0, -1], [-1, -1], [1, -1]]).tolist() == [0.4, 0.01, 0.03, 0.05]

    def test_rates_stay_between_a_flip_and_half_the_genes(self):
        rates = inheriting(np.tile([[0, 3]], (1000, 1)), step=10)
        assert rates.min() == 1 / RATE_GRID.genes
        assert rates.max() == 0.5
        assert inheriting([[0, 0]], step=0, least=30)[0] == 30 / RATE_GRID.genes

    @pytest.mark.parametrize("child", [0, 3])
    def test_each_genome_flips_with_its_own_rate(self, child):
        parents = np.repeat(np.arange(4), 50)[:, None] * [1, 1]
        context = context_of(RATE_GRID, Draw(3, "mutation"), rate=0.9, state={"rates": RATES}, parents=parents)
        flipped = InheritedRate(step=0)(NOBODY, context)[50 * child : 50 * child + 50]
        assert tossed(flipped, RATES[child]) > RARE
        assert tossed(flipped, RATES[child] * 1.4) < RARE
        assert stats.chisquare(flipped.sum(axis=0) + 1).pvalue > RARE  # all genes alike


class TestInARun:
    def plan(self, **changes):
        mutator = {"name": "inherited_rate", "step": 0.5}
        return Settings.read({**BASE, "mutator": mutator, "mutation": 0.1, **changes}).plan

    @pytest.mark.parametrize("replacement", ["offspring", "survivors_and_offspring", "elites", "immigrants"])
    def test_each_member_has_the_rate_with_which_it_was_mutated(self, replacement):
        of_children = []

        class Watched(InheritedRate):
            def __call__(self, genomes, context):
                of_children.append(self.inherit(context)["rates"])
                return super().__call__(genomes, context)

        plan = replace(self.plan(replacement={"name": replacement}), mutator=Watched(step=0.5))
        first, *later = states_of(plan)
        assert "mutator" not in first.memory
        for state, children in zip(later, of_children, strict=True):
            rates, stay = state.memory["mutator"]["rates"], plan.size - state.fresh
            assert rates.shape == (plan.size,)
            assert (rates[stay : stay + len(children)] == children).all()
            assert (rates[stay + len(children) :] == 0.1).all()

    def test_survivors_keep_their_rates_generation_by_generation(self):
        plan = self.plan(replacement={"name": "survivors_and_offspring"})
        for before, after in itertools.pairwise(states_of(plan)[1:]):
            owners = {g.tobytes(): r for g, r in zip(before.genomes, before.memory["mutator"]["rates"], strict=True)}
            stay = plan.size - after.fresh
            assert [owners[g.tobytes()] for g in after.genomes[:stay]] == [*after.memory["mutator"]["rates"][:stay]]

    def test_with_a_step_of_0_it_is_bit_flip(self):
        flipping = states_of(self.plan(mutator={"name": "bit_flip"}))
        inheriting_states = states_of(self.plan(mutator={"name": "inherited_rate", "step": 0.0}))
        for state, expected in zip(inheriting_states, flipping, strict=True):
            assert (state.genomes == expected.genomes).all()
            assert state.memory.get("mutator", {"rates": 0.1})["rates"] == pytest.approx(0.1, rel=1e-12)

    def test_selection_for_low_rates_lowers_them(self):
        """Where every flip is a loss, as it is of an optimum's decisions, small rates are inherited more often."""
        words = (
            "population=optimal", "game.target=20", "fitness=exact_vs_optimal", "selection=truncation", "generations=60",
            "mutator=inherited_rate", "mutator.step=0.5", "mutation=0.05", "workers=1", "population.size=20",
        )  # fmt: skip
        last = states_of(Settings.of(*words).plan)[-1]
        assert np.median(last.memory["mutator"]["rates"]) < 0.01


def test_parentage_says_who_stays_who_is_born_and_who_comes():
    assert parentage(np.array([4, 1]), np.array([[0, 3]]), 1).tolist() == [[4, -1], [1, -1], [0, 3], [-1, -1]]


def test_origins_are_the_members_with_the_same_genes_the_best_of_clones_first():
    genomes = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 1], [1, 1, 1]], np.uint8)
    scores = np.array([0.1, 0.9, 0.2, 0.3])
    staying = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 0]], np.uint8)
    assert origins(staying, genomes, scores, np.array([0, 1])).tolist() == [3, 2, -1]
    assert origins(genomes[[0, 3]], genomes, scores, np.array([0, 3])).tolist() == [0, 3]  # as they were selected
    assert origins(staying[:0], genomes, scores, np.array([0])).tolist() == []
