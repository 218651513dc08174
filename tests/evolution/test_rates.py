"""Rates of mutation: who uses the run's rate, schedules, the one-fifth rule, and the rate that is inherited."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.loop import evaluate
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.flips import InheritedRate, OneFifth, log_odds, rate_at, scheduled
from pigevo.evolution.plan import origins, parentage
from pigevo.evolution.waves_and_islands import CUBES
from pigevo.settings.schema import registry_of
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE, tossed

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


def settings(mutator, typed=(), **changes):
    return Settings.read(BASE | {"mutator": mutator} | changes, typed=typed)


@pytest.mark.parametrize(("choice", "uses"), CHOICES, ids=str)
class TestEachMutator:
    def test_two_rates_are_two_runs_only_if_it_uses_them(self, choice, uses):
        low, high = (settings(choice, mutation=rate, generations=2) for rate in (0.1, 0.6))
        assert (low.hash == high.hash) == (low.folder == high.folder) == (low == high) == (not uses)
        assert (low.mutation, high.mutation) == ((0.1, 0.6) if uses else (None, None))
        assert ("mutation" in low.values, "mutation" in low.identity) == (uses, uses)
        plans = [replace(low.plan, rate=rate) for rate in (0.1, 0.6)]  # also of a mutator that is handed a rate
        digests = [[state.digest for state in states_of(plan)] for plan in plans]
        assert (digests[0] == digests[1]) == (not uses)

    def test_a_rate_is_needed_if_it_uses_it_and_else_refused_where_it_is_typed(self, choice, uses):
        without = {key: value for key, value in (BASE | {"mutator": choice}).items() if key != "mutation"}
        if uses:
            assert settings(choice, typed=("mutation",), mutation=0.3).mutation == 0.3
            with pytest.raises(InputError, match=r"the setting mutation is missing: mutator=.* needs it"):
                Settings.read(without)
            return
        assert Settings.read(without).mutation is None
        message = f"mutation = 0.3 changes nothing with mutator={choice['name']}"
        with pytest.raises(InputError, match=message) as caught:
            settings(choice, typed=("mutation",), mutation=0.3)
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


GRID = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
NOBODY = np.zeros((200, GRID.genes), np.uint8)


def flips_at(mutate, law, **context):
    """The p-value of the number of flips under a rate."""
    flipped = mutate(NOBODY, context_of(GRID, Draw(1, "mutation"), **context))
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
    def after(self, scores, fresh, rate=0.1, best=None, mutator=None, grid=GRID):
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
        context = context_of(GRID, scores=scores, fresh=20, arrived=10, state=state)
        assert OneFifth().remember(np.zeros((21, GRID.genes)), context)["rate"] == pytest.approx(0.085)
        alone = context_of(GRID, scores=scores[:2], fresh=1, arrived=1, state=state)
        assert OneFifth().remember(np.zeros((2, GRID.genes)), alone)["rate"] == 0.1

    def test_another_share_and_another_factor(self):
        mutator = OneFifth(success=0.5, factor=0.5)
        rates = [self.after([0.5, *[0.6] * n, *[0.4] * (4 - n)], 4, mutator=mutator) for n in (1, 2, 3)]
        assert rates == [0.05, 0.1, 0.2]

    def test_it_never_leaves_its_bounds(self):
        assert self.after([0.5, 0.4], 1, rate=1 / GRID.genes) == 1 / GRID.genes
        assert self.after([0.5, 0.6], 1, rate=0.49) == 0.5
        assert self.after([0.5, 0.4], 1, mutator=OneFifth(least=0.0), rate=1e-9) == pytest.approx(0.85e-9)

    def test_the_first_rate_is_that_of_the_run_and_nothing_is_judged_before_there_are_children(self):
        context = context_of(GRID, scores=np.arange(8.0), fresh=8, rate=0.3)
        state = OneFifth().remember(np.zeros((8, GRID.genes)), context)
        assert state["rate"].tolist() == [0.3]
        assert state["best"].tolist() == [7.0]
        assert flips_at(OneFifth(), 0.3, rate=0.3) > RARE

    def test_genes_flip_with_the_remembered_rate_within_the_bounds_of_their_grid(self):
        assert flips_at(OneFifth(), 0.07, rate=0.9, state={"rate": np.array([0.07])}) > RARE
        assert flips_at(OneFifth(), 1 / GRID.genes, rate=0.9, state={"rate": np.array([1e-7])}) > RARE

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
    context = context_of(GRID, Draw(3, "mutation"), rate=0.03, state={"rates": rates}, parents=np.asarray(parents))
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
        assert rates.min() == 1 / GRID.genes
        assert rates.max() == 0.5
        assert inheriting([[0, 0]], step=0, least=30)[0] == 30 / GRID.genes

    @pytest.mark.parametrize("child", [0, 3])
    def test_each_genome_flips_with_its_own_rate(self, child):
        parents = np.repeat(np.arange(4), 50)[:, None] * [1, 1]
        context = context_of(GRID, Draw(3, "mutation"), rate=0.9, state={"rates": RATES}, parents=parents)
        flipped = InheritedRate(step=0)(np.zeros((200, GRID.genes), np.uint8), context)[50 * child : 50 * child + 50]
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
