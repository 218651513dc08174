"""Structured populations: islands with their migrants, and cells of a torus with their neighbours."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.island_model import island_seed
from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import Context
from pigevo.evolution.plan import State
from pigevo.evolution.selection.cellular import Cellular, neighbours
from pigevo.settings.settings import Settings
from tests.cases import RARE, fits
from tests.evolution.conftest import BASE, course_of, states_of

EXACT = {"fitness": {"name": "exact_vs_optimal"}, "selection": {"name": "truncation"}}
WAVES = {"cubes": {"name": "waves", "sizes": [10, 5, 2], "generations": 2}}
SIZE, COUNT = 24, 3


def islands(topology="ring", **options):
    return {
        "population": {"name": "random", "size": SIZE},
        "islands": {"name": topology, "count": COUNT, "interval": 2, "migrants": 1, **options},
    }


@pytest.mark.parametrize("topology", ["ring", "star", "complete"])
def test_one_island_is_the_population_to_the_bit(make_plan, topology):
    single = make_plan(islands={"name": topology, "count": 1, "interval": 1})
    assert [state.digest for state in states_of(single)] == [state.digest for state in states_of(make_plan())]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        EXACT,
        WAVES,
        {"fitness": {"name": "archive"}, "replacement": {"name": "elites"}},
        {"mutator": {"name": "self_adapting"}, "replacement": {"name": "survivors_and_offspring"}},
    ],
    ids=["games", "exact", "waves", "archive", "self_adapting"],
)
def test_without_migrants_each_island_is_a_run_of_its_own(changes):
    values = {**BASE, "mutation": 0.02, **changes}
    if "cubes" in changes:
        values.pop("generations")
    size = SIZE // COUNT
    together = states_of(Settings.read({**values, **islands(migrants=0)}).plan)
    alone = [
        states_of(Settings.read({**values, "seed": seed, "population": {"name": "random", "size": size}}).plan)
        for seed in (island_seed(BASE["seed"], number) for number in range(COUNT))
    ]
    for number, states in enumerate(alone):
        for whole, state in zip(together, states, strict=True):
            assert (whole.genomes[number * size : (number + 1) * size] == state.genomes).all()
            memory = {
                name.rpartition("-")[0]: arrays for name, arrays in whole.memory.items() if name.endswith(f"-{number}")
            }
            assert replace(state, memory=memory).digest == state.digest
    assert together[-1].evaluations == sum(states[-1].evaluations for states in alone)
    assert together[-1].games == sum(states[-1].games for states in alone)


def test_islands_differ_and_so_do_those_of_other_seeds():
    seeds = {island_seed(seed, number) for seed in range(50) for number in range(20)}
    assert len(seeds) == 50 * 20
    assert [island_seed(seed, 0) for seed in range(50)] == list(range(50))
    state = first_state(Settings.read({**BASE, **islands()}).plan)
    assert len(np.unique(state.genomes, axis=0)) == SIZE


SENDERS = {
    "ring": {0: [2], 1: [0], 2: [1]},
    "star": {0: [1, 2], 1: [0], 2: [0]},
    "complete": {0: [1, 2], 1: [0, 2], 2: [0, 1]},
}
"""The islands from which each of three gets its migrants."""


@pytest.mark.parametrize(
    ("topology", "replacement"),
    [("ring", "immigrants"), ("star", "offspring"), ("complete", "survivors_and_offspring")],
)
def test_migrants_are_the_best_of_each_neighbour_and_come_when_it_is_time(make_plan, topology, replacement):
    options = {**EXACT, "replacement": {"name": replacement}, "mutation": 0.2}
    apart = make_plan(**options, **islands(topology, migrants=0))
    size = SIZE // COUNT
    for before, after in itertools.pairwise(course_of(make_plan(**options, **islands(topology, migrants=2)))):
        orders = np.argsort(-before.scores.reshape(COUNT, size), kind="stable")
        best = before.genomes.reshape(COUNT, size, -1)[np.arange(COUNT)[:, None], orders[:, :2]]
        born = next_state(evaluate(apart, before.state)).genomes.reshape(COUNT, size, -1)
        for island, senders in SENDERS[topology].items():
            rows = after.genomes[island * size : (island + 1) * size]
            if after.number % 2:
                assert (rows == born[island]).all()  # nobody moves
            else:
                migrants = np.concatenate(best[senders])
                assert (rows[size - len(migrants) :] == migrants).all()
                assert not (born[island, size - len(migrants) :] == migrants).all()


def test_random_migrants_are_drawn_uniformly(make_plan):
    options = {**EXACT, **islands(who="random", interval=1), "generations": 1}
    size, members = SIZE // COUNT, []
    for seed in range(80):
        before, after = course_of(make_plan(**options, seed=seed))
        for island in range(COUNT):
            source = before.genomes[(island - 1) % COUNT * size :][:size]
            (member,) = np.flatnonzero((source == after.genomes[(island + 1) * size - 1]).all(axis=1))
            members.append(member)
    assert np.bincount(members, minlength=size).min() > 10  # 30 expected; P < 1e-4 in all


def test_migrants_take_at_most_the_places_of_children(make_plan):
    plan = make_plan(
        **EXACT, **islands("complete", migrants=8, interval=1), replacement={"name": "survivors_and_offspring"}
    )
    for state in states_of(plan)[1:]:
        assert state.genomes.shape[0] == SIZE
        assert state.fresh == SIZE // 2
        assert state.memory["islands"]["fresh"].tolist() == [4, 4, 4]


@pytest.mark.parametrize("fitness", [{"name": "games", "games": 20}, {"name": "exact"}])
def test_everyone_meets_everyone_at_the_end(make_plan, fitness):
    for selection in ("knockout", "round_robin"):
        last = course_of(make_plan(**islands(), fitness=fitness, selection={"name": selection}))[-1]
        assert len(last.final_order[1].pairs) == SIZE * (SIZE - 1) // 2


def test_with_archives_everyone_is_judged_by_those_of_all_islands(make_plan):
    plan = make_plan(**islands(migrants=0), fitness={"name": "archive"}, selection={"name": "truncation"})
    last, alone, scores = course_of(plan)[-1], replace(plan, islands=make_plan().islands), []
    for number in range(COUNT):
        memory = {"fitness": last.state.memory[f"fitness-{number}"]}
        scores.append(evaluate(alone, replace(last.state, memory=memory)).final_order[1].scores)
    assert last.final_order[1].scores == pytest.approx(np.mean(scores, axis=0), abs=1e-15)
    assert np.ptp(scores, axis=0).max() > 0


def test_islands_go_on_from_any_state_and_for_any_number_of_workers(make_plan):
    changes = {**islands("star"), "mutator": {"name": "self_adapting"}, "replacement": {"name": "elites"}}
    plan = make_plan(**changes)
    whole = states_of(plan)
    for state in whole[1:]:
        assert [g.state.digest for g in generations(plan, state)] == [s.digest for s in whole[state.generation :]]
    assert [s.digest for s in states_of(make_plan(**changes, workers=2))] == [s.digest for s in whole]


@pytest.mark.parametrize("topology", ["ring", "star", "complete"])
def test_a_game_without_decisions_has_islands_too(make_plan, topology):
    plan = make_plan(game={"name": "pig", "target": 1}, lineage=True, **islands(topology, interval=1))
    assert [state.genomes.shape for state in states_of(plan)] == [(SIZE, 0)] * (plan.generations + 1)


def test_islands_are_no_part_of_the_identity_where_there_are_none():
    plain = Settings.read(BASE)
    assert "islands" not in plain.identity
    assert plain.hash == Settings.read({**BASE, "islands": {"name": "none"}}).hash
    assert Settings.read({**BASE, **islands()}).identity["islands"]["name"] == "ring"


@pytest.mark.parametrize("topology", ["ring", "star", "complete"])
def test_wrong_options_and_islands_that_cannot_be_are_refused(make_plan, topology):
    for option, value in {"count": 0, "interval": 0, "migrants": -1, "who": "worst"}.items():
        with pytest.raises(InputError, match=rf"islands.{option}"):
            Settings.read({**BASE, **islands(topology, **{option: value})})
    for count, message in (
        (5, "population.size = 24 cannot be divided among 5 islands"),
        (24, "population.size = 24 cannot be divided among 24 islands"),
        (8, "with population.size = 24 each of 8 islands has 3 members: 3 is odd: selection=knockout"),
    ):
        with pytest.raises(InputError, match=message):
            make_plan(**islands(topology, count=count))
    make_plan(**islands(topology, count=3, migrants=8))
    with pytest.raises(InputError, match=r"islands.migrants = 9, but an island has 8 members"):
        make_plan(**islands(topology, count=3, migrants=9))
    for operator in (  # both numbers are below population.size, which is 24
        {"selection": {"name": "mu_best", "mu": 9}},
        {"replacement": {"name": "elites", "elites": 9}},
    ):
        with pytest.raises(InputError, match=r"each of 3 islands has 8 members: .* = 9 .*: it must be below 8\."):
            make_plan(**islands(topology, count=3), **operator)


SIDE = 7
CELLS = SIDE * SIDE


SIX = np.array([0.1, 0.5, 0.3, 0.2, 0.5, 0.1])
"""Scores on three cells; the last three members are the parents."""


def distance(cells, other, moore=False):
    """Steps between cells on the torus of 7 x 7: along edges, or over corners as well."""
    places = [row - column for row, column in zip(np.divmod(cells, SIDE), np.divmod(other, SIDE), strict=True)]
    steps = [np.minimum(place % SIDE, -place % SIDE) for place in places]
    return np.maximum(*steps) if moore else sum(steps)


def couples(scores, generation=0, rows=None, **options):
    context = Context(Draw(1, "crossover", generation, part=1), None)
    rows = np.arange(len(scores)) if rows is None else rows
    return Cellular(**options).couples(np.asarray(scores, dtype=float), rows, context)


@pytest.mark.parametrize("neighbourhood", ["von_neumann", "moore"])
def test_neighbours_are_those_one_step_away(neighbourhood):
    near = neighbours(CELLS, neighbourhood)
    for cell in range(CELLS):
        one_step = np.flatnonzero(distance(np.arange(CELLS), cell, neighbourhood == "moore") == 1)
        assert sorted(near[cell]) == one_step.tolist()


@pytest.mark.parametrize(
    ("cells", "near_first"), [(1, {0}), (2, {1}), (5, {1, 4}), (10, {1, 4, 5}), (12, {1, 3, 4, 8})]
)
def test_the_torus_is_as_square_as_its_cells_let_it_be(cells, near_first):
    assert set(neighbours(cells, "von_neumann")[0].tolist()) == near_first


def test_all_on_one_cell_or_on_neighbouring_ones_meet_once():
    pairs = Cellular().pairs(2 * CELLS, Context(Draw(1, "selection"), None))
    first, second = np.triu_indices(2 * CELLS, 1)
    near = distance(first % CELLS, second % CELLS) <= 1
    assert {tuple(sorted(pair)) for pair in pairs.tolist()} == set(zip(first[near], second[near], strict=True))
    assert len(pairs) == near.sum() == CELLS * (1 + 4 * 2)
    with pytest.raises(InputError, match=r"population.size = 7 is odd"):
        Cellular().pairs(7, Context(Draw(1, "selection"), None))


def test_the_better_of_a_cell_survives_of_equal_ones_the_parent_and_shuffled_on_any_cell():
    evaluation = Evaluation.of_scores(SIX, np.empty((0, 2), int))
    assert Cellular()(SIX, Context(Draw(1, "selection"), None, evaluation=evaluation)).tolist() == [3, 1, 2]
    draws = (Draw(1, "selection", generation) for generation in range(600))
    orders = Counter(tuple(Cellular(shuffled=True)(SIX, Context(draw, None)).tolist()) for draw in draws)
    assert orders.keys() == set(itertools.permutations((1, 2, 3)))
    assert fits([*orders.values()], np.ones(6)) > RARE


def test_each_mates_with_its_best_neighbour_and_a_child_is_of_its_own_cell():
    scores = Draw(1, "validation").uniforms(CELLS)
    rows = np.arange(3, 2 * CELLS)  # three elites stay in the first rows
    own, mates = couples(scores, rows=rows).T
    assert own.tolist() == (rows % CELLS).tolist()
    for cell, mate in zip(own, mates, strict=True):
        near = distance(np.arange(CELLS), cell) == 1
        assert near[mate]
        assert scores[mate] == scores[near].max()


@pytest.mark.parametrize("k", [None, 1, 2, 3, 4])
def test_a_tournament_of_k_neighbours_chooses_the_ith_best_with_its_chance_and_equal_ones_alike(k):
    near, rank = neighbours(CELLS, "von_neumann")[0].tolist(), np.arange(1, 5)
    better = np.zeros(CELLS)
    better[near] = [4, 3, 2, 1]
    for scores, law in ((np.zeros(CELLS), np.ones(4)), (better, (5.0 - rank) ** (k or 99) - (4.0 - rank) ** (k or 99))):
        mates = [near.index(couples(scores, g, **({"k": k} if k else {}))[0, 1]) for g in range(2000)]
        assert fits(np.bincount(mates, minlength=4), law) > RARE


@pytest.mark.parametrize("stays", ["offspring", "survivors_and_offspring"])
def test_the_best_ones_genes_reach_all_cells_so_many_steps_away_and_no_others(make_plan, stays):
    plan = make_plan(
        population={"name": "random", "size": 2 * CELLS},
        selection={"name": "cellular"},
        fitness=lambda tables, context: tables.mean(axis=(1, 2, 3)),
        crossover=lambda first, second, context: np.where(
            (context.scores[0] > context.scores[1])[:, None], first, second
        ),
        replacement={"name": stays},
        mutation=0.0,
    )
    plan = replace(plan, waves=(replace(plan.waves[0], generations=9),))
    genomes = np.zeros((2 * CELLS, plan.waves[0].grid.genes), np.uint8)
    genomes[CELLS + 10] = 1
    state = State(0, 0, genomes, fresh=len(genomes))
    for steps in range(1, 5):
        state = next_state(evaluate(plan, state))
        reached = state.genomes.all(axis=1).reshape(2, CELLS)
        assert reached[1].tolist() == (distance(np.arange(CELLS), 10) <= steps).tolist()
        assert reached[0].tolist() == (distance(np.arange(CELLS), 10) <= steps - (stays != "offspring")).tolist()


def test_cellular_selection_goes_with_cubes_islands_elites_and_strangers(make_plan):
    for replacement in ("elites", "immigrants", "survivors_and_offspring"):
        plan = make_plan(
            population={"name": "random", "size": 24},
            islands={"name": "ring", "count": 2, "interval": 2, "migrants": 1},
            selection={"name": "cellular", "neighbourhood": "moore"},
            replacement={"name": replacement},
        )
        assert len(states_of(plan)) == 7


def test_couples_of_a_users_own_are_checked(make_plan):
    class Wrong(Cellular):
        def couples(self, scores, rows, context):
            return np.stack([rows, rows], axis=1)

    with pytest.raises(InputError, match=r"pairs of indices from 0 to 3 from `couples`"):
        make_plan(selection=Wrong)
