"""Rates by schedule and by the one-fifth rule.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.loop import evaluate
from pigevo.evolution.mutation.flips import OneFifth, rate_at, scheduled
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE, tossed

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
