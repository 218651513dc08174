"""First populations, and how members are passed on: as arrays, lazily, in pieces, always with the same bits."""

import operator
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.core import machine
from pigevo.core.portable_math import log1m
from pigevo.dice import Draw, gaps_to_draw
from pigevo.errors import InputError
from pigevo.evolution import crossover, gene_kernels, loop
from pigevo.evolution.gene_kernels import AT_ONCE, choose_by_coins, flip_after_gaps
from pigevo.evolution.loop import first_state
from pigevo.evolution.mutation import flips as mutation
from pigevo.evolution.operators import as_operator, lazy
from pigevo.evolution.population import Chosen, hold_at, named, optimal, random_population, score
from pigevo.evolution.toolbox import make_toolbox
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of, course_of, states_of
from tests.laws import RARE

GAME = Pig(target=24)
CELLS = CubeGrid(GAME, 1)
CONTEXT = context_of(CELLS, Draw(1, "population"))


def strategies(genomes, grid=CELLS):
    return [grid.strategy(g) for g in genomes]


def test_random_genomes_on_a_coarse_grid_are_coins_of_cubes():
    grid = CubeGrid(GAME, 8)
    genomes = np.concatenate([random_population(50, context_of(grid, Draw(s, "population"))) for s in range(40)])
    assert genomes.shape == (2000, grid.genes)
    assert min(stats.binomtest(int(n), 2000).pvalue for n in genomes.sum(axis=0)) > RARE / grid.genes


def test_names_and_saved_strategies_take_turns_until_the_population_is_full(tmp_path):
    saved = pigevo.random_strategy(GAME, seed=8)
    genomes = named(7, CONTEXT, ["hold_at:5", "score:9", str(saved.save(tmp_path / "s.npz"))])
    a, b = pigevo.hold_at(GAME, 5), pigevo.score(GAME, 9)
    assert strategies(genomes) == [a, b, saved, a, b, saved, a]


def test_hold_at_score_and_optimal_are_populations_of_their_values():
    assert strategies(hold_at(3, CONTEXT, (4, 6))) == [pigevo.hold_at(GAME, n) for n in (4, 6, 4)]
    assert strategies(score(3, CONTEXT, (4, 6))) == [pigevo.score(GAME, n) for n in (4, 6, 4)]
    assert (
        strategies(hold_at(10, CONTEXT)) == [pigevo.hold_at(GAME, n) for n in (10, 15, 20, 25, 30)] * 2
    )  # the paper's
    assert set(strategies(optimal(4, CONTEXT))) == {pigevo.optimal(GAME).strategy}


@pytest.mark.parametrize(
    ("population", "part"),
    [
        ({"name": "named", "names": ["hold_up"]}, "population.names: there is no .*'hold_up'; did you mean hold_at"),
        ({"name": "named", "names": ["roll_and_wait"]}, "allow_pass"),
        ({"name": "named", "names": []}, "population.names is empty"),
        ({"name": "score", "values": []}, "population.values is empty"),
    ],
)
def test_a_plan_refuses_them_before_the_run(make_plan, population, part):
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


def test_one_that_is_declared_lazy_and_compares_is_refused(make_plan):
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
def test_it_takes_the_second_gene_where_the_coin_is_1(genes):
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
    context = context_of(Pig(target=5), Draw(3, "crossover"))
    expected = np.where(context.draw.bits(3, 1001), genomes[second], genomes[first])
    monkeypatch.setattr(crossover, "COMPILED_FROM", compiled_from)
    for parents in (
        (genomes[first], genomes[::-1][5 - second]),
        (Chosen(genomes, first), Chosen(genomes[::-1], 5 - second)),
    ):
        assert np.array_equal(crossover.agree_or_random(*parents, context), expected)


GENES = 150_001


@pytest.mark.parametrize("rate", [1e-4, 0.003, 0.01, 0.3, 0.5, 0.97])
def test_it_flips_the_places_of_the_draw(rate):
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
    context = context_of(Pig(target=5), Draw(3, "mutation"), rate=0.02)
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
    context = context_of(Pig(target=5), Draw(3, "mutation"), rate=rate)
    assert mutation.bit_flip(np.zeros((10, 5000), np.uint8), context).all()
