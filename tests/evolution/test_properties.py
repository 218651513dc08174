"""Properties of operators, for any grid, population and draw that hypothesis can think of."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.crossover import CROSSOVERS, agree_or_random, blocks, fitter_parent
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.boundary import MOVES, Boundary, SelfAdapting
from pigevo.evolution.mutation.flips import bit_flip
from pigevo.evolution.operators import as_operator, pair_parents
from pigevo.evolution.selection import SELECTIONS
from tests.evolution.helpers import context_of

seeds = st.integers(0, 10**6)
sizes = st.sampled_from([1, 2, 3, 5, (4, 3, 1), (1, 2, 9)])
games = st.builds(pigevo.Pig, target=st.integers(1, 11), sides=st.integers(2, 8), allow_pass=st.booleans())
grids = st.builds(pigevo.CubeGrid, games, sizes)
few = settings(max_examples=60, deadline=None)


def operator_of(kind, registry, name):
    return as_operator(kind, registry[name].bind(registry[name].completed({})))


BETWEEN = {"intermediate"}
"""Crossovers whose children have boundaries between those of their parents."""


@few
@given(st.sampled_from(sorted(CROSSOVERS.keys() - BETWEEN)), grids, st.integers(0, 9), seeds)
def test_each_gene_of_a_child_is_one_of_its_parents(name, grid, children, seed):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = Draw(seed, "validation").uniforms(2 * children).reshape(2, children)
    context = context_of(grid, Draw(seed, "crossover"), scores)
    found = operator_of("crossover", CROSSOVERS, name)(first, second, context)
    assert ((found == first) | (found == second)).all()
    twins = operator_of("crossover", CROSSOVERS, name)(first, first.copy(), context)
    assert np.array_equal(twins, first)


@few
@given(grids, st.integers(1, 9), seeds, st.floats(0.5, 1))
def test_a_crossover_with_no_share_for_one_parent_is_the_other(grid, children, seed, follow):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = np.stack([np.ones(children), np.zeros(children)])
    context = context_of(grid, Draw(seed, "crossover"), scores)
    assert np.array_equal(blocks(first, second, context, share=0.0), first)
    assert np.array_equal(fitter_parent(first, second, context, follow=1.0), first)
    swapped = context_of(grid, Draw(seed, "crossover"), scores[::-1])  # the fitter one may be either
    a, b = fitter_parent(first, second, context, follow), fitter_parent(second, first, swapped, follow)
    assert np.array_equal(a, b)


@few
@given(grids, st.integers(1, 9), seeds)
def test_agreement_is_kept_whoever_is_the_first(grid, children, seed):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    context = context_of(grid, Draw(seed, "crossover"))
    one, other = agree_or_random(first, second, context), agree_or_random(second, first, context)
    assert np.array_equal(one ^ other, first ^ second)  # the same coins, seen from the other side


@few
@given(st.sampled_from(["bit_flip", "deap"]), grids, st.integers(0, 9), seeds)
def test_a_mutation_at_rate_0_leaves_genomes_and_at_1_flips_every_gene(name, grid, size, seed):
    genomes = Draw(seed, "population").bits(size, grid.genes)
    mutate = operator_of("mutator", MUTATORS, name)
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=0.0)), genomes)
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=1.0)), 1 - genomes)


@few
@given(grids, st.integers(0, 9), seeds, st.floats(0, 1))
def test_two_flips_with_the_same_dice_are_none(grid, size, seed, rate):
    genomes = Draw(seed, "population").bits(size, grid.genes)
    context = context_of(grid, Draw(seed, "mutation"), rate=rate)
    assert np.array_equal(bit_flip(bit_flip(genomes, context), context), genomes)


@few
@given(grids, seeds, st.integers(0, len(MOVES) - 1))
def test_a_move_of_the_boundary_leaves_what_lies_outside_a_rectangle(grid, seed, move):
    genomes = Draw(seed, "population").bits(4, grid.genes)
    context = context_of(grid, Draw(seed, "mutation"), state={"moves": np.full(4, move)})
    for mutate in (Boundary(share=1.0), SelfAdapting()):
        if move == 0 or not grid.genes:
            continue
        changed = (mutate(genomes, context) != genomes).reshape(4, -1, grid.slices[1])
        for one in changed:
            columns = one.any(axis=0)
            if columns.any():  # a stretch of the opponent's scores, without any gap that holds a change beyond it
                start, end = np.flatnonzero(columns)[[0, -1]]
                widest = 40 if isinstance(mutate, Boundary) else round(MOVES[move][1] * 1.5)
                assert (end - start) * grid.edges[1] <= max(widest, grid.edges[1])


@few
@given(
    st.sampled_from(["truncation", "round_robin"]), st.integers(2, 12), seeds, st.floats(0.01, 0.9), st.floats(0.1, 9)
)
def test_a_selection_by_rank_keeps_the_best_and_knows_only_their_order(name, size, seed, low, factor):
    scores = Draw(seed, "validation").uniforms(size)
    context = context_of(pigevo.Pig(target=5), Draw(seed, "selection"))
    select = operator_of("selection", SELECTIONS, name)
    found = select(scores, context)
    assert np.array_equal(found, select(low + factor * scores, context))
    assert np.array_equal(found, np.argsort(-scores)[: len(found)])


@few
@given(st.integers(1, 12), st.integers(0, 30), seeds)
def test_parents_are_survivors_and_no_pair_has_more_than_one_child_more_than_another(survivors, children, seed):
    first, second = pair_parents(survivors, children, Draw(seed, "crossover")).T
    assert len(first) == len(second) == children
    counts = {}
    for pair in zip(first.tolist(), second.tolist(), strict=True):
        assert set(pair) <= set(range(survivors))
        assert survivors == 1 or pair[0] != pair[1]
        counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == min(children, -(-survivors // 2))
    assert not counts or max(counts.values()) - min(counts.values()) <= 1
