"""The laws of the operators that know where genes lie.  Seeds are fixed; a law fails below p = `RARE`."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.crossover import blocks, fitter_parent
from pigevo.evolution.gene_kernels import move_boundary
from pigevo.evolution.hold_boundary import log_uniform, patches_at, remember_model, turns, visited_pairs
from pigevo.evolution.mutation.boundary import MOVES, Boundary, SelfAdapting
from pigevo.evolution.mutation.flips import expected_flips, heavy_tailed
from pigevo.games import Pig
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE, fits

GAME = Pig(target=20)
GRIDS = [pigevo.CubeGrid(GAME, size) for size in (1, 5, (4, 3, 1), 7)]
PASSING = pigevo.CubeGrid(Pig(target=20, allow_pass=True), 1)


class TestFlips:
    @pytest.mark.parametrize("flips", [0.3, 1.0, 3.0])
    def test_expected_flips_is_poisson_and_leaves_no_copy(self, flips):
        genomes = np.zeros((4000, 600), dtype=np.uint8)
        counts = expected_flips(genomes, context_of(GAME, Draw(1, "mutation")), flips).sum(axis=1)
        law = stats.binom(600, flips / 600).pmf(np.arange(40))
        law[:2] = 0, law[0] + law[1]
        assert fits(np.bincount(counts.astype(int), minlength=40), law) > RARE

    def test_expected_flips_chooses_all_genes_alike(self):
        genomes = np.zeros((20_000, 50), dtype=np.uint8)
        by_gene = expected_flips(genomes, context_of(GAME, Draw(2, "mutation")), 0.5).sum(axis=0)
        assert stats.chisquare(by_gene).pvalue > RARE

    def test_heavy_tailed_flips_follow_the_power_law(self):
        genes, exponent = 40, 1.5
        context = context_of(GAME, Draw(3, "mutation"))
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
        grid = pigevo.CubeGrid(GAME, size)
        parent = grid.from_strategies([pigevo.hold_at(GAME, 8)])
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
        grid = pigevo.CubeGrid(GAME, 1)
        parents = np.repeat(grid.from_strategies([pigevo.hold_at(GAME, 8)]), 500, 0)
        assert ((Boundary(share=0.0)(parents, context_of(grid)) != parents).sum(axis=1) > 0).all()


class TestVisited:
    def test_is_even_where_nothing_is_known(self):
        pairs = visited_pairs(GAME, {}, 1.0, Draw(1, "mutation").uniforms(40_000))
        assert stats.chisquare(np.bincount(pairs[:, 0] * 20 + pairs[:, 1], minlength=400)).pvalue > RARE

    def test_follows_the_visits_of_the_best_member_and_strays(self):
        grid = pigevo.CubeGrid(GAME, 1)
        genomes = grid.from_strategies([pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 8)])
        state = remember_model(genomes, context_of(grid, scores=[0.1, 0.4]), 10)
        best = pigevo.hold_at(GAME, 8)
        expected = pigevo.reach(best, best).overall[:, :, 0]
        assert np.allclose(turns(GAME, state), expected)
        weights = np.sqrt(expected).ravel()
        law = 0.75 * weights / weights.sum() + 0.25 / 400
        pairs = visited_pairs(GAME, state, 0.5, Draw(2, "mutation").uniforms(100_000))
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
        parents = np.repeat(grid.from_strategies([pigevo.optimal(GAME).strategy]), 200, 0)
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
        child = fitter_parent(first, second, context_of(GAME, Draw(2, "crossover"), [scores, 1 - scores]), follow=0.7)
        differ = first != second
        assert np.array_equal(child[~differ], first[~differ])
        fitter = np.where((scores > 0.5)[:, None], first, second)
        assert stats.binomtest(int((child == fitter)[differ].sum()), int(differ.sum()), 0.7).pvalue > RARE

    def test_of_equals_the_first_is_the_fitter(self):
        first, second = Draw(1, "population").bits(2, 40, 90)
        scores = np.repeat([0.1, 0.5], 20)
        child = fitter_parent(first, second, context_of(GAME, Draw(2, "crossover"), [scores, scores]), follow=1.0)
        assert np.array_equal(child, first)
        almost = [scores, np.nextafter(scores, 1)]
        assert np.array_equal(fitter_parent(first, second, context_of(GAME, scores=almost), follow=1.0), second)
