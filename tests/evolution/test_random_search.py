"""Random search with a run's budget, done again step by step; how rare a figure is, by brute force and by simulation."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from scipy import stats

from pigevo.core.intervals import Placement, bound_of_best, bound_of_means, placement_of
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


def test_on_islands_it_meets_as_on_islands(make_plan):
    """Three islands of four have 6 pairs each in a generation, and all twelve meet in the end."""
    plan = make_plan(
        population={"name": "random", "size": 12}, fitness={"name": "games", "games": 10},
        selection={"name": "round_robin"}, islands={"name": "ring", "count": 3},
    )  # fmt: skip
    assert found_by(plan, 60).games == 10 * (5 * 3 * 6 + 66)


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
    monkeypatch.setattr(module, "BYTES_AT_ONCE", populations * size * grid.genes)
    progress = []
    values = module.random_values(grid, size, range(2, 7), workers, lambda ns: [progress.append(n) or n for n in ns])
    assert values.tolist() == np.array(alone).tolist()
    assert progress == [*range(2, 7)]
    assert module.random_values(grid, size, range(0), workers).shape == (0, size)


SAMPLE = Draw(1, "validation").uniforms(400)

# Laws of members on [0, 0.5]: how to draw them, and the values of means of 20 with about the chances 0.1, 0.01, 1e-3 and 1e-4.
LAWS = {
    "bell": lambda rng, shape: rng.beta(20, 60, shape) / 2,
    "skewed": lambda rng, shape: rng.beta(1, 8, shape) / 2,
    "two values": lambda rng, shape: np.where(rng.random(shape) < 0.1, 0.5, 0.1),
    "rare giants": lambda rng, shape: np.where(rng.random(shape) < 1 / 500, 0.5, 0.1 + rng.random(shape) / 100),
    "one in 6,000": lambda rng, shape: np.where(rng.random(shape) < 1 / 6000, 0.5, 0.1),
}


@pytest.mark.parametrize("value", [0.0, 0.2, 0.9, 0.995])
def test_the_share_that_reaches_a_figure_lies_in_its_interval(value):
    placement = placement_of(value, SAMPLE)
    assert placement.reached == sum(x >= value for x in SAMPLE)
    assert (placement.sample, placement.value, placement.largest) == (400, value, SAMPLE.max())
    assert placement.share == placement.reached / 400
    assert placement.low <= placement.share <= placement.high
    if 0 < placement.reached < 400:
        assert stats.binom.sf(placement.reached - 1, 400, placement.low) == pytest.approx(0.025, rel=1e-6)
        assert stats.binom.cdf(placement.reached, 400, placement.high) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("n", [1, 20, 300, 6000])
def test_a_figure_that_none_reaches_has_only_a_bound(n):
    placement = placement_of(2.0, Draw(2, "validation").uniforms(n))
    assert (placement.reached, placement.share, placement.low) == (0, 0.0, 0.0)
    assert placement.high == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-9)


@pytest.mark.parametrize("chance", [1e-4, 1e-6])
def test_no_chance_is_ever_called_less_than_it_is(chance):
    """A law fitted to the tail calls these chances 0 in 45, 57 and 67 % of such samples."""
    value, rng = stats.norm.isf(chance), np.random.default_rng(3)
    assert np.mean([placement_of(value, rng.normal(size=300)).high >= chance for _ in range(300)]) >= 0.95


def test_words_tell_what_the_sample_can_say():
    assert str(placement_of(2.0, Draw(2, "validation").uniforms(6000))) == "none of 6,000, fewer than 1 in 2,003 (95 %)"
    assert str(placement_of(2.0, SAMPLE[:20])) == "none of 20"  # "fewer than 1 in 7" tells nobody anything
    some = placement_of(0.995, SAMPLE)
    assert str(some) == f"{some.reached} of 400"


def test_a_record_is_plain_values_and_read_back_with_what_older_ones_hold():
    placement = placement_of(0.9, SAMPLE)
    record = asdict(placement)
    assert {type(value) for value in record.values()} <= {int, float}
    assert Placement.read(record) == Placement.read(record | {"chance": 0.1, "tail_model": 0.0}) == placement


def coverage(law, n, size, samples):
    """How often the bound holds the chance of a mean that about one in 10, 100 and 1,000 means of `size` members reach."""
    draw = LAWS[law]
    values = np.quantile(
        draw(np.random.default_rng(1), (100_000, size)).mean(axis=1), (0.9, 0.99, 0.999), method="higher"
    )
    means = draw(np.random.default_rng(0), (400_000, size)).mean(axis=1)
    chances = [(means >= value - 1e-12).mean() for value in values]
    members = draw(np.random.default_rng(2), (samples, n))
    bounds = np.array([[bound_of_means(sample, size, float(value)) for value in values] for sample in members])
    return (bounds >= chances).mean(axis=0)


@pytest.mark.parametrize("law", ["bell", "rare giants"])
def test_the_bound_of_means_holds(law):
    assert coverage(law, 600, 20, 20).min() >= 0.85  # of 20 at 95 %: below with p < 0.02


@pytest.mark.long
@pytest.mark.parametrize(("n", "size"), [(100, 4), (600, 20), (6000, 20), (6000, 5)])
@pytest.mark.parametrize("law", LAWS)
def test_the_bound_of_means_holds_in_ninety_five_samples_of_a_hundred(law, n, size):
    assert coverage(law, n, size, 300).min() >= 0.95


def test_the_bound_of_means_has_force():
    """Six thousand members say far more than their 300 means, none of which is as large: fewer than 1 in 100."""
    members = LAWS["skewed"](np.random.default_rng(3), (300, 20))
    far = float(members.mean() + 12 * members.std() / 20**0.5)
    assert bound_of_means(members, 20, far) < 1e-6
    assert placement_of(far, members.mean(axis=1)).high > 0.009


def test_the_bound_grows_with_what_is_asked_and_is_one_inside():
    members = LAWS["bell"](np.random.default_rng(4), 600)
    bounds = [bound_of_means(members, 20, value) for value in (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 1.0
    assert 0 < bounds[-1] < 1e-3


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_few_members_say_nothing(n):
    assert bound_of_means(np.full(n, 0.1), 20, 0.3) > 0.05
    assert bound_of_means(np.full(n, 0.1), 1, 0.5) > 0.3


def test_many_tries_are_allowed_for():
    assert bound_of_best(1e-4, 61) == pytest.approx(0.0061)
    assert bound_of_best(0.1, 61) == 1.0
