"""Random search with a run's budget and handicap, done again step by step."""

from dataclasses import replace

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution import random_search as module
from pigevo.evolution.evaluation import every_pair
from pigevo.evolution.operators import Context
from pigevo.evolution.random_search import random_search, search


def exact(plan, groups, seed=0):
    if seed == 0:
        return random_search(plan.waves[0].grid, plan.size, 1, iter, populations=groups)
    return module.random_values(plan.waves[0].grid, plan.size, range(groups), 1, seed=seed)


def found_by(plan, strategies):
    return search(plan, plan.waves[0].grid, strategies)


def by_hand(plan, groups):
    """The same with nothing but dice, fitness and selection."""
    grid, size, seed = plan.waves[0].grid, plan.size, plan.seed
    genomes = np.concatenate([Draw(seed, "validation", n).bits(size, grid.genes) for n in range(groups)])

    def scores(chosen, number, pairs=None):
        if pairs is None:
            pairs = plan.selection.pairs(size, Context(Draw(seed, "selection", number), grid, number))
        tables = grid.to_tables(chosen).transpose(0, 1, 3, 2).astype(bool)
        wins = plan.fitness(tables, Context(Draw(seed, "dice", number), grid, number, pairs=pairs))
        return np.array([wins[pairs == member].mean() for member in range(size)])

    first = np.concatenate([scores(genomes[n * size : (n + 1) * size], n) for n in range(groups)])
    best = np.lexsort((Draw(seed, "selection", groups).at(part=2).words(len(first)), -first))[:size]
    last = scores(genomes[best], groups, every_pair(size))
    return best[np.lexsort((Draw(seed, "selection", groups).at(part=3).words(size), -last))[0]]


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("groups", [1, 5])
@pytest.mark.parametrize("games", [10, 0], ids=["games", "exact"])
@pytest.mark.parametrize(("selection", "meetings"), [("knockout", 4), ("round_robin", 28)])
def test_it_is_the_run_without_evolution(make_plan, groups, games, selection, meetings, seed):
    fitness = {"name": "games", "games": games} if games else {"name": "exact"}
    plan = replace(make_plan(fitness=fitness, selection={"name": selection}), seed=seed)
    best, values = found_by(plan, groups * 8), exact(plan, groups, seed)
    assert best.seed == seed
    assert best.by_matches == values.ravel()[by_hand(plan, groups)]
    assert best.strategies == groups * 8
    assert best.games == games * (groups * meetings + 28)


def test_it_belongs_to_its_seed_and_to_no_number_of_threads(make_plan):
    plan = replace(make_plan(), seed=0)
    best = found_by(plan, 20)
    assert found_by(replace(plan, workers=2), 20) == best
    others = [found_by(replace(plan, seed=seed), 20) for seed in (1, 2)]
    assert len({result.by_matches for result in (best, *others)}) == 3


def test_by_the_referee_it_finds_the_best(make_plan):
    plan = make_plan(fitness={"name": "exact_vs_optimal"})
    best = found_by(plan, 40)
    assert best.by_matches == exact(plan, 40 // plan.size, plan.seed).max()
    assert best.games == 0


def test_it_has_limits_and_tells_how_many_it_drew(make_plan, monkeypatch):
    plan = make_plan(fitness={"name": "games", "games": 10})
    meetings = plan.size // 2
    monkeypatch.setattr(module, "MOST_GAMES", 4 * meetings * 10)
    assert found_by(plan, 10_000).strategies == 4 * plan.size
    monkeypatch.setattr(module, "MOST_MEETINGS", 3 * meetings)
    assert found_by(make_plan(fitness={"name": "exact"}), 10_000).strategies == 3 * plan.size
    monkeypatch.setattr(module, "MOST_STRATEGIES", 2 * plan.size)
    assert found_by(make_plan(fitness={"name": "exact_vs_optimal"}), 10_000).strategies == 2 * plan.size


@pytest.mark.parametrize("name", ["archive", "archive_games"])
def test_a_fitness_that_remembers_begins_without_memories(make_plan, name):
    options = {"games": 8, "size": 2} if name == "archive_games" else {}
    assert found_by(make_plan(fitness={"name": name, **options}), 12).by_matches <= 0.5


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("populations", [1, 3, 100])
def test_values_do_not_depend_on_how_many_populations_are_judged_together(make_plan, monkeypatch, populations, workers):
    plan = make_plan()
    grid, size = plan.waves[0].grid, plan.size
    genomes = [Draw(0, "validation", n).bits(size, grid.genes) for n in range(2, 7)]
    alone = [module.referee(grid.game, grid.to_tables(members)) for members in genomes]
    monkeypatch.setattr(module, "TOGETHER", populations * size * grid.genes)
    progress = []
    values = module.random_values(grid, size, range(2, 7), workers, lambda ns: [progress.append(n) or n for n in ns])
    assert values.tolist() == np.array(alone).tolist()
    assert progress == [*range(2, 7)]
    assert module.random_values(grid, size, range(0), workers).shape == (0, size)
